#include "app/findings/findings_file.h"

#include <gmock/gmock.h>

#include <set>

#include "app/campaign/campaign_file.h"
#include "app/findings/case_results.h"

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

TEST(FindingsFile, HasFindingsOfEveryCaseAndFigure) {
  const auto findings = shipped_findings();
  ASSERT_TRUE(findings) << findings.error().text;
  std::set<uint32_t> cases, figures;
  for (const Finding& finding : *findings) {
    cases.insert(finding.thesis_case);
    figures.insert(finding.figures.begin(), finding.figures.end());
    EXPECT_TRUE(finding.section.starts_with("5.")) << finding.id;
    EXPECT_FALSE(finding.text.empty());
  }
  EXPECT_EQ(cases.size(), 7);
  for (uint32_t figure = 13; figure <= 30; figure++) EXPECT_THAT(figures, Contains(figure));
}

// A label that a case does not have would leave its rule without results, and nobody would notice.
TEST(FindingsFile, NamesAxesAndLabelsThatTheCasesHave) {
  const auto findings = shipped_findings();
  for (const Finding& finding : *findings) {
    const auto campaign = campaign::read_campaign_file(std::string(N2NQ_SOURCE_DIR) + "/resources/plans/thesis-" +
                                                       std::to_string(finding.thesis_case) + ".json");
    ASSERT_TRUE(campaign);
    const auto points = *campaign::points_of(*campaign);
    const CaseResults results(*campaign, points, {}, *find_measure("trimmed"));
    const Rule& rule = finding.rule;
    for (const Where* where : {&rule.where, &rule.a, &rule.b, &rule.reference})
      for (const auto& [axis, labels] : *where)
        for (const std::string& label : labels)
          EXPECT_THAT(results.labels(axis), Contains(label)) << finding.id << " " << axis;
    for (const std::string& label : rule.labels) EXPECT_THAT(results.labels(rule.axis), Contains(label)) << finding.id;
    for (const std::string& label : {rule.from, rule.to, rule.at}) {
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
  EXPECT_EQ(complaint(with_rule(R"({"kind": "lower", "a": {"x": "1"}, "b": {"x": "2"}})")), "");
  EXPECT_THAT(complaint(with_rule(R"({"kind": "faster"})")),
              HasSubstr("findings[0]: rule.kind: \"faster\" is not one of"));
  EXPECT_THAT(complaint(with_rule(R"({"kind": "lower"})")), HasSubstr("a rule of kind lower needs a, b"));
  EXPECT_THAT(complaint(with_rule(R"({"kind": "about", "value": "soon"})")),
              HasSubstr("rule.value: \"soon\" is neither"));
  EXPECT_THAT(complaint(with_rule(R"({"kind": "at_start", "factor": 0.5})")),
              HasSubstr("rule.factor: 0.5 is not a factor"));
  EXPECT_THAT(complaint(with_rule(R"({"kind": "at_start", "metric": "p97"})")), HasSubstr("\"p97\" is unknown"));
  EXPECT_THAT(complaint(with_rule(R"({"kind": "at_start", "colour": 1})")), HasSubstr("there is no such field"));
  EXPECT_THAT(complaint(R"({"id": "x"})"), HasSubstr("findings[0]: case: it is missing"));
  EXPECT_THAT(complaint(with_rule(R"({"kind": "at_start"})") + "," + with_rule(R"({"kind": "at_start"})")),
              HasSubstr("\"x\" is given twice"));
}

}  // namespace
}  // namespace n2nq::findings
