#include "ui/run/process_chips.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QMenu>
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
  static run::ProcessStatus process(Role role, const char* name, run::Doing doing, const char* state) {
    return {.name = name, .role = role, .place = "this computer", .pid = 4711, .doing = doing, .state = state};
  }
  static run::ProcessStatus running(Role role, const char* name) {
    return process(role, name, run::Doing::running, "running");
  }

  ProcessChips chips_;
};

TEST_F(ProcessChipsTest, EachSaysItsNameItsIdAndWhatIsUnusual) {
  chips_.show_processes(
      {running(Role::broker, "queue"), process(Role::sender, "senders", run::Doing::killed, "killed by signal 9")});
  ASSERT_NE(chip("queue"), nullptr);
  EXPECT_EQ(chip("queue")->text().toStdString(), "queue 4711");
  EXPECT_EQ(chip("queue")->tone(), theme::Tone::good);
  EXPECT_EQ(chip("senders")->text().toStdString(), "senders 4711 · killed by signal 9");
  EXPECT_EQ(chip("senders")->tone(), theme::Tone::bad);
  EXPECT_EQ(chip("senders")->accessibleDescription().toStdString(),
            "senders, process 4711 on this computer: killed by signal 9");
}

TEST_F(ProcessChipsTest, AnEarlyLossThatThePlanAllowsIsNoFault) {
  chips_.show_processes(
      {process(Role::receiver, "receivers", run::Doing::ended_with_losses, "ended; lost as the plan allows")});
  EXPECT_EQ(chip("receivers")->tone(), theme::Tone::muted);
  for (const run::Doing doing : {run::Doing::incomplete, run::Doing::killed, run::Doing::failed}) {
    chips_.show_processes({process(Role::receiver, "receivers", doing, "ended with exit code 3")});
    EXPECT_EQ(chip("receivers")->tone(), theme::Tone::bad) << to_text(doing);
  }
}

TEST_F(ProcessChipsTest, AnOrdinaryEndIsSaidByTheDotAndInTheTip) {
  chips_.show_processes({process(Role::broker, "queue", run::Doing::ended, "ended with exit code 0")});
  EXPECT_EQ(chip("queue")->text().toStdString(), "queue 4711");
  EXPECT_EQ(chip("queue")->tone(), theme::Tone::muted);
  EXPECT_TRUE(chip("queue")->toolTip().contains("ended with exit code 0"));
}

TEST_F(ProcessChipsTest, ThoseThatAreNoLongerThereGo) {
  chips_.show_processes({running(Role::broker, "queue"), running(Role::sender, "senders")});
  chips_.show_processes({running(Role::broker, "queue")});
  EXPECT_EQ(chip("senders"), nullptr);
  chips_.show_processes({});
  EXPECT_EQ(chip("queue"), nullptr);
}

TEST_F(ProcessChipsTest, AClickOnTheQueueAsksForItsLog) {
  chips_.show_processes({running(Role::broker, "queue")});
  QSignalSpy asked(&chips_, &ProcessChips::open_queue_log);
  chip("queue")->click();
  EXPECT_EQ(asked.count(), 1);
}

TEST_F(ProcessChipsTest, OneThatCanBeKilledShowsThatItHasAMenuAndOpensItAtAClick) {
  run::ProcessStatus server = running(Role::broker, "kafka 2");
  server.can_be_killed = true;
  server.log = 2;
  chips_.show_processes({running(Role::broker, "queue"), server});
  EXPECT_EQ(chip("kafka 2")->text().toStdString(), "kafka 2 4711 ▾");
  QSignalSpy asked(&chips_, &ProcessChips::open_queue_log), killed(&chips_, &ProcessChips::kill_server);
  chip("kafka 2")->click();
  EXPECT_EQ(asked.count(), 0);
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  ASSERT_NE(menu, nullptr);
  const auto choose = [menu](const QString& entry) {
    for (QAction* action : menu->actions())
      if (action->text() == entry) action->trigger();
  };
  choose("Open log");
  EXPECT_EQ(asked.count(), 1);
  choose("Kill this server (SIGKILL)");
  ASSERT_EQ(killed.count(), 1);
  EXPECT_EQ(killed.front().front().value<std::string>(), "2");
  menu->close();
}

TEST_F(ProcessChipsTest, TheyCanBeCopiedAsATable) {
  chips_.show_processes({running(Role::broker, "queue")});
  EXPECT_EQ(chips_.as_tsv().toStdString(), "Process\tHost\tState\tPID\nqueue\tthis computer\trunning\t4711\n");
}

}  // namespace
}  // namespace n2nq::ui
