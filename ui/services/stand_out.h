// Which service of a table a person should look at first: the slowest, where one is much slower than its like. Pure;
// any thread.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "ui/services/service_columns.h"

namespace n2nq::ui {

struct Slowest {
  uint32_t number = 0;  // of the service
  std::string why{};    // "the slowest receiver: its p99 of 384 µs is 1.8 × the median of all"
  bool operator==(const Slowest&) const = default;
};

// Of receivers the one with the largest p99, of senders the one with the lowest rate among those that send; nothing
// where there are fewer than three to compare, or where none is far from the others.
std::optional<Slowest> slowest_of(Role role, std::span<const live::ServiceFigures> figures);

}  // namespace n2nq::ui
