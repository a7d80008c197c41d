// Holds the results of a campaign against a finding: does it hold here too, does ours differ, or can these runs not
// say? What rules mean is in docs/campaigns.md. Pure but for the results that are loaded; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/points.h"
#include "app/findings/finding.h"
#include "app/findings/shipped_case.h"
#include "app/record/run_record.h"

namespace n2nq::findings {

enum class Outcome { agrees, differs, unknown };
std::string to_text(Outcome outcome);  // "agrees", "differs", "inconclusive"
std::string to_word(Outcome outcome);  // for files: "agrees", "differs", "unknown"

struct Judgement {
  Outcome outcome = Outcome::unknown;
  // What ours are, with units and runs; where it is inconclusive, why.
  std::string ours{};
};

using LoadResult = std::function<Result<record::RunRecord>(int64_t id)>;  // with its series

// Points that are not run as in the shipped case (their numbers) allow no conclusion.
Judgement judge(const Finding& finding, const campaign::Campaign& campaign, const std::vector<campaign::Point>& points,
                const std::vector<record::RunRecord>& records, const LoadResult& load,
                const std::set<uint32_t>& unlike = {});

struct Judged {
  Finding finding{};
  Judgement judgement{};
};

// All findings of a case beside what a campaign has.
struct CaseFindings {
  std::string study_case{};  // "thesis 1"
  bool quick = false;
  std::vector<Judged> all{};
  std::vector<std::string> remarks{};  // what must be known beside them: "not external: ..."
  std::string why_inconclusive{};      // what those lack that are, where all runs are made; empty: none is
  size_t count(Outcome outcome) const;
};

// For a campaign that is one of the shipped cases, or the quick variant of one, by its name; else null.
const ShippedCase* study_case_of(const campaign::Campaign& campaign);
std::optional<CaseFindings> judge_case(const std::vector<Finding>& findings, const campaign::Campaign& campaign,
                                       const std::vector<campaign::Point>& points,
                                       const std::vector<record::RunRecord>& records, const LoadResult& load);

}  // namespace n2nq::findings
