#include "ui/run/role_header.h"

#include <gtest/gtest.h>

#include "ui/theme/chip.h"

namespace n2nq::ui {
namespace {

using run::Doing;
using run::RolePhase;

struct RoleHeaderTest : testing::Test {
  std::string word(const run::RoleStatus& status, uint32_t services = 0) {
    header.show_status(status, services);
    return chip().text().toStdString();
  }
  theme::Chip& chip() const { return *header.findChild<theme::Chip*>(); }

  RoleHeader header{Role::sender};
};

TEST_F(RoleHeaderTest, SaysInAWordWhatTheRoleDoesAndTheRestInItsTip) {
  EXPECT_EQ(chip().text().toStdString(), "not started");
  EXPECT_EQ(word({.phase = RolePhase::running, .doing = Doing::running, .text = "running"}, 1000), "1,000 running");
  EXPECT_EQ(chip().tone(), theme::Tone::good);
  EXPECT_EQ(word({.phase = RolePhase::waiting, .doing = Doing::waiting, .text = "waiting for queue"}),
            "waiting for queue");
  const run::RoleStatus long_one{
      .phase = RolePhase::waiting, .doing = Doing::waiting, .text = "waiting for queue and receivers"};
  EXPECT_EQ(word(long_one), "waiting");
  EXPECT_TRUE(chip().toolTip().contains("waiting for queue and receivers"));
}

// Whatever its sentence is.
TEST_F(RoleHeaderTest, IsRedForEachEndThatIsAFaultAndForNoOther) {
  for (const Doing doing : {Doing::ended, Doing::ended_with_losses, Doing::stopped}) {
    EXPECT_EQ(word({.phase = RolePhase::over, .doing = doing, .text = "killed"}), to_text(doing));
    EXPECT_EQ(chip().tone(), theme::Tone::muted) << to_text(doing);
  }
  for (const Doing doing : {Doing::incomplete, Doing::killed, Doing::failed}) {
    EXPECT_EQ(word({.phase = RolePhase::over, .doing = doing, .text = "ended"}), to_text(doing));
    EXPECT_EQ(chip().tone(), theme::Tone::bad) << to_text(doing);
  }
  EXPECT_EQ(word({.phase = RolePhase::over, .doing = Doing::failed, .text = "could not join"}), "failed");
}

}  // namespace
}  // namespace n2nq::ui
