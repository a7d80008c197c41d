// One task at a time on a thread of its own, and what is done with its result in the thread of this object, from the
// event loop. All but tell() is for that thread.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

#include "app/threads/post_box.h"

namespace n2nq::threads {

class Job {
 public:
  // What becomes of a task when the job goes: it is told to stop and waited for; or, where it may hang for as long as
  // it likes, left to itself. Such a task owns all that it refers to.
  enum class AtEnd { wait, abandon };

  explicit Job(AtEnd at_end = AtEnd::wait) : at_end_(at_end), answers_(std::make_shared<Answers>()) {}
  ~Job();  // no answer is given any more
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // `task` there, with a std::stop_token if it takes one; then `answer` here, with its result. Waits for the task
  // before, if there is one that has not ended.
  template <class Task, class Answer>
  void start(Task task, Answer answer);
  void stop() { thread_.request_stop(); }

  void tell(PostBox::Call call) { answers_->put(std::move(call)); }  // from the task: a call before its answer

 private:
  struct Answers {
    std::mutex mutex;
    std::unique_ptr<PostBox> box = std::make_unique<PostBox>();  // null: nobody waits for answers

    void put(PostBox::Call call);
  };

  const AtEnd at_end_;
  std::shared_ptr<Answers> answers_;  // with the thread, which may live longer
  std::jthread thread_;
};

template <class Task, class Answer>
void Job::start(Task task, Answer answer) {
  thread_ = std::jthread(
      [answers = answers_, task = std::move(task), answer = std::move(answer)](const std::stop_token& stop) mutable {
        const auto work = [&] {
          if constexpr (std::is_invocable_v<Task&, const std::stop_token&>)
            return task(stop);
          else
            return task();
        };
        using Outcome = std::invoke_result_t<decltype(work)>;
        if constexpr (std::is_void_v<Outcome>) {
          work();
          answers->put(std::move(answer));
        } else {
          auto outcome = std::make_shared<Outcome>(work());
          answers->put([answer = std::move(answer), outcome = std::move(outcome)] { answer(std::move(*outcome)); });
        }
      });
}

}  // namespace n2nq::threads
