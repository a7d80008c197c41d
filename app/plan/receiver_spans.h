// When receivers take nothing, or are away: times since BEGIN, in a plan, and in one line of text ("2s..5s;
// 1-3:7s..8s"). One from 0s is a receiver that starts, or comes, late. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"
#include "workers/control/service_set.h"

namespace n2nq::plan {

struct ReceiverSpan {
  control::ServiceSet receivers{};
  int64_t from_ns = 0;
  int64_t to_ns = 0;
  bool operator==(const ReceiverSpan&) const = default;
};

std::string to_text(const ReceiverSpan& span);  // "2s..5s", "1-3:2s..5s"
std::string to_text(const std::vector<ReceiverSpan>& spans);
Result<ReceiverSpan> parse_span(std::string_view text);
// "none" and "" are none.
Result<std::vector<ReceiverSpan>> parse_spans(std::string_view text);

// The longest time that some receiver takes nothing, by windows of its own that touch.
int64_t longest_span_ns(const std::vector<ReceiverSpan>& spans);
// One of them begins, or ends, for its receivers. By time; at one time what ends comes first.
struct ReceiverChange {
  int64_t at_ns = 0;
  bool begins = false;
  control::ServiceSet receivers{};
};
std::vector<ReceiverChange> changes_of(const std::vector<ReceiverSpan>& spans);
// Why a run cannot have these, with so many receivers; nothing: it can.
// `may_touch`: one may begin as another of the same receiver ends.
std::optional<std::string> trouble_with(const std::vector<ReceiverSpan>& spans, uint32_t receivers,
                                        bool may_touch = true);

}  // namespace n2nq::plan
