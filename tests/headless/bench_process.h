// n2nq-bench as a process, with a data folder of its own and an environment that says nothing of a display.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/helpers/process.h"
#include "tests/helpers/summary.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::test {

struct BenchEnded {
  std::optional<Exit> exit{};
  std::string out{}, err{};
  // The last thing on stdout, if it is one JSON object; an empty object otherwise.
  Json result() const;
};

class BenchPlace {
 public:
  std::filesystem::path data() const { return dir_ / "data"; }
  std::filesystem::path operator/(const std::string& name) const { return dir_ / name; }

  // `environment`: "NAME=value", in front of the test's own without displays.
  Process start(std::vector<std::string> arguments, std::vector<std::string> environment = {}) const;
  BenchEnded run(std::vector<std::string> arguments, std::vector<std::string> environment = {}) const;
  static BenchEnded finish(Process& process);

  // What its store has, a row a line.
  std::string stored(const std::string& query) const;

  // A plan of one run of 4 senders and 3 receivers, with what is given laid over it.
  std::string plan(const Json& base = Json::object(), const Json& runs = Json()) const;

 private:
  TempDir dir_;
};

// The only process of that program that the bench has started.
pid_t child_of(const Process& bench, const std::string& name);
// The same as soon as it is there; 0: in time it was not.
pid_t await_child_of(const Process& bench, const std::string& name, Deadline deadline);

}  // namespace n2nq::test
