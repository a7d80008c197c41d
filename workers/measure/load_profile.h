// When the messages of a load shape are due, in closed form: how many are due by a time is the integral of the asked
// rate, and message i is due where that reaches i. Nothing is added up from message to message, so nothing drifts.
// Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "workers/measure/load_shape.h"

namespace n2nq::measure {

class LoadProfile {
 public:
  LoadProfile() = default;  // nothing is due, ever
  // Of a shape that is constant or has problems nothing is due.
  explicit LoadProfile(const LoadShape& shape);
  static LoadProfile steady(double per_s, int64_t length_ns);

  int64_t length_ns() const { return length_ns_; }
  double messages() const { return messages_; }  // of all senders, within the length
  // Due before that time; fractions of a message, as the rate has them.
  double messages_until(int64_t t_ns) const;
  // When message `amount` (from 0) is due; the end for those beyond it. `near`: where the last one was found, 0 at
  // first, so that messages in their order cost no search.
  int64_t time_of(double amount, size_t& near) const;
  // Of a sender whose messages are `first`, `first` + `step`, ... of all.
  uint64_t count_of(double first, double step) const;
  // For how long at the most no message is due at all, before the first and after the last one too.
  int64_t longest_gap_ns() const;
  bool is_recorded() const { return recorded_ != nullptr; }
  // Recorded: the longest time from the begin, or a message, until so many more are due, or the end.
  int64_t longest_between(size_t messages) const;

 private:
  // Where the rate changes in a line. Whole numbers of messages at its bounds are whole, however they were rounded.
  struct Segment {
    int64_t start_ns = 0;
    double first = 0;       // messages before it
    double rate_per_s = 0;  // at its begin
    double rise_per_s2 = 0;
  };
  void add(int64_t length_ns, double from_per_s, double to_per_s);
  const Segment& segment_at(int64_t t_ns) const;
  static double within(const Segment& segment, int64_t t_ns);

  std::vector<Segment> segments_;
  std::shared_ptr<const std::vector<int64_t>> recorded_;  // instead of segments
  int64_t length_ns_ = 0;
  double messages_ = 0;
};

}  // namespace n2nq::measure
