#include "app/run/bus_test.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "app/hosts/host_list.h"
#include "app/run/host_links.h"
#include "app/run/host_trial.h"

namespace n2nq::run {
namespace {

using Mark = TestStep::Mark;

constexpr uint64_t kBusMessages = 10;

// One sender, one receiver, ten messages within a tenth of a second.
plan::PlanFile bus_plan(const bus::BusTraits& bus, const std::string& host) {
  plan::PlanFile file = trial_plan(host, host);
  plan::RunPlan& plan = file.base;
  plan.name = "test of " + std::string(bus.title);
  plan.bus.kind = bus.kind;
  plan.queue.mode = bus.broadcaster ? plan::Mode::broadcaster : plan::Mode::load_balancer;
  plan.senders.messages = kBusMessages;
  plan.recorder.on = false;
  return file;
}

// Each message is accounted for, and came once and as it was.
bool ledger_is_exact(const record::RunTotals& totals, const bus::BusTraits& bus) {
  return totals.sent == kBusMessages && totals.received == kBusMessages && totals.lost.value_or(0) == 0 &&
         totals.duplicates == 0 && totals.corrupt == 0 && totals.unsent.value_or(0) == 0 &&
         (!bus.answers || totals.accepted == kBusMessages);
}

std::string ledger_text(const record::RunTotals& totals, const bus::BusTraits& bus) {
  std::string text = std::to_string(totals.sent) + " sent, ";
  if (bus.answers) text += std::to_string(totals.accepted) + " accepted, ";
  text += std::to_string(totals.received) + " received";
  if (totals.lost.value_or(0) > 0) text += ", " + std::to_string(*totals.lost) + " lost";
  if (totals.duplicates > 0) text += ", " + std::to_string(totals.duplicates) + " twice";
  if (totals.corrupt > 0) text += ", " + std::to_string(totals.corrupt) + " damaged";
  if (totals.unsent.value_or(0) > 0) text += ", " + std::to_string(*totals.unsent) + " that nobody sent";
  return text;
}

bool is_there(int64_t pid) {
  return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno != ESRCH;
}

}  // namespace

BusTest::BusTest(const bus::BusTraits& bus, std::string host, SessionOptions options, QObject* parent)
    : SteppedTest(parent),
      bus_(bus),
      host_(hosts::is_local(host) ? std::string() : std::move(host)),
      options_(std::move(options)) {
  if (needs_server()) steps_.push_back({.name = "program"});
  for (const char* name : {needs_server() ? "server" : "queue", "connections", "messages", "end"})
    steps_.push_back({.name = name});
}

BusTest::~BusTest() = default;

void BusTest::start() {
  begin_step(0);
  if (!needs_server()) return begin_run();
  look_ = host_.empty() ? std::make_unique<ServerLook>(options_.programs)
                        : std::make_unique<ServerLook>(options_.links->to(host_));
  connect(look_.get(), &ServerLook::over, this, &BusTest::on_looked);
  look_->start();
  Q_EMIT changed();
}

void BusTest::on_looked() {
  if (over()) return;
  const auto& found = *look_->found();
  if (!found) {
    if (!host_.empty()) host_failure_ = options_.links->to(host_).failure();
    return fail_at(at(Step::program), found.error().text);
  }
  servers_ = *found;
  const InstalledServer* server = server_for(bus_, *servers_);
  lacks_server_ = server == nullptr || !server->installed();
  if (server == nullptr)
    return fail_at(at(Step::program), "the n2nq-broker there knows no server of " + std::string(bus_.title) +
                                          "; is it of another version than this bench?");
  if (lacks_server_)
    return fail_at(at(Step::program), server->program + " is not installed " +
                                          (host_.empty() ? "here" : "on " + host_) +
                                          "; install it with: " + server->install);
  pass(Step::program, name_of(*server) + ", " + server->file);
  begin_run();
}

void BusTest::begin_run() {
  folder_ = std::make_unique<TrialFolder>();
  SessionOptions options = options_;
  options.runs_folder = folder_->path();
  sequence_ = std::make_unique<RunSequence>(options, nullptr);
  connect(sequence_.get(), &RunSequence::changed, this, &BusTest::on_state);
  connect(sequence_.get(), &RunSequence::finished, this, &BusTest::end_run, Qt::QueuedConnection);
  if (const auto started = sequence_->start_all(bus_plan(bus_, host_)); !started)
    return fail_at(at(Step::start), started.error().text);
  Q_EMIT changed();
}

void BusTest::stop() {
  if (over()) return;
  stopped_ = true;
  look_.reset();
  if (sequence_ && sequence_->active()) return sequence_->stop();
  abandon_test();
}

void BusTest::pass(Step step, const std::string& text) {
  const size_t index = at(step);
  if (steps_[index].mark != Mark::under_way) return;
  end_step(index, Mark::good, text);
  if (index + 1 < steps_.size()) begin_step(index + 1);
  Q_EMIT changed();
}

void BusTest::fail_at(size_t step, const std::string& text) {
  end_step(step, Mark::bad, text);
  end_test();
}

void BusTest::on_state() {
  const RunSession* session = sequence_->session();
  if (over() || session == nullptr) return;
  if (host_.empty()) {
    for (const ProcessStatus& process : session->processes())
      if (process.pid != 0 && std::ranges::find(processes_, process.pid) == processes_.end())
        processes_.push_back(process.pid);
  }
  if (session->stopping() || session->state() == State::over) return;  // the end of the run tells what it was
  if (const std::string text = started_text(); session->state() >= State::connecting && !text.empty())
    pass(Step::start, text);
  if (session->state() >= State::running) pass(Step::services, "one sender and one receiver have joined");
  if (session->state() >= State::ending) pass(Step::messages, "");
}

// Empty: it has not started, or is gone again.
std::string BusTest::started_text() const {
  for (const ProcessStatus& process : sequence_->session()->processes()) {
    if (process.role != Role::broker) continue;
    if (is_over(process.doing)) return {};
    if (process.log == 1) return "started for the run as process " + std::to_string(process.pid) + ", and answers";
  }
  if (needs_server()) return {};
  return bus_.meets_directly ? "the queue process is ready; it only brings sender and receiver together"
                             : "the queue process is ready";
}

void BusTest::end_run() {
  if (over() || sequence_->records().empty()) return;
  const record::RunRecord run = sequence_->records().front();
  if (const auto& failure = sequence_->session()->host_failure()) host_failure_ = *failure;
  sequence_.reset();
  if (stopped_) return abandon_test();
  const bool whole = run.verdict == record::Verdict::passed && ledger_is_exact(run.totals, bus_);
  if (!whole) {
    // What had passed has passed: it failed in what was going on.
    auto step = std::ranges::find(steps_, Mark::under_way, &TestStep::mark);
    const bool counted = run.totals.sent > 0 && step > steps_.begin() + static_cast<ptrdiff_t>(at(Step::services));
    if (counted) step = steps_.begin() + static_cast<ptrdiff_t>(at(Step::messages));
    const std::string ledger = counted ? ledger_text(run.totals, bus_) + ": " : "";
    return fail_at(static_cast<size_t>(step - steps_.begin()), ledger + run.reason);
  }
  for (const Step step : {Step::start, Step::services, Step::messages}) pass(step, "");
  steps_[at(Step::messages)].text = ledger_text(run.totals, bus_) + ", none lost" + latency_of_trial(run);
  if (const std::string left = left_behind(); !left.empty()) return fail_at(at(Step::end), left);
  pass(Step::end, host_.empty() ? "all processes have ended, and no file is left" : "all processes there have ended");
  end_test();
}

// Of the run, which is over and gone; empty: nothing.
std::string BusTest::left_behind() const {
  for (const int64_t pid : processes_)
    if (is_there(pid))
      return "process " + std::to_string(pid) + " has not ended; look at it with: ps -fp " + std::to_string(pid);
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_->path(), ignored))
    if (entry.path().filename().string().starts_with("n2nq-server-"))
      return "the server's files were not removed: " + entry.path().string();
  if (!folder_->remove()) return "the folder of the run cannot be removed: " + folder_->path();
  return {};
}

}  // namespace n2nq::run

#include "moc_bus_test.cpp"
