#include "app/headless/host_test.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/text/quantity.h"

namespace n2nq::headless {
namespace {

using launch::HostLink;

constexpr int64_t kDelayNs = 10'000'000;
constexpr uint64_t kMessages = 50;

std::string shown(const std::string& host) {
  return hosts::is_local(host) ? hosts::kThisComputer : host;
}

// Half a second of messages on the way there and back, through a queue elsewhere.
plan::PlanFile trial(const std::string& queue, const std::string& worker) {
  plan::PlanFile file;
  plan::RunPlan& plan = file.base;
  plan.name = "test of " + shown(worker);
  plan.log = plan::LogLevel::off;
  plan.queue.host = queue;
  plan.senders.fleet.count = 1;
  plan.senders.messages = kMessages;
  plan.senders.delay_ns = kDelayNs;
  plan.receivers.fleet.count = 1;
  if (!hosts::is_local(worker)) plan.senders.fleet.hosts = plan.receivers.fleet.hosts = {worker};
  return file;
}

std::string clock_text(const results::ProcessRecord& process) {
  if (process.clock_kind == "same") return "the queue's own";
  if (process.clock_kind != "measured" || !process.clock_offset_ns || !process.clock_bound_ns) return "not known";
  const auto offset_ns = static_cast<double>(*process.clock_offset_ns);
  return std::string("the queue's is ") + (offset_ns < 0 ? "behind" : "ahead") + " by " +
         text::duration(std::abs(offset_ns)) + ", known to ± " +
         text::duration(static_cast<double>(*process.clock_bound_ns));
}

}  // namespace

HostTest::HostTest(HostAccess& access, std::vector<std::string> names, std::string queue, const HostsOptions& hosts,
                   run::SessionOptions options)
    : access_(access),
      names_(std::move(names)),
      queue_(std::move(queue)),
      hosts_(hosts),
      options_(std::move(options)) {}

HostTest::~HostTest() = default;

BenchExit HostTest::execute() {
  QMetaObject::invokeMethod(this, &HostTest::next_host, Qt::QueuedConnection);
  QCoreApplication::exec();
  job_.reset();
  if (link_ != nullptr) link_->disconnect(this);
  return stopped_ ? BenchExit::stopped : code_;
}

void HostTest::stop() {
  if (std::exchange(stopped_, true) || !sequence_) return QCoreApplication::exit();
  sequence_->stop();
}

void HostTest::report(const std::string& host, const std::string& step, bool ok, const std::string& text) {
  std::printf("%-16s %-13s %-7s %s\n", shown(host).c_str(), step.c_str(), ok ? "ok" : "FAILED", text.c_str());
  std::fflush(stdout);
}

void HostTest::note(BenchExit code) {
  if (code_ == BenchExit::passed || code == BenchExit::unknown_key) code_ = code;
}

void HostTest::next_host() {
  if (link_ != nullptr) link_->disconnect(this);
  job_.reset();
  if (at_ == names_.size()) return begin_runs();
  link_ = &access_.links.to(names_[at_++]);
  const std::string name = link_->host().name;
  connect(link_, &HostLink::step_passed, this, [this, name](const launch::StepReport& step) {
    if (step.ok) report(name, launch::to_text(step.step), true, step.text);
  });
  connect(link_, &HostLink::failed, this, &HostTest::on_failed);
  connect(link_, &HostLink::state_changed, this, &HostTest::on_state);
  link_->open();
  on_state();
}

void HostTest::on_failed(const launch::LinkFailure& failure) {
  report(link_->host().name, launch::to_text(failure.step), false, failure_text(failure, hosts_));
  note(exit_code_of(failure.trouble));
  QMetaObject::invokeMethod(this, &HostTest::next_host, Qt::QueuedConnection);
}

void HostTest::on_state() {
  if (link_->state() == HostLink::State::open && !job_) ask_clock();
}

void HostTest::ask_clock() {
  const std::string name = link_->host().name;
  job_ = link_->clock_state([this, name](const Result<launch::ClockState>& state) {
    // Clocks are measured in each run: a host without such a program is as good.
    report(name, "time source", true, state ? state->text : "not known: " + state.error().text);
    usable_.push_back(name);
    QMetaObject::invokeMethod(this, &HostTest::next_host, Qt::QueuedConnection);
  });
}

void HostTest::begin_runs() {
  link_ = nullptr;
  if (usable_.empty() || stopped_) return QCoreApplication::exit();
  if (queue_.empty()) queue_ = usable_.front();
  const bool queue_works = hosts::is_local(queue_) || std::ranges::find(usable_, queue_) != usable_.end();
  if (!queue_works) {
    report(queue_, "connection", false, "the queue of the tests was to be here; name another one with --queue");
    return QCoreApplication::exit();
  }
  workers_ = usable_;
  if (!hosts::is_local(queue_)) workers_.emplace_back();
  next_run();
}

void HostTest::next_run() {
  if (workers_.empty() || stopped_) return QCoreApplication::exit();
  worker_ = workers_.front();
  workers_.erase(workers_.begin());
  sequence_ = std::make_unique<run::RunSequence>(options_, nullptr);
  connect(
      sequence_.get(), &run::RunSequence::finished, this,
      [this] {
        report_run();
        next_run();
      },
      Qt::QueuedConnection);
  if (auto started = sequence_->start_all(trial(queue_, worker_)); started)
    return;
  else
    report(worker_, "connection", false, started.error().text);
  note(BenchExit::host_trouble);
  QMetaObject::invokeMethod(this, &HostTest::next_run, Qt::QueuedConnection);
}

void HostTest::report_run() {
  const std::string to = "to the queue on " + shown(queue_);
  if (sequence_->records().empty()) return;
  const results::RunRecord& run = sequence_->records().front();
  const std::string latency =
      run.latency.p50 ? ", median latency " + text::duration(static_cast<double>(*run.latency.p50)) : "";
  const bool ok = run.verdict == results::Verdict::passed;
  report(worker_, "connection", ok, to + ": " + (ok ? run.reason + latency : run.reason));
  if (!ok) return note(BenchExit::host_trouble);
  for (const results::ProcessRecord& process : run.processes)
    if (process.role == Role::receiver) report(worker_, "clock", process.clock_kind != "unknown", clock_text(process));
}

}  // namespace n2nq::headless
