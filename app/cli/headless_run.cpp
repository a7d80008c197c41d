#include "app/cli/headless_run.h"

#include <QCoreApplication>
#include <algorithm>
#include <chrono>
#include <csignal>

#include "app/cli/junit_reports.h"
#include "app/cli/metrics_text.h"
#include "app/cli/summary_table.h"
#include "app/figures/limit_text.h"
#include "app/plan/plan_fields.h"
#include "app/plan/whole_file.h"
#include "app/record/machine.h"
#include "app/record/outages.h"
#include "app/record/repeat.h"
#include "app/record/trust.h"
#include "app/text/quantity.h"

namespace n2nq::cli {
namespace {

// On a host that runs none of the programs.
bool did_not_run_there(const record::RunRecord& run) {
  return !run.began_utc_ns && std::ranges::any_of(run.processes, [&](const record::ProcessRecord& process) {
    return !process.was_started && record::is_on_host(run, process);
  });
}

std::string so_many(uint64_t count, std::optional<uint64_t> of = {}) {
  return text::count(control::to_count(count)) + (of ? " of " + text::count(control::to_count(*of)) : "");
}

// "run 1 of 2, broadcaster: running 00:02, sent 1,010 of 1,250, received 10,100 of 12,500, lost 0, p50 84.1 us, p99
// ..."
std::string progress_line(const run::RunSequence& sequence) {
  const run::RunSession* session = sequence.session();
  if (session == nullptr) return "";
  std::string line;
  if (sequence.count() > 1)
    line = "run " + std::to_string(sequence.index() + 1) + " of " + std::to_string(sequence.count()) + ", ";
  line += plan::way_text(session->plan()) + ": " + session->status_text();
  const auto elapsed = session->elapsed_ns();
  if (!elapsed) return line;
  line += " " + text::elapsed(*elapsed);
  line += ", sent " + so_many(control::whole(session->all_of(Role::sender).count), session->planned_messages());
  const auto run = session->view();
  const record::RunTotals& totals = run->totals();
  const auto expected = session->expected_deliveries();
  line += ", received " + so_many(totals.received, expected ? std::optional(expected->count) : std::nullopt);
  const bool replies = plan::asks_for_replies(run->plan());
  if (replies)
    line += ", replies " + so_many(totals.replies.value_or(0)) + ", timed out " + so_many(totals.timeouts.value_or(0));
  else if (totals.lost)
    line += ", lost " + so_many(*totals.lost);
  const auto& latency = run->summary(record::first_latency(replies));
  if (latency.p50 && latency.p99)
    line += ", p50 " + text::duration(static_cast<double>(*latency.p50)) + ", p99 " +
            text::duration(static_cast<double>(*latency.p99));
  if (const auto bound_ns = run->clocks().bound_ns; bound_ns && latency.p50 && !replies)
    line += " (± " + text::duration(static_cast<double>(*bound_ns)) + ")";
  return line;
}

// Runs that never began have nothing but a reason.
std::string result_text(const BenchResult& result) {
  const auto began = [](const record::RunRecord& run) { return run.began_utc_ns.has_value(); };
  std::string text = std::ranges::any_of(result.runs, began) ? summary_table(result.runs) + "\n" : "";
  for (size_t i = 0; i < result.runs.size(); i++) {
    const record::RunRecord& run = result.runs[i];
    text += plan::way_text(run.plan) + ": " + to_text(run.verdict) + ": " + run.reason + "\n";
    if (const std::string outages = record::outages_text(run); !outages.empty()) text += "  " + outages + "\n";
    for (const std::string& doubt : record::doubts_of(run)) text += "  doubtful: " + doubt + "\n";
    for (const record::PassedLimit& passed : run.passed_limits)
      if (only_warns(passed)) text += "  limit exceeded: " + figures::passed_when_text(passed) + "\n";
    if (i < result.conditions.size())
      for (const JudgedCondition& one : result.conditions[i]) text += "  " + to_line(one) + "\n";
    if (!run.folder.empty()) text += "  files: " + run.folder + "\n";
  }
  return text;
}

}  // namespace

HeadlessRun::HeadlessRun(RunCommand command) : command_(std::move(command)), junit_(command_.junit) {
  std::signal(SIGPIPE, SIG_IGN);
  connect(&signals_, &SignalWatch::asked_to_stop, this, &HeadlessRun::on_signal);
  connect(&each_second_, &QTimer::timeout, this, &HeadlessRun::show_progress);
}

HeadlessRun::~HeadlessRun() = default;

int HeadlessRun::execute() {
  for (const auto step : {&HeadlessRun::read_checks, &HeadlessRun::read_plan, &HeadlessRun::open_places,
                          &HeadlessRun::check_permissions, &HeadlessRun::open_hosts, &HeadlessRun::serve_metrics})
    if (const Step done = (this->*step)(); !done) return give_up(done.error());
  search();
  QCoreApplication::exec();
  if (gave_up_) return *gave_up_;
  return static_cast<int>(report());
}

Step HeadlessRun::read_checks() {
  if (Step prepared = junit_.prepare(); !prepared) return prepared;
  for (const std::string& text : command_.fail_if) {
    auto condition = compare::parse_run_condition(text);
    if (!condition) return std::unexpected(Trouble{BenchExit::usage, "--fail-if: " + condition.error().text});
    conditions_.push_back(std::move(*condition));
  }
  return {};
}

Step HeadlessRun::read_plan() {
  if (command_.result) return read_result();
  auto file = plan::read_plan_file(command_.plan);
  if (!file) return std::unexpected(Trouble{BenchExit::usage, file.error().text});
  plan_ = std::move(*file);
  for (const std::string& assignment : command_.sets)
    if (auto set = plan::set_in_all_runs(plan_, assignment); !set)
      return std::unexpected(Trouble{BenchExit::usage, "--set: " + set.error().text});
  const auto runs = plan::runs_of(plan_);
  if (!runs) return std::unexpected(Trouble{BenchExit::usage, command_.plan + ": " + runs.error().text});
  for (const plan::RunPlan& plan : *runs) {
    const auto problems = plan::problems_of(plan);
    if (!problems.empty())
      return std::unexpected(
          Trouble{BenchExit::usage, command_.plan + ": " + problems.front().key + ": " + problems.front().text});
  }
  if (!runs->front().queue.requests.on && !runs->front().queue.requests.filters.empty())
    say("queue.filters have no effect, since queue.requests is off");
  return {};
}

// Exactly: its plan as it is.
Step HeadlessRun::read_result() {
  const std::string name = "result #" + std::to_string(*command_.result);
  if (const Step opened = open_places(); !opened) return opened;
  if (places_.store->presence(*command_.result) == store::Presence::deleted)
    return std::unexpected(Trouble{BenchExit::usage, name + " was deleted; restore it in the window first"});
  const auto record = places_.store->load(*command_.result);
  if (!record) return std::unexpected(Trouble{BenchExit::usage, record.error().text});
  plan_ = {.base = record->plan, .runs = {}};
  command_.plan = name;
  const auto problems = plan::problems_of(record->plan);
  if (!problems.empty())
    return std::unexpected(
        Trouble{BenchExit::usage, name + ": " + problems.front().key + ": " + problems.front().text});
  remarks_ = record::repeat_remarks(*record, record::machine_json());
  for (const std::string& remark : remarks_) say(remark);
  remarks_.insert(remarks_.begin(), record::repeat_text(*record));
  return {};
}

Step HeadlessRun::open_places() {
  if (places_.store != nullptr) return {};
  return cli::open_places(command_.data_dir, command_.out, places_);
}

Step HeadlessRun::check_permissions() {
  const plan::PlanOrigin origin{.file = command_.result ? std::string() : command_.plan,
                                .own_keys = keys_of(command_.sets)};
  return cli::check_permissions(*plan::runs_of(plan_), origin, command_.allow, command_.plan, places_);
}

Step HeadlessRun::open_hosts() {
  return cli::open_hosts(command_.hosts, *plan::runs_of(plan_), command_.plan, places_);
}

Step HeadlessRun::serve_metrics() {
  sequence_ = std::make_unique<run::RunSequence>(places_.options, places_.store.get());
  if (!command_.metrics_port) return {};
  auto server = MetricsServer::listen(*command_.metrics_port, [this] { return metrics_text(*sequence_); });
  if (!server) return std::unexpected(Trouble{BenchExit::local_trouble, server.error().text});
  metrics_ = std::move(*server);
  say("live figures at " + metrics_->address());
  return {};
}

// Before the run, whose figures it would disturb.
void HeadlessRun::search() {
  search_ = std::make_unique<run::CutOffSearch>(places_.folder.store(), places_.folder.runs(), places_.folder.begun());
  connect(search_.get(), &run::CutOffSearch::taken_in, this,
          [](qint64, const QString& text) { say(text.toStdString()); });
  connect(search_.get(), &run::CutOffSearch::trouble, this, [](const QString& text) { say(text.toStdString()); });
  connect(search_.get(), &run::CutOffSearch::finished, this, &HeadlessRun::begin);
  search_->start();
}

void HeadlessRun::begin() {
  if (interrupted_) return QCoreApplication::exit();
  if (const Step started = start(); !started) {
    gave_up_ = give_up(started.error());
    return QCoreApplication::exit();
  }
  each_second_.start(std::chrono::seconds(1));
}

Step HeadlessRun::start() {
  connect(sequence_.get(), &run::RunSequence::session_changed, this, &HeadlessRun::on_session_changed);
  connect(sequence_.get(), &run::RunSequence::noted, this, &HeadlessRun::show_notes);
  // From the event loop, also where all is over at once.
  connect(sequence_.get(), &run::RunSequence::finished, this, [] { QCoreApplication::exit(); }, Qt::QueuedConnection);
  if (auto started = sequence_->start_all(plan_, command_.repeats); !started)
    return std::unexpected(Trouble{BenchExit::usage, command_.plan + ": " + started.error().text});
  for (const std::string& remark : remarks_) sequence_->session()->add_note(record::Severity::info, remark);
  return {};
}

int HeadlessRun::give_up(const Trouble& trouble) {
  say(trouble.text);
  if (command_.json) print(to_json(BenchResult{.reason = trouble.text}) + "\n");
  junit_.write(failure_report("n2nq-bench run", command_.plan, trouble));
  return static_cast<int>(trouble.code);
}

void HeadlessRun::on_signal(int signal) {
  line_.end();
  const run::RunSession* session = sequence_->session();
  if (session != nullptr && session->state() == run::State::over)
    say("finishing: what is not saved yet is dropped, the logs stay");
  else
    say(interrupted_ ? "killing what is still running" : "stopping; a second signal kills what is still running");
  if (signal == SIGHUP) line_.leave_terminal();
  interrupted_ = true;
  search_->stop();
  sequence_->stop();
}

void HeadlessRun::on_session_changed() {
  notes_shown_ = 0;
  line_.end();  // the line of the run before stays
}

void HeadlessRun::show_progress() {
  if (sequence_->active()) line_.show(progress_line(*sequence_));
}

void HeadlessRun::show_notes() {
  const run::RunSession* session = sequence_->session();
  if (session == nullptr) return;
  const auto& notes = session->notes();
  for (; notes_shown_ < notes.size(); notes_shown_++) {
    if (notes[notes_shown_].severity == record::Severity::info) continue;
    const std::string& text = notes[notes_shown_].text;
    // The end of a run repeats why.
    const bool known = std::ranges::any_of(said_, [&](const std::string& said) { return text.ends_with(said); });
    if (!said_.insert(text).second || known) continue;
    line_.end();
    say(text);
  }
}

BenchExit HeadlessRun::report() {
  each_second_.stop();
  line_.end();
  BenchResult result = result_of(sequence_->records(), interrupted_);
  judge_runs(result, conditions_);
  const std::string json = to_json(result);
  if (!command_.out.empty()) write_result(json);
  files_written_ &= junit_.write(run_report(result, plan_, command_.repeats));
  const bool printed = print(command_.json ? json + "\n" : result_text(result));
  if (!printed) say("the result could not be written to stdout");
  return exit_code(result, printed && files_written_);
}

BenchExit HeadlessRun::exit_code(const BenchResult& result, bool all_written) {
  const BenchExit code = exit_code_of(result.verdict);
  const run::RunSession* last = sequence_->session();
  if (last != nullptr && last->host_failure() && code == BenchExit::failed) {
    for (const launch::LinkFailure& failure : last->host_failures())
      if (const std::string why = failure_text(failure, command_.hosts); said_.insert(why).second) say(why);
    return exit_code_of(last->host_failure()->trouble);
  }
  if (code == BenchExit::failed && !result.runs.empty() && did_not_run_there(result.runs.back()))
    return BenchExit::host_trouble;
  const auto any = [&result](compare::Outcome outcome) {
    return std::ranges::any_of(result.conditions,
                               [outcome](const auto& of_run) { return outcome_of(of_run) == outcome; });
  };
  if (any(compare::Outcome::met)) return BenchExit::failed;
  if (code != BenchExit::passed) return code;
  const bool kept = std::ranges::none_of(result.runs, [](const auto& run) { return run.id == 0; });
  if (!all_written || !kept) return BenchExit::local_trouble;
  const bool judged = std::ranges::all_of(
      result.runs, [](const record::RunRecord& run) { return record::unjudged_limit(run) == nullptr; });
  return !judged || any(compare::Outcome::unknown) ? BenchExit::no_statement : BenchExit::passed;
}

void HeadlessRun::write_result(const std::string& json) {
  const auto written = plan::write_whole_file(places_.options.runs_folder + "/results.json", json + "\n");
  if (written) return;
  files_written_ = false;
  say(written.error().text);
}

}  // namespace n2nq::cli

#include "moc_headless_run.cpp"
