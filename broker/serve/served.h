// A server that a run has of its own: started in its cage, asked until it answers, and ended with the run.
// Thread: the loop's. States: idle -> prepared -> starting -> ready -> over; over from starting where it never answers.
#pragma once

#include <signal.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/result.h"
#include "broker/net/event_loop.h"
#include "broker/net/timer.h"
#include "broker/serve/cage.h"
#include "broker/serve/container.h"
#include "broker/serve/question.h"
#include "broker/serve/recipe.h"

namespace n2nq::serve {

class Served {
 public:
  struct Callbacks {
    std::function<void()> on_ready{};
    // It never was ready, or has ended by itself; the last call. What, and what to do.
    std::function<void(const std::string& why)> on_lost{};
  };
  struct Wish {
    const Recipe* recipe = nullptr;
    std::string program{};   // its file
    net::Endpoint listen{};  // port 0: a free one
    std::string beside{};    // a folder for its logs; empty: they are in its own, and gone with it
    std::string password{};
    std::map<std::string, std::string> settings{};
    std::optional<Container> container{};  // in which it runs
    std::optional<Apart> apart{};
  };
  Served(net::EventLoop& loop, Wish wish, Callbacks callbacks);
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  // Its own port is chosen, and held.
  Result<void> hold_port();
  // Chooses its other ports, and holds them, and makes its folder.
  Result<void> prepare();
  const Site& site() const { return site_; }
  // As one of these, which are all prepared and have the cookie in common; `index`: which one.
  // `log`: its file; empty: in its folder.
  Result<void> start(const std::vector<Site::Member>& members, size_t index, const std::string& cookie,
                     std::string log);
  const Recipe& recipe() const { return *wish_.recipe; }
  const std::string& version() const { return version_; }
  pid_t pid() const { return process_.pid(); }  // of the server itself, once it is ready
  // At once. False, with errno: it is gone.
  bool kill() const { return process_.signal(SIGKILL); }
  // What is sent to its port goes to it, and to nobody who took the port before or after it.
  bool has_its_port() const { return runs() && process::only_these_listen(site_.listen, cage_->processes()); }
  bool runs() const { return cage_.has_value() && !over_; }
  std::string address() const { return site_.listen.text(); }
  // "keeps its files on a disk that is full: 12 KiB free at /..."; nothing: it is not, or that is not known.
  std::optional<std::string> full_disk() const;
  const std::string& log_file() const { return log_file_; }
  // It is told to end, with all its children; end() waits for that. Nothing is called any more.
  void begin_to_end();
  void end();

 private:
  class EndWatch;
  Result<void> make_folder();
  Result<Fd> listen_at_more() const;
  void ask();
  void on_due();
  void answered(const std::string& so_far);
  void ask_for_others();
  void knows(size_t servers);
  size_t wanted() const;
  void close_question();
  void not_answered(const std::string& why);
  void ended();
  void lose(const std::string& why);
  std::string file_of_program() const;

  net::EventLoop& loop_;
  Wish wish_;
  Callbacks callbacks_;
  Site site_;
  std::string log_file_;
  std::optional<Cage> cage_;
  process::ProcessHandle process_;
  std::unique_ptr<EndWatch> end_watch_;
  std::unique_ptr<Question> question_;
  std::unique_ptr<Question> asked_before_;  // destroyed when the next is asked, as it calls
  std::vector<Fd> held_;                    // its ports until it starts, and its own once it has ended
  std::string version_;
  bool asks_for_others_ = false;
  bool answered_ = false;
  bool over_ = false;
  std::string last_failure_;
  int64_t until_ns_ = 0;
  net::Timer again_;
};

}  // namespace n2nq::serve
