#include "app/plan/pair_load.h"

#include <algorithm>
#include <utility>

#include "broker/wire/filter.h"

namespace n2nq::plan {
namespace {

// The part of from..to that the bounds contain.
double part_of(const wire::Filter::Bounds& bounds, uint64_t from, uint64_t to) {
  const uint64_t first = std::max(bounds.min, from);
  const uint64_t last = std::min(bounds.max, to);
  return last < first ? 0 : static_cast<double>(last - first + 1) / static_cast<double>(to - from + 1);
}

// Messages of one sender; nothing where it sends for a time, as fast as it can.
std::optional<uint64_t> messages_of(const SenderPlan& senders) {
  if (senders.shape.exists())
    return static_cast<uint64_t>(measure::LoadProfile(senders.shape).messages() / senders.fleet.count);
  if (senders.duration_ns == 0) return senders.messages;
  if (senders.delay_ns == 0) return {};
  return static_cast<uint64_t>(senders.duration_ns / senders.delay_ns);
}

std::optional<double> share_of(const SenderPlan& senders, const FilterMatrix& matrix, uint32_t receiver) {
  double share = 1;
  if (const std::string& size = matrix.size_text(receiver); !size.empty())
    if (const auto filter = wire::parse_filter("size=" + size, receiver); filter && filter->size)
      share *= part_of(*filter->size, senders.size_bytes.min, senders.size_bytes.max);
  const std::string& index = matrix.index_text(receiver);
  if (index.empty()) return share;
  const auto messages = messages_of(senders);
  const auto filter = wire::parse_filter("index=" + index, receiver);
  if (!messages || *messages == 0 || !filter || !filter->index) return {};
  return share * part_of(*filter->index, 1, *messages);
}

}  // namespace

PairLoad::PairLoad(const SenderPlan& senders, Mode mode, const FilterMatrix& matrix, std::vector<double> rates_per_s)
    : per_second_(mean_delay_ns(senders) > 0 || !rates_per_s.empty()),
      rates_(std::move(rates_per_s)),
      whole_(mean_delay_ns(senders) > 0 ? 1e9 / static_cast<double>(mean_delay_ns(senders)) : 100) {
  for (uint32_t receiver = 1; receiver <= matrix.receivers(); receiver++)
    shares_.push_back(share_of(senders, matrix, receiver));
  if (mode == Mode::load_balancer) count_takers(matrix);
  find_extent(matrix);
}

void PairLoad::count_takers(const FilterMatrix& matrix) {
  takers_.assign(matrix.senders(), 0);
  for (uint32_t receiver = 1; receiver <= matrix.receivers(); receiver++)
    for (uint32_t sender = 1; sender <= matrix.senders(); sender++)
      if (matrix.wanted(receiver, sender)) takers_[sender - 1] += shares_[receiver - 1].value_or(1);
}

std::optional<double> PairLoad::of(uint32_t receiver, uint32_t sender) const {
  if (receiver < 1 || receiver > shares_.size()) return {};
  const auto& share = shares_[receiver - 1];
  if (!share) return {};
  const double spread = sender >= 1 && sender <= takers_.size() ? std::max(takers_[sender - 1], 1.0) : 1;
  const double all = rates_.empty() ? whole_ : sender >= 1 && sender <= rates_.size() ? rates_[sender - 1] : 0;
  return all * *share / spread;
}

void PairLoad::find_extent(const FilterMatrix& matrix) {
  for (uint32_t receiver = 1; receiver <= matrix.receivers(); receiver++)
    for (uint32_t sender = 1; sender <= matrix.senders(); sender++) {
      if (!matrix.wanted(receiver, sender)) continue;
      take(of(receiver, sender));
      if (takers_.empty() && rates_.empty()) break;  // it gets as much from each
    }
}

void PairLoad::take(std::optional<double> load) {
  if (!load || *load <= 0) return;
  least_ = least_ == 0 ? *load : std::min(least_, *load);
  largest_ = std::max(largest_, *load);
}

}  // namespace n2nq::plan
