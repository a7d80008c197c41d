// The Run page over real runs: whose the sentences and the rows are that it shows.
#include "ui/run/run_page.h"

#include <gmock/gmock.h>

#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "app/store/store.h"
#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
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
  RunPage page_{editor_, sequence_, settings_};
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

TEST_F(RunPageTest, TheRunWhoseFiguresAreShownIsToldByTheNamesOfTheForm) {
  set_plan(1, 1, 5);
  editor_.edit("runs", [](plan::PlanFile& file) {
    file.runs = {{{"senders.count", "1"}, {"senders.delay", "10ms"}},
                 {{"senders.count", "2"}, {"senders.delay", "20ms"}}};
  });
  page_.start_all();
  ASSERT_TRUE(wait_end());
  EXPECT_EQ(sequence_.special_settings(), "Senders amount 2, Senders delay 20 ms");
}

}  // namespace
}  // namespace n2nq::ui
