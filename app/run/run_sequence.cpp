#include "app/run/run_sequence.h"

#include <algorithm>
#include <span>

#include "app/figures/setting_text.h"
#include "app/plan/permissions.h"
#include "app/plan/plan_fields.h"
#include "app/plan/plan_limits.h"
#include "app/run/host_links.h"
#include "app/run/run_keeper.h"
#include "app/store/store.h"
#include "broker/base/join.h"

namespace n2nq::run {

std::vector<plan::PlanProblem> problems_of(const plan::RunPlan& plan, const hosts::HostList& hosts) {
  auto problems = plan::problems_of(plan);
  for (auto& problem : host_problems(plan, hosts)) problems.push_back(std::move(problem));
  return problems;
}

std::optional<RunProblem> first_problem(const std::vector<plan::RunPlan>& runs, const hosts::HostList& hosts) {
  for (size_t i = 0; i < runs.size(); i++)
    if (auto problems = problems_of(runs[i], hosts); !problems.empty())
      return RunProblem{.run = i + 1, .problem = std::move(problems.front())};
  return std::nullopt;
}

RunSequence::RunSequence(SessionOptions options, store::ResultStore* store, QObject* parent)
    : QObject(parent), options_(std::move(options)), store_(store) {}

RunSequence::~RunSequence() = default;

bool RunSequence::active() const {
  return active_;
}

Result<void> RunSequence::take(const plan::PlanFile& file, uint32_t repeats) {
  if (repeats < 1 || repeats > plan::kMaxRepeats)
    return fail("repeats: expected 1 to " + std::to_string(plan::kMaxRepeats));
  auto plans = plan::runs_of(file);
  if (!plans) return std::unexpected(plans.error());
  const auto wrong = first_problem(*plans, options_.links != nullptr ? options_.links->list() : hosts::HostList{});
  if (wrong) {
    const std::string run = plans->size() > 1 ? "run " + std::to_string(wrong->run) + ": " : "";
    return fail(run + wrong->problem.key + ": " + wrong->problem.text);
  }
  if (options_.permissions != nullptr)
    if (const auto missing = options_.permissions->missing(*plans); !missing.empty())
      return fail(plan::to_text(missing.front()) + ", which was not allowed");
  plans_.clear();
  for (uint32_t repeat = 1; repeat <= repeats; repeat++)
    for (const plan::RunPlan& plan : *plans) plans_.push_back(plan::plan_of_repeat(plan, repeat));
  repeats_ = repeats;
  records_.clear();
  stopped_ = false;
  active_ = true;
  begin_run(0);
  return {};
}

Result<void> RunSequence::start_all(const plan::PlanFile& file, uint32_t repeats) {
  if (!active_)
    if (auto taken = take(file, repeats); !taken) return taken;
  session_->start_all();
  return {};
}

Result<void> RunSequence::start(const plan::PlanFile& file, Role role, uint32_t repeats) {
  if (!active_)
    if (auto taken = take(file, repeats); !taken) return taken;
  session_->start(role);
  return {};
}

void RunSequence::stop() {
  stopped_ = true;
  if (!active_) return;
  if (session_->state() == State::over) return keeper_->cut_short();
  session_->stop();
}

void RunSequence::stop(Role role) {
  stopped_ = true;
  if (active_) session_->stop(role);
}

std::string RunSequence::special_settings() const {
  std::string text;
  const size_t runs = plans_.size() / repeats_;
  const auto same_repeat = std::span(plans_).subspan(runs == 0 ? 0 : index_ / runs * runs, runs);
  for (const plan::PlanField& field : plan::plan_fields()) {
    if (field.key == "name" || index_ >= plans_.size()) continue;
    const std::string own = plan::text_of(field, plans_[index_]);
    const auto differs = [&](const plan::RunPlan& plan) { return plan::text_of(field, plan) != own; };
    if (std::ranges::none_of(same_repeat, differs)) continue;
    const std::string name = field.key == "queue.mode" ? "" : std::string(field.name) + " ";
    add_part(text, ", ", name + figures::setting_value(field, plans_[index_]));
  }
  return text;
}

void RunSequence::begin_run(size_t index) {
  index_ = index;
  // Bound to the new session by then: the former ones go only afterwards.
  auto former_keeper = std::move(keeper_);
  auto former = std::move(session_);
  session_ = std::make_unique<RunSession>(plans_[index], options_);
  keeper_ = std::make_unique<RunKeeper>(*session_, store_, options_);
  connect(session_.get(), &RunSession::state_changed, this, &RunSequence::changed);
  connect(session_.get(), &RunSession::noted, this, &RunSequence::noted);
  connect(session_.get(), &RunSession::finished, this, &RunSequence::on_session_finished);
  connect(keeper_.get(), &RunKeeper::kept, this, &RunSequence::on_kept);
  connect(keeper_.get(), &RunKeeper::waits, this, &RunSequence::waits);
  connect(keeper_.get(), &RunKeeper::trouble, session_.get(),
          [this](record::Severity severity, const QString& text) { session_->add_note(severity, text.toStdString()); });
  Q_EMIT session_changed();
}

bool RunSequence::waits_for_store() const {
  return keeper_ && keeper_->waits_for_store();
}

void RunSequence::on_session_finished() {
  keeper_->keep(session_->record());
}

void RunSequence::on_kept() {
  records_.push_back(keeper_->record());
  // What kept one run from a host keeps the next ones from it as well.
  const bool more = !stopped_ && !session_->host_failure() && index_ + 1 < plans_.size();
  if (!more) active_ = false;
  Q_EMIT kept();
  Q_EMIT changed();
  if (!more) {
    Q_EMIT finished();
    return;
  }
  // Not from within the keeper's own signal: it goes with the run.
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (stopped_) return finish_early();
        begin_run(index_ + 1);
        session_->start_all();
      },
      Qt::QueuedConnection);
}

void RunSequence::finish_early() {
  active_ = false;
  Q_EMIT changed();
  Q_EMIT finished();
}

}  // namespace n2nq::run

#include "moc_run_sequence.cpp"
