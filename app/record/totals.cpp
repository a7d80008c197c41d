#include "app/record/totals.h"

#include <algorithm>
#include <optional>

namespace n2nq::record {
namespace {

using control::Counts;

struct Sum {
  Role role;
  int64_t Counts::* of;
  uint64_t RunTotals::* total = nullptr;
  std::optional<uint64_t> RunTotals::* if_any = nullptr;  // in its place, of what other modes do not have
  bool with_replies = if_any != nullptr;                  // in request-reply alone
};
constexpr Sum kSums[] = {{Role::sender, &Counts::count, &RunTotals::sent},
                         {Role::sender, &Counts::bytes, &RunTotals::bytes_sent},
                         {Role::sender, &Counts::accepted, &RunTotals::accepted},
                         {Role::sender, &Counts::corrupt, &RunTotals::corrupt, nullptr, true},
                         {Role::sender, &Counts::replies, nullptr, &RunTotals::replies},
                         {Role::sender, &Counts::timeouts, nullptr, &RunTotals::timeouts},
                         {Role::sender, &Counts::late_replies, nullptr, &RunTotals::late_replies},
                         {Role::sender, &Counts::double_replies, nullptr, &RunTotals::double_replies},
                         {Role::receiver, &Counts::count, &RunTotals::received},
                         {Role::receiver, &Counts::duplicates, &RunTotals::duplicates},
                         {Role::receiver, &Counts::reordered, &RunTotals::reordered},
                         {Role::receiver, &Counts::corrupt, &RunTotals::corrupt},
                         {Role::receiver, &Counts::redelivered, &RunTotals::redelivered}};

}  // namespace

void add_counts(RunTotals& totals, Role role, const Counts& counts, bool with_replies) {
  for (const Sum& sum : kSums) {
    if (sum.role != role || (sum.with_replies && !with_replies)) continue;
    const uint64_t count = control::whole(counts.*sum.of);
    if (sum.total != nullptr)
      totals.*sum.total += count;
    else
      totals.*sum.if_any = (totals.*sum.if_any).value_or(0) + count;
  }
}

void raise_sums(RunTotals& totals, const RunTotals& others) {
  for (const Sum& sum : kSums) {
    if (sum.total != nullptr)
      totals.*sum.total = std::max(totals.*sum.total, others.*sum.total);
    else
      totals.*sum.if_any = std::max(totals.*sum.if_any, others.*sum.if_any);
  }
}

void take_sums(Counts& counts, Role role, const RunTotals& totals) {
  for (const Sum& sum : kSums) {
    // In request-reply it is of both roles, else of receivers.
    const bool of_both = sum.of == &Counts::corrupt && (role == Role::sender || totals.replies);
    if (sum.role != role || of_both) continue;
    counts.*sum.of = static_cast<int64_t>(sum.total != nullptr ? totals.*sum.total : (totals.*sum.if_any).value_or(0));
  }
}

}  // namespace n2nq::record
