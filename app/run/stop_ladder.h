// How processes are brought to an end, one rung after another, until all are over: senders told to stop, all told,
// SIGTERM, SIGKILL. UI thread; the caller brings the time.
#pragma once

#include <cstdint>

namespace n2nq::run {

class StopLadder {
 public:
  enum class Rung { none, senders_asked, all_asked, terminated, killed };
  struct Patience {
    int64_t quiet_ns = 0;  // with the senders asked, since something last moved
    int64_t term_ns = 0;   // on each rung after that
  };

  explicit StopLadder(Patience patience) : patience_(patience) {}

  Rung rung() const { return rung_; }
  // Never down again. True if this is a new rung.
  bool climb_to(Rung rung, int64_t now_ns);
  // Something moved: patience with the first rung begins again.
  void moved(int64_t now_ns);
  // The next rung, when it is time for it.
  bool is_time(int64_t now_ns) const;
  Rung next() const;

 private:
  Patience patience_;
  Rung rung_ = Rung::none;
  int64_t since_ns_ = 0;
};

}  // namespace n2nq::run
