#include "app/logs/line_rules.h"

#include <gtest/gtest.h>

#include "tests/unit/app/logs/made_log.h"

namespace n2nq::logs {
namespace {

std::string row(const test::MadeRow& made) {
  std::string text = test::receiver_row(made);
  text.pop_back();
  return text;
}

std::string mark_of(LineRules& rules, const std::string& line) {
  const LineRule* rule = rules.first_of(line);
  return rule == nullptr ? "none" : to_text(rule->mark);
}

TEST(LineRules, LossesResendsErrorsAndTheSlowestAreMarkedFromTheStart) {
  LineRules rules(default_rules(), LogLayout::read(test::kReceiverHead), 100'000);
  EXPECT_EQ(mark_of(rules, row({.latency_ns = 99'000})), "none");
  EXPECT_EQ(mark_of(rules, row({.latency_ns = 100'001})), "warning");
  EXPECT_EQ(mark_of(rules, row({.flags = "again"})), "info");
  EXPECT_EQ(mark_of(rules, row({.flags = "again,corrupt"})), "error");
  EXPECT_EQ(mark_of(rules, "# end received=5 lost=0 lines=5"), "none");
  EXPECT_EQ(mark_of(rules, "# end received=5 lost=12 lines=5"), "error");
}

TEST(LineRules, TextsAreNotLookedForInContents) {
  const std::vector<LineRule> texts{{.mark = Mark::info, .condition = "error"}};
  LineRules rules(texts, LogLayout::read(test::kReceiverHead), {});
  EXPECT_EQ(mark_of(rules, row({.content = "an error"})), "none");
  EXPECT_EQ(mark_of(rules, "# an error"), "info");
  LineRules plain(texts, LogLayout::read("2026-11-20 start\n"), {});
  EXPECT_EQ(mark_of(plain, "2026-11-20 an error"), "info");
}

TEST(LineRules, TheFirstThatHoldsCountsAndThoseThatAreOffDoNot) {
  const std::vector<LineRule> both{{.on = false, .mark = Mark::bad, .condition = "index = 1"},
                                   {.mark = Mark::good, .condition = "index <= 1"},
                                   {.mark = Mark::info, .condition = "index = 1"}};
  LineRules rules(both, LogLayout::read(test::kReceiverHead), {});
  EXPECT_EQ(mark_of(rules, row({.index = 1})), "good");
  EXPECT_EQ(mark_of(rules, row({.index = 2})), "none");
}

TEST(LineRules, OfColumnsThatALogDoesNotHaveNoneHolds) {
  LineRules rules(default_rules(), LogLayout::read(test::kSenderHead), {});
  EXPECT_EQ(mark_of(rules, "1\t1\t50\t-\t1500\t-\tx"), "none");
  EXPECT_EQ(mark_of(rules, "1\t1\t50\t-\t1500\tagain\tx"), "info");
}

TEST(LineRules, AreKeptAsText) {
  auto rules = default_rules();
  rules[1].on = false;
  EXPECT_EQ(parse_rules(rules_text(rules)), rules);
  EXPECT_TRUE(parse_rules("nonsense\non blue x\n").empty());
}

TEST(LineRules, WhatIsWrongWithOneIsSaid) {
  for (const LineRule& rule : default_rules()) EXPECT_EQ(trouble_of(rule), "") << rule.condition;
  EXPECT_EQ(trouble_of({.condition = "lateness > 1ms"}), "");
  EXPECT_NE(trouble_of({.condition = "latncy > 3"}).find("there is no column"), std::string::npos);
  EXPECT_NE(trouble_of({.condition = "/(/"}).find("expression"), std::string::npos);
}

}  // namespace
}  // namespace n2nq::logs
