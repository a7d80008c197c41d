// Keeps each warning of a run with its time and for how long it held: what came and went is no less true of its
// figures. UI thread; the caller brings the time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/live/warnings.h"
#include "app/record/run_record.h"

namespace n2nq::run {

class WarningWatch {
 public:
  // All that are there now; each is counted as held since the sample before if it was there then.
  void sample(int64_t since_begin_ns, std::span<const live::LiveWarning> warnings);
  // By when they came. One that has to last is a doubt from a tenth of the run on, or from a second.
  std::vector<record::RunWarning> kept() const;

 private:
  struct Kept {
    record::RunWarning warning{};
    live::Weight weight = live::Weight::none;
    int64_t size = 0;  // that the text tells
    bool there = false;
  };
  std::vector<Kept> all_;
  int64_t last_ns_ = 0;
};

}  // namespace n2nq::run
