// For each finding of the shipped file a world in which it holds and one in which it does not.
#pragma once

#include <map>
#include <string>

#include "tests/unit/app/findings/synthetic_case.h"

namespace n2nq::findings::test {

// Where all findings of a case hold: the study as its text tells it.
World world_of(const std::string& study_case);
// By the id of a finding, what is otherwise.
const std::map<std::string, World>& other_worlds();

}  // namespace n2nq::findings::test
