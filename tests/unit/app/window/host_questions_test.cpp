#include "ui/window/host_questions.h"

#include <gmock/gmock.h>

#include <QComboBox>
#include <QPushButton>

#include "tests/helpers/temp_dir.h"

namespace n2nq::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class HostQuestionsTest : public testing::Test {
 protected:
  HostQuestionsTest() {
    EXPECT_TRUE(book_.change("add", {.hosts = {{.name = "vm1", .address = "10.0.0.5"}}}));
    window_.show();
  }

  static plan::PlanFile plan_on(const std::vector<std::string>& hosts) {
    plan::PlanFile file;
    file.base.senders.fleet.hosts = hosts;
    return file;
  }
  template <class Widget>
  std::vector<Widget*> visible() const {
    std::vector<Widget*> found;
    for (auto* widget : window_.findChildren<Widget*>())
      if (widget->isVisible()) found.push_back(widget);
    return found;
  }
  std::vector<std::string> asked() const {
    std::vector<std::string> names;
    for (const auto* box : visible<QComboBox>()) names.push_back(box->accessibleName().toStdString());
    return names;
  }
  void click(const QString& button) {
    for (auto* each : visible<QPushButton>())
      if (each->accessibleName() == button) return each->click();
    ADD_FAILURE() << "no " << button.toStdString();
  }

  test::TempDir dir_;
  hosts::HostBook book_{(dir_ / "hosts.json").string()};
  plan::PlanEditor editor_{""};
  QWidget window_;
  HostQuestions questions_{editor_, book_, window_};
};

TEST_F(HostQuestionsTest, AreAskedForAPlanWithoutAFileAsWell) {
  editor_.reset(plan_on({"vm1", "old"}));
  EXPECT_THAT(asked(), ElementsAre("Host for old"));
  click("Use these");
  EXPECT_THAT(asked(), IsEmpty());
  EXPECT_THAT(editor_.plan().senders.fleet.hosts, ElementsAre("vm1", hosts::kThisComputer));
}

TEST_F(HostQuestionsTest, GoOnUntilEachHostHasItsAnswer) {
  editor_.reset(plan_on({"a", "b", "c", "d", "e", "f"}));
  EXPECT_THAT(asked(), ElementsAre("Host for a", "Host for b", "Host for c", "Host for d"));
  click("Use these");
  EXPECT_THAT(asked(), ElementsAre("Host for e", "Host for f"));
  click("Use these");
  EXPECT_THAT(asked(), IsEmpty());
}

TEST_F(HostQuestionsTest, AreNotAskedForWhatIsTyped) {
  editor_.reset(plan_on({"vm1"}));
  editor_.edit("host", [](plan::PlanFile& file) { file.base.queue.host = "vm9"; });
  EXPECT_THAT(asked(), IsEmpty());
}

TEST_F(HostQuestionsTest, ThatWerePutOffComeAgainWithThePlan) {
  editor_.reset(plan_on({"old"}));
  click("Not now");
  editor_.edit("name", [](plan::PlanFile& file) { file.base.name = "other"; });
  EXPECT_THAT(asked(), IsEmpty());
  editor_.reset(plan_on({"old"}));
  EXPECT_THAT(asked(), ElementsAre("Host for old"));
  editor_.reset({});
  EXPECT_THAT(asked(), IsEmpty());
  editor_.undo();
  EXPECT_THAT(asked(), ElementsAre("Host for old"));
}

TEST_F(HostQuestionsTest, EndOnceTheHostIsInTheList) {
  editor_.reset(plan_on({"old"}));
  auto list = book_.list();
  list.hosts.push_back({.name = "old", .address = "10.0.0.6"});
  ASSERT_TRUE(book_.change("add", list));
  questions_.look();
  EXPECT_THAT(asked(), IsEmpty());
}

}  // namespace
}  // namespace n2nq::ui
