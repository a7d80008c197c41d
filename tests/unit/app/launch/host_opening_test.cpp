// What a login must be like for programs to run there; "logins" of this computer that say what others would.
#include "app/launch/host_opening.h"

#include <gmock/gmock.h>

#include <QTest>

#include "app/launch/host_scripts.h"
#include "app/remote/command_carrier.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/launch/heard.h"

namespace n2nq::launch {
namespace {

using testing::HasSubstr;

using Ready = std::expected<HostReady, remote::LinkFailure>;

// As over SSH, from a login whose shell is this one.
Ready open_with_login_shell(const std::string& shell) {
  const test::TempDir dir;
  hosts::Host host{.name = "vm1", .address = "vm1", .work_folder = dir.path() / "work"};
  remote::CommandCarrier carrier("vm1", "/usr/bin/env SHELL=" + shell + " {command}",
                                 {.step_passed = [](const auto&) {},
                                  .asked = [](const auto&, const auto&) {},
                                  .opened = [] {},
                                  .failed = [](const auto&) {}});
  carrier.open();
  std::optional<Ready> ready;
  HostOpening opening(
      host, N2NQ_BUILT_BIN_DIR, {},
      [&](const std::vector<std::string>& arguments) { return answering(carrier.exec(arguments, {}), arguments); },
      [](const remote::StepReport&) {}, [] {}, [&](const Ready& outcome) { ready = outcome; });
  EXPECT_TRUE(QTest::qWaitFor([&] { return ready.has_value(); }, kPatienceMs));
  return ready.value_or(std::unexpected(remote::LinkFailure{.text = "no answer"}));
}

TEST(HostOpening, TakesLoginsWithAShellLikeSh) {
  for (const char* shell : {"/bin/sh", "/usr/bin/zsh", "/bin/cshore"}) {
    const Ready ready = open_with_login_shell(shell);
    EXPECT_TRUE(ready) << shell << ": " << ready.error().text;
  }
}

TEST(HostOpening, RefusesLoginsWithCshInWords) {
  for (const char* shell : {"/bin/csh", "/usr/bin/tcsh"}) {
    const Ready ready = open_with_login_shell(shell);
    ASSERT_FALSE(ready) << shell;
    EXPECT_EQ(ready.error().trouble, remote::LinkTrouble::no_shell);
    EXPECT_EQ(ready.error().step, remote::LinkStep::architecture);
    EXPECT_THAT(ready.error().text, HasSubstr("vm1: its login has the shell " + std::string(shell)));
    EXPECT_THAT(ready.error().text, HasSubstr("chsh"));
  }
}

}  // namespace
}  // namespace n2nq::launch
