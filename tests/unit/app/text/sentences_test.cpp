// What this program wrote for people it does not read: there is a value beside each sentence.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

namespace n2nq {
namespace {

namespace fs = std::filesystem;

// Of others, or a form that files have.
const std::map<std::string, std::string> kRead{
    {"app/launch/host_jobs.cpp", "what chronyc says"},
    {"app/launch/host_opening.cpp", "what a shell of a host says of a full disk"},
    {"app/plan/exact_text.cpp", "values of a plan that name a file"},
    {"broker/base/machine_facts.cpp", "/proc/cpuinfo"},
    {"broker/control/token.cpp", "a key in PEM"},
    {"app/logs/page_reader.cpp", "the last line of a log"},
    {"ui/theme/status_label.cpp", "HTML"},
    {"workers/measure/payload.cpp", "values of a plan that name a file"},
};

std::map<std::string, std::string> lines_that_read() {
  // A text that is compared, searched or cut, in which a letter is beside a blank.
  const std::regex reads(
      R"re(((starts_with|ends_with|contains|find|rfind)\(|[!=]= )(QStringLiteral\(|u)?"([^"]*[A-Za-z] [^"]*|[^"]* [A-Za-z][^"]*)")re");
  std::map<std::string, std::string> found;
  const fs::path root = N2NQ_SOURCE_DIR;
  for (const char* room : {"app", "broker", "ui", "workers"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / room)) {
      const std::string name = entry.path().lexically_relative(root);
      // Servers and libraries say what is wrong in words.
      if (!entry.is_regular_file() || name.starts_with("workers/bus/") || name.starts_with("app/ssh/")) continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);)
        if (line.find("//") > line.find('"') && std::regex_search(line, reads)) found.emplace(name, line);
    }
  return found;
}

TEST(Sentences, AreNotReadByWhoeverWroteThem) {
  auto found = lines_that_read();
  for (const auto& [file, whose] : kRead) EXPECT_EQ(found.erase(file), 1u) << file << " reads " << whose << " no more";
  EXPECT_THAT(found, testing::IsEmpty()) << "keep a value beside the sentence, or say here whose words they are";
}

}  // namespace
}  // namespace n2nq
