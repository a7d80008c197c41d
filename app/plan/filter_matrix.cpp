#include "app/plan/filter_matrix.h"

#include <algorithm>
#include <map>

#include "app/plan/exact_text.h"
#include "app/plan/filter_text.h"
#include "broker/base/assert.h"
#include "broker/wire/filter.h"

namespace n2nq::plan {
namespace {

std::string bounds_text(const wire::Filter::Bounds& index) {
  if (index.min == index.max) return std::to_string(index.min);
  return std::to_string(index.min) + ".." + std::to_string(index.max);
}

bool only_own(const std::vector<bool>& wanted, uint32_t receiver) {
  return receiver <= wanted.size() && wanted[receiver - 1] && std::ranges::count(wanted, true) == 1;
}

// "1-5,9", or with two dots as filters have it.
std::string ranges_text(const std::vector<bool>& wanted, const char* dash) {
  std::string text;
  for (size_t i = 0; i < wanted.size(); i++) {
    if (!wanted[i]) continue;
    size_t last = i;
    while (last + 1 < wanted.size() && wanted[last + 1]) last++;
    if (!text.empty()) text += ',';
    text += std::to_string(i + 1);
    if (last != i) text += dash + std::to_string(last + 1);
    i = last;
  }
  return text;
}

std::string without_blanks(const std::string& text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out), [](char c) { return c != ' ' && c != '\t'; });
  return out;
}

void append_part(std::string& filter, const char* key, const std::string& value) {
  if (value.empty()) return;
  if (!filter.empty()) filter += ';';
  filter += std::string(key) + "=" + value;
}

// More than one where the set would have more ranges than a text may have.
std::vector<control::ServiceSet> sets_of(const std::vector<uint32_t>& ascending, uint32_t count) {
  constexpr size_t kMostRanges = 1000;
  std::vector<control::ServiceSet> sets(1);
  if (ascending.size() == count) return sets;
  for (const uint32_t receiver : ascending) {
    auto& ranges = sets.back().ranges;
    if (!ranges.empty() && ranges.back().last + 1 == receiver)
      ranges.back().last = receiver;
    else if (ranges.size() < kMostRanges)
      ranges.push_back({.first = receiver, .last = receiver});
    else
      sets.push_back({.ranges = {{.first = receiver, .last = receiver}}});
  }
  return sets;
}

}  // namespace

FilterMatrix::FilterMatrix(uint32_t senders, uint32_t receivers)
    : senders_(senders), receivers_(receivers), rows_(receivers, Row{.wanted = std::vector<bool>(senders, true)}) {}

FilterMatrix FilterMatrix::from(const std::vector<ReceiverFilter>& filters, uint32_t senders, uint32_t receivers) {
  FilterMatrix matrix(senders, receivers);
  const std::vector<control::ServiceSet::Range> everybody{{.first = 1, .last = receivers}};
  for (const ReceiverFilter& rule : filters)
    for (const auto& range : rule.receivers.all() ? everybody : rule.receivers.ranges)
      for (uint64_t receiver = range.first; receiver <= std::min(range.last, receivers); receiver++)
        matrix.take(static_cast<uint32_t>(receiver), rule.filter);
  return matrix;
}

// A filter that cannot be read leaves the row as it is.
void FilterMatrix::take(uint32_t receiver, const std::string& text) {
  const auto filter = wire::parse_filter(text, receiver);
  if (!filter) return;
  Row& taken = row(receiver);
  taken.wanted.assign(senders_, !filter->senders);
  if (filter->senders)
    for (const auto& range : *filter->senders)
      for (uint64_t sender = range.first; sender <= std::min(range.last, senders_); sender++)
        taken.wanted[sender - 1] = true;
  taken.size = filter->size ? exact_size_range({.min = filter->size->min, .max = filter->size->max}) : "";
  taken.index = filter->index ? bounds_text(*filter->index) : "";
}

FilterMatrix::Row& FilterMatrix::row(uint32_t receiver) {
  N2NQ_ASSERT(receiver >= 1 && receiver <= receivers_);
  return rows_[receiver - 1];
}

const FilterMatrix::Row& FilterMatrix::row(uint32_t receiver) const {
  N2NQ_ASSERT(receiver >= 1 && receiver <= receivers_);
  return rows_[receiver - 1];
}

bool FilterMatrix::wanted(uint32_t receiver, uint32_t sender) const {
  N2NQ_ASSERT(sender >= 1 && sender <= senders_);
  return row(receiver).wanted[sender - 1];
}

uint32_t FilterMatrix::unheard() const {
  uint32_t count = 0;
  for (size_t sender = 0; sender < senders_; sender++)
    count += std::ranges::none_of(rows_, [sender](const Row& row) { return row.wanted[sender]; }) ? 1 : 0;
  return count;
}

void FilterMatrix::set(uint32_t receiver, uint32_t sender, bool wanted) {
  N2NQ_ASSERT(sender >= 1 && sender <= senders_);
  row(receiver).wanted[sender - 1] = wanted;
}

void FilterMatrix::set_all(bool wanted) {
  for (Row& row : rows_) row.wanted.assign(senders_, wanted);
}

void FilterMatrix::invert() {
  for (Row& row : rows_) row.wanted.flip();
}

void FilterMatrix::pin_one_to_one() {
  set_all(false);
  for (uint32_t number = 1; number <= std::min(senders_, receivers_); number++) set(number, number, true);
}

std::string FilterMatrix::senders_text(uint32_t receiver) const {
  const std::vector<bool>& wanted = row(receiver).wanted;
  if (std::ranges::find(wanted, false) == wanted.end()) return "all";
  if (std::ranges::find(wanted, true) == wanted.end()) return "none";
  return only_own(wanted, receiver) ? "self" : ranges_text(wanted, "-");
}

Result<void> FilterMatrix::set_senders_text(uint32_t receiver, const std::string& text) {
  const std::string given = without_blanks(text);
  Row& edited = row(receiver);
  if (given.empty() || given == "all") {
    edited.wanted.assign(senders_, true);
    return {};
  }
  const auto filter = wire::parse_filter("senders=" + given, receiver);
  if (!filter || given.find(';') != std::string::npos)
    return fail("\"" + text + "\" does not name senders; enter all, none, self, or numbers such as 1-5,9");
  if (given != "self" && !filter->senders->empty() && filter->senders->back().last > senders_)
    return fail("there is no sender " + std::to_string(filter->senders->back().last) + "; they are 1 to " +
                std::to_string(senders_));
  for (uint32_t sender = 1; sender <= senders_; sender++) edited.wanted[sender - 1] = filter->wants_sender(sender);
  return {};
}

const std::string& FilterMatrix::size_text(uint32_t receiver) const {
  return row(receiver).size;
}

const std::string& FilterMatrix::index_text(uint32_t receiver) const {
  return row(receiver).index;
}

Result<void> FilterMatrix::set_size_text(uint32_t receiver, const std::string& text) {
  const std::string given = without_blanks(text);
  if (!given.empty()) {
    const auto filter = wire::parse_filter("size=" + given, receiver);
    if (!filter || filter->senders || filter->index)
      return fail("\"" + text + "\" is not a range of sizes; enter it like 10B..1KiB, or leave it empty for any size");
  }
  row(receiver).size = given;
  return {};
}

Result<void> FilterMatrix::set_index_text(uint32_t receiver, const std::string& text) {
  const std::string given = without_blanks(text);
  if (!given.empty()) {
    const auto filter = wire::parse_filter("index=" + given, receiver);
    if (!filter || filter->senders || filter->size)
      return fail("\"" + text +
                  "\" is not a range of message numbers; enter it like 1..100, or leave it empty for any");
  }
  row(receiver).index = given;
  return {};
}

// One-to-one as a whole: receivers beyond the last sender want nobody, which is what `self` means for them too.
bool FilterMatrix::one_to_one() const {
  if (senders_ == 1 && receivers_ == 1) return false;
  for (uint32_t receiver = 1; receiver <= receivers_; receiver++) {
    const auto wishes = std::ranges::count(rows_[receiver - 1].wanted, true);
    if (receiver <= senders_ ? !only_own(rows_[receiver - 1].wanted, receiver) : wishes != 0) return false;
  }
  return receivers_ > 0;
}

std::vector<ReceiverFilter> FilterMatrix::filters() const {
  const bool pinned = one_to_one();
  std::map<std::string, std::vector<uint32_t>> receivers_by_filter;
  std::vector<std::string> order;
  for (uint32_t receiver = 1; receiver <= receivers_; receiver++) {
    const Row& wish = row(receiver);
    std::string senders = pinned ? "self" : senders_text(receiver);
    if (senders == "all") senders.clear();
    if (senders.find('-') != std::string::npos) senders = ranges_text(wish.wanted, "..");
    std::string filter;
    append_part(filter, "senders", senders);
    append_part(filter, "size", wish.size);
    append_part(filter, "index", wish.index);
    if (filter.empty()) continue;
    auto& receivers = receivers_by_filter[filter];
    if (receivers.empty()) order.push_back(filter);
    receivers.push_back(receiver);
  }
  std::vector<ReceiverFilter> rules;
  for (const std::string& filter : order)
    for (control::ServiceSet& receivers : sets_of(receivers_by_filter[filter], receivers_))
      rules.push_back({.receivers = std::move(receivers), .filter = filter});
  return rules;
}

}  // namespace n2nq::plan
