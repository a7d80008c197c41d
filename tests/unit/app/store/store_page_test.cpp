// docs/store.md is held against the store: its schema is the real one, and its commands run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "app/store/sql.h"
#include "app/store/store.h"
#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::store {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// The blocks of code of one language.
std::vector<std::string> blocks_of(const std::string& page, const std::string& language) {
  std::vector<std::string> blocks;
  const std::string open = "```" + language + "\n";
  for (size_t at = 0; (at = page.find(open, at)) != std::string::npos;) {
    at += open.size();
    const size_t end = page.find("```", at);
    blocks.push_back(page.substr(at, end - at));
    at = end;
  }
  return blocks;
}

std::set<std::string> statements_of(const std::string& sql) {
  std::set<std::string> statements;
  std::string statement;
  for (const char c : sql) {
    if (c != ';') {
      if (!statement.empty() || c != '\n') statement.push_back(c);
      continue;
    }
    statements.insert(statement);
    statement.clear();
  }
  return statements;
}

struct StorePage : testing::Test {
  n2nq::test::TempDir dir;
  std::string path = (dir / "results.sqlite").string();
  std::string page = record::test::read_file(N2NQ_SOURCE_DIR "/docs/store.md");

  StorePage() {
    auto store = ResultStore::open(path).value();
    EXPECT_TRUE(store->add(record::test::example_record()));
  }
  // What a shell prints that runs these lines with the page's file name made ours.
  std::string run(std::string shell) {
    shell = std::regex_replace(shell, std::regex("~/\\S*results\\.sqlite"), path);
    n2nq::test::Process process({"/bin/sh", "-eu", "-c", shell});
    const auto exit = process.wait_exit(20s);
    EXPECT_TRUE(exit && exit->code == 0) << shell << process.err();
    return process.out();
  }
};

TEST_F(StorePage, ShowsTheSchemaAsItIs) {
  std::set<std::string> real;
  auto connection = Connection::open(path, Access::read_only, 5s);
  auto query = connection->query("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'");
  while (query->next()) real.insert(query->value(0).toString().toStdString());
  const auto blocks = blocks_of(page, "sql");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(statements_of(blocks[0]), real);
}

TEST_F(StorePage, HasCommandsThatTheSqliteShellRuns) {
  const auto blocks = blocks_of(page, "sh");
  ASSERT_GE(blocks.size(), 2u);
  EXPECT_THAT(run(blocks[0]), HasSubstr("quick"));
  for (const std::string& block : blocks) EXPECT_NE(run(block), "") << block;
}

TEST_F(StorePage, HasAProgramThatReadsAHistogram) {
  const auto blocks = blocks_of(page, "python");
  ASSERT_EQ(blocks.size(), 1u);
  record::test::write_file(dir / "read.py", std::regex_replace(blocks[0], std::regex("results\\.sqlite"), path));
  n2nq::test::Process process({"/usr/bin/env", "python3", (dir / "read.py").string()});
  const auto exit = process.wait_exit(20s);
  ASSERT_TRUE(exit && exit->code == 0) << process.err();
  EXPECT_EQ(process.out(), "-6 1\n80 5\n");
}

}  // namespace
}  // namespace n2nq::store
