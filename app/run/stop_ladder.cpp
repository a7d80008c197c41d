#include "app/run/stop_ladder.h"

namespace n2nq::run {

bool StopLadder::climb_to(Rung rung, int64_t now_ns) {
  if (rung <= rung_) return false;
  rung_ = rung;
  since_ns_ = now_ns;
  return true;
}

void StopLadder::moved(int64_t now_ns) {
  if (rung_ == Rung::senders_asked) since_ns_ = now_ns;
}

bool StopLadder::is_time(int64_t now_ns) const {
  if (rung_ == Rung::none || rung_ == Rung::killed) return false;
  const int64_t patience = rung_ == Rung::senders_asked ? patience_.quiet_ns : patience_.term_ns;
  return now_ns - since_ns_ >= patience;
}

StopLadder::Rung StopLadder::next() const {
  return rung_ == Rung::killed ? Rung::killed : static_cast<Rung>(static_cast<int>(rung_) + 1);
}

}  // namespace n2nq::run
