#include "tests/unit/app/run/session_rig.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/helpers/process.h"

namespace n2nq::run {

pid_t child_called(const std::string& name) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::string head, word;
    std::ifstream(entry.path() / "comm") >> head;
    if (head != name.substr(0, 15)) continue;
    std::ifstream status(entry.path() / "status");
    while (status >> word && word != "PPid:") continue;
    pid_t parent = 0;
    if (status >> parent && parent == ::getpid()) return std::stoi(entry.path().filename());
  }
  return -1;
}

plan::RunPlan short_plan() {
  plan::RunPlan plan;
  plan.name = "short";
  plan.senders.fleet.count = 5;
  plan.senders.messages = 20;
  plan.senders.delay_ns = 10'000'000;
  plan.receivers.fleet.count = 4;
  return plan;
}

plan::RunPlan long_plan() {
  plan::RunPlan plan = short_plan();
  plan.name = "long";
  plan.senders.messages = 6000;
  return plan;
}

SessionRig::~SessionRig() {
  session_.reset();
  EXPECT_THAT(test::processes_left(), testing::IsEmpty());
}

SessionOptions SessionRig::options() const {
  return {.programs = N2NQ_BUILT_BIN_DIR, .runs_folder = (dir_ / "runs").string()};
}

RunSession& SessionRig::make(const plan::RunPlan& plan, const SessionOptions& options) {
  session_ = std::make_unique<RunSession>(plan, options);
  return *session_;
}

const record::RunRecord& SessionRig::over() {
  EXPECT_TRUE(wait_for(State::over)) << story();
  return session_->record();
}

int64_t SessionRig::pid_of(Role role) const {
  for (const ProcessStatus& process : session_->processes())
    if (process.role == role) return process.pid;
  return 0;
}

std::string SessionRig::story() const {
  std::string text = "state " + to_text(session_->state()) + ": " + session_->status_text() + "\n";
  for (const record::RunNote& note : session_->notes()) text += note.text + "\n";
  return text;
}

uint64_t SessionRig::logged(const std::string& role) const {
  uint64_t lines = 0;
  for (const auto& [number, log] : test::read_logs(session_->folder(), role)) lines += log.rows.size();
  return lines;
}

std::string SessionRig::programs_with(const std::string& name, const std::string& script) {
  const std::filesystem::path folder = dir_ / "programs";
  std::filesystem::create_directories(folder);
  for (const std::string program : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"})
    if (program != name)
      std::filesystem::create_symlink(std::filesystem::path(N2NQ_BUILT_BIN_DIR) / program, folder / program);
  std::ofstream(folder / name) << "#!/bin/bash\n" << script << "\n";
  std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  return folder.string();
}

}  // namespace n2nq::run
