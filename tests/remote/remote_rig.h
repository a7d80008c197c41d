// n2nq-bench on the lab's networks, with a list of the lab's hosts. After each test nothing may be left on any host: no
// process, no files of runs.
#pragma once

#include <gmock/gmock.h>

#include "tests/headless/bench_process.h"
#include "tests/helpers/lab/lab.h"

// Of a BenchEnded.
#define ASSERT_PASSED(ended)                                              \
  ASSERT_EQ((ended).exit, (Exit{.code = 0, .signal = 0})) << (ended).err; \
  ASSERT_EQ((ended).result()["verdict"], "passed") << (ended).err

namespace n2nq::test {

class RemoteTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // The entry of a host: vm1 to vm3 and gate by SSH, vm3 through gate; keys without passphrases, data on net B.
  Json ssh_host(const std::string& name) const;
  // The same, by a command that runs in the host's network; with `before` in front of what is run there.
  Json command_host(const std::string& name, const std::vector<std::string>& before = {}) const;
  // Writes the list, by default of all hosts by SSH, and returns the options that name it and the known keys.
  std::vector<std::string> hosts(const std::vector<Json>& entries) const;
  std::vector<std::string> hosts() const;

  // `n2nq-bench run` of a short plan with this laid over it.
  std::vector<std::string> run_arguments(const Json& plan, std::vector<std::string> options) const;
  BenchEnded run(const Json& plan, std::vector<std::string> options) const;

  void expect_nothing_left(const std::string& host, Deadline deadline = Deadline(20s)) const;
  // Message lines in the logs that were brought home.
  uint64_t logged(const Json& run, const std::string& role) const;
  // Where the result says that a process ran.
  std::string place_of(const Json& run, const std::string& role) const;
  std::string run_log() const;  // of all runs in the store
  std::string script(const std::string& name, const std::string& text) const;

  std::unique_ptr<Lab> lab_;
  std::unique_ptr<BenchPlace> place_;
};

}  // namespace n2nq::test
