// The servers that a run has of its own: one, or several that form a cluster. They are started together, ready once
// each of them knows all, and end together; one of them can be killed in the run. Of a cluster on several computers
// there is one of these on each: what they prepare() somebody brings together, and has all form() it. Thread: the
// loop's.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "broker/base/result.h"
#include "broker/net/event_loop.h"
#include "broker/net/timer.h"
#include "broker/serve/question.h"
#include "broker/serve/served.h"

namespace n2nq::serve {

class Cluster {
 public:
  struct Callbacks {
    std::function<void()> on_ready{};
    // The first is, and the others may be started, where that is of interest (Recipe::one_first).
    std::function<void()> on_first_ready{};
    // One has ended that was not killed, and others go on, here or elsewhere: which one, from 0, and how.
    std::function<void(size_t index, const std::string& why)> on_gone{};
    // It never was ready, or all have ended; the last call. What, and what to do.
    std::function<void(const std::string& why)> on_lost{};
  };
  struct Wish {
    const Recipe* recipe = nullptr;
    std::string program{};                // its file
    std::vector<net::Endpoint> listen{};  // of each
    std::string log_dir{};                // empty: logs are in their folders, and gone with them
    std::string password{};
    std::map<std::string, std::string> settings{};
    std::optional<Container> container{};  // each in one such
    std::optional<Apart> apart{};          // there are others elsewhere
  };
  Cluster(net::EventLoop& loop, Wish wish, Callbacks callbacks);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Those that are here are all there are. One that cannot be started then is lost.
  Result<void> start();
  // They have their places, and wait.
  Result<std::vector<Site::Member>> prepare();
  Result<void> form(std::vector<Site::Member> members, const std::string& cookie);
  const Recipe& recipe() const { return *wish_.recipe; }
  size_t size() const { return members_.size(); }  // of all computers
  struct Ours {
    size_t index = 0;  // from 0, of all
    const Served* server = nullptr;
  };
  std::vector<Ours> ours() const;
  // Of the first of ours whose disk is full, in words; nothing: there is none.
  std::optional<std::string> full_disk() const;

  struct Killed {
    size_t index = 0;
    bool leads = false;      // it was asked for as that
    bool elsewhere = false;  // it is not one of ours, and not killed
    int64_t at_ns = 0;
  };
  using OnKilled = std::function<void(const Result<Killed>&)>;
  // By SIGKILL, at once. The answer may come within the call.
  void kill(size_t index, bool leads, const OnKilled& done);
  // Whoever leads: those that run are asked, until one names one that does; one kill after the other. `dead`:
  // elsewhere.
  void kill_leader(const std::set<size_t>& dead, OnKilled done);
  // Ends all, and waits for that; nothing is called any more.
  void end();

 private:
  // One of ours, by its place in servers_.
  void is_ready(size_t at);
  void lost(size_t at, const std::string& why);
  void start_those(bool first);
  std::optional<size_t> place_of(size_t index) const;
  std::string name_of(size_t index) const;
  void find_leader();
  void ask_for_leader();
  void take_leader(size_t leader);
  void not_found(const std::string& why);
  void answer(const Result<Killed>& killed);
  void on_no_answer();
  bool lives(size_t index) const;
  Result<Killed> kill_now(size_t index, bool leads);

  net::EventLoop& loop_;
  Wish wish_;
  Callbacks callbacks_;
  std::vector<std::unique_ptr<Served>> servers_;
  std::vector<size_t> indices_;        // of each of those, from 0, among
  std::vector<Site::Member> members_;  // all
  std::string cookie_;
  size_t ready_ = 0;
  std::set<size_t> killed_;  // indices
  std::set<size_t> dead_elsewhere_;
  std::deque<OnKilled> on_leader_;  // for the first of these it is asked for, for each other whoever leads then
  size_t asked_ = 0;                // which of ours is next to be asked for it
  int64_t ask_until_ns_ = 0;
  bool again_ = false;  // all were asked, and are asked again
  std::string why_no_leader_;
  std::unique_ptr<Question> question_;
  std::unique_ptr<Question> asked_before_;  // destroyed when the next is asked, as it calls
  net::Timer no_answer_;
};

}  // namespace n2nq::serve
