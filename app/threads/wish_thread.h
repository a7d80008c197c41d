// A thread that does what is wished for, one wish after the other. Of wishes of one kind only the newest counts: it
// takes the place of one that waits, and the answer of one in progress is dropped. All but the tasks is for one thread,
// in which the answers are given.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "app/threads/post_box.h"

namespace n2nq::threads {

class WishThread {
 public:
  using Wanted = std::function<bool()>;  // asked now and then by a task that takes long
  using Task = std::function<PostBox::Call(const Wanted& wanted)>;

  WishThread();
  ~WishThread();  // waits for the task in progress; what waits is left undone
  WishThread(const WishThread&) = delete;
  WishThread& operator=(const WishThread&) = delete;

  void wish(int kind, Task task);
  void drop(int kind);
  void finish();         // all that waits is done, unanswered; nothing can be wished any more
  bool is_busy() const;  // an answer is still to come

 private:
  struct Wish {
    int kind;
    uint64_t number;
    Task task;
  };
  bool counts(const Wish& wish) const;
  void answer(int kind, uint64_t number, const PostBox::Call& call);
  void work(const std::stop_token& stop);

  PostBox box_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::vector<Wish> waiting_;  // guarded by mutex_, as are the three below
  bool finishing_ = false;
  std::map<int, uint64_t> unanswered_;  // by kind the number of the newest wish
  uint64_t last_ = 0;
  std::jthread thread_;
};

}  // namespace n2nq::threads
