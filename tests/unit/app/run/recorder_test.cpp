// The recorders of a run: from before BEGIN until all else has ended, and never what a run fails by.
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "app/figures/metric.h"
#include "app/record/trust.h"
#include "tests/unit/app/run/session_rig.h"

namespace n2nq::run {
namespace {

using live::RecordedOf;
using record::Verdict;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class RecorderSession : public SessionRig {
 protected:
  static plan::RunPlan recorded_plan() {
    plan::RunPlan plan = short_plan();
    plan.senders.messages = 100;  // a second
    plan.recorder.period_ns = 100'000'000;
    return plan;
  }
  static double value(const live::HostHistory& host, RecordedOf of, const std::string& subject, const char* name) {
    const live::HostSeries* series = live::find_series(host, of, subject, name);
    EXPECT_TRUE(series != nullptr && series->value) << subject << " " << name << ": " << (series ? series->why : "");
    return series != nullptr ? series->value.value_or(-1) : -1;
  }
};

TEST_F(RecorderSession, ARunHasWhatItsHostDidOnItsOwnTimeAxis) {
  plan::RunPlan plan = recorded_plan();
  plan.senders.messages = 400;  // long enough for connections to be read in it where that takes 10 ms
  make(plan).start_all();
  const record::RunRecord& record = over();
  ASSERT_EQ(record.verdict, Verdict::passed) << story();
  ASSERT_THAT(record.hosts, SizeIs(1)) << story();
  const live::HostHistory& host = record.hosts[0];
  EXPECT_EQ(host.place, "this computer");
  ASSERT_GT(host.start_ns.size(), 3u);
  EXPECT_EQ(host.start_ns.front(), 0) << "the recorder was there before BEGIN";
  const int64_t run_ns = record.ended_utc_ns - *record.began_utc_ns;
  EXPECT_GE(host.start_ns.back() + host.width_ns.back(), run_ns - 200'000'000);
  EXPECT_GT(value(host, RecordedOf::host, "", "cpu_user") + value(host, RecordedOf::host, "", "cpu_idle"), 0);
  EXPECT_GT(value(host, RecordedOf::host, "", "loopback"), static_cast<double>(record.totals.bytes_sent));
  // Five senders and four receivers, and the probe of nobody: both ends are here.
  const live::HostSeries* connections = live::find_series(host, RecordedOf::connections, "queue", "connections");
  ASSERT_NE(connections, nullptr);
  EXPECT_TRUE(std::ranges::any_of(connections->values, [](double count) { return count >= 9; }))
      << testing::PrintToString(connections->values);
  EXPECT_GT(value(host, RecordedOf::connections, "workers", "rtt_least"), 0);
  for (const char* name : {"host-cpu", "cpu-per-delivery", "written-per-message", "retransmits"})
    EXPECT_TRUE(figures::find_metric(name)->value(record)) << name;
}

// By its processes: what the bus' own connections are, and none to the queue.
TEST_F(RecorderSession, ARunOverAnotherBusHasWhatTcpSaysOfItsConnections) {
  plan::RunPlan plan = recorded_plan();
  plan.queue.mode = plan::Mode::load_balancer;
  plan.bus.kind = "relay";
  plan.senders.messages = 400;
  make(plan).start_all();
  const record::RunRecord& record = over();
  ASSERT_EQ(record.verdict, Verdict::passed) << story();
  ASSERT_THAT(record.hosts, SizeIs(1)) << story();
  const live::HostHistory& host = record.hosts[0];
  const auto most = [&host](const char* side) {
    const live::HostSeries* series = live::find_series(host, RecordedOf::connections, side, "connections");
    double largest = 0;
    for (const double count : series == nullptr ? std::vector<double>() : series->values)
      largest = std::fmax(largest, count);
    return largest;
  };
  EXPECT_EQ(most("senders"), 5);
  EXPECT_EQ(most("receivers"), 4);
  EXPECT_EQ(most("servers"), 9);
  EXPECT_EQ(most("queue") + most("workers"), 0);
  for (const char* name : {"tcp-rtt", "retransmits"}) EXPECT_TRUE(figures::find_metric(name)->value(record)) << name;
}

// Of all threads that it has now.
int64_t switches_of(int64_t pid) {
  int64_t sum = 0;
  std::error_code gone;
  for (std::filesystem::directory_iterator at("/proc/" + std::to_string(pid) + "/task", gone), end; at != end;
       at.increment(gone)) {
    std::ifstream status(at->path() / "status");
    for (std::string line; std::getline(status, line);)
      if (line.find("voluntary_ctxt_switches:") != std::string::npos)
        sum += std::stoll(line.substr(line.find(':') + 1));
  }
  return sum;
}

int64_t switches_of_children() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

// Against what the kernel says of its processes up to their end, however seldom they are read.
TEST_F(RecorderSession, TheSumsOfAShortRunAreThoseThatTheKernelHas) {
  plan::RunPlan plan = recorded_plan();
  plan.senders.messages = 1000;
  plan.senders.delay_ns = 1'000'000;
  plan.recorder.period_ns = 1'000'000'000;
  const int64_t before = switches_of_children();
  make(plan).start_all();
  ASSERT_TRUE(wait_for(State::running)) << story();
  std::map<Role, int64_t> at_begin, seen;
  for (const Role role : kRoles) at_begin[role] = switches_of(pid_of(role));
  ASSERT_TRUE(wait([&] {
    for (const Role role : kRoles) seen[role] = std::max(seen[role], switches_of(pid_of(role)));
    return session_->state() >= State::over;
  })) << story();
  const record::RunRecord& record = session_->record();
  ASSERT_EQ(record.verdict, Verdict::passed) << story();
  const live::HostHistory& host = record.hosts.at(0);
  double all = 0;
  for (const record::ProcessRecord& process : record.processes) {
    const auto least = static_cast<double>(seen[process.role] - at_begin[process.role]);
    const double switches = value(host, RecordedOf::process, process.name, "context_switches");
    EXPECT_GT(least, 100) << process.name << " has something to do every millisecond";
    EXPECT_GT(switches, 0.9 * least) << process.name;
    all += switches;
    const live::HostSeries* series = live::find_series(host, RecordedOf::process, process.name, "context_switches");
    double in_slots = 0;
    for (size_t slot = 0; slot < series->values.size(); slot++)
      if (!std::isnan(series->values[slot]))
        in_slots += series->values[slot] * static_cast<double>(host.width_ns[slot]) / 1e9;
    EXPECT_NEAR(in_slots, switches, 0.05 * switches) << process.name << testing::PrintToString(series->values);
    const double parts = value(host, RecordedOf::process, process.name, "cpu_user") +
                         value(host, RecordedOf::process, process.name, "cpu_system");
    const double whole = value(host, RecordedOf::process, process.name, "cpu");
    EXPECT_NEAR(parts, whole, 0.1 * whole + 25e6) << process.name << ": read in steps of 10 ms";
  }
  EXPECT_LE(all, static_cast<double>(switches_of_children() - before));
  EXPECT_NEAR(value(host, RecordedOf::connections, "queue", "connections"), 9, 1) << "five and four";
  double cores = 0, slots_ns = 0;
  for (const char* name : {"cpu_user", "cpu_system", "cpu_iowait", "cpu_steal", "cpu_idle"})
    cores += value(host, RecordedOf::host, "", name);
  for (const int64_t width_ns : host.width_ns) slots_ns += static_cast<double>(width_ns);
  const double there_are = std::round(cores / slots_ns);
  EXPECT_EQ(there_are, static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN)));
  EXPECT_NEAR(cores, there_are * slots_ns, 0.1 * there_are * slots_ns);
}

// Against what each worker says of itself: not what it did before BEGIN, but all that it did until its end.
TEST_F(RecorderSession, TheProcessorTimeOfAProcessIsThatOfTheRunWhateverThePeriod) {
  plan::RunPlan plan = recorded_plan();
  plan.recorder.period_ns = 60'000'000'000;
  make(plan).start_all();
  const live::LiveFigures& live = session_->live();
  const auto read_since_begin = [&] {
    const auto hosts = live.hosts().histories();
    return !hosts.empty() && !hosts[0].start_ns.empty();
  };
  ASSERT_TRUE(wait(read_since_begin)) << story();
  ASSERT_TRUE(wait_received(live.all_receivers().count + 700)) << story();
  std::map<std::string, int64_t> so_far;
  for (const live::WorkerFigures& worker : live.workers())
    so_far[control::to_text(worker.role)] = static_cast<int64_t>(worker.process.cpu_ns);
  const record::RunRecord& record = over();
  ASSERT_EQ(record.verdict, Verdict::passed) << story();
  const live::HostHistory& host = record.hosts.at(0);
  for (const record::ProcessRecord& process : record.processes) {
    const double cpu_ns = value(host, RecordedOf::process, process.name, "cpu");
    EXPECT_LT(cpu_ns, static_cast<double>(process.cpu_ns)) << process.name << ": it started before BEGIN";
    const auto before = so_far.find(control::to_text(process.role));
    if (before != so_far.end()) {
      EXPECT_GE(cpu_ns, static_cast<double>(process.cpu_ns) - static_cast<double>(before->second)) << process.name;
    }
  }
}

TEST_F(RecorderSession, OneThatIsKilledDuringTheRunLeavesWhatItReadAndNoSumAndADoubt) {
  plan::RunPlan plan = recorded_plan();
  plan.senders.messages = 300;  // so that most of it is without
  make(plan).start_all();
  ASSERT_TRUE(wait([&] {
    const auto hosts = session_->live().hosts().histories();
    return !hosts.empty() && hosts[0].start_ns.size() > 1;
  })) << story();
  ASSERT_EQ(::kill(child_called("n2nq-recorder"), SIGKILL), 0);
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_THAT(story(), HasSubstr("figures of its host are missing from here on"));
  const live::HostHistory& host = record.hosts.at(0);
  EXPECT_THAT(host.start_ns, Not(IsEmpty()));
  for (const live::HostSeries& series : host.series) {
    EXPECT_FALSE(series.value) << series.subject << " " << series.name;
    EXPECT_THAT(series.why, HasSubstr("the recorder ended during the run: killed by signal 9"));
  }
  const live::HostSeries* user = live::find_series(host, RecordedOf::host, "", "cpu_user");
  ASSERT_NE(user, nullptr);
  EXPECT_THAT(user->values, SizeIs(host.start_ns.size()));
  for (const char* name : {"host-cpu", "cpu-per-delivery", "written-per-message", "retransmits"})
    EXPECT_FALSE(figures::find_metric(name)->value(record)) << name;
  EXPECT_THAT(record::doubts_text(record), HasSubstr("the recorder on this computer covered "));
}

TEST_F(RecorderSession, SwitchedOffThereIsNone) {
  plan::RunPlan plan = short_plan();
  plan.recorder.on = false;
  make(plan).start_all();
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
  EXPECT_THAT(session_->record().hosts, IsEmpty());
  EXPECT_FALSE(figures::find_metric("host-cpu")->value(session_->record()));
}

TEST_F(RecorderSession, OneThatCannotRunIsAWarningAndASentenceInEachSeries) {
  SessionOptions options = this->options();
  options.programs = programs_with("n2nq-recorder", "exit 3");
  make(short_plan(), options).start_all();
  const record::RunRecord& record = over();
  EXPECT_EQ(record.verdict, Verdict::passed) << story();
  EXPECT_THAT(story(), HasSubstr("recorder on this computer: ended with exit code 3"));
  ASSERT_THAT(record.hosts, SizeIs(1));
  for (const live::HostSeries& series : record.hosts[0].series) {
    EXPECT_FALSE(series.value);
    EXPECT_THAT(series.why, HasSubstr("the recorder did not run"));
  }
  EXPECT_THAT(record::doubts_text(record), Not(HasSubstr("the recorder"))) << "the run is shorter than two readings";
}

TEST_F(RecorderSession, OneThatNeverAnswersHoldsTheRunUpNoLongerThanItsTimeToStart) {
  SessionOptions options = this->options();
  options.programs = programs_with("n2nq-recorder", "exec sleep 1000");
  options.ready_timeout = std::chrono::seconds(5);
  make(short_plan(), options).start_all();
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
  EXPECT_THAT(story(), HasSubstr("recorder on this computer: no answer within 5 s of its start, killed"));
  for (const live::HostSeries& series : session_->record().hosts.at(0).series)
    EXPECT_EQ(series.why, "the recorder did not run: no answer within 5 s of its start");
}

// A stop comes when the run has ended, but for its recorder.
TEST_F(RecorderSession, OneThatHangsNeitherFailsARunThatMayWaitForLessNorIsItsEndAStopOfTheRun) {
  SessionOptions options = this->options();
  options.programs = programs_with("n2nq-recorder", "exec sleep 1000");
  plan::RunPlan plan = short_plan();
  plan.join_timeout_ns = 4'000'000'000;
  make(plan, options).start_all();
  ASSERT_TRUE(wait([&] { return session_->record().ended_utc_ns != 0; })) << story();
  ASSERT_LT(session_->state(), State::over);
  session_->stop();
  session_->stop();
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
  EXPECT_THAT(story(), Not(HasSubstr("by the user")));
  EXPECT_THAT(session_->record().hosts.at(0).series.at(0).why, HasSubstr("the recorder was killed with the run"));
}

TEST_F(RecorderSession, OneThatSaysNonsenseIsHeardAndEndsWithTheRun) {
  SessionOptions options = this->options();
  options.programs = programs_with(
      "n2nq-recorder", R"(echo '{"type":"ready","role":"recorder","pid":1,"version":"x"}'; echo nonsense; )"
                       R"(echo '{"type":"record","sequence":1,"time_ns":-5,"host":{}}'; exec cat > /dev/null)");
  make(short_plan(), options).start_all();
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
  EXPECT_THAT(story(), HasSubstr("recorder on this computer: not JSON"));
  EXPECT_THAT(story(), HasSubstr("recorder on this computer: does not end, killed; the last reading"));
  EXPECT_THAT(session_->record().hosts.at(0).series.at(0).why, HasSubstr("did not end when it was told to"));
}

// What a recorder says of it is in the run's notes, and a doubt where it could not.
TEST_F(RecorderSession, SaysHowItKeepsCoresAwakeOrThatTheRunIsDoubtful) {
  plan::RunPlan plan = short_plan();
  plan.awake = true;
  make(plan).start_all();
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
  EXPECT_THAT(story(), HasSubstr("the cores of this computer are kept awake: "));
  EXPECT_THAT(story(), HasSubstr("spinners of class idle"));
  const auto doubt = [&]() -> const record::RunWarning* {
    for (const record::RunWarning& one : session_->record().warnings)
      if (one.id == "awake-this computer") return &one;
    return nullptr;
  };
  EXPECT_EQ(doubt(), nullptr);

  SessionOptions options = this->options();
  options.programs = programs_with(
      "n2nq-recorder", R"(test "$4" = --awake || exit 3; )"
                       R"(echo '{"type":"ready","role":"recorder","pid":1,"version":"x","not_awake":"not today"}'; )"
                       R"(exec cat > /dev/null)");
  make(plan, options).start_all();
  EXPECT_EQ(over().verdict, Verdict::passed) << story();
  ASSERT_NE(doubt(), nullptr) << story();
  EXPECT_TRUE(doubt()->doubt);
  EXPECT_THAT(doubt()->text, HasSubstr("not today"));
  EXPECT_EQ(session_->record().trust, record::Trust::doubtful);
}

TEST_F(RecorderSession, ALimitOnAHostStopsTheRun) {
  plan::RunPlan plan = long_plan();
  plan.recorder.period_ns = 100'000'000;
  plan.limits = {{.metric = "host-cpu", .at_most = true, .value = 0, .action = plan::LimitAction::stops}};
  make(plan).start_all();
  EXPECT_EQ(over().verdict, Verdict::limit) << story();
  EXPECT_THAT(story(), HasSubstr("limit exceeded: processor of the queue's host"));
}

TEST_F(RecorderSession, EndsWithASessionThatIsDestroyed) {
  make(long_plan()).start_all();
  ASSERT_TRUE(wait_for(State::running)) << story();
  session_.reset();  // the rig finds whatever is left
}

}  // namespace
}  // namespace n2nq::run
