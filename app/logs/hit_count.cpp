#include "app/logs/hit_count.h"

#include <utility>

#include "app/logs/line_walk.h"
#include "app/logs/log_document.h"

namespace n2nq::logs {
namespace {

using Wanted = threads::WishThread::Wanted;
using Answer = threads::PostBox::Call;

constexpr int kCount = 0;  // kinds of wishes
constexpr int kNumber = 1;

}  // namespace

HitCount::HitCount(LogDocument& document, QObject* parent)
    : QObject(parent), document_(document), thread_(std::make_unique<threads::WishThread>()) {
  connect(&document_, &LogDocument::changed, this, &HitCount::look_again);
  connect(&document_, &LogDocument::filter_changed, this, &HitCount::look_again);
  connect(&document_, &LogDocument::page_arrived, this, &HitCount::look_again);  // the columns are known now
}

HitCount::~HitCount() {
  for (const int kind : {kCount, kNumber}) thread_->drop(kind);
  thread_.reset();
}

void HitCount::set_query(const std::optional<TextQuery>& query) {
  if (query == query_) return;
  query_ = query;
  begin();
}

void HitCount::set_place(int64_t start) {
  if (start == place_) return;
  place_ = start;
  number_ = 0;
  if (counted_) find_number();
}

void HitCount::begin() {
  for (const int kind : {kCount, kNumber}) thread_->drop(kind);
  hits_ = nullptr;
  counted_ = false;
  number_ = 0;
  if (query_ && document_.is_open()) {
    scope_ = document_.scope();
    filter_ = document_.filter_number();
    LineFilter filter = scope_.filter;
    filter.texts.push_back(*query_);
    hits_ = std::make_shared<FilterIndex>(std::move(filter), scope_.layout);
    count();
  }
  Q_EMIT changed();
}

// Another file, filter or columns: all anew. More of the same: only what is new.
void HitCount::look_again() {
  if (!query_ || !document_.is_open()) return;
  const SearchScope now = document_.scope();
  if (!hits_ || now.file != scope_.file || now.layout != scope_.layout || document_.filter_number() != filter_)
    return begin();
  if (document_.size() > hits_->state().looked_to && counted_) count();
}

void HitCount::count() {
  counted_ = false;
  thread_->wish(kCount, [this, scope = scope_, hits = hits_](const Wanted& wanted) -> Answer {
    hits->scan(*scope.file, *scope.lines, [&wanted] { return !wanted(); }, [] {});
    return [this] {
      counted_ = true;
      find_number();
      Q_EMIT changed();
    };
  });
}

void HitCount::find_number() {
  if (place_ < 0) return;
  thread_->wish(kNumber, [this, scope = scope_, hits = hits_, place = place_](const Wanted& wanted) -> Answer {
    FilteredLines lines(scope.file, hits, *scope.lines);
    lines.begin([&wanted] { return !wanted(); });
    const auto line = lines.at(place);
    const int64_t number = line == place ? lines.ordinal(place) + 1 : 0;
    return [this, number] {
      number_ = number;
      Q_EMIT changed();
    };
  });
}

}  // namespace n2nq::logs

#include "moc_hit_count.cpp"
