#include "app/plan/plan_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "app/plan/plan_fields.h"
#include "tests/helpers/temp_dir.h"
#include "tests/helpers/unprivileged.h"

namespace n2nq::plan {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& json) {
  const auto file = parse_plan_file(json);
  return file ? "none" : file.error().text;
}

std::string text_in(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(PlanFile, TakesDefaultsForWhatIsNotThere) {
  const auto file = parse_plan_file(R"({"version": 1})");
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(*file, PlanFile());
  ASSERT_EQ(runs_of(*file)->size(), 1u);
}

TEST(PlanFile, NestsByTheDotsOfTheKeys) {
  const auto file = parse_plan_file(R"({
    "version": 1,
    "base": {"name": "quick", "senders": {"count": 10, "delay": "20ms", "size": "50B..1KiB"},
             "queue": {"mode": "broadcaster", "requests": true, "retention": "until-collected",
                       "filters": [{"receivers": "1-3", "filter": "senders=1..5"}]}},
    "runs": [{"queue": {"mode": "load-balancer"}, "senders": {"count": 5}}, {}]})");
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(file->base.senders.size_bytes, (SizeRange{.min = 50, .max = 1024}));
  EXPECT_FALSE(file->base.queue.retention_ns);
  ASSERT_EQ(file->base.queue.requests.filters.size(), 1u);
  EXPECT_EQ(file->base.queue.requests.filters[0].filter, "senders=1..5");
  const Overrides expected{{.key = "senders.count", .value = "5"}, {.key = "queue.mode", .value = "load-balancer"}};
  EXPECT_EQ(file->runs, (std::vector<Overrides>{expected, {}}));
  const auto runs = runs_of(*file);
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ(runs->at(0).queue.mode, Mode::load_balancer);
  EXPECT_EQ(runs->at(0).senders.fleet.count, 5u);
  EXPECT_EQ(runs->at(1), file->base);
}

TEST(PlanFile, ReadsBackWhatItWrites) {
  PlanFile file;
  for (const char* assignment : {"name=\"quoted\" \\ name", "queue.filters=1-3:senders=1..5,9 / 4:size=1B..2B",
                                 "queue.requests=true", "senders.delay=1234567ns", "queue.retention=until-collected"})
    ASSERT_TRUE(set_field(file.base, assignment));
  file.runs = {{{.key = "queue.mode", .value = "load-balancer"}},
               {},
               {{.key = "senders.duration", .value = "1.5s"}, {.key = "queue.filters", .value = "all:senders=self"}}};
  const auto again = parse_plan_file(to_json(file));
  ASSERT_TRUE(again) << again.error().text;
  EXPECT_EQ(*again, file);
  const auto plan = plan_from_json(plan_to_json(file.base));
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_EQ(*plan, file.base);
}

TEST(PlanFile, KeepsHalfTypedFilters) {
  PlanFile file;
  file.base.queue.requests.filters = {{.receivers = {}, .filter = "senders=1..;si"}};
  EXPECT_EQ(parse_plan_file(to_json(file)), file);
}

TEST(PlanFile, NamesTheFieldThatIsWrongAndWhatItTakes) {
  EXPECT_EQ(error_of(R"({"version":1,"runs":[{},{"queue":{"mode":"foo"}}]})"),
            "runs[1].queue.mode: \"foo\" is not a mode; there are broadcaster, load-balancer and request-reply");
  EXPECT_EQ(error_of(R"({"version":1,"base":{"senders":{"count":0}}})"),
            "base.senders.count: 0 is out of range; expected 1 to 10000");
  EXPECT_EQ(error_of(R"({"version":1,"base":{"senders":{"count":-1}}})"),
            "base.senders.count: -1 is out of range; expected 1 to 10000");
  EXPECT_EQ(error_of(R"({"version":1,"base":{"senders":{"count":1.5}}})"),
            "base.senders.count: 1.5 is not a whole number; expected 1 to 10000");
  EXPECT_EQ(error_of(R"({"version":1,"base":{"senders":{"delay":20}}})"),
            "base.senders.delay: 20 is not a duration; expected a number with a unit, such as \"20ms\" or \"5s\"");
  EXPECT_EQ(error_of(R"({"version":1,"base":{"sender":{"count":1}}})"),
            "base.sender: there is no such field; did you mean senders.count?");
  EXPECT_EQ(error_of(R"({"version":1,"base":{"senders":{"cuont":1}}})"),
            "base.senders.cuont: there is no such field; did you mean senders.count?");
  EXPECT_NE(error_of(R"({"version":1,"base":{"senders":5}})").find("base.senders: expected an object of fields"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"version":1,"base":{"name":{"x":1}}})").find("base.name: {\"x\":1} is not a text"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"version":1,"base":{"queue":{"filters":[{"receivers":"1"}]}}})").find("base.queue.filters: "),
            std::string::npos);
}

TEST(PlanFile, RefusesWhatIsNoPlan) {
  EXPECT_EQ(error_of("{}"), "version: it is missing; this n2nq-bench writes 1");
  EXPECT_EQ(error_of(R"({"version":2})"), "version: 2 is not supported; this n2nq-bench reads 1");
  EXPECT_NE(error_of(R"({"version":"1"})"), "none");
  EXPECT_EQ(error_of(R"({"version":1,"run":[]})"), "run: there is no such field; a plan has version, base and runs");
  EXPECT_NE(error_of(R"({"version":1,"base":5})").find("base: it must be an object"), std::string::npos);
  EXPECT_NE(error_of(R"({"version":1,"runs":{}})").find("runs: expected a list"), std::string::npos);
  EXPECT_NE(error_of(R"({"version":1,"runs":[5]})").find("runs[0]: it must be an object"), std::string::npos);
  EXPECT_NE(error_of("{\n\n\"version\": x}").find("line 3, column 12 on"), std::string::npos);
  EXPECT_EQ(error_of(" \n").find("the file is empty; a plan is"), 0u);
  EXPECT_NE(error_of("{\n\"version\": 1").find("it ends at line 2, column 13, but a bracket"), std::string::npos);
  EXPECT_NE(error_of("{\"nämé\" 1}").find("line 1, column 9 on"), std::string::npos) << "counted in letters";
  EXPECT_EQ(error_of("{\"version\":1e999}"), "it is not JSON: it contains a number that is too large to be read");
  for (const char* text : {"{", "{\"a\": tru}", "\xff\xfe", "{\"version\":1}}"})
    EXPECT_EQ(error_of(text).find("parse_error"), std::string::npos) << error_of(text);
  for (const char* text : {"", "[]", "null", "7", "{\"version\":1}}", "{\"version\":1e999}", "\xff\xfe"})
    EXPECT_NE(error_of(text), "none") << text;
  EXPECT_NE(error_of(std::string(100'000, '[')), "none");
}

TEST(PlanFile, RefusesAKeyThatIsGivenTwice) {
  EXPECT_EQ(error_of(R"({"version":1,"base":{"senders":{"count":1,"count":2}}})"), "\"count\" is given twice");
  EXPECT_EQ(error_of(R"({"version":1,"runs":[{"log":"off"},{"log":"off"}]})"), "none");
}

TEST(PlanFile, WhatIsSetInAllRunsStandsAboveTheirOwnChanges) {
  PlanFile file{.runs = {{{"queue.mode", "broadcaster"}, {"senders.count", "3"}}, {{"queue.mode", "load-balancer"}}}};
  ASSERT_TRUE(set_in_all_runs(file, " queue.mode = load-balancer"));
  const auto runs = runs_of(file);
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 2u);
  for (const RunPlan& run : *runs) EXPECT_EQ(run.queue.mode, Mode::load_balancer);
  EXPECT_EQ(runs->front().senders.fleet.count, 3u);
  EXPECT_FALSE(set_in_all_runs(file, "queue.mood=load-balancer"));
}

TEST(PlanFile, WhatIsSetInAllRunsStandsAboveTheWholeOfWhichItIsAPart) {
  PlanFile file{.runs = {{{"senders.shape", "ramp 100/s..5000/s over 30s"}}, {{"senders.shape.to", "7000/s"}}}};
  file.base.senders.shape = *measure::parse_shape("burst 1/s..2/s every 1s for 100ms over 5s");
  ASSERT_TRUE(set_in_all_runs(file, " senders.shape.to = 9000/s"));
  const auto runs = runs_of(file);
  ASSERT_TRUE(runs);
  EXPECT_EQ(measure::exact_shape((*runs)[0].senders.shape), "ramp 100/s..9000/s over 30s");
  EXPECT_EQ(measure::exact_shape((*runs)[1].senders.shape), "burst 1/s..9000/s every 1s for 100ms over 5s");
  EXPECT_TRUE(file.runs[1].empty());
  EXPECT_EQ(runs_of(*parse_plan_file(to_json(file))).value(), *runs) << "in files too";
}

TEST(PlanFile, WhatIsSetInAllRunsStandsAboveItsParts) {
  PlanFile file{.runs = {{{"senders.shape.kind", "ramp"}, {"senders.shape.to", "7000/s"}, {"senders.count", "3"}}}};
  ASSERT_TRUE(set_in_all_runs(file, "senders.shape=constant"));
  const auto runs = runs_of(file);
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->front().senders.shape, measure::LoadShape{});
  EXPECT_EQ(runs->front().senders.fleet.count, 3u);
  EXPECT_TRUE(problems_of(runs->front()).empty());
}

TEST(PlanFile, NamesTheRunWhoseOverrideIsWrong) {
  PlanFile file;
  file.runs = {{}, {{.key = "queue.mode", .value = "foo"}}};
  EXPECT_EQ(runs_of(file).error().text,
            "runs[1].queue.mode: \"foo\" is not a mode; there are broadcaster, load-balancer and request-reply");
}

TEST(PlanFile, IsWrittenWholeOrNotAtAll) {
  const test::TempDir dir;
  const auto path = dir / "plan.json";
  PlanFile file;
  file.base.name = "first";
  ASSERT_TRUE(write_plan_file(path, file));
  EXPECT_EQ(read_plan_file(path), file);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
  const auto nowhere = write_plan_file(dir / "no" / "plan.json", file);
  EXPECT_NE(nowhere.error().text.find("No such file"), std::string::npos);
}

TEST(PlanFile, KeepsModeAndLinkOfTheFileItReplaces) {
  const test::TempDir dir;
  const auto path = dir / "plan.json";
  std::ofstream(path) << "old";
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  std::filesystem::create_symlink(path, dir / "link.json");
  ASSERT_TRUE(write_plan_file(dir / "link.json", PlanFile()));
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link.json"));
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0600));
  EXPECT_EQ(text_in(path), to_json(PlanFile()));
}

TEST(PlanFile, NamesTheFileThatCannotBeRead) {
  const test::TempDir dir;
  const std::string missing = dir / "none.json";
  EXPECT_EQ(read_plan_file(missing).error().text,
            missing + ": cannot be opened: No such file or directory; check that it exists");
  EXPECT_EQ(read_plan_file(dir.path()).error().text, dir.path().string() + ": is not a file; choose a file");
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(read_plan_file(dir / "pipe"));
  EXPECT_EQ(read_plan_file("/dev/zero").error().text, "/dev/zero: is not a file; choose a file");
  std::ofstream(dir / "large.json").close();
  std::filesystem::resize_file(dir / "large.json", 17u << 20);
  EXPECT_THAT(read_plan_file(dir / "large.json").error().text, HasSubstr("is too large for a plan"));
}

TEST(PlanFile, SaysWhatToDoWhenItCannotBeWritten) {
  const test::TempDir dir;
  EXPECT_THAT(write_plan_file(dir / "no" / "plan.json", PlanFile()).error().text,
              HasSubstr("No such file or directory; check that its folder exists"));
  const std::string path = dir / "plan.json";
  ASSERT_TRUE(write_plan_file(path, PlanFile()));
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  ASSERT_EQ(::chmod(dir.path().c_str(), 0555), 0);
  {
    const test::Unprivileged other;
    EXPECT_THAT(write_plan_file(path, PlanFile()).error().text,
                HasSubstr("Permission denied; choose another folder, or make sure that you may write to this one"));
    EXPECT_THAT(read_plan_file(path).error().text, HasSubstr("Permission denied; make sure that you may read it"));
  }
  ASSERT_EQ(::chmod(dir.path().c_str(), 0755), 0);
}

TEST(PlanFile, SaysToMakeRoomOnAFullDisk) {
  const test::TempDir dir;
  bool possible = true;
  // A disk of its own, which only this thread sees.
  std::thread([&] {
    possible = ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               ::mount("none", dir.path().c_str(), "tmpfs", 0, "size=64k") == 0;
    if (!possible) return;
    PlanFile file;
    const std::string path = dir / "plan.json";
    ASSERT_TRUE(write_plan_file(path, file));
    file.runs.assign(1000, {{.key = "senders.attach", .value = std::string(200, 'x')}});
    EXPECT_THAT(
        write_plan_file(path, file).error().text,
        HasSubstr("No space left on device; free some space on its disk, then save again. What was there before is "
                  "unchanged"));
    EXPECT_EQ(read_plan_file(path), PlanFile());
  }).join();
  if (!possible) GTEST_SKIP() << "no disk of its own here";
}

TEST(PlanFile, ShippedQuickPlanTakesFiveSecondsInBothModes) {
  const auto file = read_plan_file(N2NQ_SOURCE_DIR "/resources/plans/quick.json");
  ASSERT_TRUE(file) << file.error().text;
  const auto runs = runs_of(*file);
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ(runs->at(0).queue.mode, Mode::broadcaster);
  EXPECT_EQ(runs->at(1).queue.mode, Mode::load_balancer);
  int64_t sending_ns = 0;
  for (const RunPlan& plan : *runs) {
    EXPECT_TRUE(problems_of(plan).empty());
    sending_ns += planned_duration_ns(plan).value_or(0);
  }
  EXPECT_EQ(sending_ns, 5'000'000'000);
}

TEST(PlanFile, ShippedPingIsOneRequestAtATime) {
  const auto file = read_plan_file(N2NQ_SOURCE_DIR "/resources/plans/ping.json");
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_TRUE(problems_of(file->base).empty());
  EXPECT_EQ(closed_loop(file->base), 1u);
  EXPECT_EQ(planned_deliveries(file->base), planned_messages(file->base));
}

TEST(PlanFile, HasALoadShapeAsAnObjectAndIsAsBeforeWithoutOne) {
  PlanFile file;
  EXPECT_EQ(to_json(file).find("shape"), std::string::npos) << "older benches read it";
  file.base.senders.shape = *measure::parse_shape("ramp 100/s..5000/s over 30s");
  const auto read = parse_plan_file(to_json(file));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->base, file.base);
}

// What was in a file goes with the plan, so that it runs again without the file.
TEST(PlanFile, HoldsWhatWasInTheFilesItNames) {
  const n2nq::test::TempDir dir;
  const std::string times = dir / "times.csv", content = dir / "content.bin";
  std::ofstream(times) << "time,what\n0.1,a\n0.25,b\n";
  std::ofstream(content) << std::string("a\0b", 3);
  const auto given = parse_plan_file(R"({"version": 1, "base": {"senders": {"shape": {"kind": "recorded", "file": ")" +
                                     times + R"("}, "payload": "file )" + content + R"("}}})");
  ASSERT_TRUE(given) << given.error().text;
  const auto& senders = given->base.senders;
  EXPECT_EQ(*senders.shape.recorded.content, (std::vector<int64_t>{100'000'000, 250'000'000}));
  EXPECT_EQ(*senders.payload.file.content, std::string("a\0b", 3));
  EXPECT_TRUE(problems_of(given->base).empty());
  const std::string text = text_of(*find_field("senders.shape"), given->base);
  EXPECT_TRUE(text.starts_with("recorded " + times + " #")) << text;
  RunPlan again;
  EXPECT_TRUE(set_field(again, "senders.shape=" + text));
  EXPECT_EQ(again.senders.shape, senders.shape);
  std::ofstream(times) << "7\n";
  EXPECT_NE(set_field(again, "senders.shape=" + text).error().text.find("has changed"), std::string::npos);
  std::filesystem::remove(times);
  std::filesystem::remove(content);
  const auto read = parse_plan_file(to_json(*given));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->base, given->base);
  EXPECT_NE(set_field(again, "senders.shape=recorded " + times).error().text.find("cannot be read"), std::string::npos);
  again.senders.pacing = Pacing::poisson;
  EXPECT_EQ(problems_of(again).front().key, "senders.pacing");
}

TEST(PlanFile, HasTheRecorderWhereItIsNotAsUsual) {
  PlanFile file;
  EXPECT_EQ(to_json(file).find("recorder"), std::string::npos) << "older benches read it";
  file.base.recorder.period_ns = 100'000'000;
  EXPECT_NE(to_json(file).find(R"("period": "100ms")"), std::string::npos);
  const auto read = parse_plan_file(to_json(file));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->base, file.base);
}

TEST(PlanFile, HasRunsThatDifferInAPartOfALoadShape) {
  const auto read = parse_plan_file(R"({"version": 1, "base": {"senders": {"shape": "ramp 100/s..5000/s over 30s"}},
    "runs": [{"senders": {"shape": {"to": "2000/s"}}}, {"senders": {"shape": {"to": "3000/s", "over": "5s"}}}]})");
  ASSERT_TRUE(read) << read.error().text;
  const auto again = parse_plan_file(to_json(*read));
  ASSERT_TRUE(again) << again.error().text;
  const auto runs = runs_of(*again);
  ASSERT_TRUE(runs && runs->size() == 2);
  EXPECT_EQ(measure::exact_shape((*runs)[0].senders.shape), "ramp 100/s..2000/s over 30s");
  EXPECT_EQ(measure::exact_shape((*runs)[1].senders.shape), "ramp 100/s..3000/s over 5s");
}

TEST(PlanFile, OfAPlanWithoutRepliesIsAsOlderBenchesReadIt) {
  RunPlan plan;
  for (const char* word : {"reply", "timeout\": \"5s", "outstanding\"", "reply_size"})
    EXPECT_EQ(plan_to_json(plan).find(word), std::string::npos) << word;
  plan.queue.mode = Mode::request_reply;
  plan.senders.timeout_ns = 20'000'000;
  EXPECT_NE(plan_to_json(plan).find("\"timeout\": \"20ms\""), std::string::npos);
  EXPECT_EQ(*plan_from_json(plan_to_json(plan)), plan);
}

}  // namespace
}  // namespace n2nq::plan
