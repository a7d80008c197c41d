#include "app/logs/log_search.h"

#include <algorithm>
#include <utility>

#include "app/text/quantity.h"

namespace n2nq::logs {
namespace {

constexpr int64_t kLookEvery = LineIndex::kBlock;

struct Stretch {
  int64_t from = 0;
  int64_t to = 0;
};

// An expression may take milliseconds a line, so that it is to be looked up after every one.
int64_t look_every(const TextQuery& query) {
  return query.expression ? 1 : kLookEvery;
}

// Calls `visit(piece, good)` for the pieces of each line that begins in the stretch, until it returns false; `good`, at
// the last piece, is whether the filter lets the line through. False if the watch ended it.
template <class Visit>
bool visit_lines(const SearchScope& scope, Stretch stretch, const SearchWatch& watch,
                 const std::function<void(int64_t)>& progress, Visit visit, int64_t look_every = kLookEvery) {
  LineScan scan(*scope.file, stretch.from, stretch.to);
  LineTally tally(*scope.lines, stretch.from);
  LineTest test(scope.filter, scope.layout);
  const bool everything = scope.filter.everything();
  int64_t looked = stretch.from;
  LinePiece piece;
  while (scan.next(piece)) {
    if (piece.offset - looked >= look_every) {
      looked = piece.offset;
      if (watch.stop()) return false;
      progress(looked - stretch.from);
    }
    if (piece.first) tally.line_at(piece.start);
    const bool good = everything || test.feed(piece);
    if (!visit(piece, good)) return !watch.stop();
  }
  tally.covered_to(std::min(stretch.to, scan.position()));
  progress(stretch.to - stretch.from);
  return !watch.stop();
}

// What is looked for in a line, piece by piece; the answer to the last piece counts.
struct Target {
  std::function<bool(const LinePiece&)> feed;
  std::function<int64_t(const LinePiece&)> offset;
  int64_t look_every = kLookEvery;  // bytes of the file
};

struct Hit {
  std::optional<FoundLine> line;
  bool stopped = false;
};

// The first or the last hit of the stretch.
Hit hit_in(const SearchScope& scope, Stretch stretch, bool last, Target& target, const SearchWatch& watch,
           const std::function<void(int64_t)>& progress) {
  Hit hit;
  const auto visit = [&](const LinePiece& piece, bool good) {
    const bool found = target.feed(piece);
    if (!piece.last || !found || !good) return true;
    hit.line = {.start = piece.start, .offset = target.offset(piece)};
    return last;
  };
  hit.stopped = !visit_lines(scope, stretch, watch, progress, visit, target.look_every);
  return hit;
}

Hit hit_backwards(const SearchScope& scope, Stretch stretch, Target& target, const SearchWatch& watch,
                  const std::function<void(int64_t)>& progress) {
  Hit hit;
  int64_t to = stretch.to;
  while (to > stretch.from && !hit.line && !hit.stopped) {
    const int64_t from = std::max(stretch.from, (to - 1) / LineIndex::kBlock * LineIndex::kBlock);
    hit = hit_in(scope, {from, to}, true, target, watch, [](int64_t) {});
    to = from;
    progress(stretch.to - to);
  }
  return hit;
}

std::optional<FoundLine> find(const SearchScope& scope, Target& target, int64_t from, bool backwards,
                              const SearchWatch& watch) {
  const int64_t size = scope.file->size();
  const int64_t here = from < 0 && backwards ? size : from;
  // The line at `from` comes last: forwards it belongs to the second stretch, backwards too.
  const Stretch low{0, std::min(backwards ? std::max<int64_t>(here, 0) : here + 1, size)};
  const Stretch high{low.to, size};
  const auto look = [&](Stretch stretch, int64_t before) {
    const auto progress = [&](int64_t done) { watch.progress(before + done, size); };
    return backwards ? hit_backwards(scope, stretch, target, watch, progress)
                     : hit_in(scope, stretch, false, target, watch, progress);
  };
  const Stretch first = backwards ? low : high;
  const Stretch second = backwards ? high : low;
  Hit hit = look(first, 0);
  if (hit.line || hit.stopped) return hit.line;
  hit = look(second, first.to - first.from);
  if (hit.line) hit.line->wrapped = true;
  return hit.line;
}

std::optional<int64_t> number_in(std::string_view row, size_t column) {
  const Cells cells(row, column + 2);
  return cells.size() > column ? whole_number(cells[column]) : std::nullopt;
}

// When rows were written, since the run began; they are in that order.
class RowClock {
 public:
  static constexpr int64_t kNear = 64 * 1024;  // bytes that are not worth another jump

  explicit RowClock(const LogLayout& layout) : layout_(layout), origin_ns_(layout.origin_ns().value_or(0)) {
    column_ = layout.column("received_ns");
    if (!column_) column_ = layout.column("sent_ns");
  }
  std::optional<int64_t> of(std::string_view row) const {
    const auto stamp = column_ ? number_in(row, *column_) : std::nullopt;
    return stamp ? std::optional(*stamp - origin_ns_) : std::nullopt;
  }
  // A place before which no row is of that time or later.
  int64_t first_at(const OpenFile& file, int64_t time_ns, const Stop& stop) const {
    int64_t low = 0, high = file.size();
    while (high - low > kNear && !stop()) {
      const int64_t middle = low + (high - low) / 2;
      const auto row = row_from(file, middle, high);
      if (row && row->time_ns < time_ns) {
        low = row->start;
      } else {
        high = middle;
      }
    }
    return low;
  }

 private:
  struct Row {
    int64_t start = 0;
    int64_t time_ns = 0;
  };
  std::optional<Row> row_from(const OpenFile& file, int64_t from, int64_t to) const {
    LineScan scan(file, from, to);
    for (LinePiece piece; scan.next(piece);) {
      if (!piece.first || kind_of(piece.text, layout_) != LineKind::row) continue;
      if (const auto time = of(piece.text)) return Row{.start = piece.start, .time_ns = *time};
    }
    return std::nullopt;
  }

  const LogLayout& layout_;
  int64_t origin_ns_;
  std::optional<size_t> column_;
};

int fit_of(const SlowestAim& aim, const std::optional<int64_t>& at, int64_t value_ns) {
  const bool shown = aim.shown && value_ns >= aim.shown->low_ns && value_ns <= aim.shown->high_ns;
  const bool own = aim.own && at && *at >= aim.own->from_ns && *at < aim.own->to_ns;
  return (shown ? 2 : 0) + (own ? 1 : 0);
}

}  // namespace

std::optional<FoundLine> find_text(const SearchScope& scope, const TextQuery& query, int64_t from, bool backwards,
                                   const SearchWatch& watch) {
  auto search = TextSearch::make(query);
  if (!search) return std::nullopt;
  Target target{.feed = [&](const LinePiece& piece) { return search->feed(piece); },
                .offset = [&](const LinePiece&) { return search->offset(); },
                .look_every = look_every(query)};
  return find(scope, target, from, backwards, watch);
}

std::optional<FoundLine> find_index(const SearchScope& scope, int64_t index, int64_t from, const SearchWatch& watch) {
  const auto column = scope.layout.column("index");
  if (!column) return std::nullopt;
  bool found = false;
  const auto feed = [&](const LinePiece& piece) {
    if (!piece.first) return found;
    const Cells cells(piece.text, *column + 2);
    found = cells.size() > *column && kind_of(piece.text, scope.layout) == LineKind::row &&
            whole_number(cells[*column]) == index;
    return found;
  };
  Target target{.feed = feed, .offset = [](const LinePiece& piece) { return piece.start; }};
  return find(scope, target, from, false, watch);
}

bool is_better(const SlowestLine& one, const SlowestLine& other) {
  return std::pair(one.fit, one.value_ns) > std::pair(other.fit, other.value_ns);
}

std::optional<SlowestLine> find_slowest(const SearchScope& scope, const SlowestAim& aim, const SearchWatch& watch) {
  const std::optional<RunStretch>& stretch = aim.stretch;
  if (stretch && !scope.layout.origin_ns()) return std::nullopt;
  const auto latency = scope.layout.column("latency_ns");
  const auto value_in = [&](std::string_view row) -> std::optional<int64_t> {
    return latency ? number_in(row, *latency) : lateness_ns(row, scope.layout);
  };
  const RowClock clock(scope.layout);
  const int64_t from = stretch ? clock.first_at(*scope.file, stretch->from_ns, watch.stop) : 0;
  const int64_t size = scope.file->size();
  std::optional<SlowestLine> slowest;
  std::optional<int64_t> value, at;
  const auto visit = [&](const LinePiece& piece, bool good) {
    if (piece.first) {
      value.reset();
      if (kind_of(piece.text, scope.layout) != LineKind::row) return true;
      at = stretch ? clock.of(piece.text) : std::nullopt;
      if (at && *at >= stretch->to_ns) return false;
      if (!stretch || (at && *at >= stretch->from_ns)) value = value_in(piece.text);
    }
    if (!piece.last || !good || !value) return true;
    const SlowestLine line{
        .start = piece.start, .value_ns = *value, .lateness = !latency.has_value(), .fit = fit_of(aim, at, *value)};
    if (!slowest || is_better(line, *slowest)) slowest = line;
    return true;
  };
  const auto progress = [&](int64_t done) { watch.progress(from + done, size); };
  if (!visit_lines(scope, {from, size}, watch, progress, visit)) return std::nullopt;
  return slowest;
}

std::optional<NumberedLine> find_line(const SearchScope& scope, int64_t number, const SearchWatch& watch) {
  const auto known = scope.lines->nearest(number);
  const int64_t size = scope.file->size();
  NumberedLine found{.start = 0, .number = known.lines};
  SearchScope all = scope;
  all.filter = {};
  const auto progress = [&](int64_t done) { watch.progress(known.to + done, size); };
  const auto visit = [&](const LinePiece& piece, bool) {
    if (!piece.first) return true;
    found.start = piece.start;
    return ++found.number < number;
  };
  if (!visit_lines(all, {known.to, size}, watch, progress, visit)) return std::nullopt;
  if (found.number > known.lines) return found;
  if (known.lines == 0) return std::nullopt;
  return find_line(scope, known.lines, watch);  // no line begins in what was looked at: the last one is further up
}

Result<std::string> copy_lines(const SearchScope& scope, int64_t first, int64_t last, const SearchWatch& watch) {
  const uint64_t failures = scope.file->failures();
  std::string text;
  bool too_much = false;
  size_t line_at = 0;
  const auto visit = [&](const LinePiece& piece, bool good) {
    if (piece.first) line_at = text.size();
    too_much = text.size() + piece.text.size() + 1 > kMostCopied;
    if (too_much) return false;
    text.append(piece.text);
    if (!piece.last) return true;
    if (good) {
      text.push_back('\n');
    } else {
      text.resize(line_at);
    }
    return true;
  };
  const auto progress = [&](int64_t done) { watch.progress(done, last + 1 - first); };
  if (!visit_lines(scope, {first, last + 1}, watch, progress, visit)) return fail("copying was cancelled");
  if (scope.file->failures() != failures) return fail("not copied: " + scope.file->trouble());
  if (too_much) {
    return fail("not copied: the selection is larger than " + text::bytes(static_cast<double>(kMostCopied)) +
                "; open the file in an editor, or select fewer lines");
  }
  return text;
}

}  // namespace n2nq::logs
