#include "app/cli/host_test.h"

#include <QCoreApplication>
#include <algorithm>
#include <cstdio>

#include "app/cli/table_text.h"
#include "app/run/host_trial.h"

namespace n2nq::cli {
namespace {

using run::TestStep;
using Mark = TestStep::Mark;

std::string shown(const std::string& host) {
  return hosts::is_local(host) ? hosts::kThisComputer : host;
}

}  // namespace

HostTest::HostTest(HostAccess& access, std::vector<std::string> names, std::string queue, const HostsOptions& hosts,
                   run::SessionOptions options, bool bandwidth)
    : access_(access),
      names_(std::move(names)),
      queue_(std::move(queue)),
      hosts_(hosts),
      options_(std::move(options)),
      bandwidth_(bandwidth) {
  if (!hosts::is_local(queue_) && std::ranges::find(names_, queue_) == names_.end()) names_.push_back(queue_);
}

HostTest::~HostTest() = default;

BenchExit HostTest::execute() {
  QMetaObject::invokeMethod(this, &HostTest::next_host, Qt::QueuedConnection);
  QCoreApplication::exec();
  test_.reset();
  return stopped_ ? BenchExit::stopped : code_;
}

void HostTest::stop() {
  if (std::exchange(stopped_, true) || !sequence_) return QCoreApplication::exit();
  sequence_->stop();
}

void HostTest::report(const std::string& host, const std::string& step, Mark mark, const std::string& text) {
  std::printf("%-16s %-13s %-7s %s\n", shown(host).c_str(), step.c_str(), mark_word(mark), text.c_str());
  std::fflush(stdout);
}

void HostTest::note(BenchExit code) {
  if (code_ == BenchExit::passed || code == BenchExit::unknown_key) code_ = code;
}

void HostTest::next_host() {
  test_.reset();
  if (stopped_) return QCoreApplication::exit();
  if (at_ == names_.size()) return begin_runs();
  const std::string& name = names_[at_++];
  told_ = 0;
  test_ = std::make_unique<run::HostTest>(access_.links.to(name));
  connect(test_.get(), &run::HostTest::changed, this, [this, name] { tell_steps(name); });
  test_->start();
}

// In their order, each once it is known.
void HostTest::tell_steps(const std::string& name) {
  const std::vector<TestStep>& steps = test_->steps();
  for (; told_ < steps.size() && steps[told_].mark > Mark::under_way; told_++) {
    const TestStep& step = steps[told_];
    if (step.mark == Mark::not_tried) continue;
    const auto& failure = access_.links.to(name).failure();
    const bool of_link = step.mark == Mark::bad && failure && failure->text == step.text;
    report(name, step.name, step.mark, of_link ? failure_text(*failure, hosts_) : step.text);
    if (step.mark == Mark::bad) note(of_link ? exit_code_of(failure->trouble) : BenchExit::host_trouble);
  }
  if (!test_->over() || told_ != steps.size()) return;
  told_ = steps.size() + 1;  // it may say once more that it is over
  if (test_->usable()) usable_.push_back(name);
  QMetaObject::invokeMethod(this, &HostTest::next_host, Qt::QueuedConnection);
}

void HostTest::begin_runs() {
  if (usable_.empty() || stopped_) return QCoreApplication::exit();
  if (queue_.empty()) queue_ = usable_.front();
  const bool queue_works = hosts::is_local(queue_) || std::ranges::find(usable_, queue_) != usable_.end();
  if (!queue_works) {
    report(queue_, "connection", Mark::bad, "no host for the queue of the tests; name one with --queue");
    note(BenchExit::host_trouble);
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
  plan::PlanFile trial = run::trial_plan(queue_, worker_);
  trial.base.look.bandwidth = bandwidth_ && trial.base.look.path;
  if (auto started = sequence_->start_all(trial); started)
    return;
  else
    report(worker_, "connection", Mark::bad, started.error().text);
  note(BenchExit::host_trouble);
  QMetaObject::invokeMethod(this, &HostTest::next_run, Qt::QueuedConnection);
}

void HostTest::report_run() {
  const std::string to = "to the queue on " + shown(queue_);
  if (sequence_->records().empty()) return;
  const record::RunRecord& run = sequence_->records().front();
  const bool ok = run.verdict == record::Verdict::passed;
  report(worker_, "connection", ok ? Mark::good : Mark::bad,
         to + ": " + run.reason + (ok ? run::latency_of_trial(run) : std::string()));
  if (!ok) return note(BenchExit::host_trouble);
  for (const TestStep& step : run::way_of_trial(run)) report(worker_, step.name, step.mark, step.text);
  const bool known = run::clock_is_known(run);
  report(worker_, "clock", known ? Mark::good : Mark::bad, run::clock_of_trial(run));
  if (!known) note(BenchExit::host_trouble);
}

}  // namespace n2nq::cli

#include "moc_host_test.cpp"
