#include "app/run/warning_watch.h"

#include <algorithm>

namespace n2nq::run {
namespace {

constexpr int64_t kLastsNs = 1'000'000'000;
constexpr int64_t kLeastLastsNs = 300'000'000;  // less is a moment, in a run of any length

bool lasts(int64_t held_ns, int64_t run_ns) {
  return held_ns >= std::clamp(run_ns / 10, kLeastLastsNs, kLastsNs);
}

}  // namespace

void WarningWatch::sample(int64_t since_begin_ns, std::span<const live::LiveWarning> warnings) {
  const int64_t passed_ns = std::max<int64_t>(since_begin_ns - last_ns_, 0);
  last_ns_ = std::max(last_ns_, since_begin_ns);
  std::vector<bool> here(all_.size(), false);
  for (const live::LiveWarning& one : warnings) {
    auto kept = std::ranges::find(all_, one.id, [](const Kept& known) { return known.warning.id; });
    if (kept == all_.end()) {
      kept = all_.insert(all_.end(), {.warning = {.id = one.id, .from_ns = since_begin_ns, .held_ns = 0}});
      here.push_back(false);
    }
    if (kept->there) *kept->warning.held_ns += passed_ns;
    if (one.size >= kept->size) kept->warning.text = one.text;
    kept->size = std::max(kept->size, one.size);
    kept->weight = one.weight;
    here[static_cast<size_t>(kept - all_.begin())] = true;
  }
  for (size_t i = 0; i < all_.size(); i++) all_[i].there = here[i];
}

std::vector<record::RunWarning> WarningWatch::kept() const {
  std::vector<record::RunWarning> warnings;
  for (const Kept& one : all_) {
    record::RunWarning& warning = warnings.emplace_back(one.warning);
    warning.doubt = one.weight == live::Weight::always ||
                    (one.weight == live::Weight::if_it_lasts && lasts(*warning.held_ns, last_ns_));
  }
  return warnings;
}

}  // namespace n2nq::run
