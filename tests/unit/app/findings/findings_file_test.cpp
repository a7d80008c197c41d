#include "app/findings/findings_file.h"

#include <gmock/gmock.h>

#include <set>

#include "app/campaign/campaign_file.h"
#include "app/findings/case_results.h"
#include "app/findings/shipped_case.h"
#include "app/findings/study.h"

namespace n2nq::findings {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string complaint(const std::string& finding) {
  const auto findings = parse_findings(R"({"version": 1, "findings": [)" + finding + "]}");
  return findings ? "" : findings.error().text;
}

std::string with_rule(const std::string& rule) {
  return R"({"id": "x", "case": 1, "figures": [14], "section": "5.2.1", "text": "it is so", "rule": )" + rule + "}";
}

constexpr const char* kRight = R"({"kind": "runs", "share": "most", "early_peak": true})";

// To be expected from what a study says; it did not try them.
const std::set<std::string> kWithoutFigure{
    "001-exactly-once-waits-for-its-transaction", "004-shortest-queue-comes-near",
    "004-shortest-queue-beats-partitions",        "004-spread-of-partitions-matters",
    "004-kafka-equal-keys-need-twenty",           "004-kafka-hot-key-fills-its-partition",
    "004-kafka-partitions-do-not-cool-a-hot-key"};

TEST(FindingsFile, HasFindingsOfEveryCaseAndFigure) {
  const auto findings = shipped_findings();
  ASSERT_TRUE(findings) << findings.error().text;
  std::set<std::string> cases, figures, ids;
  for (const Finding& finding : *findings) {
    cases.insert(finding.study_case);
    ids.insert(finding.id);
    if (number_in_thesis(finding.study_case)) figures.insert(finding.figures.begin(), finding.figures.end());
    const bool proposed = finding.study_case == "thesis containers";  // by the thesis, which has not tried it
    EXPECT_TRUE(finding.section.starts_with("5") || (proposed && finding.section == "6.2") ||
                (finding.section == "6" && finding.study_case.starts_with("seed 001")))
        << finding.id;
    EXPECT_FALSE(finding.text.empty());
    const bool of_table = finding.study_case == "seed 004" && finding.section == "5.2";
    EXPECT_EQ(finding.figures.empty(), proposed || of_table || kWithoutFigure.contains(finding.id)) << finding.id;
  }
  for (const ShippedCase& one : shipped_cases()) EXPECT_THAT(cases, Contains(one.name));
  for (int figure = 13; figure <= 30; figure++) EXPECT_THAT(figures, Contains(std::to_string(figure)));
  EXPECT_EQ(ids.size(), findings->size()) << "no two files have a finding of the same name";
}

// A label that a case does not have would leave its rule without results, and nobody would notice.
TEST(FindingsFile, NamesAxesAndLabelsThatTheCasesHave) {
  const auto findings = shipped_findings();
  for (const Finding& finding : *findings) {
    const auto campaign = campaign::parse_campaign(find_case(finding.study_case)->full);
    ASSERT_TRUE(campaign);
    const auto points = *campaign::points_of(*campaign);
    const CaseResults results(*campaign, points, {}, *find_measure("trimmed"));
    const Rule& rule = finding.rule;
    std::vector<Where> all = rule.sides;
    all.insert(all.end(), {rule.where, rule.reference});
    for (const Where& where : all)
      for (const auto& [axis, labels] : where)
        for (const std::string& label : labels)
          EXPECT_THAT(results.labels(axis), Contains(label)) << finding.id << " " << axis;
    for (const std::string& label : {rule.from, rule.to, rule.reverses_past}) {
      if (!label.empty()) {
        EXPECT_THAT(results.labels(rule.over), Contains(label)) << finding.id;
      }
    }
  }
}

TEST(FindingsFile, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(parse_findings("{").error().text, HasSubstr("it is not JSON"));
  EXPECT_THAT(parse_findings("[]").error().text, HasSubstr("it is not a file of findings"));
  EXPECT_THAT(parse_findings(R"({"version": 2, "findings": []})").error().text, HasSubstr("version: "));
  EXPECT_THAT(complaint(with_rule("{}")), HasSubstr("findings[0]: rule.kind: it is missing"));
  EXPECT_THAT(complaint(with_rule(R"({"kind": "faster"})")),
              HasSubstr("findings[0]: rule.kind: \"faster\" is not one of lower, alike, about"));
  EXPECT_THAT(complaint(with_rule(R"({"kind": "runs", "share": "most", "early_peak": true, "metric": "p97"})")),
              HasSubstr("rule.metric: \"p97\" is unknown"));
  EXPECT_THAT(complaint(R"({"id": "x"})"), HasSubstr("findings[0]: case: it is missing"));
  EXPECT_THAT(complaint(with_rule(kRight) + "," + with_rule(kRight)), HasSubstr("\"x\" is given twice"));
  EXPECT_THAT(
      complaint(R"({"id": "x", "case": 8})"),
      HasSubstr("case: 8 is not a case; there are 1, 2, 3, 4, 5, 6, 7, \"thesis containers\", \"seed 001\", "
                "\"seed 001 rabbitmq\", \"seed 001 kafka\", \"seed 002\", \"seed 002 resources\", \"seed 003\", "
                "\"seed 003 day\", \"seed 004\", \"seed 004 kafka\""));
  EXPECT_THAT(complaint(R"({"id": "x", "case": "thesis 1"})"), HasSubstr("case: \"thesis 1\" is not a case"));
  EXPECT_THAT(complaint(R"({"id": "x", "case": 1, "figures": [0]})"), HasSubstr("figures[0]: 0 is out of range"));
}

TEST(FindingsFile, CountsFiguresAsTheStudyDoes) {
  const auto findings = parse_findings(R"({"version": 1, "findings": [{"id": "x", "case": "seed 003",
      "figures": [3, "5.19"], "section": "5.4.3", "text": "it is so", "rule": )" +
                                       std::string(kRight) + "}]}");
  ASSERT_TRUE(findings) << findings.error().text;
  EXPECT_THAT(findings->front().figures, testing::ElementsAre("3", "5.19"));
  EXPECT_EQ(findings->front().study_case, "seed 003");
}

TEST(Study, IsCalledByItsTitle) {
  EXPECT_EQ(title_of("thesis 3"), "Thesis, case 3");
  EXPECT_EQ(title_of("seed 002"), "Bus against HTTP");
  EXPECT_EQ(shown_name("seed 001 (quick)"), "Kafka against RabbitMQ, quick");
  EXPECT_EQ(shown_name("thesis 3"), "Thesis, case 3");
  EXPECT_EQ(shown_name("peers latency (quick)"), "Buses beside a relay, latency, quick");
  for (const char* own : {"mine", "mine (quick)", "thesis", "thesis 8", "thesis 03 (quick)", "seed 0"})
    EXPECT_EQ(shown_name(own), own);
  EXPECT_EQ(study_word("thesis 3") + study_word("seed 002"), "thesisstudy");
}

struct WrongRule {
  std::string rule;
  std::string error;  // empty: it is right
};

TEST(FindingsFile, SaysWhichFieldOfARuleIsWrong) {
  const std::vector<WrongRule> rules{
      {kRight, ""},
      {R"({"kind": "lower", "sides": [{"x": "1"}, {"x": "2"}, {"x": "3"}], "by": 2})", ""},
      {R"({"kind": "lower", "over": "x", "reverses_past": "2", "sides": [{"y": "1"}, {"y": "2"}]})", ""},
      {R"({"kind": "about", "value": "6.3ms", "factor": 2, "sides": [{"x": "1"}, {"x": "2"}]})", ""},
      {R"({"kind": "lower"})", "rule.sides: a rule of kind lower needs sides"},
      {R"({"kind": "lower", "sides": [{"x": "1"}]})", "rule.sides: there are 1; expected two or more"},
      {R"({"kind": "lower", "sides": [{"x": "1"}, {}]})", "rule.sides[1]: it names no axis"},
      {R"({"kind": "lower", "sides": [{"x": "1"}, {"x": "2"}], "by": 0.5})", "rule.by: 0.5 is not a factor"},
      {R"({"kind": "lower", "sides": [{"x": "1"}, {"x": "2"}], "reverses_past": "2"})",
       "rule.over: a rule of kind lower has all or none of over, reverses_past"},
      {R"({"kind": "lower", "over": "y", "reverses_past": "2", "sides": [{"x": "1"}, {"x": "2"}, {"x": "3"}]})",
       "rule.sides: there are 3; expected two"},
      {R"({"kind": "alike", "factor": 2, "sides": [{"x": "1"}, {"x": "2"}, {"x": "3"}]})",
       "rule.sides: there are 3; expected two"},
      {R"({"kind": "alike", "factor": 2, "sides": [{"x": "1"}, {"x": "2"}], "within": "8ms"})",
       "rule.within: there is no such field; there are kind, metric, where, sides, factor"},
      {R"({"kind": "about", "value": "soon", "factor": 2})", "rule.value: \"soon\" is neither"},
      {R"({"kind": "about", "within": "0ms"})", "rule.within: \"0ms\" is neither"},
      {R"({"kind": "about", "value": 1, "factor": 2, "least": 1})",
       "rule.value: a rule of kind about has exactly one of value, least, within"},
      {R"({"kind": "about", "value": 1})", "rule.factor: a rule of kind about has all or none of value, factor"},
      {R"({"kind": "about", "least": 1, "factor": 2})", "rule.value: a rule of kind about has all or none of"},
      {R"({"kind": "runs", "share": "few", "above": 1})", "rule.share: \"few\" is not one of some, none, most"},
      {R"({"kind": "runs", "share": "some"})", "rule.above: a rule of kind runs has exactly one of above, early_peak"},
      {R"({"kind": "runs", "share": "some", "early_peak": false})", "rule.early_peak: false is not true"},
      {R"({"kind": "grows", "shape": "round", "over": "x", "factor": 2})", "rule.shape: \"round\" is not one of flat"},
      {R"({"kind": "grows", "shape": "flat", "factor": 2})",
       "rule.over: a rule of kind grows needs shape, over, factor"},
      {R"({"kind": "grows", "shape": "flat", "over": "", "factor": 2})", "rule.over: it is empty"},
      {R"({"kind": "rises_less", "over": "x", "sides": [{"y": "1"}, {"y": "2"}]})", ""},
      {R"({"kind": "rises_less", "over": "x"})", "rule.sides: a rule of kind rises_less needs sides, over"},
      {R"({"kind": "collapses", "where": {"x": "1"}, "over": "y", "from": "1", "to": "2", "factor": 2})",
       "rule.reference: a rule of kind collapses needs reference, over, from, to, factor"},
  };
  for (const WrongRule& one : rules) {
    const std::string said = complaint(with_rule(one.rule));
    if (one.error.empty())
      EXPECT_EQ(said, "") << one.rule;
    else
      EXPECT_THAT(said, HasSubstr("findings[0]: " + one.error)) << one.rule;
  }
}

}  // namespace
}  // namespace n2nq::findings
