// What recorders say, on the run's time axis.
#include "app/live/host_figures.h"

#include <gmock/gmock.h>

#include "app/plan/run_plan.h"

namespace n2nq::live {
namespace {

using control::at;
using control::kConnectionColumns;
using control::kHostColumns;
using control::kProcessColumns;
using control::Recorded;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kBegun = 5000 * kSecond;

// A host that is busy with one core and idle with another since its clock began.
Recorded line_at(double since_begin_s) {
  Recorded line{.time_ns = kBegun + static_cast<int64_t>(since_begin_s * 1e9)};
  line.host[at(kHostColumns, "cpu_user")] = line.time_ns / 4 * 3;
  line.host[at(kHostColumns, "cpu_system")] = line.time_ns / 4;
  line.host[at(kHostColumns, "cpu_idle")] = line.time_ns;
  line.host[at(kHostColumns, "cpu_iowait")] = 0;
  line.host[at(kHostColumns, "cpu_steal")] = 0;
  line.host[at(kHostColumns, "memory_used")] = 1000;
  line.host[at(kHostColumns, "disk_written")] = line.time_ns / 1000;  // a megabyte a second
  return line;
}

control::RecordedSubject process(const std::string& name, int64_t cpu_ns) {
  control::RecordedSubject one{.name = name, .values = control::no_values(RecordedOf::process)};
  one.values[at(kProcessColumns, "cpu")] = cpu_ns;
  return one;
}

const HostSeries& series_of(const HostHistory& host, RecordedOf of, const std::string& subject,
                            const std::string& name) {
  const HostSeries* found = find_series(host, of, subject, name);
  EXPECT_NE(found, nullptr) << subject << " " << name;
  static const HostSeries none;
  return found == nullptr ? none : *found;
}

HostHistory history(const HostFigures& figures) {
  const auto all = figures.histories();
  EXPECT_THAT(all, SizeIs(1));
  return all.empty() ? HostHistory() : all.front();
}

TEST(HostFigures, ReadingsLieOnTheAxisOfTheRunWhateverComesFirst) {
  for (const bool begin_first : {true, false}) {
    HostFigures figures;
    figures.add("vm2");
    if (begin_first) figures.begin("vm2", kBegun);
    for (const double at_s : {-1.5, -0.5, 0.5, 1.5}) figures.take("vm2", line_at(at_s));
    if (!begin_first) figures.begin("vm2", kBegun);
    const HostHistory host = history(figures);
    EXPECT_THAT(host.start_ns, ElementsAre(0, kSecond / 2)) << "what was before BEGIN is not in it";
    EXPECT_THAT(host.width_ns, ElementsAre(kSecond / 2, kSecond));
    const HostSeries& user = series_of(host, RecordedOf::host, "", "cpu_user");
    EXPECT_THAT(user.values, ElementsAre(testing::DoubleNear(0.75, 1e-6), testing::DoubleNear(0.75, 1e-6)));
    EXPECT_NEAR(user.value.value(), 0.75 * 1.5e9, 10) << "since BEGIN";
    EXPECT_NEAR(series_of(host, RecordedOf::host, "", "disk_written").values[0], 1e6, 10);
    EXPECT_NEAR(busy_percent(host).value(), 50, 1e-6);
    EXPECT_THAT(busy_percents(host), SizeIs(2));
  }
}

TEST(HostFigures, AHostWithTheQueueAloneHasBeginFromTheClockOfAWorkerElsewhere) {
  HostFigures figures;
  figures.add("queue's");
  figures.begin("queue's", kBegun + 7 * kSecond, -7 * kSecond);
  EXPECT_TRUE(figures.knows_begin("queue's"));
  figures.begin("queue's", 0);  // the first word counts
  figures.take("queue's", line_at(0));
  figures.take("queue's", line_at(1));
  EXPECT_THAT(history(figures).width_ns, ElementsAre(kSecond));
}

TEST(HostFigures, WhatIsNotKnownHasASentenceAndNoValue) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  Recorded first = line_at(0), second = line_at(1);
  for (Recorded* line : {&first, &second}) {
    line->host[at(kHostColumns, "disk_written")] = control::kNoFigure;
    line->lacking = {{.of = RecordedOf::host, .series = {"disk_written"}, .why = "no disk is visible"}};
    line->processes = {process("queue", 1)};
  }
  figures.take("vm2", first);
  figures.take("vm2", second);
  const HostHistory host = history(figures);
  const HostSeries& written = series_of(host, RecordedOf::host, "", "disk_written");
  EXPECT_FALSE(written.value);
  EXPECT_THAT(written.values, IsEmpty());
  EXPECT_EQ(written.why, "no disk is visible");
  EXPECT_THAT(series_of(host, RecordedOf::process, "queue", "memory").why, HasSubstr("too few readings"));
  EXPECT_EQ(series_of(host, RecordedOf::process, "queue", "cpu").value, 0) << "a true zero is one";
}

TEST(HostFigures, ARecorderThatDidNotRunSaysSoOfEverySeries) {
  HostFigures figures;
  figures.lacks("vm2", "it could not be started");
  const HostHistory host = history(figures);
  EXPECT_THAT(host.series, SizeIs(kHostColumns.size()));
  for (const HostSeries& one : host.series) {
    EXPECT_FALSE(one.value);
    EXPECT_EQ(one.why, "it could not be started");
  }
  EXPECT_FALSE(busy_percent(host));
}

TEST(HostFigures, ARecorderThatIsLostLeavesItsSlotsAndNoSum) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  for (const int at_s : {0, 1, 2}) {
    Recorded line = line_at(at_s);
    line.processes = {process("queue", at_s * kSecond)};
    figures.take("vm2", line);
  }
  ASSERT_NE(figures.last("vm2"), nullptr);
  figures.lacks("vm2", "it was killed");
  figures.lacks("vm2", "something that follows from it");
  figures.take("vm2", line_at(3));
  const HostHistory host = history(figures);
  EXPECT_THAT(host.start_ns, ElementsAre(0, kSecond));
  const HostSeries& cpu = series_of(host, RecordedOf::process, "queue", "cpu");
  EXPECT_FALSE(cpu.value) << "of two seconds of a longer run";
  EXPECT_EQ(cpu.why, "it was killed");
  EXPECT_THAT(cpu.values, ElementsAre(1, 1));
  EXPECT_FALSE(busy_percent(host));
  EXPECT_EQ(figures.last("vm2"), nullptr) << "what is gone is exported no more";
}

TEST(HostFigures, AProcessSaysAtItsEndWhatItDidAfterTheLastReading) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  for (const int at_s : {0, 1}) {
    Recorded line = line_at(at_s);
    line.processes = {process("queue", 500 + 100 * at_s), process("senders", 100 * at_s)};
    for (control::RecordedSubject& one : line.processes) one.values[at(kProcessColumns, "disk_written")] = 10 * at_s;
    figures.take("vm2", line);
  }
  figures.ended("vm2", "queue", HostFigures::AtEnd{.cpu_ns = 990, .disk_written_bytes = 4096});
  figures.ended("vm2", "senders", std::nullopt);
  figures.ended("vm3", "receivers", std::nullopt);  // attached: it was not recorded
  const HostHistory host = history(figures);
  EXPECT_EQ(series_of(host, RecordedOf::process, "queue", "cpu").value, 490) << "since BEGIN, up to its end";
  EXPECT_EQ(series_of(host, RecordedOf::process, "queue", "disk_written").value, 4096);
  EXPECT_FALSE(series_of(host, RecordedOf::process, "senders", "cpu").value);
  EXPECT_THAT(series_of(host, RecordedOf::process, "senders", "cpu").why, HasSubstr("without a summary"));
}

control::RecordedSubject switching(const std::string& name, int64_t cpu_ns, int64_t switches, int64_t memory) {
  control::RecordedSubject one = process(name, cpu_ns);
  one.values[at(kProcessColumns, "context_switches")] = switches;
  one.values[at(kProcessColumns, "memory")] = memory;
  return one;
}

TEST(HostFigures, TheSlotInWhichAProcessEndsHasWhatItSaidOfItAndWhatNobodySaysIsMissing) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  // In its last reading one of its threads is gone.
  const std::vector<std::vector<control::RecordedSubject>> told{{switching("queue", 0, 100, 10)},
                                                                {switching("queue", kSecond / 2, 300, 10)},
                                                                {switching("queue", kSecond, control::kNoFigure, 10)},
                                                                {}};
  for (size_t i = 0; i < told.size(); i++) {
    Recorded line = line_at(static_cast<double>(i));
    line.processes = told[i];
    figures.take("vm2", line);
  }
  figures.ended("vm2", "queue", HostFigures::AtEnd{.cpu_ns = kSecond + kSecond / 4, .context_switches = 8300});
  const HostHistory host = history(figures);
  const HostSeries& cpu = series_of(host, RecordedOf::process, "queue", "cpu");
  EXPECT_THAT(cpu.values, ElementsAre(0.5, 0.5, 0.25));
  EXPECT_EQ(cpu.value, 1.25e9);
  const HostSeries& switches = series_of(host, RecordedOf::process, "queue", "context_switches");
  EXPECT_THAT(switches.values, ElementsAre(200, 4000, 4000));
  EXPECT_EQ(switches.value, 8200) << "since BEGIN";
  const HostSeries& memory = series_of(host, RecordedOf::process, "queue", "memory");
  EXPECT_TRUE(std::isnan(memory.values.at(2)));
  EXPECT_EQ(memory.value, 10) << "as long as it is known";
}

TEST(HostFigures, APartOfASlotInWhichAProcessWasStillThereIsNotCountedTwice) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  for (const double at_s : {0.0, 1.0, 1.01, 1.05}) {
    Recorded line = line_at(at_s);
    if (at_s < 1.05) line.processes = {switching("queue", line.time_ns - kBegun, 0, 1)};
    figures.take("vm2", line);
  }
  figures.ended("vm2", "queue", HostFigures::AtEnd{.cpu_ns = kSecond + kSecond / 100 * 3});
  const HostHistory host = history(figures);
  const HostSeries& cpu = series_of(host, RecordedOf::process, "queue", "cpu");
  double core_ns = 0;
  for (size_t slot = 0; slot < host.start_ns.size(); slot++)
    core_ns += cpu.values[slot] * static_cast<double>(host.width_ns[slot]);
  EXPECT_NEAR(core_ns, 1.03e9, 1000);
  EXPECT_EQ(cpu.value, 1.03e9);
}

TEST(HostFigures, ASumThatNobodyKnowsToTheEndIsNoNumber) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  for (const int at_s : {0, 1, 2}) {
    Recorded line = line_at(at_s);
    line.processes = {switching("queue", at_s * kSecond, at_s * 100, 10)};
    line.connections = {
        {.name = "queue", .values = control::HostValues(kConnectionColumns.size(), at_s < 2 ? 1 : control::kNoFigure)}};
    figures.take("vm2", line);
  }
  EXPECT_TRUE(series_of(history(figures), RecordedOf::connections, "queue", "retransmits").value) << "so far";
  figures.ended("vm2", "queue", HostFigures::AtEnd{.cpu_ns = 3 * kSecond});
  const HostHistory host = history(figures);
  const HostSeries& switches = series_of(host, RecordedOf::process, "queue", "context_switches");
  EXPECT_FALSE(switches.value) << "an older worker does not say it";
  EXPECT_THAT(switches.why, HasSubstr("after the last reading is not known"));
  EXPECT_THAT(switches.values, ElementsAre(100, 100));
  EXPECT_EQ(series_of(host, RecordedOf::process, "queue", "cpu").value, 3e9);
  const HostSeries& again = series_of(host, RecordedOf::connections, "queue", "retransmits");
  EXPECT_FALSE(again.value);
  EXPECT_THAT(again.why, HasSubstr("at the end of the run"));
}

TEST(HostFigures, WhatHoldsUntilTheNextReadingIsWeighedByHowLongItHeld) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  // Eight connections that are gone at the last reading; memory is not in every line.
  const auto line_with = [](double at_s, int64_t connections, int64_t memory) {
    Recorded line = line_at(at_s);
    line.host[at(kHostColumns, "memory_used")] = memory;
    line.connections = {{.name = "queue", .values = control::no_values(RecordedOf::connections)}};
    line.connections[0].values[at(kConnectionColumns, "connections")] = connections;
    return line;
  };
  for (const Recorded& line : {line_with(-1, 8, 700), line_with(1, 8, 400), line_with(2, 8, control::kNoFigure),
                               line_with(2.5, 0, control::kNoFigure), line_with(3, 0, 100)})
    figures.take("vm2", line);
  const HostHistory host = history(figures);
  const HostSeries& connections = series_of(host, RecordedOf::connections, "queue", "connections");
  EXPECT_THAT(connections.values, ElementsAre(8, 8, 8, 0));
  EXPECT_NEAR(connections.value.value(), 8 * 2.5 / 3, 1e-9);
  const HostSeries& memory = series_of(host, RecordedOf::host, "", "memory_used");
  EXPECT_THAT(memory.values, ElementsAre(700, 400, 400, 400));
  EXPECT_EQ(memory.value, 500);
}

TEST(HostFigures, WhatIsNotReadFromTheBeginningOnHasNoSum) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  for (const int at_s : {0, 1, 2}) {
    Recorded line = line_at(at_s);
    line.processes = {process("queue", 100 * at_s)};
    if (at_s > 0) line.processes.push_back(process("late", 100 * at_s));
    figures.take("vm2", line);
  }
  const HostHistory host = history(figures);
  EXPECT_EQ(series_of(host, RecordedOf::process, "queue", "cpu").value, 200);
  const HostSeries& late = series_of(host, RecordedOf::process, "late", "cpu");
  EXPECT_FALSE(late.value);
  EXPECT_THAT(late.why, HasSubstr("from the beginning of the run"));
  EXPECT_THAT(late.values, ElementsAre(testing::NanSensitiveDoubleEq(kNoReading), testing::DoubleEq(1e-7)));
}

TEST(HostFigures, ConnectionsThatAreMadeLaterHaveAllTheirCounts) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  for (const int at_s : {-1, 1, 2}) {
    Recorded line = line_at(at_s);
    if (at_s > 0)
      line.connections = {{.name = "workers", .values = control::HostValues(kConnectionColumns.size(), 3 * at_s)}};
    figures.take("vm2", line);
  }
  const HostHistory host = history(figures);
  const HostSeries& again = series_of(host, RecordedOf::connections, "workers", "retransmits");
  EXPECT_EQ(again.value, 6);
  EXPECT_THAT(again.values, ElementsAre(3, 3));
}

TEST(HostFigures, ACounterThatIsNotInEveryLineGrewEvenly) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  for (const int at_s : {0, 1, 2, 3}) {
    Recorded line = line_at(at_s);
    if (at_s == 1 || at_s == 2) line.host[at(kHostColumns, "disk_written")] = control::kNoFigure;
    figures.take("vm2", line);
  }
  const HostHistory host = history(figures);
  const HostSeries& written = series_of(host, RecordedOf::host, "", "disk_written");
  EXPECT_EQ(written.value, 3e6);
  EXPECT_THAT(written.values, ElementsAre(1e6, 1e6, 1e6));
}

TEST(HostFigures, AProcessThatEndsLeavesAGapAndACounterThatFallsNoReading) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  const std::vector<std::vector<control::RecordedSubject>> told{
      {process("queue", 100)}, {process("queue", 200)}, {process("queue", 50)}, {}, {process("queue", 900)}};
  for (size_t i = 0; i < told.size(); i++) {
    Recorded line = line_at(static_cast<double>(i));
    line.processes = told[i];
    figures.take("vm2", line);
  }
  const HostHistory all = history(figures);
  const HostSeries& cpu = series_of(all, RecordedOf::process, "queue", "cpu");
  ASSERT_THAT(cpu.values, SizeIs(4));
  EXPECT_NEAR(cpu.values[0], 1e-7, 1e-12);
  EXPECT_TRUE(std::isnan(cpu.values[1]));
  EXPECT_FALSE(cpu.value);
  EXPECT_THAT(cpu.why, HasSubstr("its counter fell"));
}

TEST(HostFigures, ReadingsInQuickSuccessionAreOneSlot) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  for (const double at_s : {0.0, 0.001, 1.0, 2.0, 2.001}) figures.take("vm2", line_at(at_s));
  const HostHistory host = history(figures);
  EXPECT_THAT(host.start_ns, ElementsAre(0, kSecond));
  EXPECT_NEAR(series_of(host, RecordedOf::host, "", "cpu_user").value.value(), 0.75 * 2.001e9, 10);
}

TEST(HostFigures, ALongRunKeepsItsSumsInFewSlots) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  constexpr int kLines = 5000;
  for (int i = 0; i <= kLines; i++) figures.take("vm2", line_at(i));
  const HostHistory host = history(figures);
  EXPECT_LE(host.start_ns.size(), HostFigures::kMostSlots);
  EXPECT_EQ(host.start_ns.front(), 0);
  EXPECT_EQ(host.start_ns.back() + host.width_ns.back(), kLines * kSecond);
  for (size_t i = 1; i < host.start_ns.size(); i++)
    ASSERT_EQ(host.start_ns[i], host.start_ns[i - 1] + host.width_ns[i - 1]);
  const HostSeries& written = series_of(host, RecordedOf::host, "", "disk_written");
  double bytes = 0;
  for (size_t i = 0; i < written.values.size(); i++)
    bytes += written.values[i] * static_cast<double>(host.width_ns[i]) / 1e9;
  EXPECT_NEAR(bytes, kLines * 1e6, 100);
  EXPECT_NEAR(written.value.value(), kLines * 1e6, 100);
}

TEST(HostFigures, MergedSlotsAreMeansOverTheTimeThatIsKnown) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  // Merged twice: four lines are one slot. It uses a core in the first, two in three quarters of the second.
  constexpr int kLines = HostFigures::kMostSlots * 3 / 2 + 10, kEnd = 7;
  for (int i = 0; i <= kLines; i++) {
    Recorded line = line_at(i);
    if (i <= kEnd) line.processes = {process("queue", (i > 4 ? 2 * i - 4 : i) * kSecond)};
    figures.take("vm2", line);
  }
  const HostHistory host = history(figures);
  ASSERT_EQ(host.width_ns[1], 4 * kSecond);
  const HostSeries& cpu = series_of(host, RecordedOf::process, "queue", "cpu");
  EXPECT_EQ(cpu.values[0], 1);
  EXPECT_EQ(cpu.values[1], 2) << "of three seconds";
  EXPECT_TRUE(std::isnan(cpu.values[2]));
  EXPECT_EQ(cpu.value, 10e9);
}

TEST(HostFigures, EveryProcessOfAPlanHasItsFiguresInTheMemoryOfSome) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", kBegun);
  constexpr int kProcesses = 1024, kLines = 200;
  for (int i = 0; i <= kLines; i++) {
    Recorded line = line_at(i);
    for (int each = 0; each < kProcesses; each++) line.processes.push_back(process(std::to_string(each), i * kSecond));
    figures.take("vm2", line);
  }
  const HostHistory host = history(figures);
  EXPECT_LE(host.start_ns.size() * kProcesses, HostFigures::kMostSlots * HostFigures::kFullSubjects);
  EXPECT_EQ(sum_of_processes(std::span(&host, 1), "cpu", kProcesses), double{kProcesses} * kLines * kSecond);
}

// The second from BEGIN on of a host with a process, which took 1 us, and these sides, each of which had two
// connections all the time and sent 3 segments again.
void take_a_second(HostFigures& figures, const std::string& place, const char* of,
                   std::initializer_list<const char*> sides) {
  figures.add(place);
  figures.begin(place, kBegun);
  for (const int at_s : {0, 1}) {
    Recorded line = line_at(at_s);
    line.processes = {process(of, 1000 * at_s)};
    for (const char* name : sides) {
      line.connections.push_back({.name = name, .values = control::HostValues(kConnectionColumns.size(), 3 * at_s)});
      line.connections.back().values[at(kConnectionColumns, "connections")] = 2;
    }
    figures.take(place, line);
  }
}

TEST(HostFigures, SumsOverTheRunNeedEveryPartOfIt) {
  HostFigures figures;
  take_a_second(figures, "vm1", "queue", {kWorkersSide});
  take_a_second(figures, "vm2", "senders", {kWorkersSide});
  const auto hosts = figures.sums();
  EXPECT_EQ(sum_of_processes(hosts, "cpu", 2), 2000);
  EXPECT_FALSE(sum_of_processes(hosts, "cpu", 3)) << "the receivers were not recorded";
  constexpr std::string_view kSides[] = {kWorkersSide};
  EXPECT_EQ(sum_of_connections(hosts, "retransmits", kSides), 6);
  EXPECT_FALSE(sum_of_connections(hosts, "retransmits", sides_of(*bus::find_bus("n2nq")))) << "nor the queue's side";
  figures.same_computer("vm1", "vm2");
  const auto twice = figures.sums();
  EXPECT_FALSE(sum_of_connections(twice, "retransmits", kSides)) << "both have seen the same";
  EXPECT_THAT(series_of(twice[0], RecordedOf::connections, "workers", "retransmits").why,
              HasSubstr("the same computer as vm2"));
}

// By its processes, each of which one recorder watches.
TEST(HostFigures, ConnectionsOverAnotherBusAreNotCountedTwiceOnOneComputer) {
  HostFigures figures;
  take_a_second(figures, "vm1", "senders", {kSendersSide, kReceiversSide});
  take_a_second(figures, "vm2", "receivers", {kSendersSide, kReceiversSide});
  figures.same_computer("vm1", "vm2");
  const auto sum = [&figures](const char* bus) {
    return sum_of_connections(figures.sums(), "retransmits", sides_of(*bus::find_bus(bus)));
  };
  EXPECT_EQ(sum("http"), 12);
  EXPECT_FALSE(sum("kafka")) << "what its servers sent again is not known";
  EXPECT_FALSE(sum("n2nq")) << "those are not its connections";
}

TEST(HostFigures, SumsOverTheRunNeedEveryHostOfIt) {
  HostFigures figures;
  take_a_second(figures, "vm1", "senders", {kWorkersSide});
  constexpr std::string_view kSides[] = {kWorkersSide};
  EXPECT_EQ(sum_of_connections(figures.sums(), "retransmits", kSides), 3);
  figures.lacks("vm3", "unreachable");
  EXPECT_FALSE(sum_of_connections(figures.sums(), "retransmits", kSides));
}

TEST(HostFigures, ALineThatCannotBeIsPassedOver) {
  HostFigures figures;
  figures.add("vm2");
  figures.begin("vm2", INT64_MAX, INT64_MAX);
  EXPECT_FALSE(figures.knows_begin("vm2"));
  figures.begin("vm2", kBegun);
  figures.take("vm2", line_at(0));
  Recorded wrong = line_at(1);
  wrong.time_ns = INT64_MAX;
  figures.take("vm2", wrong);
  figures.take("vm2", line_at(0));
  EXPECT_THAT(history(figures).start_ns, IsEmpty());
  Recorded many = line_at(1);
  for (int i = 0; i < 2000; i++) many.processes.push_back(process(std::to_string(i), 1));
  figures.take("vm2", many);
  EXPECT_LE(history(figures).series.size(), HostFigures::kMostSubjects * kHostColumns.size());
}

}  // namespace
}  // namespace n2nq::live
