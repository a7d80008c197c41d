// Titles of the campaigns that come with the bench: the seven cases of the thesis, other studies, each of which is one,
// and those of no study.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/findings/finding.h"

namespace n2nq::findings {

std::optional<uint32_t> number_in_thesis(std::string_view study_case);  // of "thesis 3"; nothing: another study
std::string title_of(std::string_view study_case);                      // "Thesis, case 3", "Bus against HTTP"
bool is_quick(std::string_view campaign);                               // "thesis 3 (quick)"
std::string_view study_of(std::string_view campaign);                   // "thesis 3" of that; itself where it is none
std::string shown_name(std::string_view campaign);                      // "Thesis, case 3, quick" of that
std::string study_word(std::string_view study_case);                    // "thesis", "study"
std::string study_head(std::string_view study_case);                    // "Thesis", "Study"
std::string whose(std::string_view study_case);                         // "the thesis'", "the study's"
std::string figures_text(const Finding& finding);                       // "figures 16, 17"; empty where there is none

}  // namespace n2nq::findings
