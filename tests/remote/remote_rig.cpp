#include "tests/remote/remote_rig.h"

#include <fstream>

#include "tests/helpers/log_file.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) names.push_back(entry.path().filename());
  return names;
}

}  // namespace

void RemoteTest::SetUp() {
  if (const auto reason = Lab::why_not()) GTEST_SKIP() << *reason;
  lab_ = std::make_unique<Lab>(N2NQ_BUILT_BIN_DIR "/for-hosts");
  lab_->enter();
  place_ = std::make_unique<BenchPlace>();
}

void RemoteTest::TearDown() {
  if (!lab_) return;
  for (const char* host : {"vm1", "vm2", "vm3", "gate"}) expect_nothing_left(host);
}

Json RemoteTest::ssh_host(const std::string& name) const {
  Json host{{"name", name},
            {"address", lab_->address(name)},
            {"user", Lab::kUser},
            {"key_file", lab_->key()},
            {"data_address", lab_->data_address(name)}};
  if (name == "vm3") host["jump"] = "gate";
  return host;
}

Json RemoteTest::command_host(const std::string& name, const std::vector<std::string>& before) const {
  std::string command;
  for (const std::string& word : lab_->on(name, before)) command += word + " ";
  return {{"name", name},
          {"kind", "command"},
          {"command", command + "{command}"},
          {"address", lab_->address(name)},
          {"data_address", lab_->data_address(name)},
          {"work_folder", (lab_->home(name) / "by-command").string()}};
}

std::vector<std::string> RemoteTest::hosts(const std::vector<Json>& entries) const {
  const std::string path = *place_ / "hosts.json";
  std::ofstream(path) << Json{{"version", 1}, {"hosts", entries}}.dump(2);
  return {"--hosts", path, "--known-hosts", lab_->known_hosts()};
}

std::vector<std::string> RemoteTest::hosts() const {
  return hosts({ssh_host("vm1"), ssh_host("vm2"), ssh_host("vm3"), ssh_host("gate")});
}

std::vector<std::string> RemoteTest::run_arguments(const Json& plan, std::vector<std::string> options) const {
  std::vector<std::string> arguments{"run", place_->plan(plan), "--json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

BenchEnded RemoteTest::run(const Json& plan, std::vector<std::string> options) const {
  return place_->run(run_arguments(plan, std::move(options)));
}

void RemoteTest::expect_nothing_left(const std::string& host, Deadline deadline) const {
  EXPECT_TRUE(lab_->wait_no_process(host, deadline)) << host << ": " << testing::PrintToString(lab_->processes(host));
  for (const char* folder : {".cache/n2nq-bench/runs", "by-command/runs"})
    EXPECT_THAT(names_in(lab_->home(host) / folder), testing::IsEmpty()) << host << ": " << folder;
}

uint64_t RemoteTest::logged(const Json& run, const std::string& role) const {
  uint64_t rows = 0;
  for (const auto& [number, log] : read_logs(run.at("folder").get<std::string>(), role)) rows += log.rows.size();
  return rows;
}

std::string RemoteTest::place_of(const Json& run, const std::string& role) const {
  std::string places;
  for (const Json& process : run.at("processes"))
    if (process.at("role") == role) places += (places.empty() ? "" : ", ") + process.at("place").get<std::string>();
  return places;
}

std::string RemoteTest::run_log() const {
  return place_->stored("SELECT text FROM run_log");
}

std::string RemoteTest::script(const std::string& name, const std::string& text) const {
  const fs::path path = *place_ / name;
  std::ofstream(path) << "#!/bin/sh\n" << text;
  fs::permissions(path, fs::perms(0755));
  return path;
}

}  // namespace n2nq::test
