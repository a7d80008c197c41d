#include "ui/services/stand_out.h"

#include <algorithm>
#include <vector>

#include "app/text/quantity.h"

namespace n2nq::ui {
namespace {

constexpr size_t kLeastToCompare = 3;
constexpr double kFarAbove = 1.5;  // p99 over the median one
constexpr double kFarBelow = 2;    // rates swing more: a Poisson sender is not slow for a second without messages

struct Rated {
  double value = 0;
  uint32_t number = 0;
};

double median_of(std::vector<Rated>& rated) {
  const auto middle = rated.begin() + static_cast<std::ptrdiff_t>((rated.size() - 1) / 2);
  std::ranges::nth_element(rated, middle, {}, &Rated::value);
  return middle->value;
}

std::string times(double ratio) {
  return text::decimals(ratio, ratio < 10 ? 1 : 0) + " ×";
}

std::vector<Rated> rated_of(Role role, std::span<const live::ServiceFigures> figures) {
  std::vector<Rated> rated;
  rated.reserve(figures.size());
  for (const live::ServiceFigures& service : figures) {
    if (role == Role::sender && service.state == live::ServiceState::running)
      rated.push_back({.value = service.rate_per_s, .number = service.number});
    else if (role == Role::receiver && service.latency_p99_ns)
      rated.push_back({.value = static_cast<double>(*service.latency_p99_ns), .number = service.number});
  }
  return rated;
}

}  // namespace

std::optional<Slowest> slowest_of(Role role, std::span<const live::ServiceFigures> figures) {
  std::vector<Rated> rated = rated_of(role, figures);
  if (rated.size() < kLeastToCompare) return {};
  const double median = median_of(rated);
  if (median <= 0) return {};
  if (role == Role::sender) {
    const Rated slow = *std::ranges::min_element(rated, {}, &Rated::value);
    if (slow.value * kFarBelow > median) return {};
    const std::string share = slow.value > 0 ? times(slow.value / median) : "none of";
    return Slowest{.number = slow.number,
                   .why = "the slowest sender: its rate of " + text::rate(slow.value) + " is " + share +
                          " the median of all, " + text::rate(median)};
  }
  const Rated slow = *std::ranges::max_element(rated, {}, &Rated::value);
  if (slow.value < kFarAbove * median) return {};
  return Slowest{.number = slow.number,
                 .why = "the slowest receiver: its p99 of " + text::duration(slow.value) + " is " +
                        times(slow.value / median) + " the median of all, " + text::duration(median)};
}

}  // namespace n2nq::ui
