#include "app/run/host_test.h"

#include <algorithm>

#include "app/hosts/host_list.h"
#include "app/run/host_trial.h"

namespace n2nq::run {
namespace {

using launch::HostLink;
using launch::LinkStep;
using Mark = TestStep::Mark;

constexpr size_t kLinkSteps = 6;  // of launch::LinkStep
constexpr size_t kClock = kLinkSteps;
constexpr size_t kQueueAddress = kLinkSteps + 1;
constexpr size_t kReached = kLinkSteps + 2;
constexpr size_t kReaches = kLinkSteps + 3;
constexpr const char* kAnyAddress = "0.0.0.0";

size_t index_of(LinkStep step) {
  return static_cast<size_t>(step);
}

std::string shown(const std::string& host) {
  return hosts::is_local(host) ? hosts::kThisComputer : host;
}

}  // namespace

HostTest::HostTest(HostLink& link, std::optional<HostTrial> trial, QObject* parent)
    : SteppedTest(parent), link_(link), trial_(std::move(trial)) {
  for (const LinkStep step : {LinkStep::reach, LinkStep::host_key, LinkStep::login, LinkStep::architecture,
                              LinkStep::work_folder, LinkStep::upload})
    steps_.push_back({.name = launch::to_text(step)});
  steps_.push_back({.name = "clock"});
  steps_.push_back({.name = "queue address"});
  if (trial_) {
    steps_.push_back({.name = "queue there"});
    steps_.push_back({.name = "queue of the plan"});
  }
}

HostTest::~HostTest() = default;

void HostTest::start() {
  connect(&link_, &HostLink::step_passed, this, &HostTest::on_step);
  connect(&link_, &HostLink::failed, this, &HostTest::on_failed);
  connect(&link_, &HostLink::state_changed, this, &HostTest::on_state);
  begin_step(0);
  link_.close();
  link_.open();
  opening_ = link_.state() == HostLink::State::opening;
  Q_EMIT changed();
}

void HostTest::on_step(const launch::StepReport& report) {
  if (over()) return;
  const size_t step = index_of(report.step);
  // What a kind of host has no need of says nothing.
  for (size_t before = 0; before < step; before++)
    if (steps_[before].mark <= Mark::under_way) steps_[before].mark = Mark::not_tried;
  end_step(step, report.ok ? Mark::good : Mark::bad, report.text);
  if (report.ok && step + 1 < kLinkSteps) begin_step(step + 1);
  Q_EMIT changed();
}

void HostTest::on_failed(const launch::LinkFailure& failure) {
  if (over()) return;
  // A link that was open is lost in what is in progress, and what had passed has passed.
  auto step = jobs_.empty() ? steps_.end() : std::ranges::find(steps_, Mark::under_way, &TestStep::mark);
  if (step == steps_.end()) step = steps_.begin() + static_cast<ptrdiff_t>(index_of(failure.step));
  end_step(static_cast<size_t>(step - steps_.begin()), Mark::bad, failure.text);
  end();
}

void HostTest::on_state() {
  if (over()) return;
  if (link_.state() == HostLink::State::opening) opening_ = true;
  if (link_.state() == HostLink::State::open && opening_ && jobs_.empty()) look_further();
  // `failed` says why a link is lost; one that was closed says nothing.
  if (link_.state() == HostLink::State::closed && opening_) end();
}

void HostTest::look_further() {
  for (size_t step = 0; step < kLinkSteps; step++)
    if (steps_[step].mark <= Mark::under_way) steps_[step].mark = Mark::not_tried;
  begin_step(kClock);
  begin_step(kQueueAddress);
  jobs_.push_back(link_.clock_state([this](const Result<launch::ClockState>& state) {
    if (!state) return conclude(kClock, Mark::warning, state.error().text);
    const bool good = state->synchronised.value_or(false);
    conclude(kClock, good ? Mark::good : Mark::warning,
             good ? state->text
                  : state->text + "; latencies are corrected by the workers' measurements, with a wider error bound");
  }));
  const std::string address = hosts::data_address_of(link_.host());
  if (address.empty()) {
    conclude(kQueueAddress, Mark::warning,
             "unknown, so no queue can run here; enter the address at which others reach this host as Data address");
  } else {
    look_at_port(address, true);
  }
  Q_EMIT changed();
}

void HostTest::look_at_port(const std::string& address, bool own) {
  const PortRange range = link_.host().data_ports;
  const std::string where = hosts::data_address_of(link_.host());
  jobs_.push_back(link_.find_port(own ? address : kAnyAddress, range, [=, this](const Result<uint16_t>& port) {
    // An address that a router translates is none of the host's own.
    if (!port && own) return look_at_port(address, false);
    if (!port) return conclude(kQueueAddress, Mark::bad, port.error().text);
    if (own)
      return conclude(kQueueAddress, Mark::good,
                      "a queue can listen at " + where + ", for example at port " + std::to_string(*port));
    conclude(kQueueAddress, Mark::warning,
             "the host has no address " + where +
                 " itself: a queue listens on all its addresses, and others reach it only if that one leads here; if "
                 "not, change Data address");
  }));
}

void HostTest::conclude(size_t step, Mark mark, const std::string& text) {
  if (over()) return;  // with a link that was lost end the jobs on it
  end_step(step, mark, text);
  go_on();
}

void HostTest::go_on() {
  const bool under_way = std::ranges::any_of(steps_, [](const TestStep& step) { return step.mark == Mark::under_way; });
  if (under_way || over()) return void(Q_EMIT changed());
  const auto next = std::ranges::find(steps_, Mark::waiting, &TestStep::mark);
  if (next == steps_.end()) return end();
  begin_run(static_cast<size_t>(next - steps_.begin()));
}

// First a queue there, and senders and receivers here; then the other way round, by the plan.
void HostTest::begin_run(size_t step) {
  const std::string& name = link_.host().name;
  const bool none = steps_[kQueueAddress].mark == Mark::bad || hosts::data_address_of(link_.host()).empty();
  if (step == kReached && none) return conclude(step, Mark::not_tried, "");
  if (step == kReaches && trial_->queue == name) return conclude(step, Mark::not_tried, "it is this host's own");
  folder_ = std::make_unique<TrialFolder>();
  SessionOptions options = trial_->options;
  options.runs_folder = folder_->path();
  sequence_ = std::make_unique<RunSequence>(options, nullptr);
  connect(sequence_.get(), &RunSequence::finished, this, [this, step] { end_run(step); }, Qt::QueuedConnection);
  begin_step(step);
  plan::PlanFile file = step == kReached ? trial_plan(name, "") : trial_plan(trial_->queue, name);
  if (step == kReaches && !trial_->listen.empty()) file.base.queue.listen = trial_->listen;
  const auto started = sequence_->start_all(file);
  if (!started) return conclude(step, Mark::bad, started.error().text);
  Q_EMIT changed();
}

void HostTest::end_run(size_t step) {
  if (over() || sequence_->records().empty()) return;
  const record::RunRecord run = sequence_->records().front();
  sequence_.reset();
  folder_.reset();
  if (run.clock_bound_ns) clock_error_ns_ = static_cast<int64_t>(*run.clock_bound_ns);
  const bool passed = run.verdict == record::Verdict::passed;
  if (!passed && step == kReached) return conclude(step, Mark::bad, run.reason);
  // The host itself is well: a plan with the queue on it, or on another host, may have it.
  if (!passed) return conclude(step, Mark::warning, "not reached from there: " + run.reason);
  const std::string who = step == kReached ? std::string(hosts::kThisComputer) + " reaches a queue there"
                                           : "reaches the queue on " + shown(trial_->queue);
  std::string way;
  Mark mark = Mark::good;
  for (const TestStep& one : way_of_trial(run)) {
    way += "; " + one.name + " " + one.text;
    if (one.mark != Mark::good) mark = one.mark;
  }
  conclude(step, mark, who + latency_of_trial(run) + way);
}

void HostTest::end() {
  sequence_.reset();
  link_.disconnect(this);
  end_test();
}

bool HostTest::reached() const {
  return over() &&
         std::ranges::none_of(steps_.begin(), steps_.begin() + kLinkSteps,
                              [](const TestStep& step) { return step.mark == Mark::bad; }) &&
         mark() != Mark::not_tried;
}

bool HostTest::usable() const {
  return over() && link_.state() == HostLink::State::open;
}

}  // namespace n2nq::run

#include "moc_host_test.cpp"
