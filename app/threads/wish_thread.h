// A thread that does what is wished for, one wish after the other. Of wishes of one kind only the newest counts: it
// takes the place of one that waits, and the answer of one under way is dropped, unless it is the same wish again. All
// but the tasks is for one thread, in which the answers are given.
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
  using Wanted = std::function<bool()>;                             // asked now and then by a task that takes long
  using Task = std::function<PostBox::Call(const Wanted& wanted)>;  // the answer, which may be empty

  WishThread();
  ~WishThread();  // waits for the task in progress; what waits is left undone
  WishThread(const WishThread&) = delete;
  WishThread& operator=(const WishThread&) = delete;

  void wish(int kind, Task task);
  // Because something may have changed: one under way is answered, too, so that who wishes faster than it is done hears
  // something.
  void wish_again(int kind, Task task);
  void drop(int kind);
  void finish();         // all that waits is done, unanswered; nothing can be wished any more
  bool is_busy() const;  // an answer is still to come

 private:
  struct Wish {
    int kind;
    uint64_t number;
    Task task;
  };
  struct Wanting {
    uint64_t first;  // whose answer counts
    uint64_t last;
  };
  bool counts(const Wish& wish) const;
  void answer(int kind, uint64_t number, const PostBox::Call& call);
  void work(const std::stop_token& stop);

  PostBox box_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::vector<Wish> waiting_;  // guarded by mutex_, as are the three below
  bool finishing_ = false;
  std::map<int, Wanting> unanswered_;  // by kind
  uint64_t last_ = 0;
  std::jthread thread_;
};

}  // namespace n2nq::threads
