// The results that a command line names, and the data folder that they are read from.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_code.h"
#include "app/compare/side.h"
#include "app/place/data_folder.h"

namespace n2nq::cli {

struct ResultChoice {
  std::vector<int64_t> results{};
  place::DataFolder folder{};
};

// `results` as they were typed; not read where a campaign is named.
inline std::expected<ResultChoice, Trouble> choose_results(const std::string& results, bool of_campaign,
                                                           const std::string& data_dir) {
  ResultChoice choice;
  if (!of_campaign) {
    auto ids = compare::parse_results(results);
    if (!ids) return std::unexpected(Trouble{BenchExit::usage, ids.error().text});
    choice.results = std::move(*ids);
  }
  auto folder = place::open_data_folder_to_read(place::data_folder_path(data_dir));
  if (!folder) return std::unexpected(Trouble{BenchExit::local_trouble, folder.error().text});
  choice.folder = std::move(*folder);
  return choice;
}

}  // namespace n2nq::cli
