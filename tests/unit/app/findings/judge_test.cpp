#include "app/findings/judge.h"

#include <gmock/gmock.h>

#include "app/findings/findings_file.h"
#include "app/findings/shipped_case.h"
#include "tests/unit/app/findings/worlds.h"

namespace n2nq::findings {
namespace {

using test::synthetic_case;
using test::SyntheticCase;
using test::World;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// "thesis 1" from thesis-1.json.
campaign::Campaign case_file(std::string study_case, const std::string& variant = "") {
  std::ranges::replace(study_case, ' ', '-');
  auto campaign =
      campaign::read_campaign_file(std::string(N2NQ_SOURCE_DIR) + "/resources/plans/" + study_case + variant + ".json");
  EXPECT_TRUE(campaign) << campaign.error().text;
  return *campaign;
}

campaign::Campaign with_hosts(const std::string& study_case) {
  campaign::Campaign campaign = case_file(study_case);
  campaign.external.senders = {"vm2"};
  return campaign;
}

Judgement judge_synthetic(const Finding& finding, const SyntheticCase& made) {
  return judge(finding, made.campaign, made.points, made.records,
               [&made](int64_t id) -> Result<record::RunRecord> { return made.records[static_cast<size_t>(id) - 1]; });
}

struct EachFinding : testing::TestWithParam<Finding> {};

TEST_P(EachFinding, AgreesWithResultsWhereItHolds) {
  const Judgement judgement = judge_synthetic(
      GetParam(), synthetic_case(with_hosts(GetParam().study_case), test::world_of(GetParam().study_case)));
  EXPECT_EQ(to_text(judgement.outcome), "agrees") << judgement.ours;
  EXPECT_THAT(judgement.ours, HasSubstr(" run"));
}

TEST_P(EachFinding, DiffersFromResultsWhereItDoesNot) {
  const auto world = test::other_worlds().find(GetParam().id);
  ASSERT_NE(world, test::other_worlds().end()) << "no world where it does not hold";
  const Judgement judgement =
      judge_synthetic(GetParam(), synthetic_case(with_hosts(GetParam().study_case), world->second));
  EXPECT_EQ(to_text(judgement.outcome), "differs") << judgement.ours;
  EXPECT_THAT(judgement.ours, HasSubstr(" run"));
}

TEST(ByHour, NeedsRunsOfAllPartsOfTheDayAndSaysWhichAreFurthestApart) {
  const auto findings = *shipped_findings();
  const auto found = std::ranges::find(findings, "003-day-hour-does-not-matter", &Finding::id);
  campaign::Campaign campaign = with_hosts("seed 003 day");
  const auto judged = [&](uint32_t repeats, const test::World& world) {
    return judge_synthetic(*found, synthetic_case(campaign, world, repeats, 0.002));
  };
  // 20 ms, and from 12 to 16 o'clock more.
  const auto slower_by = [](double factor) {
    return
        [factor](const test::Place& at) { return test::Latencies{.trimmed = at.hour() / 4 == 3 ? 20 * factor : 20}; };
  };
  EXPECT_EQ(to_text(judged(24, slower_by(1.02)).outcome), "agrees");
  EXPECT_EQ(to_text(judged(24, slower_by(1.1)).outcome), "differs");
  EXPECT_THAT(judged(24, slower_by(1.1)).ours, HasSubstr("from 12 to 16"));
  EXPECT_EQ(to_text(judged(24, slower_by(1.05)).outcome), "inconclusive") << "about 1 ms";
  const Judgement half = judged(12, slower_by(1));
  EXPECT_EQ(to_text(half.outcome), "inconclusive");
  EXPECT_THAT(half.ours, HasSubstr("of some hours there are fewer than 3 runs of a point: "));
}

// Of how often something happens it takes many runs to say that it does not; one where it did is enough.
TEST_P(EachFinding, CannotBeSaidOfTooFewRuns) {
  campaign::Campaign campaign = with_hosts(GetParam().study_case);
  for (campaign::Axis& axis : campaign.axes)
    if (GetParam().rule.kind == RuleKind::runs)
      if (axis.name == "services") axis.values.resize(1);
  if (GetParam().rule.kind == RuleKind::runs && GetParam().rule.share == Share::none)
    for (campaign::Axis& axis : campaign.axes)
      if (axis.name == "delay") axis.values.resize(5);
  const SyntheticCase made = synthetic_case(campaign, test::world_of(GetParam().study_case), 1);
  const Judgement judgement = judge_synthetic(GetParam(), made);
  EXPECT_EQ(to_text(judgement.outcome), "inconclusive") << judgement.ours;
  EXPECT_NE(judgement.ours, "");
  EXPECT_EQ(
      to_text(judge_synthetic(GetParam(), synthetic_case(campaign, test::world_of(GetParam().study_case), 0)).outcome),
      "inconclusive");
}

INSTANTIATE_TEST_SUITE_P(Shipped, EachFinding, testing::ValuesIn(shipped_findings().value_or(std::vector<Finding>())),
                         [](const auto& one) {
                           std::string name;
                           for (const char letter : one.param.id) name += std::isalnum(letter) ? letter : '_';
                           return name;
                         });

TEST(Judge, RunsThatDifferTooMuchSayNothing) {
  const auto findings = shipped_findings();
  for (const Finding& finding : *findings) {
    const Rule& rule = finding.rule;
    if (rule.kind == RuleKind::runs || rule.least > 0 || rule.shape == Shape::no_steadier) continue;
    const SyntheticCase made = synthetic_case(
        with_hosts(finding.study_case), [](const test::Place&) { return test::Latencies{.trimmed = 10}; }, 3, 4.0);
    EXPECT_NE(to_text(judge_synthetic(finding, made).outcome), "agrees") << finding.id;
  }
}

TEST(Judge, PlacesAreNotToldApartWithoutHosts) {
  const auto findings = shipped_findings();
  for (const Finding& finding : *findings) {
    const SyntheticCase made = synthetic_case(case_file(finding.study_case), test::world_of(finding.study_case));
    const Judgement judgement = judge_synthetic(finding, made);
    if (finding.needs_hosts) {
      EXPECT_EQ(to_text(judgement.outcome), "inconclusive") << finding.id;
      EXPECT_THAT(judgement.ours, HasSubstr("not external, so inconclusive")) << finding.id;
    } else {
      EXPECT_EQ(to_text(judgement.outcome), "agrees") << finding.id << ": " << judgement.ours;
    }
  }
}

TEST(Judge, WhatIsAlikeIsNotCalledOneTimesAsMuch) {
  size_t about = 0;
  for (const Finding& finding : shipped_findings().value_or(std::vector<Finding>())) {
    const std::string ours =
        judge_synthetic(finding, synthetic_case(
                                     with_hosts(finding.study_case),
                                     [](const test::Place&) { return test::Latencies{.trimmed = 10}; }, 3, 0.001))
            .ours;
    EXPECT_THAT(ours, Not(HasSubstr(" 1 times"))) << finding.id;
    about += ours.find(" about ") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(about, 0u);
}

TEST(Judge, SaysOursInUnits) {
  const auto findings = *shipped_findings();
  const auto text_of = [&findings](const std::string& id) {
    const auto found = std::ranges::find(findings, id, &Finding::id);
    return judge_synthetic(*found,
                           synthetic_case(with_hosts(found->study_case), test::world_of(found->study_case), 3, 0.001))
        .ours;
  };
  EXPECT_THAT(text_of("7-balancer-is-faster-internal"),
              AllOf(HasSubstr("load balancer 170.0 µs"), HasSubstr("broadcaster, each sender to one receiver 1"),
                    HasSubstr(" ms over 10 points each: the second is 8"), HasSubstr("95 % CI"), HasSubstr("60 runs")));
  EXPECT_EQ(text_of("3-balancer-internal-figure").substr(0, 62),
            "load balancer, internal: 170.0 µs over 110 points, 95 % CI 17");
  EXPECT_THAT(text_of("6-broadcaster-collapse"),
              AllOf(HasSubstr("collapses from "),
                    HasSubstr(" ms at 20 services (100 times the reference, 99.5 % CI 100 to 100")));
  EXPECT_THAT(text_of("5-spikes-at-the-start"), HasSubstr("in the first tenth of the run in 66 of 66 runs"));
}

// Three runs of three points are not three runs of a point.
TEST(Judge, SaysOfTooFewRunsOverHowManyPointsTheyAre) {
  const auto findings = *shipped_findings();
  const auto found = std::ranges::find(findings, "1-4kb-above-8kb", &Finding::id);
  ASSERT_NE(found, findings.end());
  campaign::Campaign campaign = with_hosts("thesis 1");
  const std::string ours = judge_synthetic(*found, synthetic_case(campaign, test::world_of("thesis 1"), 1)).ours;
  EXPECT_THAT(ours,
              AllOf(HasSubstr(" runs at "), HasSubstr(" points; a statement needs 3 runs of a point and of the one it "
                                                      "is compared with, and no two points have that many")));
  const auto at_50 = std::ranges::find(findings, "1-4kb-slowest-at-50", &Finding::id);
  ASSERT_NE(at_50, findings.end());
  EXPECT_THAT(judge_synthetic(*at_50, synthetic_case(case_file("thesis 1", "-quick"), test::world_of("thesis 1"))).ours,
              AllOf(HasSubstr("this campaign has no point for it: "), HasSubstr("services")));
}

TEST(Judge, AQuickVariantIsCalledThatAndMissingAmountsAreNoCollapse) {
  const auto findings = *shipped_findings();
  const SyntheticCase made = synthetic_case(case_file("thesis 3", "-quick"), test::world_of("thesis 3"));
  const auto judged = judge_case(
      findings, made.campaign, made.points, made.records,
      [&made](int64_t id) -> Result<record::RunRecord> { return made.records[static_cast<size_t>(id) - 1]; });
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->study_case, "thesis 3");
  EXPECT_TRUE(judged->quick);
  EXPECT_THAT(judged->remarks, Contains(HasSubstr("quick variant")));
  EXPECT_THAT(judged->remarks, Contains(HasSubstr("not external")));
  EXPECT_GT(judged->all.size(), 10);
  for (const Judged& one : judged->all) {
    if (one.finding.rule.kind != RuleKind::collapses) continue;
    EXPECT_EQ(to_text(one.judgement.outcome), "inconclusive") << one.judgement.ours;
  }
}

// All findings of a case whose plan was changed.
CaseFindings findings_of(campaign::Campaign campaign, const std::vector<std::string>& sets) {
  for (const std::string& set : sets) EXPECT_TRUE(campaign::set_in_all_points(campaign, set)) << set;
  const std::string study_case(study_case_of(campaign)->name);
  const SyntheticCase made = synthetic_case(std::move(campaign), test::world_of(study_case));
  const auto judged = judge_case(
      *shipped_findings(), made.campaign, made.points, made.records,
      [&made](int64_t id) -> Result<record::RunRecord> { return made.records[static_cast<size_t>(id) - 1]; });
  return judged.value_or(CaseFindings());
}

TEST(Judge, OfACaseThatIsRunOtherwiseThanTheThesisNothingCanBeSaid) {
  const CaseFindings changed = findings_of(with_hosts("thesis 2"), {"senders.count=2", "queue.mode=load-balancer"});
  EXPECT_GT(changed.all.size(), 0u);
  EXPECT_EQ(changed.count(Outcome::unknown), changed.all.size());
  EXPECT_THAT(
      changed.remarks,
      Contains("different from thesis 2: queue.mode is load-balancer and not broadcaster, and so on, in 55 points"));
  EXPECT_THAT(changed.remarks,
              Contains("different from thesis 2: senders.count is 2 and not 1, and so on, in 55 points"));
  EXPECT_THAT(changed.all.front().judgement.ours, HasSubstr("differ from the shipped case"));
}

TEST(Judge, PlacesLogsAndRepeatsMayBeOthers) {
  campaign::Campaign campaign = with_hosts("thesis 2");
  campaign.repeats = 7;
  const CaseFindings same = findings_of(campaign, {"log=off", "queue.host=vm1", "senders.seed=9"});
  EXPECT_EQ(same.count(Outcome::agrees), same.all.size());
  EXPECT_THAT(same.remarks, Not(Contains(HasSubstr("different from"))));
}

// What the case itself compares is no place.
TEST(Judge, ServersReplicasAndLimitsAreNamedAndLeaveFindingsJudged) {
  const CaseFindings three = findings_of(with_hosts("seed 001"), {"bus.servers=3", "bus.cpus=2", "queue.memory=1GiB"});
  EXPECT_EQ(three.count(Outcome::agrees), three.all.size());
  EXPECT_THAT(three.remarks,
              Contains(HasSubstr("on other servers or limits than seed 001: bus.servers is 3 and not 1")));
  EXPECT_THAT(three.remarks, Contains(HasSubstr("on other servers or limits than seed 001: bus.cpus is 2 and not")));
  const CaseFindings limited = findings_of(with_hosts("seed 002 resources"), {"receivers.cpus=2"});
  EXPECT_EQ(limited.count(Outcome::unknown), limited.all.size());
  EXPECT_THAT(limited.remarks, Contains(HasSubstr("different from seed 002 resources: receivers.cpus is 2")));
  const CaseFindings contained = findings_of(with_hosts("thesis containers"), {"senders.cpus=2"});
  EXPECT_EQ(contained.count(Outcome::unknown), contained.all.size()) << "a process with any limit is in a container";
  campaign::Campaign uneven = with_hosts("thesis 7");
  uneven.axes[0].values[0].set.push_back({.key = "receivers.cpus", .value = "0.5"});
  EXPECT_THAT(findings_of(uneven, {}).remarks, Contains(HasSubstr("different from thesis 7: receivers.cpus is 0.5")));
}

TEST(Judge, SaysWhichPointsOfACaseAreMissingOrAdded) {
  campaign::Campaign campaign = with_hosts("thesis 2");
  campaign.axes[1].values.back().label = "101";
  const CaseFindings changed = findings_of(campaign, {});
  EXPECT_THAT(changed.remarks, Contains("5 points that thesis 2 does not have"));
  EXPECT_THAT(changed.remarks, Contains("without 5 points of thesis 2"));
}

TEST(Judge, EveryCaseIsItself) {
  for (const ShippedCase& one : shipped_cases())
    for (const char* variant : {"", "-quick"}) {
      const campaign::Campaign campaign = case_file(std::string(one.name), variant);
      EXPECT_EQ(study_case_of(campaign), &one) << campaign.name;
      const auto found = differences_from_case(one, *variant != '\0', campaign, *campaign::points_of(campaign));
      EXPECT_TRUE(found.points.empty()) << campaign.name;
      EXPECT_TRUE(found.remarks.empty()) << campaign.name;
    }
}

TEST(Judge, OtherCampaignsHaveNoFindings) {
  campaign::Campaign campaign = case_file("thesis 1");
  for (const char* name : {"sweep", "thesis 8", "thesis 11", "my thesis 1", "thesis 1 (slow)", "seed 005", "seed"}) {
    campaign.name = name;
    EXPECT_EQ(study_case_of(campaign), nullptr) << name;
  }
  const auto findings = *shipped_findings();
  campaign::Campaign other = case_file("thesis 2");
  EXPECT_THAT(judge(findings.front(), other, *campaign::points_of(other), {}, nullptr).ours,
              HasSubstr("this campaign has no axis message size"));
}

}  // namespace
}  // namespace n2nq::findings
