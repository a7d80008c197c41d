#include "app/logs/page_reader.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace n2nq::logs {
namespace {

constexpr int64_t kHead = LogLayout::kHead;
constexpr int64_t kCountedAtOnce = 512 * 1024;
constexpr int kPlaces = 9;  // its beginning and its end among them
constexpr auto kCountToldEvery = std::chrono::milliseconds(100);

// Of the rows that lie in the bytes as a whole.
void add_latencies(std::vector<int64_t>& to, std::string_view bytes, bool from_line, const LogLayout& layout,
                   size_t column) {
  if (!from_line) bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size()));
  for (size_t end = 0; (end = bytes.find('\n')) != std::string_view::npos; bytes.remove_prefix(end + 1)) {
    const std::string_view line = bytes.substr(0, end);
    if (kind_of(line, layout) != LineKind::row) continue;
    const Cells cells(line, column + 2);
    if (const auto latency = cells.size() > column ? whole_number(cells[column]) : std::nullopt) to.push_back(*latency);
  }
}

}  // namespace

PageReader::PageReader(std::shared_ptr<const OpenFile> file, std::shared_ptr<LineIndex> lines)
    : file_(std::move(file)), lines_(std::move(lines)), cache_(file_), all_(cache_, *lines_) {}

std::optional<Page> PageReader::read(const PageRequest& request, const std::shared_ptr<const FilterIndex>& filter,
                                     const Stop& stop, const std::function<void(const Page&)>& unfinished) {
  cache_.begin(request.allowance, stop);
  look_at_head();
  look_at_end();
  look_about();
  look_at_latencies();
  if (cache_.size() - lines_->counted().to <= kCountedAtOnce) all_.count_on(kCountedAtOnce);

  cache_.begin(request.allowance, stop);
  LineWalk& walk = walk_for(filter, stop);
  Page page;
  tell_file(page);
  page.filtered = filter != nullptr;
  if (const auto top = top_of(request, walk)) {
    fill_down(page, *top, walk, request.rows + request.further, unfinished);
    fill_up(page, walk, request.rows);
    if (!cache_.interrupted()) {
      number_rows(page, walk);
      measure_rows(page);
    }
  }
  if (stop()) return std::nullopt;
  page.complete = !cache_.interrupted();
  return page;
}

LineWalk& PageReader::walk_for(const std::shared_ptr<const FilterIndex>& filter, const Stop& stop) {
  if (!filter) {
    filtered_.reset();
    return all_;
  }
  if (!filtered_ || &filtered_->filter() != filter.get()) {
    filtered_ = std::make_unique<FilteredLines>(file_, filter, *lines_);
  }
  filtered_->begin(stop);
  return *filtered_;
}

std::optional<int64_t> PageReader::top_of(const PageRequest& request, LineWalk& walk) {
  std::optional<int64_t> top;
  const bool from_end = request.origin == PageRequest::Origin::live_end && !finished_;
  if (request.origin == PageRequest::Origin::live_end && finished_) top = walk.at(0);
  if (request.origin == PageRequest::Origin::end || from_end) top = last_page(request.rows, walk);
  if (request.origin == PageRequest::Origin::offset) top = walk.at(request.at);
  if (request.origin == PageRequest::Origin::ordinal) top = filtered_ ? filtered_->of_ordinal(request.at) : walk.at(0);
  for (int64_t left = request.skip; top && left != 0; left += left < 0 ? 1 : -1) {
    const auto further = left < 0 ? walk.previous(*top) : walk.next(*top);
    if (!further) break;
    top = further;
  }
  return top;
}

std::optional<int64_t> PageReader::last_page(int rows, LineWalk& walk) {
  std::optional<int64_t> top = walk.last();
  for (int above = 1; top && above < rows; ++above) {
    const auto further = walk.previous(*top);
    if (!further) break;
    top = further;
  }
  return top;
}

void PageReader::fill_down(Page& page, int64_t top, LineWalk& walk, int rows,
                           const std::function<void(const Page&)>& unfinished) {
  auto told = std::chrono::steady_clock::now();
  for (std::optional<int64_t> start = top; start; start = walk.next(*start)) {
    if (cache_.interrupted()) return;
    page.rows.push_back(row_at(*start));
    if (std::ssize(page.rows) >= rows) return;
    const auto now = std::chrono::steady_clock::now();
    if (!unfinished || now - told < kCountToldEvery) continue;
    told = now;
    page.complete = false;
    unfinished(page);
  }
  page.reaches_end = !cache_.interrupted();
}

// Where the file ends before the page is full, it begins further up.
void PageReader::fill_up(Page& page, LineWalk& walk, int rows) {
  std::vector<PageRow> above;
  const int64_t missing = rows - std::ssize(page.rows);
  std::optional<int64_t> start = page.rows.empty() ? std::nullopt : std::optional(page.rows.front().start);
  while (!cache_.interrupted() && std::ssize(above) < missing && (start = walk.previous(*start))) {
    above.push_back(row_at(*start));
  }
  page.rows.insert(page.rows.begin(), std::make_move_iterator(above.rbegin()), std::make_move_iterator(above.rend()));
}

void PageReader::number_rows(Page& page, LineWalk& walk) {
  page.ordinal = std::max<int64_t>(walk.ordinal(page.rows.front().start), 0);
  LineCount number = walk.number(page.rows.front().start);
  for (PageRow& row : page.rows) {
    row.number = page.filtered ? walk.number(row.start) : number;
    number.value++;
  }
  if (page.rows.back().number.exact || page.lines.exact) return;
  reconcile(page, !page.filtered && !walk.next(page.rows.back().start));
}

// Two estimates of the same thing do not contradict each other.
void PageReader::reconcile(Page& page, bool last) {
  page.lines.value = std::max(page.lines.value, std::ssize(page.rows) + (last ? 0 : 1));
  const int64_t shift = page.lines.value - (last ? 0 : 1) - page.rows.back().number.value;
  if (!last && shift >= 0) return;
  for (PageRow& row : page.rows) row.number.value += shift;
}

// For rows longer than what is shown, where the next line tells.
void PageReader::measure_rows(Page& page) {
  if (page.filtered) return;
  for (size_t i = 0; i + 1 < page.rows.size(); ++i) {
    if (page.rows[i].length < 0) page.rows[i].length = page.rows[i + 1].start - 1 - page.rows[i].start;
  }
  PageRow& last = page.rows.back();
  if (!page.reaches_end || last.length >= 0) return;
  const bool ended = cache_.up_to(page.size).ends_with('\n');
  last.length = page.size - last.start - (ended ? 1 : 0);
}

PageRow PageReader::row_at(int64_t start) {
  PageRow row{.start = start};
  while (std::ssize(row.text) < PageRow::kShown) {
    const std::string_view bytes = cache_.from(start + std::ssize(row.text));
    const size_t newline = bytes.find('\n');
    row.text.append(bytes.substr(0, newline));
    if (newline == std::string_view::npos && !bytes.empty()) continue;
    row.length = std::ssize(row.text);
    break;
  }
  if (std::ssize(row.text) > PageRow::kShown) {
    row.text.resize(PageRow::kShown);
  }
  if (row.length == std::ssize(row.text) && row.text.ends_with('\r')) row.text.pop_back();
  return row;
}

void PageReader::look_at_head() {
  if (layout_.complete() || head_looked_at_ >= std::min(kHead, cache_.size())) return;
  std::string head;
  while (std::ssize(head) < kHead) {
    const std::string_view bytes = cache_.from(std::ssize(head));
    if (bytes.empty()) break;
    head.append(bytes);
    layout_ = LogLayout::read(head);
    if (layout_.complete()) break;
  }
  head_looked_at_ = std::ssize(head);
}

void PageReader::look_at_end() {
  if (end_looked_at_ == cache_.size() || cache_.size() == 0) return;
  const std::string_view bytes = cache_.up_to(cache_.size());
  if (cache_.interrupted()) return;  // the next request looks
  end_looked_at_ = cache_.size();
  const size_t newline = bytes.size() < 2 ? std::string_view::npos : bytes.rfind('\n', bytes.size() - 2);
  finished_ = bytes.substr(newline == std::string_view::npos ? 0 : newline + 1).starts_with("# end");
}

void PageReader::look_about() {
  if (looked_about_ || cache_.size() <= kCountedAtOnce) return;
  const int64_t last = (cache_.size() - 1) / BlockCache::kBlock;
  int64_t sampled = 0, lines = 0;
  for (int place = 0; place < kPlaces; ++place) {
    const std::string_view bytes = cache_.from(last * place / (kPlaces - 1) * BlockCache::kBlock);
    sampled += std::ssize(bytes);
    lines += std::ranges::count(bytes, '\n');
  }
  if (cache_.interrupted()) return;  // all places or none: a second look must not count one twice
  looked_about_ = true;
  lines_->note_sample(sampled, lines);
}

// All of a small file, the same places of a large one; again when it has doubled.
void PageReader::look_at_latencies() {
  const auto column = layout_.column("latency_ns");
  if (!column || cache_.size() == 0 || cache_.size() < 2 * latencies_of_) return;
  const int64_t last = (cache_.size() - 1) / BlockCache::kBlock;
  const int64_t steps = cache_.size() <= kCountedAtOnce ? last : kPlaces - 1;
  std::vector<int64_t> latencies;
  for (int64_t step = 0; step <= steps; ++step) {
    const int64_t block = steps == 0 ? 0 : last * step / steps;
    add_latencies(latencies, cache_.from(block * BlockCache::kBlock), block == 0, layout_, *column);
  }
  if (cache_.interrupted()) return;
  latencies_of_ = cache_.size();
  if (latencies.empty()) return;
  const auto rank = static_cast<int64_t>(std::ceil(0.99 * static_cast<double>(latencies.size()))) - 1;
  std::ranges::nth_element(latencies, latencies.begin() + rank);
  p99_ns_ = latencies[static_cast<size_t>(rank)];
}

void PageReader::tell_file(Page& page) const {
  page.size = cache_.size();
  page.lines = lines_->total(cache_.size());
  page.finished = finished_;
  page.p99_ns = p99_ns_;
  page.layout = layout_;
}

}  // namespace n2nq::logs
