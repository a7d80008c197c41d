// The servers that a run has of its own: one, or several that form a cluster. They are started together, ready once
// each of them knows all, and end together; one of them can be killed in the run. Thread: the loop's.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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
    // One has ended that was not killed, and others go on: which one, from 0, and how.
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
  };
  Cluster(net::EventLoop& loop, Wish wish, Callbacks callbacks);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  Result<void> start();
  const Recipe& recipe() const { return *wish_.recipe; }
  size_t size() const { return servers_.size(); }
  const Served& at(size_t index) const { return *servers_[index]; }

  struct Killed {
    size_t index = 0;
    bool leads = false;  // it was asked for as that
    int64_t at_ns = 0;
  };
  using OnKilled = std::function<void(const Result<Killed>&)>;
  // By SIGKILL, at once. The answer may come within the call.
  void kill(size_t index, const OnKilled& done);
  // Whoever leads: those that run are asked, until one names one that does; one kill after the other.
  void kill_leader(OnKilled done);
  // Ends all, and waits for that; nothing is called any more.
  void end();

 private:
  void is_ready();
  Result<void> start_from(size_t index);
  void lost(size_t index, const std::string& why);
  std::string name_of(size_t index) const;
  void find_leader();
  void ask_for_leader();
  void take_leader(std::optional<size_t> leader);
  void not_found(const std::string& why);
  void answer(const Result<Killed>& killed);
  void on_no_answer();
  bool lives(size_t index) const;
  Result<Killed> kill_now(size_t index, bool leads);

  net::EventLoop& loop_;
  Wish wish_;
  Callbacks callbacks_;
  std::vector<std::unique_ptr<Served>> servers_;
  std::vector<Site::Member> members_;
  std::string cookie_;
  size_t ready_ = 0;
  std::vector<bool> killed_;
  std::deque<OnKilled> on_leader_;  // for the first of these it is asked for, for each other whoever leads then
  size_t asked_ = 0;                // who is next to be asked for it
  int64_t ask_until_ns_ = 0;
  bool again_ = false;  // all were asked, and are asked again
  std::string why_no_leader_;
  std::unique_ptr<Question> question_;
  std::unique_ptr<Question> asked_before_;  // destroyed when the next is asked, as it calls
  net::Timer no_answer_;
};

}  // namespace n2nq::serve
