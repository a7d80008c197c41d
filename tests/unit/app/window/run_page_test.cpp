// The Run page over real runs: whose the sentences and the rows are that it shows.
#include "ui/run/run_page.h"

#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>
#include <cmath>

#include "app/store/store.h"
#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
#include "ui/run/role_columns.h"
#include "ui/run/run_bar.h"
#include "ui/services/service_table.h"

namespace n2nq::ui {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::StartsWith;

constexpr int kPatience = 60'000;

class RunPageTest : public testing::Test {
 protected:
  RunPageTest() {
    page_.resize(1600, 1000);
    page_.show();
  }
  ~RunPageTest() override {
    sequence_.stop();
    EXPECT_TRUE(wait_end());
  }
  static void TearDownTestSuite() { EXPECT_THAT(test::processes_left(), IsEmpty()); }

  void set_plan(uint32_t senders, uint32_t receivers, uint32_t messages) {
    editor_.edit("plan", [&](plan::PlanFile& file) {
      file.base.senders.fleet.count = senders;
      file.base.receivers.fleet.count = receivers;
      file.base.senders.messages = messages;
      file.base.senders.delay_ns = 10'000'000;
    });
  }
  bool wait_end() {
    return QTest::qWaitFor([this] { return !sequence_.active(); }, kPatience);
  }
  const QAbstractItemModel& rows(const QString& role) {
    for (auto* table : page_.findChildren<QTableView*>())
      if (table->accessibleName() == role) return *table->model();
    ADD_FAILURE() << "no rows of " << role.toStdString();
    return *page_.findChild<QTableView*>()->model();
  }
  template <class Widget>
  Widget* find(const QString& name) {
    for (auto* widget : page_.findChildren<Widget*>())
      if (widget->accessibleName() == name) return widget;
    ADD_FAILURE() << "no " << name.toStdString();
    return nullptr;
  }
  // Of all that is in sight.
  std::vector<std::pair<QWidget*, QRect>> places() {
    std::vector<std::pair<QWidget*, QRect>> places;
    for (auto* widget : page_.findChild<RoleColumns*>()->findChildren<QWidget*>())
      if (widget->isVisible()) places.emplace_back(widget, QRect(widget->mapTo(&page_, QPoint()), widget->size()));
    return places;
  }
  std::string sentence(const QString& role) {
    for (auto* label : page_.findChildren<QLabel*>())
      if (label->accessibleName() == role + " in short") return label->text().toStdString();
    return "no sentence";
  }

  test::TempDir dir_;
  QTemporaryDir settings_dir_;
  QSettings settings_{settings_dir_.filePath("settings"), QSettings::IniFormat};
  plan::PlanEditor editor_{std::string()};
  run::RunSequence sequence_{{.programs = N2NQ_BUILT_BIN_DIR, .runs_folder = (dir_ / "runs").string()}, nullptr};
  plan::Permissions permissions_;
  RunPage page_{editor_, sequence_, permissions_, settings_};
};

TEST_F(RunPageTest, SentencesAboveTheFiguresOfTheLastRunAreOfThatRun) {
  set_plan(2, 3, 5);
  EXPECT_EQ(sentence("Senders"), "2 senders · 5 × 50 B · every 10 ms · even");
  page_.start_all();
  ASSERT_TRUE(wait_end());
  EXPECT_EQ(sentence("Senders"), "2 senders · 5 × 50 B · every 10 ms · even");
  set_plan(7, 3, 900);
  EXPECT_EQ(sentence("Senders"), "Last run: 2 senders · 5 × 50 B · every 10 ms · even");
  editor_.reset({});
  EXPECT_THAT(sentence("Receivers"), StartsWith("Last run: 3 receivers")) << "a new plan, too";
  page_.start_all();
  EXPECT_THAT(sentence("Receivers"), StartsWith("10 receivers"));
}

TEST_F(RunPageTest, RowsAreOfTheNextRunFromItsBeginningOn) {
  set_plan(2, 3, 5);
  page_.start_all();
  ASSERT_TRUE(wait_end());
  ASSERT_EQ(rows("Senders").rowCount(), 2);
  set_plan(4, 5, 5);
  page_.start_all();
  EXPECT_EQ(rows("Senders").rowCount(), 4) << "before anything else happens";
  EXPECT_EQ(rows("Receivers").rowCount(), 5);
}

TEST_F(RunPageTest, TrendsOfRowsHaveTheSecondsThatNobodyLookedAt) {
  set_plan(1, 1, 6000);
  page_.start_all();
  const auto& model = dynamic_cast<const ServiceModel&>(rows("Senders"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !model.trend(0).empty(); }, kPatience));
  page_.hide();
  const uint32_t before = model.trend_samples();
  ASSERT_TRUE(QTest::qWaitFor([&] { return model.trend_samples() >= before + 3; }, 10'000));
  page_.show();
  const auto is_known = [](double value) { return !std::isnan(value); };
  EXPECT_THAT(model.trend(0), Each(testing::Truly(is_known)));
  EXPECT_GE(model.trend(0).size(), 4u);
}

// Each size is that of a window: what the page itself has is less.
TEST_F(RunPageTest, NothingMovesAndNoKeyIsLostAsAMessageComesAndGoes) {
  const QString kMessage("Other programs keep 1.8 of 2 cores busy. ");
  page_.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&page_));
  RunBar& bar = *page_.findChild<RunBar*>();
  auto* more = find<QAbstractButton>("Show all of the message");
  auto* field = find<QLineEdit>("Senders amount text");
  for (const auto& [width, height] : {std::pair{1150, 750}, {1280, 800}, {900, 600}}) {
    SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
    page_.resize(width - 64, height);
    field->setFocus();
    field->selectAll();
    for (const char key : {'2', '0'}) {
      bar.set_blocked(kMessage, true);
      QApplication::processEvents();
      EXPECT_FALSE(more->isVisible());
      const auto before = places();
      for (const int times : {20, 1}) {
        bar.set_blocked(kMessage.repeated(times), true);
        QApplication::processEvents();
        EXPECT_EQ(places(), before) << "with " << times << " sentences";
        EXPECT_EQ(more->isVisible(), times > 1);
      }
      QTest::keyClick(QApplication::focusWidget(), key);
    }
    EXPECT_EQ(field->text(), "20");
    EXPECT_TRUE(field->hasFocus());
  }
}

TEST_F(RunPageTest, AllOfALongMessageOpensBesideItsLine) {
  page_.resize(900, 700);
  const QString text("Other programs keep 1.8 of 2 cores busy. ");
  page_.findChild<RunBar*>()->set_blocked(text.repeated(9), true);
  find<QAbstractButton>("Show all of the message")->click();
  const auto* whole = find<QLabel>("All of the message");
  ASSERT_TRUE(whole->isVisible());
  EXPECT_GE(whole->height(), whole->heightForWidth(whole->width()));
  EXPECT_THAT(whole->text().toStdString(), testing::HasSubstr(text.repeated(9).toStdString()));
  QTest::keyClick(whole->window(), Qt::Key_Escape);
  EXPECT_FALSE(whole->isVisible());
}

// Of the first line, which is all that is seen of it.
TEST_F(RunPageTest, ALongMessageIsCutWhereAClauseEnds) {
  const QString kFirst("server 2 & its queue: no delivery for 4.00 s; 1,234 deliveries came again;");
  auto* text = find<QLabel>("Message");
  page_.resize(1000, 700);
  for (const char* rest : {" 10,000 messages sent, 10,000 deliveries received", " and so on without any end"}) {
    page_.findChild<RunBar*>()->set_blocked(kFirst + QString(rest).repeated(20), true);
    QApplication::processEvents();
    QTextDocument line;
    line.setDefaultFont(text->font());
    line.setDocumentMargin(0);
    line.setHtml(kFirst.toHtmlEscaped());
    EXPECT_NEAR(text->width(), line.idealWidth(), 1) << "which breaks its line there";
  }
  page_.findChild<RunBar*>()->set_blocked("10,000 deliveries received", true);
  QApplication::processEvents();
  EXPECT_GT(text->width(), 500) << "it has all of its line again";
}

TEST_F(RunPageTest, TheRunWhoseFiguresAreShownIsToldByTheNamesOfTheForm) {
  set_plan(1, 1, 5);
  editor_.edit("runs", [](plan::PlanFile& file) {
    file.runs = {{{"senders.count", "1"}, {"senders.delay", "10ms"}},
                 {{"senders.count", "2"}, {"senders.delay", "20ms"}}};
  });
  page_.start_all();
  ASSERT_TRUE(wait_end());
  EXPECT_EQ(sequence_.special_settings(), "Senders amount 2, Senders delay 20 ms");
  EXPECT_THAT(
      find<QLabel>("Message")->text().toStdString(),
      testing::ContainsRegex("p99(, intended)?: .* \\(1 sender, delay 10 ms\\), .* \\(2 senders, delay 20 ms\\); "
                             "received: 5 \\(1 sender, delay 10 ms\\), 10 \\(2 senders, delay 20 ms\\); "
                             "shown here: Senders amount 2, Senders delay 20 ms$"));
}

class FiltersOfTheRunPage : public RunPageTest {
 protected:
  void open_in_a_run() {
    set_plan(3, 2, 6000);
    editor_.edit("requests", [](plan::PlanFile& file) { file.base.queue.requests.on = true; });
    page_.start_all();
    ASSERT_TRUE(QTest::qWaitFor([this] { return sequence_.session()->live().delivered() > 0; }, kPatience));
    find<QAbstractButton>("Edit filters")->click();
  }
  QTableView& table(const QString& name) { return *find<QTableView>(name); }
  // Of r2.
  int received() {
    const QAbstractItemModel& model = rows("Receivers");
    for (int column = 0; column < model.columnCount(); column++)
      if (model.headerData(column, Qt::Horizontal).toString() == "Received")
        return model.rowCount() < 2 ? 0 : model.index(1, column).data().toString().remove(',').toInt();
    return 0;
  }
  std::string hidden() {
    QStringList hidden;
    for (const char* name : {"Tile Sent", "Tile Lost", "Run state", "Stop all", "Edit plan", "Senders", "Receivers",
                             "Figure", "Close filters", "Filter rules", "Make request"})
      if (!find<QWidget>(name)->isVisible()) hidden << name;
    return hidden.join(", ").toStdString();
  }
};

TEST_F(FiltersOfTheRunPage, OpenBesideAllThatTheRunShowsAndItGoesOn) {
  page_.resize(1280 - 76, 800);
  open_in_a_run();
  ASSERT_TRUE(QTest::qWaitFor([this] { return received() > 0; }, kPatience));
  table("Receivers").selectRow(1);
  EXPECT_EQ(hidden(), "");
  const int before = received();
  EXPECT_TRUE(QTest::qWaitFor([&] { return received() > before; }, kPatience));
  EXPECT_EQ(table("Receivers").selectionModel()->selectedRows().size(), 1);
  const auto rate = [this] { return table("Filter rules").model()->index(0, 4).data().toString().toDouble(); };
  EXPECT_TRUE(QTest::qWaitFor([&] { return rate() > 300; }, kPatience)) << "of 2 receivers from 3 senders at 100 /s";
  QTest::keyClick(find<QAbstractButton>("Close filters"), Qt::Key_Escape);
  EXPECT_FALSE(find<QAbstractButton>("Close filters")->isVisible());
  EXPECT_TRUE(find<QAbstractButton>("Edit filters")->hasFocus());
}

TEST_F(FiltersOfTheRunPage, LeaveTilesRowsStateAndStopInASmallWindow) {
  page_.resize(960 - 52, 540);
  open_in_a_run();
  QApplication::processEvents();
  EXPECT_EQ(page_.size(), QSize(960 - 52, 540)) << "no larger";
  EXPECT_LE(page_.minimumSizeHint().width(), 900 - 52);
  for (const char* name : {"Tile Sent", "Run state", "Stop all", "Senders", "Filter rules", "Close filters"})
    EXPECT_TRUE(find<QWidget>(name)->isVisible()) << name;
}

TEST_F(FiltersOfTheRunPage, KeepWhatIsHalfTypedAsTheyAreClosed) {
  page_.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&page_));
  editor_.edit("requests", [](plan::PlanFile& file) { file.base.queue.requests.on = true; });
  find<QAbstractButton>("Edit filters")->click();
  QTableView& rules = table("Filter rules");
  rules.setCurrentIndex(rules.model()->index(0, 1));
  rules.edit(rules.currentIndex());
  auto* field = rules.viewport()->findChild<QLineEdit*>();
  ASSERT_NE(field, nullptr);
  field->selectAll();
  QTest::keyClicks(field, "1-");
  QTest::mouseClick(find<QAbstractButton>("Close filters"), Qt::LeftButton);
  ASSERT_FALSE(rules.isVisible());
  QApplication::processEvents();
  find<QAbstractButton>("Edit filters")->click();
  EXPECT_EQ(rules.model()->index(0, 1).data().toString(), "1-");
  EXPECT_TRUE(find<QLabel>("What is wrong")->isVisible());
}

}  // namespace
}  // namespace n2nq::ui
