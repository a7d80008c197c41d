#include "app/cli/findings_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace n2nq::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

findings::CaseFindings found_in(const std::string& study_case, std::vector<std::string> figures) {
  findings::Judged one{.finding = {.id = "a", .study_case = study_case, .figures = std::move(figures), .section = "5"},
                       .judgement = {.outcome = findings::Outcome::agrees, .ours = "84 us"}};
  one.finding.text = "it is steady";
  return {.study_case = study_case, .quick = true, .all = {one}, .remarks = {"quick variant"}};
}

// Scripts of before there were other studies go on working.
TEST(FindingsText, HasTheCasesOfTheThesisByTheirNumbers) {
  const auto found = found_in("thesis 7", {"27", "28"});
  EXPECT_THAT(findings_table(found), StartsWith("Thesis, case 7, findings: 1 agree, 0 differ, 0 inconclusive\n"));
  EXPECT_THAT(findings_table(found), HasSubstr("it is steady [figures 27, 28]"));
  const auto json = findings_json(found);
  EXPECT_EQ(json["case"], 7);
  EXPECT_EQ(json["findings"][0]["figures"].dump(), "[27,28]");
  EXPECT_EQ(json["findings"][0]["thesis"], "it is steady");
  EXPECT_EQ(findings_csv(found),
            "case,figures,section,id,thesis,outcome,ours\r\n7,\"27, 28\",5,a,it is steady,agrees,84 us\r\n");
}

TEST(FindingsText, HasOtherStudiesByTheirNames) {
  const auto found = found_in("seed 003", {"3", "5.19"});
  EXPECT_THAT(findings_table(found), StartsWith("WebSocket against HTTP, findings: 1 agree, "));
  const auto json = findings_json(found);
  EXPECT_EQ(json["case"], "seed 003");
  EXPECT_EQ(json["findings"][0]["figures"].dump(), R"([3,"5.19"])");
  EXPECT_EQ(json["findings"][0]["study"], "it is steady");
  EXPECT_FALSE(json["findings"][0].contains("thesis"));
  EXPECT_THAT(findings_csv(found), StartsWith("case,figures,section,id,study,outcome,ours\r\nseed 003,"));
}

}  // namespace
}  // namespace n2nq::cli
