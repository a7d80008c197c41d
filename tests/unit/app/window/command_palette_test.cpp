#include "ui/window/command_palette.h"

#include <gmock/gmock.h>

#include <QAction>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>
#include <QVBoxLayout>

#include "tests/helpers/temp_dir.h"
#include "ui/theme/context_menu.h"
#include "ui/theme/message_bar.h"
#include "ui/window/command_model.h"
#include "ui/window/fuzzy_match.h"
#include "ui/window/page_bar.h"

namespace n2nq::ui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(FuzzyScore, IsHighestForABeginningThenAWordThenAnyPart) {
  const auto score = [](const char* typed, const char* name) { return fuzzy_score(typed, name).value_or(-1); };
  EXPECT_GT(score("start", "Start all"), score("start", "Quick start"));
  EXPECT_GT(score("start", "Quick start"), score("tart", "Quick start"));
  EXPECT_GT(score("tart", "Quick start"), score("qs", "Quick start"));
  EXPECT_GT(score("qs", "Quick start"), -1);
  EXPECT_GT(score("report pdf", "Save the report as PDF"), -1) << "words in any place";
  EXPECT_EQ(score("xyz", "Quick start"), -1);
}

TEST(FuzzyScore, OfWholeWordsInTheirOrderTheFirstNameComesFirst) {
  EXPECT_GE(*fuzzy_score("senders size", "Senders smallest size"),
            *fuzzy_score("senders size", "Senders largest size"));
  EXPECT_GT(*fuzzy_score("log full", "Log full"), *fuzzy_score("log full", "Logs fuller"));
  EXPECT_GT(*fuzzy_score("size of", "Size of all"), *fuzzy_score("size of", "Of the size"));
}

TEST(FuzzyScore, TakesAWordOfWhatStandsBeside) {
  EXPECT_TRUE(fuzzy_score("hosts add", "Add host", "Hosts"));
  EXPECT_FALSE(fuzzy_score("results add", "Add host", "Hosts"));
}

// A window of two pages.
class Palette : public testing::Test {
 protected:
  Palette() {
    auto* row = new QVBoxLayout(&window_);
    row->addWidget(pages_);
    row->addWidget(&pages_->pages());
    pages_->add(Page::run, run_, "start", "Run", "The plan.");
    pages_->add(Page::results, results_, "results", "Results", "The results.");
    window_.resize(1280, 800);
    pages_->go_to(Page::run);
    add_button(*run_, "Start all", "Starts everything (F5).");
    auto* compare = add_button(*results_, "Compare", "Select two results first.");
    compare->setEnabled(false);
    auto* more = add_button(*results_, "Export", "Writes files.");
    auto* menu = new QMenu(more);
    connect_count(*menu->addAction("As CSV\u2026"), exported_);
    more->setMenu(menu);
    add_button(*run_, "Hidden one", "Not now.")->hide();
    window_.show();
    window_.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window_));
  }
  static QPushButton* add_button(QWidget& page, const QString& name, const QString& tip) {
    if (page.layout() == nullptr) new QVBoxLayout(&page);
    auto* button = new QPushButton(name, &page);
    button->setAccessibleName(name);
    button->setToolTip(tip);
    page.layout()->addWidget(button);
    button->show();
    return button;
  }
  static void connect_count(QPushButton& button, int& count) {
    QObject::connect(&button, &QPushButton::clicked, &button, [&count] { count++; });
  }
  static void connect_count(QAction& action, int& count) {
    QObject::connect(&action, &QAction::triggered, &action, [&count] { count++; });
  }
  void open() {
    CommandPalette::open(window_, *pages_, settings_, [this] {
      return std::vector<Command>{
          {.id = "result:7", .text = "#7 nightly", .where = "Result", .run = [this] { shown_++; }}};
    });
  }
  template <class Widget>
  Widget* part() const {
    for (auto* palette : window_.findChildren<CommandPalette*>())
      if (palette->isVisible()) return palette->findChild<Widget*>();
    return nullptr;
  }
  std::vector<std::string> rows() const {
    std::vector<std::string> texts;
    const auto* model = part<QListView>()->model();
    for (int row = 0; row < model->rowCount(); row++)
      texts.push_back(model->index(row, 0).data().toString().toStdString());
    return texts;
  }
  void press(Qt::Key key) { QTest::keyClick(window_.focusWidget(), key); }
  void type(const QString& text) { QTest::keyClicks(window_.focusWidget(), text); }

  QWidget window_;
  PageBar* pages_ = new PageBar(&window_);
  QWidget* run_ = new QWidget;
  QWidget* results_ = new QWidget;
  test::TempDir folder_;
  QSettings settings_{QString::fromStdString((folder_ / "window.ini").string()), QSettings::IniFormat};
  int exported_ = 0;
  int shown_ = 0;
};

TEST_F(Palette, HasEveryPageActionAndButtonButNoneThatIsHidden) {
  open();
  EXPECT_THAT(rows(),
              testing::UnorderedElementsAre("Go to Run", "Go to Results", "Start all", "Compare", "As CSV\u2026"));
}

TEST_F(Palette, HasWhatAMessageOffersWhileItIsShown) {
  auto* message = theme::MessageBar::over(run_);
  int undone = 0;
  message->offer(theme::Status::info, "One was deleted.", "Undo", [&undone] { undone++; });
  open();
  EXPECT_EQ(rows().front(), "Undo");
  EXPECT_EQ(rows().at(1), "Dismiss");
  type("undo");
  EXPECT_THAT(rows(), ElementsAre("Undo"));
  press(Qt::Key_Return);
  EXPECT_EQ(undone, 1);
  open();
  EXPECT_THAT(rows(), Not(Contains("Undo")));
}

TEST_F(Palette, OfTwoViewsThatOfferTheSameItIsDoneInTheOneInSight) {
  auto* tabs = new QTabWidget(run_);
  run_->layout()->addWidget(tabs);
  int pinned = 0;
  for (const char* view : {"Text", "Matrix"}) {
    auto* each = new QWidget;
    tabs->addTab(each, view);
    connect_count(*add_button(*each, "Pin one-to-one", "Pins."), pinned);
  }
  tabs->show();
  tabs->setCurrentIndex(1);
  open();
  type("pin");
  EXPECT_THAT(rows(), ElementsAre("Pin one-to-one"));
  press(Qt::Key_Return);
  EXPECT_EQ(pinned, 1);
  EXPECT_EQ(tabs->currentIndex(), 1);
}

TEST_F(Palette, DoesWhatIsFoundOnItsPage) {
  open();
  ASSERT_EQ(window_.focusWidget(), part<QLineEdit>());
  type("csv");
  EXPECT_THAT(rows(), ElementsAre("As CSV\u2026"));
  press(Qt::Key_Return);
  EXPECT_EQ(exported_, 1);
  EXPECT_TRUE(pages_->shows(Page::results));
  EXPECT_EQ(part<QLineEdit>(), nullptr) << "it is closed";
}

TEST_F(Palette, SaysWhyACommandCannotBeDoneNow) {
  open();
  type("compare");
  const QModelIndex row = part<QListView>()->model()->index(0, 0);
  EXPECT_EQ(row.data(CommandModel::why_not_role), "Select two results first.");
  EXPECT_TRUE(row.data(Qt::AccessibleTextRole).toString().contains("Select two results first."));
  press(Qt::Key_Return);
  EXPECT_NE(part<QLineEdit>(), nullptr) << "it stays";
  press(Qt::Key_Escape);
  EXPECT_EQ(part<QLineEdit>(), nullptr);
}

TEST_F(Palette, SaysOnceWhatCannotBeDone) {
  auto* request = add_button(*run_, "Make request", "Make request: edit the filters first.");
  request->setEnabled(false);
  open();
  type("make request");
  EXPECT_EQ(part<QListView>()->model()->index(0, 0).data(CommandModel::why_not_role), "Edit the filters first.");
}

TEST_F(Palette, HasTheMenuOfASelectedRow) {
  int opened = 0;
  QString row;
  new theme::ContextMenu(*run_, [&](QMenu& menu) {
    connect_count(*menu.addAction("Open log\tEnter"), opened);
    return row;
  });
  open();
  EXPECT_THAT(rows(), Not(Contains("Open log"))) << "none is selected";
  press(Qt::Key_Escape);
  row = "receiver 3";
  open();
  type("log receiver");
  ASSERT_THAT(rows(), ElementsAre("Open log"));
  const QModelIndex first = part<QListView>()->model()->index(0, 0);
  EXPECT_TRUE(first.data(CommandModel::where_role).toString().endsWith("receiver 3"));
  EXPECT_EQ(first.data(CommandModel::keys_role), "Enter");
  press(Qt::Key_Return);
  EXPECT_EQ(opened, 1);
}

TEST_F(Palette, SaysOfAButtonWhatItDoesOrLeavesItOut) {
  theme::set_command_text(*add_button(*run_, "Tile Received", "Messages a second."), "Show the received messages");
  theme::set_command_text(*add_button(*run_, "Process queue", "Its state."), {});
  open();
  EXPECT_THAT(rows(), Contains("Show the received messages"));
  EXPECT_THAT(rows(), Not(testing::AnyOf(Contains("Tile Received"), Contains("Process queue"))));
}

TEST_F(Palette, ShowsTheKeysOfACommand) {
  open();
  type("start all");
  EXPECT_EQ(part<QListView>()->model()->index(0, 0).data(CommandModel::keys_role), "F5");
}

TEST_F(Palette, FindsWhatIsSavedByItsNameOnly) {
  open();
  EXPECT_THAT(rows(), Not(Contains("#7 nightly")));
  type("nightly");
  EXPECT_THAT(rows(), ElementsAre("#7 nightly"));
  press(Qt::Key_Return);
  EXPECT_EQ(shown_, 1);
}

TEST_F(Palette, BeginsWithWhatWasUsedLast) {
  open();
  type("go results");
  press(Qt::Key_Return);
  open();
  EXPECT_EQ(rows().front(), "Go to Results");
  press(Qt::Key_Escape);
  open();
  type("nightly");
  press(Qt::Key_Return);
  open();
  EXPECT_EQ(rows().front(), "#7 nightly");
}

TEST_F(Palette, IsWalkedByArrowsFromTheField) {
  open();
  auto* list = part<QListView>();
  EXPECT_EQ(list->currentIndex().row(), 0);
  press(Qt::Key_Up);
  EXPECT_EQ(list->currentIndex().row(), list->model()->rowCount() - 1);
  press(Qt::Key_Down);
  press(Qt::Key_Down);
  EXPECT_EQ(list->currentIndex().row(), 1);
  EXPECT_EQ(part<QLineEdit>()->accessibleDescription(), list->currentIndex().data(Qt::AccessibleTextRole).toString());
  type("zzz");
  EXPECT_THAT(rows(), IsEmpty());
  press(Qt::Key_Down);
  press(Qt::Key_Return);
  EXPECT_NE(part<QLineEdit>(), nullptr);
}

}  // namespace
}  // namespace n2nq::ui
