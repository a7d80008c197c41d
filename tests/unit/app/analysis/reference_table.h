// Values that another implementation came to (tests/data/statistics/reference.py).
#pragma once

#include <string>
#include <vector>

namespace n2nq::test {

// The rows below the header; a cell holds one number or several with blanks between them. Fails the test, and is
// empty, where the file cannot be read.
using ReferenceRow = std::vector<std::vector<double>>;
std::vector<ReferenceRow> reference_table(const std::string& name);

}  // namespace n2nq::test
