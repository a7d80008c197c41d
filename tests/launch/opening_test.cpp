// A link from closed to open: the steps, who is asked what, and what is brought there.
#include <filesystem>
#include <fstream>

#include "tests/launch/link_rig.h"

namespace n2nq::launch {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// A host on this computer: its command is this script, which is given the command to run there.
hosts::Host box_of(const test::Lab& lab, const std::string& script) {
  const auto guard = lab.folder() / "guard";
  std::filesystem::remove(guard);
  std::ofstream(guard) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(guard, std::filesystem::perms(0755));
  return {.name = "box",
          .kind = hosts::Host::Kind::command,
          .work_folder = (lab.home("vm2") / "box").string(),
          .command = guard.string() + " {command}"};
}

class Opening : public LabTest {};

class Uploading : public Opening {
 protected:
  bool hosts_have_programs() const override { return false; }
};

TEST_F(Uploading, GoesThroughEachStepAndBringsTheProgramsThereOnce) {
  auto link = link_to(host("vm1"));
  Told told(*link);
  ASSERT_TRUE(told.open()) << told.all();
  ASSERT_THAT(told.steps, SizeIs(6));
  EXPECT_THAT(told.step(LinkStep::login), HasSubstr("as lab, with the key"));
  EXPECT_EQ(told.step(LinkStep::upload), "4 programs copied there");
  EXPECT_EQ(link->work_folder(), lab_->home("vm1").string() + "/.cache/n2nq-bench");
  link->close();
  EXPECT_EQ(link->state(), HostLink::State::closed);
  told.steps.clear();
  ASSERT_TRUE(told.open()) << told.all();
  EXPECT_EQ(told.step(LinkStep::upload), "4 programs, already there");
  EXPECT_THAT(told.questions, IsEmpty());
  link.reset();
  expect_clean("vm1");
}

TEST_F(Opening, AHostThatGreetsBeforeEachAnswerIsAsGoodAsOthers) {
  const auto rc = lab_->home("vm1") / ".ssh" / "rc";  // as `echo` in a .bashrc, for whatever shell the login has
  std::filesystem::create_directories(rc.parent_path());
  std::ofstream(rc) << "echo 'Welcome to vm1'\n";
  auto link = link_to(host("vm1"));
  Told told(*link);
  ASSERT_TRUE(told.open()) << told.all();
  Outcome made, removed;
  const Job make = link->make_run_folder("run", made.done());
  ASSERT_TRUE(made.wait());
  EXPECT_TRUE(made.ok) << made.text;
  uint16_t found = 0;
  const Job find = link->find_port("10.77.0.11", {}, [&](const Result<uint16_t>& port) { found = port.value_or(0); });
  EXPECT_TRUE(told.wait([&] { return found != 0; }));
  auto broker = link->launch({.role = Role::broker, .arguments = {"--version"}});
  Heard heard(*broker);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_THAT(broker->channel().readAll().toStdString(), testing::StartsWith("n2nq-broker ")) << "and nothing else";
  const Job remove = link->remove_run_folder("run", removed.done());
  ASSERT_TRUE(removed.wait());
  EXPECT_TRUE(removed.ok) << removed.text;
  link.reset();
  expect_clean("vm1");
}

TEST_F(Opening, ABrokerStartedThereSpeaksTheControlProtocol) {
  auto link = link_to(host("vm1"));
  Told told(*link);
  ASSERT_TRUE(told.open()) << told.all();
  auto broker = link->launch({.role = Role::broker, .arguments = {"--controlled", "--listen", "127.0.0.1:0"}});
  Heard heard(*broker);
  ASSERT_TRUE(heard.wait_started());
  EXPECT_EQ(broker->place(), "vm1");
  EXPECT_GT(broker->pid(), 0);
  broker->channel().write("{\"type\":\"hello\",\"token\":\"s3cret\"}\n");
  ASSERT_TRUE(told.wait([&] { return broker->channel().canReadLine(); }));
  EXPECT_THAT(broker->channel().readLine().toStdString(), HasSubstr("\"type\":\"ready\""));
  broker->channel().write("{\"type\":\"stop\"}\n");
  ASSERT_TRUE(heard.wait_end());
  EXPECT_GE(heard.end->exit_code, 0) << heard.end->text;
  expect_clean("vm1");
}

TEST_F(Opening, AnUnknownHostIsAskedAboutAndThenKnown) {
  LinkOptions options = this->options();
  options.known_hosts = lab_->unknown_hosts();
  HostLink link(host("vm1"), list(), options);
  Told told(link);
  told.answers = {"yes"};
  ASSERT_TRUE(told.open()) << told.all();
  ASSERT_THAT(told.questions, SizeIs(1));
  EXPECT_EQ(told.questions[0].kind, LinkQuestion::Kind::host_key);
  EXPECT_EQ(told.questions[0].fingerprint, lab_->fingerprint("vm1"));
  EXPECT_EQ(told.questions[0].key_type, "ssh-ed25519");
  link.close();
  ASSERT_TRUE(told.open()) << told.all();
  EXPECT_THAT(told.questions, SizeIs(1)) << "it is known now";
}

TEST_F(Opening, ByTheAgent) {
  hosts::Host vm1 = host("vm1");
  vm1.key_file.clear();
  LinkOptions options = this->options();
  options.use_agent = true;
  options.agent_socket = lab_->agent_socket();
  options.ask = false;
  HostLink link(vm1, list(), options);
  Told told(link);
  ASSERT_TRUE(told.open()) << told.all();
  EXPECT_EQ(told.step(LinkStep::login), "as lab, with the agent");
}

TEST_F(Opening, ByAKeyWhosePassphraseIsAskedForUntilItIsRight) {
  hosts::Host vm1 = host("vm1");
  vm1.key_file = lab_->locked_key();
  auto link = link_to(vm1);
  Told told(*link);
  told.answers = {"wrong", test::Lab::kPassphrase};
  ASSERT_TRUE(told.open()) << told.all();
  ASSERT_THAT(told.questions, SizeIs(2));
  EXPECT_EQ(told.questions[0].kind, LinkQuestion::Kind::passphrase);
  EXPECT_THAT(told.questions[1].text, HasSubstr("Wrong"));
  link->close();
  ASSERT_TRUE(told.open()) << told.all();
  EXPECT_THAT(told.questions, SizeIs(2)) << "the link remembers it as long as it lives";
}

TEST_F(Opening, ByPasswordAlsoForFurtherConnections) {
  hosts::Host vm1 = host("vm1");
  vm1.key_file.clear();
  vm1.work_folder = place_script("vm1", "read line; echo \"$line\"").string();
  auto link = link_to(vm1);
  Told told(*link);
  told.answers = {test::Lab::kPassword};
  ASSERT_TRUE(told.open()) << told.all();
  EXPECT_THAT(told.step(LinkStep::login), HasSubstr("with the password"));
  std::vector<std::unique_ptr<WorkerProcess>> processes;
  std::deque<Heard> heard;
  for (int i = 0; i < 12; i++) {
    processes.push_back(link->launch({.role = Role::broker}));
    heard.emplace_back(*processes.back());
  }
  for (const Heard& one : heard) ASSERT_TRUE(one.wait_started());
  EXPECT_THAT(told.questions, SizeIs(1));
}

TEST_F(Opening, ByAnswersToWhatTheHostAsks) {
  hosts::Host vm2 = host("vm2");
  vm2.key_file.clear();
  auto link = link_to(vm2);
  Told told(*link);
  told.answers = {"wrong", test::Lab::kPassword};
  ASSERT_TRUE(told.open()) << told.all();
  ASSERT_THAT(told.questions, SizeIs(2));
  EXPECT_EQ(told.questions[0].kind, LinkQuestion::Kind::prompt);
  EXPECT_THAT(told.questions[0].text, HasSubstr("lab at vm2: "));
  EXPECT_THAT(told.questions[0].text, HasSubstr("Password:"));
  EXPECT_TRUE(told.questions[0].secret);
  EXPECT_THAT(told.step(LinkStep::login), HasSubstr("with answers to what it asked"));
}

TEST_F(Opening, ThroughAJumpHostThatAsksForItself) {
  auto everybody = list();
  for (hosts::Host& one : everybody)
    if (one.name == "gate") one.key_file.clear();
  HostLink link(host("vm3"), everybody, options());
  Told told(link);
  told.answers = {test::Lab::kPassword};
  ASSERT_TRUE(told.open()) << told.all();
  ASSERT_THAT(told.questions, SizeIs(1));
  EXPECT_EQ(told.questions[0].host, "gate");
  EXPECT_THAT(told.steps, SizeIs(6));
}

TEST_F(Opening, ThroughAJumpHostALinkThatWasClosedOpensAgainAtOnce) {
  HostLink link(host("vm3"), list(), options());
  for (int time = 0; time < 8; time++) {
    Told told(link);
    ASSERT_TRUE(told.open()) << time << ": " << told.all();
    link.close();
  }
}

TEST_F(Opening, HostsWithOneHomeHaveEachItsFolderOfARun) {
  HostLink one(host("vm1"), list(), options());
  hosts::Host same = host("vm1");
  same.name = "vm1 by another name";
  HostLink other(same, list(), options());
  ASSERT_TRUE(Told(one).open());
  ASSERT_TRUE(Told(other).open());
  EXPECT_EQ(one.work_folder(), other.work_folder());
  EXPECT_NE(one.run_folder("run"), other.run_folder("run"));
}

TEST_F(Uploading, TwoLinksToOneHostAtOnceShareWhatIsThere) {
  auto one = link_to(host("vm1")), two = link_to(host("vm1"));
  Told told_one(*one), told_two(*two);
  one->open();
  two->open();
  ASSERT_TRUE(told_one.wait_state(HostLink::State::open)) << told_one.all();
  ASSERT_TRUE(told_two.wait_state(HostLink::State::open)) << told_two.all();
  for (HostLink* link : {one.get(), two.get()}) {
    auto broker = link->launch({.role = Role::broker, .arguments = {"--version"}});
    Heard heard(*broker);
    ASSERT_TRUE(heard.wait_end());
    EXPECT_EQ(heard.end->exit_code, 0) << heard.end->text;
  }
  one.reset();
  two.reset();
  expect_clean("vm1");
}

TEST_F(Uploading, ABrokenProgramInTheCacheIsReplaced) {
  auto link = link_to(host("vm1"));
  Told told(*link);
  ASSERT_TRUE(told.open()) << told.all();
  link->close();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(lab_->home("vm1") / ".cache"))
    if (entry.path().filename() == "n2nq-sender") std::filesystem::resize_file(entry.path(), 1000);
  told.steps.clear();
  ASSERT_TRUE(told.open()) << told.all();
  EXPECT_EQ(told.step(LinkStep::upload), "1 programs copied there");
}

TEST_F(Uploading, ACommandHostIsOpenedByTheSameSteps) {
  hosts::Host box{.name = "box", .kind = hosts::Host::Kind::command};
  box.work_folder = (lab_->home("vm2") / "box").string();
  box.command = "/sbin/ip netns exec " + lab_->on("vm2", {})[3] + " {command}";
  auto link = link_to(box);
  Told told(*link);
  ASSERT_TRUE(told.open()) << told.all();
  EXPECT_THAT(told.steps, SizeIs(6));
  EXPECT_EQ(told.step(LinkStep::upload), "4 programs copied there");
  EXPECT_TRUE(link->has_shell());
  auto broker = link->launch({.role = Role::broker, .arguments = {"--version"}});
  Heard heard(*broker);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->exit_code, 0) << heard.end->text;
  link.reset();
  expect_clean("vm2");
}

TEST_F(Opening, ACommandHostWithoutAShellUsesTheProgramsThatAreThere) {
  // The command lets through whatever is not a shell.
  hosts::Host box = box_of(*lab_, "[ \"$1\" = /bin/sh ] && echo 'no such file: /bin/sh' >&2 && exit 127; exec \"$@\"");
  box.work_folder.clear();
  auto link = link_to(box);
  Told told(*link);
  ASSERT_FALSE(told.open());
  EXPECT_EQ(told.failures.back().trouble, LinkTrouble::no_shell);
  EXPECT_THAT(told.failures.back().text, HasSubstr("as the host's work folder"));
  box.work_folder = N2NQ_PROGRAMS_FOR_HOSTS;
  auto other = link_to(box);
  Told more(*other);
  ASSERT_TRUE(more.open()) << more.all();
  EXPECT_FALSE(other->has_shell());
  auto broker = other->launch({.role = Role::broker, .arguments = {"--controlled", "--listen", "127.0.0.1:0"}});
  Heard heard(*broker);
  ASSERT_TRUE(heard.wait_started());
  broker->terminate();
  ASSERT_TRUE(heard.wait_end());
}

// Each counts its processes from 1, and has the other's disk.
TEST_F(Uploading, ContainersWithOneDiskBringTheirProgramsThereAtTheSameTime) {
  hosts::Host one{.name = "one", .kind = hosts::Host::Kind::command};
  one.work_folder = (lab_->home("vm2") / "shared").string();
  one.command = "/usr/bin/unshare --pid --fork --kill-child {command}";
  hosts::Host two = one;
  two.name = "two";
  for (int time = 0; time < 2; time++) {
    std::filesystem::remove_all(one.work_folder);
    auto first = link_to(one), second = link_to(two);
    Told told_first(*first), told_second(*second);
    first->open();
    second->open();
    ASSERT_TRUE(told_first.wait_state(HostLink::State::open)) << told_first.all();
    ASSERT_TRUE(told_second.wait_state(HostLink::State::open)) << told_second.all();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(one.work_folder))
      EXPECT_THAT(entry.path().filename().string(), Not(testing::StartsWith(".")));
  }
}

TEST_F(Uploading, AnUploadTellsOfItsWay) {
  auto link = link_to(host("vm1"));
  Told told(*link);
  uintmax_t moved = 0, pieces = 0;
  QObject::connect(link.get(), &HostLink::upload_moved, link.get(), [&] { moved++; });
  ASSERT_TRUE(told.open()) << told.all();
  for (const auto& program : std::filesystem::directory_iterator(N2NQ_PROGRAMS_FOR_HOSTS))
    pieces += program.file_size() / (64 * 1024);
  EXPECT_GT(moved, 0u);
  EXPECT_LE(moved, pieces + 3) << "what comes together is told together";
}

// What cannot be: said once with its step, and nothing of it stays. Each test tries all of its kind in one lab.
class Refused : public Uploading {
 protected:
  struct Attempt {
    hosts::Host host;
    std::deque<std::optional<std::string>> answers{};
    size_t questions = 0;
  };
  hosts::Host vm1_with(std::string hosts::Host::* field, const std::string& value) const {
    hosts::Host vm1 = host("vm1");
    vm1.*field = value;
    return vm1;
  }
  static hosts::Host by_command(const std::string& command) {
    return {.name = "box", .kind = hosts::Host::Kind::command, .command = command};
  }
  void expect_refused(const Attempt& attempt, const LinkOptions& with, LinkTrouble trouble, LinkStep step,
                      const std::vector<std::string>& texts) const {
    SCOPED_TRACE(testing::PrintToString(texts));
    auto link = std::make_unique<HostLink>(attempt.host, list(), with);
    Told told(*link);
    told.answers = attempt.answers;
    ASSERT_FALSE(told.open());
    ASSERT_THAT(told.failures, SizeIs(1));
    const LinkFailure& failure = told.failures[0];
    EXPECT_EQ(failure.trouble, trouble);
    EXPECT_EQ(failure.step, step);
    for (const std::string& text : texts) EXPECT_THAT(failure.text, HasSubstr(text));
    EXPECT_EQ(failure.fingerprint, step == LinkStep::host_key ? lab_->fingerprint("vm1") : "");
    EXPECT_THAT(told.questions, SizeIs(attempt.questions));
    for (size_t i = 1; i < told.questions.size(); i++)
      EXPECT_THAT(told.questions[i].text, testing::StartsWith("Wrong."));
    EXPECT_THAT(told.all(), Not(HasSubstr("s3cret")));
    link.reset();
    expect_clean("vm1");
    EXPECT_FALSE(std::filesystem::exists(lab_->home("vm1") / ".cache"));
  }
};

TEST_F(Refused, WhatIsNotReachedSaysWhatIsThere) {
  const auto expect_unreachable = [&](const hosts::Host& host, const std::string& text) {
    LinkOptions options = this->options();
    options.connect_timeout = std::chrono::milliseconds(5000);
    expect_refused({.host = host}, options, LinkTrouble::unreachable, LinkStep::reach, {text});
  };
  expect_unreachable(vm1_with(&hosts::Host::jump, "nobody"), "the jump host nobody is not in the list of hosts");
  hosts::Host vm1 = host("vm1");
  vm1.port = 2222;
  expect_unreachable(vm1, "vm1: nobody listens at 10.77.0.11 port 2222; is sshd running there");
  hosts::Host nobody = host("vm3");
  nobody.address = "10.78.0.77";
  expect_unreachable(nobody, "gate");
  expect_unreachable(by_command("/nowhere/docker exec {command}"),
                     "box: /nowhere/docker cannot be started on this computer: No such file or directory");
  expect_unreachable(by_command("docker exec -i box"), "needs {command} once");
}

TEST_F(Refused, WithoutTheKeyOrALoginItSaysWhich) {
  LinkOptions unknown = options(), silent = options();
  silent.known_hosts = unknown.known_hosts = lab_->unknown_hosts();
  silent.ask = false;
  const Attempt not_trusted{.host = host("vm1"), .answers = {std::nullopt}, .questions = 1};
  expect_refused(not_trusted, unknown, LinkTrouble::unknown_key, LinkStep::host_key, {});
  expect_refused({.host = host("vm1")}, silent, LinkTrouble::unknown_key, LinkStep::host_key, {});
  EXPECT_EQ(std::filesystem::file_size(lab_->unknown_hosts()), 0u);

  Attempt password{.host = vm1_with(&hosts::Host::key_file, ""), .answers = {std::nullopt}, .questions = 1};
  expect_refused(password, options(), LinkTrouble::login_refused, LinkStep::login, {"no answer was given"});
  password.answers = {"s3cret 1", "s3cret 2", "s3cret 3", "never asked for"};
  password.questions = 3;
  expect_refused(
      password, options(), LinkTrouble::login_refused, LinkStep::login,
      {"vm1 refuses to log in lab with the methods tried: the password; check the user, the key, or the password"});

  lab_->change_host_key("vm1");
  expect_refused({.host = host("vm1")}, options(), LinkTrouble::changed_key, LinkStep::host_key,
                 {"has changed", "ssh-keygen -f"});
}

TEST_F(Refused, WhereProgramsCannotRunOrBePutItSaysWhy) {
  const auto folder = [this](const char* path) { return Attempt{vm1_with(&hosts::Host::work_folder, path)}; };
  expect_refused({.host = by_command("/bin/false {command}")}, options(), LinkTrouble::no_shell, LinkStep::architecture,
                 {"ended with exit code 1 and no message", "does the command work by hand?"});
  expect_refused({.host = vm1_with(&hosts::Host::user, test::Lab::kOddUser)}, options(), LinkTrouble::other_machine,
                 LinkStep::architecture, {"its machine type is different (Linux sparc64)"});
  const test::TempDir dir;
  const std::filesystem::path old = dir.path() / "old";
  std::filesystem::create_directories(old);
  std::ofstream(old / "uname")
      << "#!/bin/sh\n[ \"$1\" = -r ] && echo 3.9.11-300.fc19 && exit 0\nexec /bin/uname \"$@\"\n";
  std::filesystem::permissions(old / "uname", std::filesystem::perms(0755));
  expect_refused({.host = by_command("env PATH=" + old.string() + ":/usr/bin:/bin {command}")}, options(),
                 LinkTrouble::other_machine, LinkStep::architecture,
                 {"its kernel is Linux 3.9.11-300.fc19, and the programs need 3.10 or later"});
  expect_refused(folder("noexec/work"), options(), LinkTrouble::work_folder, LinkStep::work_folder,
                 {"programs cannot be run from the work folder", "noexec"});
  expect_refused(folder("/proc/nothing"), options(), LinkTrouble::work_folder, LinkStep::work_folder,
                 {"the work folder /proc/nothing cannot be created"});
  expect_refused(folder("small/work"), options(), LinkTrouble::upload, LinkStep::upload,
                 {"has no space left in", "No space left on device"});

  LinkOptions by_piece = options(), as_a_whole = options();
  by_piece.upload_piece = std::chrono::milliseconds(1000);
  as_a_whole.upload_timeout = std::chrono::milliseconds(2000);
  const auto on_upload = [&](const std::string& script) {
    return Attempt{box_of(*lab_, "case \"$3\" in *part-*) " + script + ";; *) exec \"$@\";; esac")};
  };
  expect_refused(on_upload("head -c 1 >/dev/null; exec tail -f /dev/null"), by_piece, LinkTrouble::upload,
                 LinkStep::upload,
                 {"box: copying n2nq-broker there was abandoned: it accepted less than 64 KiB of it in 1 s"});
  expect_refused(on_upload("while sleep 0.2; do echo 65536; done"), as_a_whole, LinkTrouble::upload, LinkStep::upload,
                 {"it took longer than 2 s; copy the four programs there by hand"});
}

}  // namespace
}  // namespace n2nq::launch
