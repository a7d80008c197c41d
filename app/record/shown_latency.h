// Which latency of a run is shown to people first: that from the actual send, or, where senders were late enough for it
// to tell another story, that from the intended send. docs/measuring.md, "The latency that is shown". Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/record/run_record.h"

namespace n2nq::record {

// Beside a name where that from the intended send is shown: "Latency p99, intended".
inline constexpr std::string_view kIntended = ", intended";

// Whether p50 or p99 from the intended send are more than a tenth off those from the actual one.
bool shows_intended(const measure::LatencySummary& actual, const measure::LatencySummary& intended);
bool shows_intended(const RunRecord& record);
// Runs beside each other are shown by the same one: from the intended send where one of them is, unless another has no
// schedule to be late for.
bool show_intended(std::span<const RunRecord* const> runs, bool turnaround);
const measure::LatencySummary& shown_latency(const RunRecord& record);
// While a run goes on: once it is that from the intended send it stays so, and of the first few messages nothing is
// known.
class LatencyChoice {
 public:
  bool intended() const { return intended_; }
  void look_at(const measure::LatencySummary& actual, const measure::LatencySummary& intended);

 private:
  bool intended_ = false;
};
// "from the intended send"
std::string from_text(bool intended);

}  // namespace n2nq::record
