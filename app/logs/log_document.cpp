#include "app/logs/log_document.h"

#include <chrono>
#include <utility>

namespace n2nq::logs {
namespace {

using Wanted = threads::WishThread::Wanted;
using Answer = threads::PostBox::Call;  // none: all is told on the way

constexpr int kOnlyKind = 0;  // of each thread
constexpr auto kTellEvery = std::chrono::milliseconds(50);

// True once in a while.
class Pace {
 public:
  bool due() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kTellEvery) return false;
    last_ = now;
    return true;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

LogDocument::LogDocument(std::string path, QObject* parent)
    : QObject(parent),
      watch_(std::move(path)),
      pages_(std::make_unique<threads::WishThread>()),
      filters_(std::make_unique<threads::WishThread>()),
      searches_(std::make_unique<threads::WishThread>()) {}

LogDocument::~LogDocument() {
  for (const auto& thread : {pages_.get(), filters_.get(), searches_.get()}) thread->drop(kOnlyKind);
  pages_.reset();
  filters_.reset();
  searches_.reset();
}

void LogDocument::look() {
  const FileEvent event = watch_.look();
  if (event == FileEvent::none) return;
  gone_ = event == FileEvent::vanished || (gone_ && event == FileEvent::unreadable);
  if (event == FileEvent::appeared || event == FileEvent::replaced || event == FileEvent::truncated) begin_file();
  if (event == FileEvent::grew && filter_) {
    filter_again_ = filter_busy_;
    if (!filter_busy_) scan_filter();
  }
  Q_EMIT changed(event);
}

void LogDocument::begin_file() {
  cancel();
  filters_->drop(kOnlyKind);
  lines_ = std::make_shared<LineIndex>();
  reader_ = std::make_shared<PageReader>(watch_.file(), lines_);
  layout_ = {};
  page_ = {};
  page_asked_++;
  page_pending_ = false;
  filter_ = nullptr;
  filter_asked_++;
  filter_busy_ = false;
}

LineCount LogDocument::lines() const {
  return lines_ ? lines_->total(size()) : LineCount{.value = 0, .exact = true};
}

void LogDocument::tell(const std::function<void(News&)>& change) {
  {
    const std::lock_guard lock(news_mutex_);
    change(news_);
    if (std::exchange(news_.told, true)) return;
  }
  // By name, so that nothing of ours crosses threads but under our mutex.
  QMetaObject::invokeMethod(this, "take_news", Qt::QueuedConnection);
}

void LogDocument::ask_page(const PageRequest& request) {
  if (!reader_) return;
  page_pending_ = true;
  const uint64_t number = ++page_asked_;
  pages_->wish(kOnlyKind, [this, request, number, reader = reader_, filter = filter_](const Wanted& wanted) -> Answer {
    const Stop stop = [&wanted] { return !wanted(); };
    const auto deliver = [&](const Page& page, bool last) {
      tell([&](News& news) {
        news.page = page;
        news.page_number = number;
        news.page_last = last;
      });
    };
    const auto page = reader->read(request, filter, stop, [&](const Page& part) { deliver(part, false); });
    if (page) deliver(*page, true);
    return {};
  });
}

void LogDocument::take_news() {
  News news;
  {
    const std::lock_guard lock(news_mutex_);
    news = std::exchange(news_, News());
  }
  if (news.page && news.page_number == page_asked_) take_page(std::move(*news.page), news.page_last);
  if (news.filter_number == filter_asked_ && filter_) take_filter_news(news.filter_done);
  if (news.search_number == search_asked_ && searching_) take_search_news(news);
}

void LogDocument::take_page(Page page, bool last) {
  page_ = std::move(page);
  if (last) page_pending_ = false;
  if (page_.layout != layout_) {
    layout_ = page_.layout;
    if (!filter_text_.empty()) apply_filter();
  }
  Q_EMIT page_arrived();
}

void LogDocument::set_filter(const std::string& text) {
  if (text == filter_text_) return;
  filter_text_ = text;
  apply_filter();
}

void LogDocument::apply_filter() {
  filters_->drop(kOnlyKind);
  filter_asked_++;
  filter_busy_ = false;
  filter_trouble_.clear();
  auto filter = layout_.complete() ? parse_filter(filter_text_, layout_) : LineFilter();
  if (!filter) {
    filter_trouble_ = filter.error().text;
    filter_ = nullptr;
  } else if (filter->everything()) {
    filter_ = nullptr;
  } else {
    filter_ = std::make_shared<FilterIndex>(std::move(*filter), layout_);
    scan_filter();
  }
  Q_EMIT filter_changed();
}

void LogDocument::scan_filter() {
  const uint64_t number = filter_asked_;
  filter_busy_ = true;
  filter_again_ = false;
  filters_->wish(
      kOnlyKind,
      [this, number, file = watch_.file(), lines = lines_, filter = filter_](const Wanted& wanted) -> Answer {
        const Stop stop = [&wanted] { return !wanted(); };
        Pace pace;
        const auto say = [&](bool done) {
          tell([&](News& news) {
            news.filter_number = number;
            news.filter_done = done;
          });
        };
        filter->scan(*file, *lines, stop, [&] {
          if (pace.due()) say(false);
        });
        if (!stop()) say(true);
        return {};
      });
}

void LogDocument::take_filter_news(bool done) {
  if (done) filter_busy_ = false;
  if (done && filter_again_) scan_filter();
  Q_EMIT filter_changed();
}

SearchScope LogDocument::scope() const {
  SearchScope scope{.file = watch_.file(), .lines = lines_, .layout = layout_};
  if (filter_) scope.filter = filter_->filter();
  return scope;
}

void LogDocument::search(SearchOutcome::Kind kind, SearchTask task) {
  if (!is_open()) return;
  const uint64_t number = ++search_asked_;
  searching_ = true;
  search_share_ = 0;
  searches_->wish(kOnlyKind,
                  [this, number, kind, scope = scope(), task = std::move(task)](const Wanted& wanted) -> Answer {
                    const Stop stop = [&wanted] { return !wanted(); };
                    Pace pace;
                    const auto progress = [&](int64_t done, int64_t of) {
                      if (!pace.due()) return;
                      tell([&](News& news) {
                        news.concerns_search(number);
                        news.share = of > 0 ? static_cast<double>(done) / static_cast<double>(of) : 1;
                      });
                    };
                    const uint64_t failures = scope.file->failures();
                    SearchOutcome outcome = task(scope, {.stop = stop, .progress = progress});
                    outcome.kind = kind;
                    if (!outcome.found && outcome.trouble.empty() && scope.file->failures() != failures)
                      outcome.trouble = scope.file->trouble();
                    if (stop()) return {};
                    tell([&](News& news) {
                      news.concerns_search(number);
                      news.outcome = std::move(outcome);
                    });
                    return {};
                  });
  Q_EMIT search_changed();
}

void LogDocument::take_search_news(News& news) {
  search_share_ = news.share;
  if (news.outcome) searching_ = false;
  Q_EMIT search_changed();
  if (news.outcome) Q_EMIT search_ended(*news.outcome);
}

void LogDocument::cancel() {
  if (!searching_) return;
  searches_->drop(kOnlyKind);
  search_asked_++;
  searching_ = false;
  Q_EMIT search_changed();
  Q_EMIT search_ended({.cancelled = true});
}

void LogDocument::find(const TextQuery& query, int64_t from, bool backwards) {
  search(SearchOutcome::Kind::text, [=](const SearchScope& scope, const SearchWatch& watch) {
    SearchOutcome outcome;
    if (const auto usable = TextSearch::make(query); !usable) outcome.trouble = usable.error().text;
    if (const auto line = find_text(scope, query, from, backwards, watch)) {
      outcome.found = true;
      outcome.start = line->start;
      outcome.offset = line->offset;
      outcome.wrapped = line->wrapped;
    }
    return outcome;
  });
}

void LogDocument::find_slowest(const std::optional<RunStretch>& stretch) {
  search(SearchOutcome::Kind::slowest, [stretch](const SearchScope& scope, const SearchWatch& watch) {
    SearchOutcome outcome;
    outcome.stretch = stretch;
    if (const auto line = logs::find_slowest(scope, {.stretch = stretch}, watch)) {
      outcome.found = true;
      outcome.start = outcome.offset = line->start;
      outcome.value = line->value_ns;
      outcome.lateness = line->lateness;
    }
    return outcome;
  });
}

void LogDocument::find_index(int64_t index, int64_t from) {
  search(SearchOutcome::Kind::index, [=](const SearchScope& scope, const SearchWatch& watch) {
    SearchOutcome outcome{.asked = index};
    if (const auto line = logs::find_index(scope, index, from, watch)) {
      outcome.found = true;
      outcome.start = outcome.offset = line->start;
      outcome.wrapped = line->wrapped;
    }
    return outcome;
  });
}

void LogDocument::find_line(int64_t number) {
  search(SearchOutcome::Kind::line, [=](const SearchScope& scope, const SearchWatch& watch) {
    SearchOutcome outcome{.asked = number};
    if (const auto line = logs::find_line(scope, number, watch)) {
      outcome.found = true;
      outcome.start = outcome.offset = line->start;
      outcome.value = line->number;
    }
    return outcome;
  });
}

void LogDocument::copy(int64_t first, int64_t last) {
  search(SearchOutcome::Kind::copy, [=](const SearchScope& scope, const SearchWatch& watch) {
    SearchOutcome outcome;
    auto text = copy_lines(scope, first, last, watch);
    outcome.found = text.has_value();
    if (text) {
      outcome.text = std::move(*text);
    } else {
      outcome.trouble = text.error().text;
    }
    return outcome;
  });
}

}  // namespace n2nq::logs

#include "moc_log_document.cpp"
