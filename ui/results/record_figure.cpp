#include "ui/results/record_figure.h"

#include <algorithm>
#include <vector>

#include "app/figures/figures.h"

namespace n2nq::ui {
namespace {

bool is_of_latency(const std::string& id) {
  return id.starts_with("latency-") || id == "histogram" || id == "per-service";
}

}  // namespace

figures::Figure record_figure(const record::RunRecord& record, const std::string& id) {
  std::vector<figures::Figure> all = figures::figures_of(record);
  const auto found = std::ranges::find(all, id, &figures::Figure::id);
  if (found == all.end()) return {};
  const auto rate = std::ranges::find(all, "rate", &figures::Figure::id);
  const bool began = rate == all.end() || !rate->empty();
  if (!began && found->empty() && is_of_latency(id)) found->empty_text = rate->empty_text;
  return std::move(*found);
}

}  // namespace n2nq::ui
