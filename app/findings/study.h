// How the cases that findings are of are called: the seven of the thesis, and other studies, each of which is one.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/findings/finding.h"

namespace n2nq::findings {

std::optional<uint32_t> number_in_thesis(std::string_view study_case);  // of "thesis 3"; nothing: another study
std::string case_of_thesis(uint32_t number);                            // "thesis 3"
std::string title_of(std::string_view study_case);                      // "Thesis, case 3", "Bus against HTTP"
std::string study_word(std::string_view study_case);                    // "thesis", "study"
std::string study_head(std::string_view study_case);                    // "Thesis", "Study"
std::string whose(std::string_view study_case);                         // "the thesis'", "the study's"
std::string figures_text(const Finding& finding);                       // "figures 16, 17"; empty where there is none

}  // namespace n2nq::findings
