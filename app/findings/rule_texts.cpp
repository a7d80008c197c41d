#include <cstdio>

#include "app/analysis/mean_interval.h"
#include "app/analysis/run_comparison.h"
#include "app/findings/rules.h"
#include "app/text/quantity.h"

namespace n2nq::findings {

Outcome inside(const analysis::Contrast& contrast, double low, double high) {
  if (contrast.low > low && contrast.high < high) return Outcome::agrees;
  return contrast.high < low || contrast.low > high ? Outcome::differs : Outcome::unknown;
}

double shared(size_t statements) {
  return 1 - 0.05 / static_cast<double>(std::max<size_t>(statements, 1));
}

std::string times(double factor) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, factor < 9.95 ? "%.2g" : "%.0f", factor);
  return buffer;
}

std::string so_many_times(double factor, const std::string& as) {
  const std::string text = times(factor);
  return text == "1" ? "about " + as : text + " times " + as;
}

std::string percent(double share) {
  return times(share * 100) + " %";
}

std::string interval_text(const analysis::Contrast& contrast, const std::string& low, const std::string& high) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g %% CI ", contrast.confidence * 100);
  return buffer + low + " to " + high + ", " + text::amount(contrast.runs, "run");
}

std::string interval_text(const analysis::Contrast& contrast) {
  return interval_text(contrast, times(contrast.low), times(contrast.high));
}

std::string mean_text(const CaseResults& results, const std::vector<const Cell*>& cells) {
  std::vector<double> values;
  for (const Cell* cell : cells) values.insert(values.end(), cell->values.begin(), cell->values.end());
  if (values.empty()) return "no run";
  const std::string points = cells.size() > 1 ? " at " + std::to_string(cells.size()) + " points" : "";
  return results.measure().text(analysis::mean_of(values)) + ", " + text::amount(values.size(), "run") + points;
}

std::string too_few_text(const CaseResults& results, const std::vector<const Cell*>& cells, const std::string& what) {
  if (cells.empty()) return "this campaign has no point for it: " + what;
  size_t incomplete = 0;
  for (const Cell* cell : cells) incomplete += cell->complete() ? 0 : 1;
  if (incomplete == 0) return what + " " + mean_text(results, cells);
  return what + " " + mean_text(results, cells) + "; a statement needs " + std::to_string(analysis::kLeastRuns) +
         " runs of a point, which " + std::to_string(incomplete) + " of " + std::to_string(cells.size()) + " lack";
}

}  // namespace n2nq::findings
