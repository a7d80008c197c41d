#include "ui/window/shell_command.h"

#include <gmock/gmock.h>

#include "tests/helpers/temp_dir.h"

namespace n2nq::ui {
namespace {

using testing::HasSubstr;

class ShellCommand : public testing::Test {
 protected:
  test::TempDir dir_;
  plan::PlanEditor editor_{std::string()};
  std::string path_ = (dir_ / "my plan.json").string();
};

TEST_F(ShellCommand, NamesTheFileOfTheQuotedPlan) {
  ASSERT_TRUE(editor_.save(path_));
  EXPECT_EQ(*shell_command(editor_), "n2nq-bench run '" + path_ + "'");
}

TEST_F(ShellCommand, UnsavedChangesFollowAsSets) {
  ASSERT_TRUE(editor_.save(path_));
  editor_.edit("delay", [](plan::PlanFile& file) {
    file.base.senders.delay_ns = 5'000'000;
    file.base.name = "it's fast";
  });
  EXPECT_EQ(*shell_command(editor_),
            "n2nq-bench run '" + path_ + "' --set 'name=it'\\''s fast' --set senders.delay=5ms");
}

TEST_F(ShellCommand, APlanWithoutAFileMustBeSavedFirst) {
  const auto command = shell_command(editor_);
  ASSERT_FALSE(command);
  EXPECT_THAT(command.error().text, HasSubstr("Save the plan"));
}

TEST_F(ShellCommand, OtherRunsThanThoseOfTheFileMustBeSavedFirst) {
  ASSERT_TRUE(editor_.save(path_));
  editor_.edit("runs", [](plan::PlanFile& file) { file.runs = {{{"queue.mode", "load-balancer"}}}; });
  EXPECT_FALSE(shell_command(editor_));
}

}  // namespace
}  // namespace n2nq::ui
