#include "tests/unit/app/analysis/reference_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace n2nq::test {
namespace {

std::vector<double> numbers(const std::string& cell) {
  std::istringstream stream(cell);
  std::vector<double> values;
  for (double value = 0; stream >> value;) values.push_back(value);
  return values;
}

}  // namespace

std::vector<ReferenceRow> reference_table(const std::string& name) {
  std::ifstream file(N2NQ_TEST_DATA "/statistics/" + name);
  std::vector<ReferenceRow> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    ReferenceRow row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(numbers(cell));
    rows.push_back(std::move(row));
  }
  EXPECT_FALSE(rows.empty()) << name;
  return rows;
}

}  // namespace n2nq::test
