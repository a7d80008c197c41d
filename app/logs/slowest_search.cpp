#include "app/logs/slowest_search.h"

#include <algorithm>
#include <utility>

#include "app/text/quantity.h"

namespace n2nq::logs {
namespace {

LogLayout layout_of(const OpenFile& file) {
  std::string head(LogLayout::kHead, '\0');
  head.resize(file.read_at(0, head));
  return LogLayout::read(head);
}

}  // namespace

// Progress is by logs, and within each by its bytes.
SlowestOutcome find_slowest_of(const SlowestWish& wish, const SearchWatch& watch) {
  constexpr int64_t kSteps = 1000;  // a log
  const int64_t all = kSteps * std::ssize(wish.logs);
  SlowestOutcome outcome;
  for (size_t i = 0; i < wish.logs.size() && !outcome.stopped; ++i) {
    const int64_t before = kSteps * static_cast<int64_t>(i);
    watch.progress(before, all);
    const auto file = OpenFile::open(wish.logs[i].path);
    if (!file) {
      outcome.unreadable++;
      continue;
    }
    const SearchScope scope{.file = *file, .lines = std::make_shared<LineIndex>(), .layout = layout_of(**file)};
    const auto progress = [&](int64_t done, int64_t of) {
      watch.progress(before + kSteps * done / std::max<int64_t>(of, 1), all);
    };
    const auto line = find_slowest(scope, wish.aim, {.stop = watch.stop, .progress = progress});
    outcome.stopped = watch.stop();
    if (!line || outcome.stopped) continue;
    if (!outcome.message || is_better(*line, outcome.message->line)) outcome.message = {.log = i, .line = *line};
  }
  return outcome;
}

std::string stretch_text(const RunStretch& stretch) {
  const auto seconds = [](int64_t ns) { return text::decimals(static_cast<double>(ns) / 1e9, 3); };
  return "from " + seconds(stretch.from_ns) + " to " + seconds(stretch.to_ns) + " s";
}

std::string stretch_text(const SlowestAim& aim) {
  const std::optional<RunStretch>& stretch = aim.own ? aim.own : aim.stretch;
  return stretch ? stretch_text(*stretch) : std::string();
}

}  // namespace n2nq::logs
