#include "app/plan/plan_editor.h"

#include <gmock/gmock.h>

#include <QtCore/qtestsupport_core.h>
#include <filesystem>
#include <fstream>

#include "tests/helpers/temp_dir.h"

namespace n2nq::plan {
namespace {

struct PlanEditorTest : testing::Test {
  std::string kept() const { return dir / "sub" / "last-plan.json"; }
  std::function<int64_t()> clock() {
    return [this] { return now; };
  }
  static void count(PlanEditor& editor, uint32_t value) {
    editor.edit("senders", [value](PlanFile& file) { file.base.senders.fleet.count = value; });
  }
  static void name(PlanEditor& editor, const std::string& value) {
    editor.edit("name", [value](PlanFile& file) { file.base.name = value; });
  }

  test::TempDir dir;
  int64_t now = 0;
};

TEST_F(PlanEditorTest, UndoesAndRedoesByStep) {
  PlanEditor editor("", clock());
  EXPECT_FALSE(editor.can_undo());
  count(editor, 3);
  name(editor, "x");
  EXPECT_EQ(editor.undo_text(), "Undo name");
  editor.undo();
  EXPECT_EQ(editor.plan().name, "untitled");
  EXPECT_EQ(editor.plan().senders.fleet.count, 3u);
  EXPECT_EQ(editor.redo_text(), "Redo name");
  editor.undo();
  EXPECT_EQ(editor.file(), PlanFile());
  EXPECT_EQ(editor.undo_text(), "Undo");
  editor.redo();
  editor.redo();
  EXPECT_EQ(editor.plan().name, "x");
  EXPECT_FALSE(editor.can_redo());
}

TEST_F(PlanEditorTest, TakesEditsOfOneFieldWithinTwoSecondsAsOneStep) {
  PlanEditor editor("", clock());
  count(editor, 3);
  now += 1'900'000'000;
  count(editor, 4);
  now += 2'100'000'000;
  count(editor, 5);
  editor.undo();
  EXPECT_EQ(editor.plan().senders.fleet.count, 4u);
  editor.undo();
  EXPECT_EQ(editor.plan().senders.fleet.count, 10u);
  EXPECT_FALSE(editor.can_undo());
}

// Fields as an editor knows them: what they show that the plan could not take.
struct HeldTextTest : PlanEditorTest {
  void type(QObject& field, const std::string& what) {
    editor.hold_text(&field, what, [this, what] { discarded.push_back(what); });
  }
  PlanEditor editor{"", clock()};
  QObject delay, size;
  std::vector<std::string> discarded;
};

TEST_F(HeldTextTest, IsTakenBackBeforeTheEditThatItFollows) {
  count(editor, 3);
  type(delay, "delay");
  type(delay, "delay");
  EXPECT_EQ(editor.undo_text(), "Undo delay");
  editor.undo();
  EXPECT_EQ(discarded, std::vector<std::string>{"delay"});
  EXPECT_EQ(editor.plan().senders.fleet.count, 3u) << "the edit before it stays";
  EXPECT_EQ(editor.undo_text(), "Undo senders");
  editor.undo();
  EXPECT_EQ(editor.plan().senders.fleet.count, 10u);
}

TEST_F(HeldTextTest, CanBeUndoneInAPlanThatNobodyHasEdited) {
  type(delay, "delay");
  ASSERT_TRUE(editor.can_undo());
  editor.undo();
  EXPECT_EQ(discarded.size(), 1u);
  EXPECT_FALSE(editor.can_undo());
}

TEST_F(HeldTextTest, TakesItsTurnAmongEdits) {
  type(delay, "delay");
  count(editor, 3);
  type(size, "size");
  editor.undo();
  editor.undo();
  EXPECT_EQ(discarded, std::vector<std::string>{"size"});
  EXPECT_EQ(editor.plan().senders.fleet.count, 10u);
  editor.undo();
  EXPECT_EQ(discarded, (std::vector<std::string>{"size", "delay"}));
  editor.redo();
  EXPECT_EQ(editor.plan().senders.fleet.count, 3u);
}

TEST_F(HeldTextTest, IsOneStepWithWhatWasTakenOfItJustBefore) {
  name(editor, "x");
  now += 3'000'000'000;
  count(editor, 5);  // of "5x"
  type(delay, "senders");
  editor.undo();
  EXPECT_EQ(discarded.size(), 1u);
  EXPECT_EQ(editor.plan().senders.fleet.count, 10u);
  EXPECT_EQ(editor.plan().name, "x");
}

TEST_F(HeldTextTest, IsForgottenWhenItIsTakenOrItsFieldIsGoneOrThePlanIsAnother) {
  type(delay, "delay");
  editor.let_go_of_text(&delay);
  EXPECT_FALSE(editor.can_undo());
  {
    QObject closed;
    type(closed, "closed");
  }
  EXPECT_FALSE(editor.can_undo());
  type(size, "size");
  editor.reset({});
  EXPECT_EQ(discarded, std::vector<std::string>{"size"}) << "it was typed for the other plan";
  EXPECT_EQ(editor.undo_text(), "Undo another plan");
}

TEST_F(PlanEditorTest, ForgetsWhatWasUndoneWithTheNextEdit) {
  PlanEditor editor("", clock());
  count(editor, 3);
  name(editor, "x");
  editor.undo();
  count(editor, 4);
  EXPECT_FALSE(editor.can_redo());
  editor.undo();
  EXPECT_EQ(editor.plan().senders.fleet.count, 3u);
}

TEST_F(PlanEditorTest, TakesAnEditThatChangesNothingAsNone) {
  PlanEditor editor("", clock());
  int changes = 0;
  QObject::connect(&editor, &PlanEditor::changed, &editor, [&changes] { changes++; });
  count(editor, 10);
  EXPECT_FALSE(editor.can_undo());
  count(editor, 11);
  EXPECT_EQ(changes, 1);
}

TEST_F(PlanEditorTest, KnowsWhetherThePlanDiffersFromItsFile) {
  PlanEditor editor("", clock());
  EXPECT_FALSE(editor.modified());
  count(editor, 3);
  EXPECT_TRUE(editor.modified());
  const std::string path = dir / "a.json";
  ASSERT_TRUE(editor.save(path));
  EXPECT_FALSE(editor.modified());
  EXPECT_EQ(editor.path(), path);
  editor.undo();
  EXPECT_TRUE(editor.modified());
  editor.redo();
  EXPECT_FALSE(editor.modified());
}

TEST_F(PlanEditorTest, UndoesOpeningAnotherPlan) {
  PlanFile other;
  other.base.name = "other";
  const std::string path = dir / "other.json";
  PlanEditor editor("", clock());
  count(editor, 3);
  editor.reset(other, path);
  EXPECT_EQ(editor.file(), other);
  EXPECT_EQ(editor.path(), path);
  EXPECT_FALSE(editor.modified());
  editor.undo();
  EXPECT_EQ(editor.plan().senders.fleet.count, 3u);
  EXPECT_EQ(editor.path(), "");
  EXPECT_TRUE(editor.modified());
}

TEST_F(PlanEditorTest, IsNotSavedWhereAPlanCannotBeWritten) {
  PlanEditor editor("", clock());
  count(editor, 3);
  EXPECT_FALSE(editor.save(dir / "no" / "such.json"));
  EXPECT_TRUE(editor.modified());
}

TEST_F(PlanEditorTest, HasTheLastPlanAgainAtTheNextStart) {
  const std::string path = dir / "a.json";
  {
    PlanEditor editor(kept(), clock());
    count(editor, 3);
    ASSERT_TRUE(editor.save(path));
    editor.edit("filters", [](PlanFile& file) {
      file.base.queue.requests.filters = {{.receivers = {}, .filter = "senders=1..;"}};
    });
  }
  PlanEditor editor(kept(), clock());
  EXPECT_EQ(editor.trouble(), std::nullopt);
  EXPECT_EQ(editor.plan().queue.requests.filters.front().filter, "senders=1..;");
  EXPECT_EQ(editor.path(), path);
  EXPECT_TRUE(editor.modified());
  EXPECT_FALSE(editor.can_undo());
}

std::vector<ReceiverFilter> of_sender(const char* sender) {
  return {{.receivers = {}, .filter = std::string("senders=") + sender}};
}

TEST_F(PlanEditorTest, ADraftOfFiltersStaysWithItsPlanOverEditsAndUndo) {
  PlanEditor editor("", clock());
  editor.set_draft(of_sender("1"));
  count(editor, 3);
  EXPECT_EQ(editor.draft(), of_sender("1"));
  editor.set_draft(of_sender("2"));
  editor.undo();
  EXPECT_EQ(editor.draft(), of_sender("2"));
  editor.reset({});
  EXPECT_EQ(editor.draft(), std::nullopt);
  editor.undo();
  EXPECT_EQ(editor.draft(), of_sender("2"));
}

TEST_F(PlanEditorTest, ADraftEndsWhenItIsInThePlanAndComesBackWithTheFiltersBefore) {
  PlanEditor editor("", clock());
  editor.set_draft(of_sender("1"));
  editor.edit("filters", [](PlanFile& file) { file.base.queue.requests.filters = of_sender("1"); });
  EXPECT_EQ(editor.draft(), std::nullopt);
  editor.undo();
  EXPECT_EQ(editor.draft(), of_sender("1"));
  editor.redo();
  EXPECT_EQ(editor.draft(), std::nullopt);
  editor.set_draft(of_sender("2"));
  editor.set_draft(of_sender("1"));
  EXPECT_EQ(editor.draft(), std::nullopt) << "these are the plan's own";
}

TEST_F(PlanEditorTest, HasTheDraftAgainAtTheNextStart) {
  PlanEditor(kept(), clock()).set_draft(of_sender("1..;"));
  EXPECT_EQ(PlanEditor(kept(), clock()).draft(), of_sender("1..;"));
  PlanEditor(kept(), clock()).set_draft({});
  EXPECT_EQ(PlanEditor(kept(), clock()).draft(), std::nullopt);
}

TEST_F(PlanEditorTest, KeepsThePlanSoonAfterAChange) {
  PlanEditor editor(kept(), clock());
  EXPECT_FALSE(std::filesystem::exists(kept()));
  count(editor, 3);
  EXPECT_TRUE(QTest::qWaitFor([this] { return std::filesystem::exists(kept()); }, 20'000));
  PlanEditor second(kept(), clock());
  EXPECT_EQ(second.plan().senders.fleet.count, 3u);
}

TEST_F(PlanEditorTest, PutsADamagedPlanAsideAndSaysWhere) {
  std::filesystem::create_directories(dir / "sub");
  std::ofstream(kept()) << "{\"version\":1,";
  const PlanEditor editor(kept(), clock());
  EXPECT_EQ(editor.file(), PlanFile());
  ASSERT_TRUE(editor.trouble());
  EXPECT_FALSE(std::filesystem::exists(kept()));
  const auto aside = std::filesystem::directory_iterator(dir / "sub")->path();
  EXPECT_THAT(*editor.trouble(), testing::HasSubstr(aside.string()));
  std::string text;
  std::getline(std::ifstream(aside), text);
  EXPECT_EQ(text, "{\"version\":1,");
}

TEST_F(PlanEditorTest, SaysThatThePlanCannotBeKept) {
  std::ofstream(dir / "sub") << "a file where the folder should be";
  PlanEditor editor(kept(), clock());
  count(editor, 3);
  EXPECT_TRUE(QTest::qWaitFor([&editor] { return editor.trouble().has_value(); }, 20'000));
  EXPECT_FALSE(editor.keep());
}

}  // namespace
}  // namespace n2nq::plan
