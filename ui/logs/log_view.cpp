#include "ui/logs/log_view.h"

#include <QResizeEvent>
#include <QScrollBar>
#include <algorithm>

#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kScrollSteps = 1'000'000;  // the scroll bar over the bytes of the file
constexpr int64_t kOpeningAllowance = 768 * 1024;
constexpr int64_t kMostScrollItems = 1'000'000'000;

using Origin = logs::PageRequest::Origin;

}  // namespace

LogView::LogView(logs::LogDocument& document, QWidget* parent)
    : QAbstractScrollArea(parent), document_(document), layout_(font()) {
  setObjectName("log_view");
  setAccessibleName(tr("Lines of the log"));
  setFont(theme::fixed_font());
  layout_.set_font(font());
  setFocusPolicy(Qt::StrongFocus);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  verticalScrollBar()->setAccessibleName(tr("Place in the log"));
  horizontalScrollBar()->setAccessibleName(tr("Place in the lines"));
  viewport()->setBackgroundRole(QPalette::Base);
  viewport()->setCursor(Qt::ArrowCursor);
  connect(&document_, &logs::LogDocument::changed, this, &LogView::on_file);
  connect(&document_, &logs::LogDocument::page_arrived, this, &LogView::on_page);
  connect(&document_, &logs::LogDocument::filter_changed, this, &LogView::on_filter);
  connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, &LogView::on_scroll_action);
  connect(verticalScrollBar(), &QScrollBar::sliderReleased, this, &LogView::update_vertical_bar);
  if (document_.is_open()) begin_file();
}

QSize LogView::sizeHint() const {
  return {qRound(layout_.letter() * 120), qRound(layout_.row_height() * 32)};
}

void LogView::on_file(logs::FileEvent event) {
  if (event == logs::FileEvent::appeared || event == logs::FileEvent::replaced || event == logs::FileEvent::truncated)
    return begin_file();
  if (event == logs::FileEvent::grew) refresh();
  update_vertical_bar();
  viewport()->update();
  Q_EMIT position_changed();
}

// A log that is still being written is followed; another one is read from its beginning.
void LogView::begin_file() {
  layout_.forget();
  row_rules_.clear();
  cursor_ = selected_from_ = -1;
  cursor_next_ = Cursor::keep;
  found_offset_.reset();
  horizontalScrollBar()->setValue(0);
  opening_ = true;
  follow_if_unfinished_ = following_ || document_.changed_lately();
  ask({.origin = follow_if_unfinished_ ? Origin::live_end : Origin::offset});
}

// There is more to show, perhaps.
void LogView::refresh() {
  stale_ = document_.page_pending();
  if (stale_) return;
  if (following_) return ask({.origin = Origin::end});
  const auto rows = std::ssize(document_.page().rows);
  if (rows <= full_rows() || shows_end()) ask_again();
}

// Another filter shows its first lines; without one, the lines around those that were shown.
void LogView::on_filter() {
  if (std::exchange(filter_seen_, document_.filter_number()) == document_.filter_number()) {
    refresh();
  } else if (following_) {
    ask({.origin = Origin::end});
  } else if (document_.filtered()) {
    ask({.origin = Origin::ordinal});
  } else if (document_.is_open()) {
    const logs::PageRow* row = status_row();
    ask({.origin = Origin::offset,
         .at = row == nullptr ? 0 : row->start,
         .skip = row == nullptr ? 0 : -full_rows() / 3});
  }
  update_vertical_bar();
  viewport()->update();
}

void LogView::ask(logs::PageRequest request) {
  request.rows = full_rows();
  request.further = 1;
  request.allowance = opening_ ? kOpeningAllowance : INT64_MAX;
  asked_ = request;
  document_.ask_page(request);
}

// The same lines, as they are now, as many as fit now.
void LogView::ask_again() {
  if (following_) return ask({.origin = Origin::end});
  if (document_.page_pending() || document_.page().rows.empty()) return ask(asked_);
  ask({.origin = Origin::offset, .at = document_.page().rows.front().start});
}

// Somebody does something: from now on as much is read as it takes.
void LogView::read_on() {
  if (!std::exchange(opening_, false)) return;
  if (!document_.page().complete && !document_.page_pending()) ask(asked_);
}

void LogView::on_page() {
  const logs::Page& page = document_.page();
  layout_.take(page);
  take_current_time();
  mark_rows();
  if (page.complete && !document_.page_pending()) opening_ = false;
  if (!document_.page_pending() && std::exchange(follow_if_unfinished_, false)) note_following(!page.finished);
  place_cursor();
  update_scroll_bars();
  show_found();
  viewport()->update();
  Q_EMIT position_changed();
  if (stale_ && !document_.page_pending()) refresh();
}

void LogView::place_cursor() {
  const auto& rows = document_.page().rows;
  if (rows.empty() || document_.page_pending()) return;
  const Cursor next = std::exchange(cursor_next_, Cursor::keep);
  if (next == Cursor::first) set_cursor(rows.front().start, extend_next_);
  if (next == Cursor::last)
    set_cursor(rows[std::min(rows.size(), static_cast<size_t>(full_rows())) - 1].start, extend_next_);
  if (next == Cursor::at) place_cursor_near(cursor_target_);
}

// On the line, or where a filter hides it, on the one shown before it.
void LogView::place_cursor_near(int64_t start) {
  const auto& rows = document_.page().rows;
  const auto after = std::ranges::upper_bound(rows, start, {}, &logs::PageRow::start);
  set_cursor(after == rows.begin() ? rows.front().start : (after - 1)->start, false);
}

void LogView::scroll_by(int64_t lines) {
  if (lines == 0) return;
  read_on();
  if (lines < 0) set_following(false);
  if (document_.page_pending()) {
    logs::PageRequest further = asked_;
    further.skip += lines;
    return ask(further);
  }
  if (document_.page().rows.empty()) return;
  ask({.origin = Origin::offset, .at = document_.page().rows.front().start, .skip = lines});
}

void LogView::go_to_begin() {
  opening_ = false;
  set_following(false);
  cursor_next_ = Cursor::first;
  extend_next_ = false;
  ask({.origin = Origin::offset});
}

void LogView::go_to_end() {
  opening_ = false;
  cursor_next_ = Cursor::last;
  extend_next_ = false;
  ask({.origin = Origin::end});
}

void LogView::set_following(bool following) {
  if (following == following_) return;
  if (following && !at_end()) go_to_end();
  note_following(following);
}

void LogView::note_following(bool following) {
  if (following == following_) return;
  following_ = following;
  Q_EMIT following_changed(following);
  Q_EMIT position_changed();
}

void LogView::show_line(int64_t start, std::optional<int64_t> offset) {
  opening_ = false;
  follow_if_unfinished_ = false;
  found_offset_ = offset;
  const auto row = row_of(start);
  if (row && *row < static_cast<size_t>(full_rows()) && !document_.page_pending()) {
    set_cursor(start, false);
    show_found();
    return;
  }
  set_following(false);
  cursor_next_ = Cursor::at;
  cursor_target_ = start;
  extend_next_ = false;
  ask({.origin = Origin::offset, .at = start, .skip = -full_rows() / 3});
}

// Scrolls sideways until what was found can be seen, if that part of the line is shown at all.
void LogView::show_found() {
  if (!found_offset_) return;
  const auto row = row_of(cursor_);
  if (!row) return;
  const logs::PageRow& line = document_.page().rows[*row];
  const auto byte = static_cast<size_t>(std::exchange(found_offset_, std::nullopt).value() - line.start);
  if (byte >= line.text.size()) return;
  for (const PlacedCell& cell : layout_.place(line)) {
    const QRectF place = layout_.rect_of(cell, byte, 1);
    if (place.isEmpty()) continue;
    const int room = viewport()->width() - qRound(layout_.gutter_width());
    const int left = horizontalScrollBar()->value();
    if (place.left() >= left && place.right() <= left + room) return;
    horizontalScrollBar()->setValue(qRound(place.left()) - room / 3);
  }
}

void LogView::set_highlight(const std::optional<logs::TextQuery>& query) {
  highlight_.reset();
  if (query) {
    if (auto search = logs::TextSearch::make(*query)) highlight_ = std::move(*search);
  }
  viewport()->update();
}

void LogView::read_times(logs::TimeBase base) {
  layout_.read_times(base);
  take_current_time();
  layout_.take(document_.page());
  update_scroll_bars();
  viewport()->update();
}

// Where times are shown since the current line; one that is out of sight stays where they begin.
void LogView::take_current_time() {
  const auto row = row_of(cursor_);
  if (!row || layout_.times().wanted() != logs::TimeBase::line) return;
  layout_.take_times_from(document_.page().rows[*row].text);
  layout_.take(document_.page());
}

std::optional<LogView::Selection> LogView::selection() const {
  if (cursor_ < 0) return std::nullopt;
  const int64_t other = selected_from_ < 0 ? cursor_ : selected_from_;
  return Selection{.first = std::min(cursor_, other), .last = std::max(cursor_, other)};
}

void LogView::select_all() {
  selected_from_ = 0;
  cursor_ = document_.size();
  viewport()->update();
  Q_EMIT position_changed();
}

void LogView::clear_selection() {
  cursor_ = selected_from_ = -1;
  viewport()->update();
  Q_EMIT position_changed();
}

int64_t LogView::search_origin() const {
  const bool jumping = document_.page_pending() && asked_.origin == Origin::offset && cursor_next_ != Cursor::keep;
  if (jumping) return asked_.at - 1;
  if (cursor_ >= 0) return cursor_;
  const auto& rows = document_.page().rows;
  return rows.empty() ? -1 : rows.front().start - 1;
}

const logs::PageRow* LogView::status_row() const {
  const auto& rows = document_.page().rows;
  if (rows.empty()) return nullptr;
  if (const auto row = row_of(cursor_)) return &rows[*row];
  return following_ ? &rows.back() : &rows.front();
}

int LogView::full_rows() const {
  const double room = viewport()->height() - titles_height();
  return std::max(1, static_cast<int>(room / layout_.row_height()));
}

std::optional<size_t> LogView::row_of(int64_t start) const {
  const auto& rows = document_.page().rows;
  const auto found = std::ranges::find(rows, start, &logs::PageRow::start);
  if (found == rows.end()) return std::nullopt;
  return static_cast<size_t>(found - rows.begin());
}

bool LogView::shows_end() const {
  const logs::Page& page = document_.page();
  if (page.rows.empty()) return true;
  if (page.filtered) return page.ordinal + std::ssize(page.rows) >= document_.matches();
  return page.reaches_end;
}

bool LogView::at_end() const {
  return shows_end() && std::ssize(document_.page().rows) <= full_rows();
}

void LogView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  if (document_.is_open()) ask_again();
  update_scroll_bars();
}

void LogView::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  layout_.set_font(font());
  viewport()->update();
}

void LogView::update_scroll_bars() {
  const int room = viewport()->width() - qRound(layout_.gutter_width());
  horizontalScrollBar()->setPageStep(std::max(room, 1));
  horizontalScrollBar()->setSingleStep(qRound(4 * layout_.letter()));
  horizontalScrollBar()->setRange(0, std::max(0, qRound(layout_.widest()) - room));
  update_vertical_bar();
}

void LogView::update_vertical_bar() {
  QScrollBar& bar = *verticalScrollBar();
  if (bar.isSliderDown()) return;
  const QSignalBlocker quiet(&bar);
  const logs::Page& page = document_.page();
  if (page.rows.empty()) return bar.setRange(0, 0);
  if (page.filtered) {
    const int64_t matches = std::min(document_.matches(), kMostScrollItems);
    bar.setPageStep(full_rows());
    bar.setRange(0, static_cast<int>(std::max<int64_t>(0, matches - full_rows())));
    return bar.setValue(static_cast<int>(std::min(page.ordinal, kMostScrollItems)));
  }
  const auto size = static_cast<double>(std::max<int64_t>(document_.size(), 1));
  const auto shown =
      static_cast<double>(page.rows.back().start + page.rows.back().text.size() - page.rows.front().start);
  const bool whole = page.rows.front().start == 0 && at_end();
  const int step = std::clamp(qRound(shown / size * kScrollSteps), 1, kScrollSteps);
  bar.setPageStep(step);
  bar.setRange(0, whole ? 0 : std::max(kScrollSteps - step, 1));
  const int value = qRound(static_cast<double>(page.rows.front().start) / size * kScrollSteps);
  bar.setValue(at_end() ? bar.maximum() : value);
}

// Steps are of lines, not of the bar's units.
void LogView::on_scroll_action(int action) {
  QScrollBar& bar = *verticalScrollBar();
  const int64_t lines = action == QAbstractSlider::SliderSingleStepAdd   ? 1
                        : action == QAbstractSlider::SliderSingleStepSub ? -1
                        : action == QAbstractSlider::SliderPageStepAdd   ? full_rows() - 1
                        : action == QAbstractSlider::SliderPageStepSub   ? 1 - full_rows()
                                                                         : 0;
  if (lines == 0) return;
  bar.setSliderPosition(bar.value());
  scroll_by(lines);
}

void LogView::scrollContentsBy(int, int dy) {
  viewport()->update();
  if (dy != 0) on_scroll_value();
}

void LogView::on_scroll_value() {
  const QScrollBar& bar = *verticalScrollBar();
  read_on();
  if (bar.value() >= bar.maximum()) return ask({.origin = Origin::end});
  set_following(false);
  if (document_.page().filtered) return ask({.origin = Origin::ordinal, .at = bar.value()});
  const double share = static_cast<double>(bar.value()) / kScrollSteps;
  ask({.origin = Origin::offset, .at = static_cast<int64_t>(share * static_cast<double>(document_.size()))});
}

}  // namespace n2nq::ui

#include "moc_log_view.cpp"
