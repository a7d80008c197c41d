#include "app/record/had_by_all.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace n2nq::record {
namespace {

constexpr uint64_t kSent = 12;  // by each of two senders

// What a process had of sender 1, beside all even ones of sender 2 or all odd ones.
struct Process {
  std::set<uint64_t> first{};
  std::set<uint64_t> again{};
};

std::string text_of(const std::set<uint64_t>& indices) {
  measure::SetWriter writer;
  for (const uint64_t index : indices) writer.add({index, index});
  return writer.text();
}

control::ReceiverSummary summary_of(const Process& process, bool even, bool sets = true) {
  control::ReceiverSummary summary;
  control::HadFigures had;
  for (const uint32_t sender : {1U, 2U}) had.due.add_up_to(sender, kSent);
  Process other;
  for (uint64_t index = even ? 2 : 1; index <= kSent; index += 2) other.first.insert(index);
  uint32_t sender = 1;
  for (const Process* one : {&process, static_cast<const Process*>(&other)}) {
    for (const auto* indices : {&one->first, &one->again})
      for (const uint64_t index : *indices) had.sums.add(sender, index);
    if (sets) had.sets.push_back({.sender = sender, .first = text_of(one->first), .again = text_of(one->again)});
    sender++;
  }
  summary.counts.count = static_cast<int64_t>(had.sums.count);
  summary.had = had;
  return summary;
}

struct Case {
  const char* what;
  Process one, two;
  uint64_t distinct, doubled;
  bool without_sets = false;  // it is known even so
};

TEST(HadByAll, CountsEachMessageOnce) {
  const Case kCases[] = {
      {"all, once", {{1, 2, 3, 4, 5, 6}, {}}, {{7, 8, 9, 10, 11, 12}, {}}, 24, 0, true},
      {"all, one of them only as sent again", {{1, 2, 3, 4, 5}, {}}, {{7, 8, 9, 10, 11, 12}, {6}}, 24, 0, true},
      {"two lost", {{1, 2, 3, 4}, {}}, {{7, 8, 9, 10, 11, 12}, {}}, 22, 0},
      {"two lost, two doubled", {{1, 2, 3, 4, 5, 6}, {}}, {{1, 2, 7, 8, 9, 10}, {}}, 22, 2},
      {"two lost, two had by both, sent again", {{1, 2, 3, 4, 5, 6}, {}}, {{7, 8, 9, 10}, {1, 2}}, 22, 0},
      {"two had by both, the first of them late", {{1, 2, 3, 4, 5, 6}, {}}, {{7, 8, 9, 10, 11, 12}, {1, 2}}, 24, 0},
      {"one of them had none", {{}, {}}, {{1, 12}, {}}, 14, 0},
  };
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.what);
    for (const bool sets : {true, false}) {
      const control::ReceiverSummary first = summary_of(one.one, true, sets), second = summary_of(one.two, false, sets);
      const control::ReceiverSummary* both[] = {&first, &second};
      const auto all = had_by_all(both);
      ASSERT_EQ(all.has_value(), sets || one.without_sets);
      if (!all) continue;
      EXPECT_EQ(all->sent, 2 * kSent);
      EXPECT_EQ(all->distinct, one.distinct);
      EXPECT_EQ(all->doubled, one.doubled);
    }
  }
}

TEST(HadByAll, OfOneProcessIsWhatItHadWithoutWhatNobodySent) {
  control::ReceiverSummary only = summary_of({{1, 2}, {}}, true, /*sets=*/false);
  only.counts.count += 3;
  only.unsent = 3;
  const control::ReceiverSummary* one[] = {&only};
  EXPECT_EQ(had_by_all(one)->distinct, 8U);
}

TEST(HadByAll, IsNotKnownOfWhatDoesNotTellOrContradictsItself) {
  const control::ReceiverSummary good = summary_of({{1}, {}}, true);
  control::ReceiverSummary silent = good, other = good, nonsense = good;
  silent.had.reset();
  other.had->due.count++;
  nonsense.had->sets.front().first = "?";
  for (const control::ReceiverSummary* bad :
       {&silent, &other, &nonsense, static_cast<control::ReceiverSummary*>(nullptr)}) {
    const control::ReceiverSummary* both[] = {&good, bad};
    EXPECT_FALSE(had_by_all(both));
  }
  EXPECT_FALSE(had_by_all({}));
}

}  // namespace
}  // namespace n2nq::record
