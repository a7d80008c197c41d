#include "ui/run/process_chips.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include "ui/theme/chip.h"

namespace n2nq::ui {
namespace {

class ProcessChipsTest : public testing::Test {
 protected:
  ProcessChipsTest() { chips_.show(); }

  theme::Chip* chip(const char* process) const {
    for (auto* one : chips_.findChildren<theme::Chip*>())
      if (one->accessibleName() == QString("Process ") + process && one->isVisible()) return one;
    return nullptr;
  }
  static run::ProcessStatus process(Role role, const char* name, const char* state, bool over = false) {
    return {.name = name, .role = role, .place = "this computer", .pid = 4711, .state = state, .over = over};
  }

  ProcessChips chips_;
};

TEST_F(ProcessChipsTest, EachSaysItsNameItsIdAndWhatIsUnusual) {
  chips_.show_processes(
      {process(Role::broker, "queue", "running"), process(Role::sender, "senders", "killed by signal 9", true)});
  ASSERT_NE(chip("queue"), nullptr);
  EXPECT_EQ(chip("queue")->text().toStdString(), "queue 4711");
  EXPECT_EQ(chip("queue")->tone(), theme::Tone::good);
  EXPECT_EQ(chip("senders")->text().toStdString(), "senders 4711 · killed by signal 9");
  EXPECT_EQ(chip("senders")->tone(), theme::Tone::bad);
  EXPECT_EQ(chip("senders")->accessibleDescription().toStdString(),
            "senders, process 4711 on this computer: killed by signal 9");
}

TEST_F(ProcessChipsTest, AnEarlyLossThatThePlanAllowsIsNoFault) {
  chips_.show_processes({process(Role::receiver, "receivers", "ended; lost as the plan allows", true)});
  EXPECT_EQ(chip("receivers")->tone(), theme::Tone::muted);
  chips_.show_processes({process(Role::receiver, "receivers", "ended (incomplete)", true)});
  EXPECT_EQ(chip("receivers")->tone(), theme::Tone::bad);
}

TEST_F(ProcessChipsTest, AnOrdinaryEndIsSaidByTheDotAndInTheTip) {
  chips_.show_processes({process(Role::broker, "queue", "ended with exit code 0", true)});
  EXPECT_EQ(chip("queue")->text().toStdString(), "queue 4711");
  EXPECT_EQ(chip("queue")->tone(), theme::Tone::muted);
  EXPECT_TRUE(chip("queue")->toolTip().contains("ended with exit code 0"));
}

TEST_F(ProcessChipsTest, ThoseThatAreNoLongerThereGo) {
  chips_.show_processes({process(Role::broker, "queue", "running"), process(Role::sender, "senders", "running")});
  chips_.show_processes({process(Role::broker, "queue", "running")});
  EXPECT_EQ(chip("senders"), nullptr);
  chips_.show_processes({});
  EXPECT_EQ(chip("queue"), nullptr);
}

TEST_F(ProcessChipsTest, AClickOnTheQueueAsksForItsLog) {
  chips_.show_processes({process(Role::broker, "queue", "running")});
  QSignalSpy asked(&chips_, &ProcessChips::open_queue_log);
  chip("queue")->click();
  EXPECT_EQ(asked.count(), 1);
}

TEST_F(ProcessChipsTest, TheyCanBeCopiedAsATable) {
  chips_.show_processes({process(Role::broker, "queue", "running")});
  EXPECT_EQ(chips_.as_tsv().toStdString(), "Process\tHost\tState\tPID\nqueue\tthis computer\trunning\t4711\n");
}

}  // namespace
}  // namespace n2nq::ui
