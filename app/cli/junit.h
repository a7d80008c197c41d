// The outcome of a command as CI servers read it: a file of JUnit XML. Plain values; main thread where it is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/surroundings.h"

namespace n2nq::cli {

// failure: it was judged, and is not as it should be. error: it could not be judged, or was ended before. skipped: not
// tried, or of no consequence.
enum class JunitOutcome { passed, failure, error, skipped };

struct JunitCase {
  std::string name{};  // the same each time that the same is checked: servers follow it from build to build
  int64_t duration_ns = 0;
  JunitOutcome outcome = JunitOutcome::passed;
  std::string type{};     // a word for the outcome; none for passed
  std::string message{};  // why; of one that passed, what is worth knowing
  std::string details{};  // further lines
};

struct JunitSuite {
  std::string name{};
  std::optional<int64_t> started_utc_ns{};
  std::vector<std::pair<std::string, std::string>> properties{};
  std::vector<JunitCase> cases{};
};

struct JunitReport {
  std::string name{};
  std::vector<JunitSuite> suites{};
};

// Well-formed whatever the texts hold: what no XML may hold is replaced.
std::string to_xml(const JunitReport& report);

// The file of --junit; without a path there is none, and nothing fails.
class JunitFile {
 public:
  explicit JunitFile(std::string path) : path_(std::move(path)) {}

  // Before the first run: what cannot be written is not found out after hours.
  Step prepare();
  // Whole or not at all. False: stderr says why. Where it could not be prepared, nothing is written.
  bool write(const JunitReport& report) const;

 private:
  std::string path_;
  bool prepared_ = false;
};

}  // namespace n2nq::cli
