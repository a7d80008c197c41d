// Sessions on command hosts of this computer: without a shell, and with one when the run does not begin.
#include <fstream>
#include <sstream>

#include "app/run/run_keeper.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class CommandHosts : public SessionRig {
 protected:
  std::string script(const std::string& name, const std::string& text) const {
    const fs::path path = dir_ / name;
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(path, fs::perms(0755));
    return path;
  }
  SessionOptions on(const std::vector<hosts::Host>& list) {
    links_ = std::make_unique<HostLinks>(hosts::HostList{.hosts = list},
                                         launch::LinkOptions{.programs = N2NQ_BUILT_BIN_DIR});
    SessionOptions options = this->options();
    options.links = links_.get();
    return options;
  }
  static hosts::Host host(const std::string& name, const std::string& command, const std::string& folder) {
    return {.name = name,
            .kind = hosts::Host::Kind::command,
            .data_address = "127.0.0.1",
            .work_folder = folder,
            .command = command + " {command}"};
  }
  // What is there already is used as it is.
  std::string folder_with_programs() const {
    const fs::path folder = dir_ / "placed";
    fs::create_directories(folder);
    for (const char* name : {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"})
      fs::create_symlink(fs::path(N2NQ_BUILT_BIN_DIR) / name, folder / name);
    return folder;
  }
  hosts::Host bare_host() const {
    const std::string refuse = "[ \"$1\" = /bin/sh ] && echo 'no such file: /bin/sh' >&2 && exit 127; exec \"$@\"";
    return host("bare", script("no-shell", refuse), N2NQ_BUILT_BIN_DIR);
  }

  std::unique_ptr<HostLinks> links_;
};

TEST_F(CommandHosts, WithoutAShellTakePartAndKeepNoLogs) {
  plan::RunPlan plan = short_plan();
  plan.queue.host = "bare";
  plan.senders.fleet.hosts = {"bare", "this computer"};
  RunSession& session = make(plan, on({bare_host()}));
  session.start_all();
  ASSERT_TRUE(wait_for(State::running)) << story();
  const std::string why = "bare has no shell: its processes keep no log files";
  EXPECT_EQ(session.why_no_log(Role::broker, 0), why);
  EXPECT_EQ(session.why_no_log(Role::sender, 1), why);
  EXPECT_EQ(session.why_no_log(Role::sender, 5), "");
  EXPECT_EQ(session.why_no_log(Role::receiver, 1), "");
  EXPECT_FALSE(session.far_log(Role::sender, 1)) << "there is nothing to follow";
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, record::Verdict::passed) << record.reason;
  EXPECT_THAT(story(), HasSubstr(why));
  EXPECT_THAT(session.far_folders(), IsEmpty());
  EXPECT_EQ(logged("sender"), 40u) << "of the two senders here";
  EXPECT_EQ(logged("receiver"), 400u);
}

// Of processes of this computer that are called so.
std::vector<std::string> command_lines_with(const std::string& program) {
  std::vector<std::string> lines;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::ifstream file(entry.path() / "cmdline");
    std::ostringstream text;
    text << file.rdbuf();  // of a process that has just gone it cannot be read, which this does not throw
    std::string line = text.str();
    std::ranges::replace(line, '\0', ' ');
    if (line.find(program) != std::string::npos) lines.push_back(line);
  }
  return lines;
}

TEST_F(CommandHosts, AreRecordedForAsLongAsTheirWorkersSurviveAndNoConnectionIsCountedTwice) {
  const std::string placed = folder_with_programs();
  plan::RunPlan plan = short_plan();
  plan.senders.messages = 50;
  plan.senders.fleet.hosts = {"good"};
  SessionOptions options = on({host("good", "/usr/bin/env", placed)});
  options.survive = std::chrono::seconds(77);
  make(plan, options).start_all();
  ASSERT_TRUE(wait_for(State::running)) << story();
  for (const char* program : {"/n2nq-sender", "/n2nq-recorder"}) {
    const auto lines = command_lines_with(placed + program);
    EXPECT_THAT(lines, testing::Contains(HasSubstr("--control-timeout 77000ms"))) << program;
  }
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, record::Verdict::passed) << record.reason;
  ASSERT_EQ(record.hosts.size(), 2u);
  for (const live::HostHistory& host : record.hosts) {
    const auto* cpu = live::find_series(host, live::RecordedOf::host, "", "cpu_user");
    EXPECT_TRUE(cpu != nullptr && cpu->value) << host.place;
    const auto* again = live::find_series(host, live::RecordedOf::connections, "workers", "retransmits");
    ASSERT_NE(again, nullptr);
    EXPECT_FALSE(again->value) << "both names are of this computer";
    EXPECT_THAT(again->why, HasSubstr("the same computer as"));
  }
}

TEST_F(CommandHosts, KeepNoFolderOfARunThatDoesNotBegin) {
  const std::string placed = folder_with_programs();
  const std::string late = script("late", "until [ -n \"$(ls -A '" + placed +
                                              "/runs' 2>/dev/null)\" ]; do sleep 0.01; "
                                              "done; echo 'it is full' >&2; exit 1");
  plan::RunPlan plan = short_plan();
  plan.queue.host = "good";
  plan.senders.fleet.hosts = {"bad"};
  const SessionOptions options = on({host("good", "/usr/bin/env", placed), host("bad", late, "")});
  RunSession& session = make(plan, options);
  session.start_all();
  const record::RunRecord record = over();
  EXPECT_EQ(record.verdict, record::Verdict::failed);
  EXPECT_THAT(record.reason, HasSubstr("it is full"));
  RunKeeper keeper(session, nullptr, options);
  bool kept = false;
  QObject::connect(&keeper, &RunKeeper::kept, &keeper, [&] { kept = true; });
  keeper.keep(record);
  ASSERT_TRUE(wait([&] { return kept; }));
  EXPECT_TRUE(wait([&] { return fs::is_empty(placed + "/runs"); }));
  EXPECT_THAT(story(), testing::Not(HasSubstr("could not be fetched")));
}

}  // namespace
}  // namespace n2nq::run
