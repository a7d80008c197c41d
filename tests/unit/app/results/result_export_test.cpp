#include "app/figures/figure_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/plan/plan_file.h"
#include "app/plan/whole_file.h"
#include "app/record/record_json.h"
#include "app/record/run_command.h"
#include "tests/helpers/file_size_limit.h"
#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::ui {
namespace {

using namespace std::chrono_literals;
using record::test::example_record;
using record::test::read_file;
using testing::HasSubstr;

struct ResultExportTest : testing::Test {
  n2nq::test::TempDir dir;
  int files() const { return static_cast<int>(std::distance(std::filesystem::directory_iterator(dir.path()), {})); }
};

TEST_F(ResultExportTest, WritesAFileForEachFigureThatThereIs) {
  record::RunRecord record = example_record("my plan");
  record.id = 7;
  const auto written = figures::write_figures(record, dir.path().string());
  ASSERT_TRUE(written) << written.error().text;
  EXPECT_EQ(files(), static_cast<int>(*written) + 1) << "and its events";
  EXPECT_THAT(read_file(dir / "my-plan-7-rate.csv"), HasSubstr("time"));
}

TEST_F(ResultExportTest, HasEventsInAFileAndNoneOfAnotherRun) {
  record::RunRecord record = example_record("my plan");
  const std::string path = (dir / "run-events.csv").string();
  record.notes = {{.since_begin_ns = 5, .text = "senders: resumed", .kind = record::EventKind::resume}};
  ASSERT_TRUE(figures::write_figures_as(record, (dir / "run").string()));
  EXPECT_EQ(read_file(path), "time [ns],kind,severity,text\r\n5,resume,info,senders: resumed\r\n");
  record.notes.clear();
  ASSERT_TRUE(figures::write_figures_as(record, (dir / "run").string()));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(ResultExportTest, OfARunWithoutFiguresWritesNothing) {
  record::RunRecord record;
  record.notes = {{.text = "senders: exit code 3", .kind = record::EventKind::lost}};
  EXPECT_FALSE(figures::write_figures_as(record, (dir / "run").string()));
  EXPECT_EQ(files(), 0);
}

TEST_F(ResultExportTest, SaysWhenThereIsNoFigure) {
  EXPECT_THAT(figures::write_figures(record::RunRecord{}, dir.path().string()).error().text,
              HasSubstr("nothing was measured"));
}

TEST_F(ResultExportTest, CopiesWholeFilesOrNone) {
  record::test::write_file(dir / "from", std::string(3 << 20, 'x'));
  ASSERT_TRUE(plan::copy_whole((dir / "from").string(), (dir / "to").string(), {}));
  EXPECT_EQ(read_file(dir / "to"), read_file(dir / "from"));
  const n2nq::test::FileSizeLimit limit(1 << 20);
  const auto copied = plan::copy_whole((dir / "from").string(), (dir / "other").string(), {});
  ASSERT_FALSE(copied);
  EXPECT_THAT(copied.error().text, HasSubstr((dir / "other").string() + " cannot be written"));
  EXPECT_EQ(files(), 2);
}

TEST_F(ResultExportTest, SaysAllOfARecordInJson) {
  record::RunRecord record = example_record();
  record.id = 3;
  const auto json = nlohmann::json::parse(record::record_to_json(record, "mine"), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["id"], 3);
  EXPECT_EQ(json["verdict"], "lost_allowed");
  EXPECT_EQ(json["sent"], 1000);
  EXPECT_EQ(json["user_notes"], "mine");
  EXPECT_EQ(json["figures"]["latency_ns"]["p50_ns"], 80'000);
  EXPECT_EQ(json["histograms"][0]["buckets"], nlohmann::json({-6, 1, 80, 5}));
  EXPECT_EQ(json["machine"]["cores"], 2);
  EXPECT_EQ(plan::plan_from_json(json["plan"].dump()).value(), record.plan);
}

TEST_F(ResultExportTest, MakesACommandThatWritesThePlanAsItIs) {
  plan::RunPlan plan = example_record("it's \"$HOME\" `ls`").plan;
  std::string command = record::run_command(plan);
  command.resize(command.rfind("n2nq-bench"));
  n2nq::test::Process shell({"/bin/sh", "-c", "cd '" + dir.path().string() + "'; " + command});
  ASSERT_TRUE(shell.wait_exit(20s));
  const auto written = plan::read_plan_file((dir / (record::file_name_of(plan.name) + ".json")).string());
  ASSERT_TRUE(written) << written.error().text;
  EXPECT_EQ(written->base, plan);
}

TEST(FileName, IsOneWhateverThePlanIsCalled) {
  EXPECT_EQ(record::file_name_of("quick"), "quick");
  EXPECT_EQ(record::file_name_of("../a b/ü"), "a-b");
  EXPECT_EQ(record::file_name_of(".."), "plan");
  EXPECT_EQ(record::file_name_of(""), "plan");
}

}  // namespace
}  // namespace n2nq::ui
