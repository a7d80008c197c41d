// What is said before a case is run, held against what its runs can show: all of its findings in the world of the
// study and in the others, with runs that hardly scatter.
#include "app/findings/prospect.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "app/findings/findings_file.h"
#include "app/findings/judge.h"
#include "app/findings/shipped_case.h"
#include "tests/unit/app/findings/worlds.h"

namespace n2nq::findings {
namespace {

using testing::AllOf;
using testing::HasSubstr;

campaign::Campaign shipped(const std::string& name, bool quick) {
  const ShippedCase* found = find_case(name);
  auto campaign = campaign::parse_campaign(quick ? found->quick : found->full);
  EXPECT_TRUE(campaign) << campaign.error().text;
  return *campaign;
}

Prospect prospect_of_case(const campaign::Campaign& campaign) {
  return prospect_of(*shipped_findings(), campaign, *campaign::points_of(campaign)).value_or(Prospect{});
}

// Whether the finding comes to a word in this world or in another, of a campaign that is made as often as it says.
bool concludes(const campaign::Campaign& campaign, const Finding& finding) {
  const auto says = [&](const test::World& world) {
    const auto made = test::synthetic_case(campaign, world, campaign.repeats, 0.0005);
    const auto load = [&made](int64_t id) -> Result<record::RunRecord> {
      return made.records[static_cast<size_t>(id) - 1];
    };
    return judge(finding, made.campaign, made.points, made.records, load).outcome != Outcome::unknown;
  };
  const auto other = test::other_worlds().find(finding.id);
  return says(test::world_of(finding.study_case)) || (other != test::other_worlds().end() && says(other->second));
}

std::vector<Finding> findings_of(const std::string& name) {
  std::vector<Finding> all = shipped_findings().value_or(std::vector<Finding>());
  std::erase_if(all, [&name](const Finding& finding) { return finding.study_case != name; });
  return all;
}

// Whether something happens often enough, or scatters enough, cannot be told by how many runs there are to be.
bool is_open_to_chance(const Rule& rule) {
  return rule.kind == RuleKind::runs || rule.shape == Shape::no_steadier;
}

class EachCase : public testing::TestWithParam<std::string> {};

// A quick variant of one repeat concludes nothing: so it was shipped.
TEST_P(EachCase, OfItsQuickVariantTheRunsCanSaySomething) {
  const campaign::Campaign quick = shipped(GetParam(), true);
  EXPECT_TRUE(std::ranges::any_of(findings_of(GetParam()),
                                  [&quick](const Finding& finding) { return concludes(quick, finding); }));
  EXPECT_GE(prospect_of_case(quick).open(), 1u);
  EXPECT_EQ(prospect_of_case(quick).few_runs, 0u);
}

// What is called hopeless is, and of what is called open each can come to a word.
TEST_P(EachCase, SaysBeforehandHowManyFindingsCanBeJudged) {
  for (const bool quick : {false, true}) {
    for (const bool with_hosts : {false, true}) {
      campaign::Campaign campaign = shipped(GetParam(), quick);
      if (with_hosts) campaign.external.senders = {"vm2"};
      const auto points = *campaign::points_of(campaign);
      for (const Finding& finding : findings_of(GetParam())) {
        const Prospect prospect = prospect_of({finding}, campaign, points).value();
        const bool concluded = concludes(campaign, finding);
        if (concluded || !is_open_to_chance(finding.rule)) {
          EXPECT_EQ(prospect.open() == 1, concluded)
              << finding.id << (quick ? ", quick, " : ", full, ") << (with_hosts ? "with hosts: " : "here: ")
              << prospect_text(prospect);
        }
      }
    }
  }
}

TEST_P(EachCase, OfOneRepeatSaysThatItTakesMore) {
  campaign::Campaign campaign = shipped(GetParam(), true);
  campaign.repeats = 1;
  EXPECT_GT(prospect_of_case(campaign).few_runs, 0u);
  EXPECT_THAT(prospect_text(prospect_of_case(campaign)), HasSubstr("3 repeats of each point"));
}

std::vector<std::string> names_of_cases() {
  std::vector<std::string> names;
  for (const ShippedCase& one : shipped_cases()) names.emplace_back(one.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Shipped, EachCase, testing::ValuesIn(names_of_cases()), [](const auto& one) {
  std::string name = one.param;
  std::erase(name, ' ');
  return name;
});

TEST(Prospect, IsToldInWords) {
  EXPECT_EQ(prospect_text({.study_case = "thesis 1", .findings = 4}),
            "of the thesis' 4 findings in this case, at most 4 can be judged");
  EXPECT_THAT(
      prospect_text({.study_case = "thesis 1", .findings = 9, .few_runs = 1, .no_hosts = 2, .no_points = 3}),
      AllOf(
          HasSubstr("of the thesis' 9 findings in this case, at most 3 can be judged; 1 needs 3 repeats of each point"),
          HasSubstr(", 2 need external hosts, 3 need points that this campaign does not have")));
}

TEST(Prospect, CountsWhatOtherSettingsCost) {
  campaign::Campaign campaign = shipped("seed 001", true);
  const size_t open = prospect_of_case(campaign).open();
  ASSERT_TRUE(campaign::set_in_all_points(campaign, "bus.servers=3"));
  EXPECT_EQ(prospect_of_case(campaign).open(), open) << "a place";
  ASSERT_TRUE(campaign::set_in_all_points(campaign, "senders.size=2kB"));
  EXPECT_EQ(prospect_of_case(campaign).open(), 0u);
  EXPECT_THAT(prospect_text(prospect_of_case(campaign)), HasSubstr("need the settings of the shipped case"));
}

TEST(Prospect, SaysWhoseFindingsTheyAre) {
  EXPECT_THAT(prospect_text({.study_case = "seed 002", .findings = 4}), HasSubstr("of the study's 4 findings"));
}

TEST(Prospect, IsOfShippedCasesAlone) {
  campaign::Campaign campaign = shipped("thesis 1", true);
  campaign.name = "mine";
  EXPECT_FALSE(prospect_of(*shipped_findings(), campaign, *campaign::points_of(campaign)));
}

// The prototype waited between every message and the next (6.1): what its requests cost shows only one at a time.
TEST(ShippedCases, AskForOneMessageAtATimeWhereTheThesisDid) {
  for (const bool quick : {false, true}) {
    const campaign::Campaign campaign = shipped("thesis 6", quick);
    std::map<std::string, size_t> points;
    const auto all = *campaign::points_of(campaign);
    for (const campaign::Point& point : all) {
      const auto& axis = campaign.axes[1];
      const std::string& label = axis.values[point.at[1]].label;
      const auto& requests = point.plan.queue.requests;
      EXPECT_EQ(requests.on, label != "off" && label != "responses") << label;
      if (requests.on) {
        EXPECT_EQ(requests.at_a_time, label == "requests, 8 at a time" ? 8u : 1u) << label;
      }
      points[label]++;
    }
    EXPECT_EQ(points.size(), 5u);
    EXPECT_EQ(points["requests, 8 at a time"], points["requests"]) << "the variant has all amounts too";
  }
}

TEST(Prospect, OfThreeAmountsNothingErraticCanBeSaid) {
  campaign::Campaign campaign = shipped("thesis 7", false);
  const auto all = findings_of("thesis 7");
  const auto erratic = std::ranges::find(all, Shape::erratic, [](const Finding& one) { return one.rule.shape; });
  ASSERT_NE(erratic, all.end());
  const auto open = [&] { return prospect_of({*erratic}, campaign, *campaign::points_of(campaign))->open(); };
  EXPECT_EQ(open(), 1u);
  for (campaign::Axis& axis : campaign.axes)
    if (axis.name == erratic->rule.over) axis.values.erase(axis.values.begin(), axis.values.end() - 3);
  EXPECT_EQ(open(), 0u);
}

TEST(Prospect, SaysInTheEndWhyFindingsAreInconclusive) {
  const Prospect prospect{.findings = 9, .no_hosts = 2, .no_points = 1};
  EXPECT_EQ(why_inconclusive(prospect, 5),
            "2 need external hosts, 1 needs points that this campaign does not have; 2 have runs that vary too "
            "much, or too few that count: more repeats may decide them");
  EXPECT_EQ(why_inconclusive(prospect, 3), "2 need external hosts, 1 needs points that this campaign does not have");
  EXPECT_EQ(why_inconclusive({.findings = 9}, 1),
            "1 has runs that vary too much, or too few that count: more repeats may decide it");
}

TEST(Prospect, OfTheHourOfTheDayNeedsRunsThroughAWholeDay) {
  campaign::Campaign campaign = shipped("seed 003 day", false);
  campaign.external.senders = {"vm2"};
  const size_t all = prospect_of_case(campaign).open();
  const auto without_day = [&](auto change) {
    campaign::Campaign other = campaign;
    change(other);
    const Prospect prospect = prospect_of_case(other);
    return prospect.no_day == 1 && prospect.open() == all - 1;
  };
  EXPECT_EQ(prospect_of_case(campaign).no_day, 0);
  EXPECT_TRUE(without_day([](auto& other) { other.every.reset(); }));
  EXPECT_TRUE(without_day([](auto& other) { other.repeats = 20; }));
  EXPECT_TRUE(without_day([](auto& other) { other.every->to_s = 20 * 3600; }));
  EXPECT_TRUE(without_day([](auto& other) { other.every->rounds = false; })) << "each point every nine hours";
}

}  // namespace
}  // namespace n2nq::findings
