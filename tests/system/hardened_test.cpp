// What the compiler and the linker can do against whoever finds an error in a parser, looked for in the built files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

TEST(Hardened, AreAllPrograms) {
  // Words that stand in one line of what readelf says.
  const std::pair<const char*, std::vector<std::string>> marks[] = {
      {"may lie at any address", {"(FLAGS_1)", " PIE"}},
      {"has all its calls bound before it starts", {"(FLAGS", "NOW"}},
      {"cannot write to what is bound", {"GNU_RELRO"}},
      {"executes nothing of its stack", {"GNU_STACK", " RW "}},
      {"looks whether its stack is whole", {"__stack_chk_fail"}},
      {"looks at lengths that it gives to the C library", {"__memcpy_chk"}}};
  int programs = 0;
  for (const char* name : {"n2nq-bench", "n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"}) {
    const std::string file = program(name);
    if (!std::filesystem::exists(file)) continue;  // the bench, where it is not built
    programs++;
    const std::string said = output_of({"/usr/bin/readelf", "-W", "-h", "-l", "-d", "-s", file});
    for (const auto& [what, words] : marks) {
      bool found = false;
      std::istringstream lines(said);
      for (std::string line; !found && std::getline(lines, line);)
        found =
            std::ranges::all_of(words, [&](const std::string& word) { return line.find(word) != std::string::npos; });
      EXPECT_TRUE(found) << name << " " << what;
    }
  }
  EXPECT_GE(programs, 4);
}

}  // namespace
}  // namespace n2nq::test
