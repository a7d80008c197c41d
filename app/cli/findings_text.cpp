#include "app/cli/findings_text.h"

#include <nlohmann/json.hpp>

#include "app/figures/csv.h"
#include "app/findings/study.h"
#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::cli {
namespace {

using findings::CaseFindings;
using findings::Judged;
using findings::number_in_thesis;
using findings::study_word;
using findings::title_of;
using Ordered = nlohmann::ordered_json;

constexpr size_t kWidth = 16;  // of the outcome's column

// Or the section where there is no figure.
std::string source_text(const findings::Finding& finding) {
  return finding.figures.empty() ? "section " + finding.section : findings::figures_text(finding);
}

// A number where it is one.
Ordered number_or_text(const std::string& text) {
  const auto number = parse_whole(text);
  return number ? Ordered(*number) : Ordered(text);
}

Ordered figures_json(const Judged& one) {
  Ordered figures = Ordered::array();
  for (const std::string& figure : one.finding.figures) figures.push_back(number_or_text(figure));
  return figures;
}

// Of the thesis the number alone.
std::string text_of_case(const CaseFindings& found) {
  const auto number = number_in_thesis(found.study_case);
  return number ? std::to_string(*number) : found.study_case;
}

}  // namespace

std::string findings_table(const CaseFindings& found) {
  std::string out = title_of(found.study_case) +
                    ", findings: " + std::to_string(found.count(findings::Outcome::agrees)) + " agree, " +
                    std::to_string(found.count(findings::Outcome::differs)) + " differ, " +
                    std::to_string(found.count(findings::Outcome::unknown)) + " inconclusive\n";
  for (const Judged& one : found.all) {
    std::string outcome = to_text(one.judgement.outcome);
    outcome.resize(kWidth, ' ');
    out += outcome + one.finding.text + " [" + source_text(one.finding) + "]\n" + std::string(kWidth, ' ') +
           "ours, by " + one.finding.rule.metric + ": " + one.judgement.ours + "\n";
  }
  const std::string remarks = join(found.remarks, "; ");
  return out + remarks + "\n";
}

Ordered findings_json(const CaseFindings& found) {
  Ordered all = Ordered::array();
  for (const Judged& one : found.all)
    all.push_back({{"id", one.finding.id},
                   {"figures", figures_json(one)},
                   {"section", one.finding.section},
                   {study_word(found.study_case), one.finding.text},
                   {"outcome", to_word(one.judgement.outcome)},
                   {"ours", one.judgement.ours}});
  return {{"case", number_or_text(text_of_case(found))},
          {"quick", found.quick},
          {"agrees", found.count(findings::Outcome::agrees)},
          {"differs", found.count(findings::Outcome::differs)},
          {"unknown", found.count(findings::Outcome::unknown)},
          {"findings", all},
          {"remarks", found.remarks}};
}

std::string findings_csv(const CaseFindings& found) {
  std::string out = "case,figures,section,id," + study_word(found.study_case) + ",outcome,ours\r\n";
  for (const Judged& one : found.all)
    out += figures::csv_line({text_of_case(found), join(one.finding.figures, ", "), one.finding.section, one.finding.id,
                              one.finding.text, to_word(one.judgement.outcome), one.judgement.ours});
  return out;
}

}  // namespace n2nq::cli
