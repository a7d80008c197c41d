#include "app/cli/findings_text.h"

#include <nlohmann/json.hpp>

#include "app/figures/csv.h"

namespace n2nq::cli {
namespace {

using findings::CaseFindings;
using findings::Judged;
using Ordered = nlohmann::ordered_json;

constexpr size_t kWidth = 16;  // of the outcome's column

std::string figures_text(const Judged& one) {
  std::string text;
  for (const uint32_t figure : one.finding.figures) text += (text.empty() ? "" : ", ") + std::to_string(figure);
  return text;
}

}  // namespace

std::string findings_table(const CaseFindings& found) {
  std::string out = "the thesis' findings in case " + std::to_string(found.thesis_case) + ": " +
                    std::to_string(found.count(findings::Outcome::agrees)) + " agree, " +
                    std::to_string(found.count(findings::Outcome::differs)) + " differ, of " +
                    std::to_string(found.count(findings::Outcome::unknown)) + " inconclusive\n";
  for (const Judged& one : found.all) {
    std::string outcome = to_text(one.judgement.outcome);
    outcome.resize(kWidth, ' ');
    out += outcome + one.finding.text + " [figure" + (one.finding.figures.size() > 1 ? "s " : " ") + figures_text(one) +
           "]\n" + std::string(kWidth, ' ') + "ours: " + one.judgement.ours + "\n";
  }
  std::string remarks;
  for (const std::string& remark : found.remarks) remarks += (remarks.empty() ? "" : "; ") + remark;
  return out + remarks + "\n";
}

Ordered findings_json(const CaseFindings& found) {
  Ordered all = Ordered::array();
  for (const Judged& one : found.all)
    all.push_back({{"id", one.finding.id},
                   {"figures", one.finding.figures},
                   {"section", one.finding.section},
                   {"thesis", one.finding.text},
                   {"outcome", to_word(one.judgement.outcome)},
                   {"ours", one.judgement.ours}});
  return {{"case", found.thesis_case},
          {"quick", found.quick},
          {"agrees", found.count(findings::Outcome::agrees)},
          {"differs", found.count(findings::Outcome::differs)},
          {"unknown", found.count(findings::Outcome::unknown)},
          {"findings", all},
          {"remarks", found.remarks}};
}

std::string findings_csv(const CaseFindings& found) {
  std::string out = "case,figures,section,id,thesis,outcome,ours\r\n";
  for (const Judged& one : found.all)
    out += figures::csv_line({std::to_string(found.thesis_case), figures_text(one), one.finding.section, one.finding.id,
                              one.finding.text, to_word(one.judgement.outcome), one.judgement.ours});
  return out;
}

}  // namespace n2nq::cli
