#include "ui/window/plan_control.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QSettings>

#include "app/plan/plan_file.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::ui {
namespace {

struct PlanControlTest : testing::Test {
  n2nq::test::TempDir dir;
  plan::PlanEditor editor{(dir / "last-plan.json").string()};
  QSettings settings{QString::fromStdString((dir / "settings.ini").string()), QSettings::IniFormat};
  plan::Permissions permissions;
  PlanControl control{editor, permissions, settings};

  QLineEdit& name() {
    for (auto* edit : control.findChildren<QLineEdit*>())
      if (edit->accessibleName() == "Plan name") return *edit;
    throw std::runtime_error("the plan has no name");
  }
  void paste(const QString& text) {
    QApplication::clipboard()->setText(text);
    name().paste();
  }
};

TEST_F(PlanControlTest, APastedLineBreakIsABlank) {
  name().clear();
  paste("cable 2\nswitch\toff");
  EXPECT_EQ(name().text(), "cable 2 switch off");
  EXPECT_EQ(editor.plan().name, "cable 2 switch off");
  EXPECT_EQ(plan::plan_from_json(plan::plan_to_json(editor.plan())), editor.plan());
}

TEST_F(PlanControlTest, APastedNameThatIsTooLongIsCutWhereAFileCannotHoldMore) {
  name().clear();
  paste(QString(5000, 'x'));
  EXPECT_EQ(editor.plan().name, std::string(4096, 'x'));
  paste("more");
  EXPECT_EQ(name().text(), QString(4096, 'x'));
}

TEST_F(PlanControlTest, APlanIsCalledAsItsFileOnOneLine) {
  for (auto* action : control.actions())
    if (action->text().startsWith("Save as")) action->trigger();
  auto* dialog = control.findChild<QFileDialog*>();
  ASSERT_NE(dialog, nullptr);
  const std::string path = (dir / "two\nlines.json").string();
  Q_EMIT dialog->fileSelected(QString::fromStdString(path));
  EXPECT_EQ(editor.plan().name, "two lines");
  EXPECT_EQ(plan::read_plan_file(path), editor.file());
}

}  // namespace
}  // namespace n2nq::ui
