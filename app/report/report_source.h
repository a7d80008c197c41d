// A report from the store. Slow for many results; any thread that has a QCoreApplication.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/report/report.h"
#include "broker/base/result.h"

namespace n2nq::report {

inline constexpr size_t kMostResults = 200;  // side by side

struct ReportWish {
  std::vector<int64_t> results{};
  std::optional<int64_t> campaign{};  // instead
};

Result<Report> load_report(const std::string& store_path, const ReportWish& wish);

}  // namespace n2nq::report
