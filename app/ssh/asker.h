// How a session's thread asks people something: it waits while the UI thread finds an answer. Both threads.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/remote/link_events.h"
#include "app/threads/post_box.h"

namespace n2nq::ssh {

class Asker {
 public:
  using Show = std::function<void(const remote::LinkQuestion& question, const remote::LinkAnswer& answer)>;

  // `show` is called in the thread of the box; without one every answer is no.
  Asker(threads::PostBox& box, Show show) : box_(box), show_(std::move(show)), state_(std::make_shared<State>()) {}

  std::optional<std::string> ask(const remote::LinkQuestion& question);  // the session's thread
  bool may_ask() const { return show_ != nullptr; }
  void abort();  // any thread: whoever waits gets no answer, now and from now on

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    int question = 0;  // guarded by mutex, as all below
    bool answered = false;
    bool aborted = false;
    std::optional<std::string> answer;
  };

  threads::PostBox& box_;
  Show show_;
  std::shared_ptr<State> state_;  // with the answer, which may come when all else is gone
};

}  // namespace n2nq::ssh
