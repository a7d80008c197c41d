// What n2nq-bench was asked to do, from its command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace n2nq::headless {

// n2nq-bench [FILE]
struct WindowCommand {
  std::string file{};      // empty: the last plan
  std::string data_dir{};  // empty: see place::data_folder_path
  std::optional<uint16_t> metrics_port{};
  bool operator==(const WindowCommand&) const = default;
};

// n2nq-bench run PLAN
struct RunCommand {
  std::string plan{};
  std::vector<std::string> sets{};  // "key=value"
  std::string out{};                // empty: the data folder
  bool json = false;
  std::string data_dir{};
  std::optional<uint16_t> metrics_port{};
  bool operator==(const RunCommand&) const = default;
};

// Or an exit code: --help and --version have been printed, or one line on stderr that tells what was wrong.
using BenchCommand = std::variant<int, WindowCommand, RunCommand>;
BenchCommand parse_bench_command(int argc, const char* const* argv);

}  // namespace n2nq::headless
