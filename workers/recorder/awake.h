// Keeps the cores from halting while something is measured: on each core that this process may use a spinner of the
// scheduling class idle, which gives way to whatever else wants to run. A virtual machine's core that halts is woken by
// its host, and that takes longer than the bus does.
//
// The kernel's autogroup weighs sessions against each other before it looks at classes, and control groups likewise; so
// the spinners are in a control group that is idle itself, or else in an autogroup of the least weight. They are the
// children of a keeper, which ends them and removes the group as soon as this process is gone, whichever way. Start it
// while this process has one thread. One thread.
#pragma once

#include <sys/types.h>

#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::recorder {

class Awake {
 public:
  static Result<Awake> start();
  Awake(Awake&& other) noexcept;
  Awake& operator=(Awake&&) = delete;
  ~Awake();  // waits until all of it is gone

  const std::string& text() const { return text_; }  // "2 spinners of class idle in the idle control group ..."
  // Processor time of the spinners so far. The kernel counts it as that of programs with a nice value.
  int64_t cpu_ns();
  // Whether all of them are still there.
  bool holds() const;

 private:
  struct Spinner {
    pid_t pid = 0;
    clockid_t clock{};
    int64_t cpu_ns = 0;  // as it was told last
  };
  Awake(pid_t keeper, Fd alive, std::vector<Spinner> spinners, std::string text)
      : keeper_(keeper), alive_(std::move(alive)), spinners_(std::move(spinners)), text_(std::move(text)) {}
  static std::vector<Spinner> spinners_in(const std::string& line);

  pid_t keeper_ = -1;
  Fd alive_;  // the keeper reads its other end
  std::vector<Spinner> spinners_;
  std::string text_;
};

}  // namespace n2nq::recorder
