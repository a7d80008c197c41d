// What lies between the UI thread and a connection's thread for one process elsewhere: bytes on their way in and out,
// wishes, the end. All of it under one mutex; bounded towards the UI.
#pragma once

#include <QByteArray>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/remote/wake.h"
#include "app/threads/post_box.h"

namespace n2nq::remote {

// How a process elsewhere ended, as far as it is known.
struct ExecEnd {
  bool lost = false;   // the connection went first; `text` says why
  bool begun = false;  // the other side took the command
  int exit_code = -1;
  int signal = 0;
  std::string text{};  // lost, or never begun: why
};

class Wire {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr qsizetype kMostWaiting = 1 << 20;

  struct Wishes {
    QByteArray input{};
    bool input_ends = false;
    std::vector<int> signals{};
    bool cancelled = false;
    bool gentle = false;  // cancelled: only its input ends, and it is let go
    std::chrono::milliseconds ping_interval{0};
    QByteArray ping{};
  };
  struct News {
    QByteArray out{}, err{};
    std::optional<ExecEnd> end{};
  };

  explicit Wire(std::shared_ptr<Wake> wake) : wake_(std::move(wake)) {}

  // UI thread. `notice` is put into the box when there is news; never again after detach().
  void attach(threads::PostBox& box, std::function<void()> notice);
  void detach();  // and cancels
  void write(const char* data, qsizetype size);
  void end_input();
  void signal(int number);
  void be_gentle();
  void ping_every(std::chrono::milliseconds interval, const QByteArray& line);
  News take_news();

  // The connection's thread.
  Wishes take_wishes();
  qsizetype room() const;  // for bytes towards the UI
  void put_out(const char* data, qsizetype size);
  void put_err(const char* data, qsizetype size);
  void put_end(ExecEnd end);  // once, last

 private:
  void note();  // with the mutex held

  mutable std::mutex mutex_;
  std::shared_ptr<Wake> wake_;
  threads::PostBox* box_ = nullptr;  // this and all below: guarded by mutex_
  std::function<void()> notice_;
  bool noted_ = false;
  bool ended_ = false;
  Wishes wishes_;
  News news_;
};

}  // namespace n2nq::remote
