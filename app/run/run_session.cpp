#include "app/run/run_session.h"

#include <algorithm>
#include <utility>

#include "app/figures/limit_text.h"
#include "app/run/session_impl.h"
#include "broker/base/assert.h"

namespace n2nq::run {

RunSession::RunSession(plan::RunPlan plan, SessionOptions options, QObject* parent)
    : QObject(parent), impl_(std::make_unique<Impl>(*this, std::move(plan), std::move(options))) {}

RunSession::~RunSession() = default;

const plan::RunPlan& RunSession::plan() const {
  return impl_->plan();
}

State RunSession::state() const {
  return impl_->state();
}

RoleStatus RunSession::role_status(Role role) const {
  return role_status_of(impl_->parts(), role);
}

std::vector<ProcessStatus> RunSession::processes() const {
  return processes_of(impl_->parts());
}

std::vector<record::ProcessRecord> RunSession::process_records() const {
  return records_of(impl_->groups());
}

std::string RunSession::status_text() const {
  return status_text_of(impl_->parts());
}

void RunSession::start(Role role) {
  N2NQ_ASSERT(plan::problems_of(impl_->plan()).empty());
  impl_->start(role);
}

void RunSession::start_all() {
  for (const Role role : kRoles) start(role);
}

void RunSession::stop() {
  impl_->stop();
}

bool RunSession::stopping() const {
  return impl_->stopping();
}

bool RunSession::stopped_by_user() const {
  return impl_->stopped_by_user();
}

void RunSession::stop(Role role) {
  impl_->stop(role);
}

void RunSession::kill_server(const std::string& server) {
  impl_->kill_server(server);
}

void RunSession::make_request(const std::vector<plan::ReceiverFilter>& filters) {
  impl_->make_request(filters);
}

const live::LiveFigures& RunSession::live() const {
  return impl_->live();
}

std::unique_ptr<figures::RunView> RunSession::view() const {
  if (state() == State::over) return std::make_unique<figures::RecordView>(record());
  return std::make_unique<figures::RunningView>(record(), notes(), live(), figures::Stage::going_on,
                                                impl_->shows_intended());
}

figures::RunningView RunSession::running() const {
  return {record(), notes(), live(), state() == State::over ? figures::Stage::over : figures::Stage::going_on,
          impl_->shows_intended()};
}

std::unique_ptr<figures::HeldView> RunSession::hold() const {
  N2NQ_ASSERT(state() != State::over);
  return std::make_unique<figures::HeldView>(running());
}

live::ServiceFigures RunSession::all_of(Role role) const {
  const live::LiveFigures& live = impl_->live();
  const live::ServiceFigures& told = role == Role::sender ? live.all_senders() : live.all_receivers();
  if (state() == State::over) return with_totals(live.of_whole_run(told), impl_->record().totals);
  live::ServiceFigures all = live.with_means_of_whole_run(told);
  if (role == Role::sender) live::take_back(all, sent_beyond());
  return all;
}

uint64_t RunSession::sent_beyond() const {
  return state() == State::over ? 0 : impl_->live().sent_beyond_receivers();
}

std::optional<int64_t> RunSession::elapsed_ns() const {
  return impl_->elapsed_ns();
}

std::optional<Deliveries> RunSession::expected_deliveries() const {
  if (const auto told = impl_->record().totals.expected) return Deliveries{.count = *told};
  return impl_->expected();
}

std::optional<uint64_t> RunSession::planned_messages() const {
  return impl_->record().totals.planned;
}

std::optional<int64_t> RunSession::remaining_ns() const {
  const auto planned = plan::planned_duration_ns(impl_->plan());
  const auto elapsed = elapsed_ns();
  if (!planned || !elapsed || impl_->state() != State::running) return std::nullopt;
  return std::max<int64_t>(*planned - *elapsed, 0);
}

double RunSession::progress() const {
  const record::RunRecord& record = impl_->record();
  const auto received = static_cast<double>(all_of(Role::receiver).count);
  const auto planned = planned_messages();
  const auto due = record.totals.expected ? std::optional(static_cast<double>(*record.totals.expected)) : impl_->due();
  if (planned && *planned > 0 && due) {
    const bool over = state() == State::over;  // else due is of all that senders have told of
    const auto sent = static_cast<double>(over ? all_of(Role::sender).count : live().all_senders().count);
    const double arrived = *due > 0 ? std::min(1.0, received / *due) : 1.0;
    return std::clamp(arrived * sent / static_cast<double>(*planned), 0.0, 1.0);
  }
  const auto elapsed = elapsed_ns();
  const auto duration = plan::planned_duration_ns(impl_->plan());
  const bool timed = elapsed && duration && *duration > 0;
  const double of_time = timed ? static_cast<double>(*elapsed) / static_cast<double>(*duration) : 0;
  if (!due || !record.totals.expected || *due == 0) return std::clamp(of_time, 0.0, 1.0);
  // What is due at the end is due of what was sent: of a run that ended early that is not all of the plan.
  const bool early = record.verdict == record::Verdict::stopped || record.verdict == record::Verdict::limit;
  return std::clamp(received / *due * (early && duration ? std::min(1.0, of_time) : 1.0), 0.0, 1.0);
}

std::span<const LimitState> RunSession::limits() const {
  return impl_->limits();
}

const std::vector<record::RunNote>& RunSession::notes() const {
  return impl_->notes();
}

void RunSession::add_note(record::Severity severity, const std::string& text) {
  impl_->note(severity, text);
}

const std::string& RunSession::folder() const {
  return impl_->stage().folder();
}

std::string RunSession::log_path(Role role, uint32_t service) const {
  return impl_->stage().log_path(role, service);
}

std::optional<FarLog> RunSession::far_log(Role role, uint32_t service) const {
  return impl_->stage().far_log(role, service);
}

std::string RunSession::why_no_log(Role role, uint32_t service) const {
  return impl_->stage().why_no_log(role, service);
}

std::vector<FarFolder> RunSession::far_folders() const {
  return impl_->far_folders();
}

std::vector<std::string> RunSession::take_fetched(record::RunRecord& record) {
  return impl_->take_fetched(record);
}

const std::string& RunSession::run_name() const {
  return impl_->stage().run_name();
}

const std::optional<launch::LinkFailure>& RunSession::host_failure() const {
  return impl_->places().failure();
}

const std::vector<launch::LinkFailure>& RunSession::host_failures() const {
  return impl_->places().failures();
}

const std::string& RunSession::better_queue_host() const {
  return impl_->better_queue_host();
}

const record::RunRecord& RunSession::record() const {
  return impl_->record();
}

void RunSession::Impl::check_over() {
  if (state_ == State::over || (!any_started() && !(opened_ && end_.begun()))) return;
  if (!outcome_.began() && !end_.begun()) return;
  const auto over = [this](Role role) { return stage_.group(role).all_over(); };
  if (outcome_.began() && workers_ended_.utc_ns == 0 && over(Role::sender) && over(Role::receiver))
    workers_ended_ = {.utc_ns = wall_ns(), .ns = now_ns()};
  if (!std::ranges::all_of(kRoles, over)) return;
  note_end_of_run();
  servers_.stop();
  if (!servers_.over()) return;
  recorders_.stop();
  if (recorders_.over()) finish();
}

// When the last sender and receiver ended: how long the queue takes then, to end a server of the run perhaps, is no
// part of the run, and neither is the recorders' end.
void RunSession::Impl::note_end_of_run() {
  if (ended()) return;
  look_for_warnings();
  loads_.end();
  if (begun_ns_ != 0) ended_ns_ = workers_ended_.ns != 0 ? workers_ended_.ns : now_ns();
  record_.ended_utc_ns = workers_ended_.utc_ns != 0 ? workers_ended_.utc_ns : wall_ns();
}

void RunSession::Impl::judge_limits(int64_t now_ns) {
  if (end_.begun() || (state_ != State::running && state_ != State::draining)) return;
  const auto sends = [](const live::ServiceFigures& sender) { return sender.state < live::ServiceState::stopped; };
  const bool sending = state_ == State::running && std::ranges::all_of(live_.senders(), sends);
  if (!limits_.judge(now_ns, *elapsed_ns(), sending)) return;
  outcome_.stop_at_limit(outcome_.failed() || !end_.had_to_end().empty());
  climb(RunEnd::Rung::senders_asked);
}

std::vector<std::string> RunSession::Impl::take_fetched(record::RunRecord& record) {
  N2NQ_ASSERT(state_ == State::over);
  auto said = take_fetched_summaries(record, groups(), live_, [this](const Worker& worker, const auto& figures) {
    if (const auto number = live_numbers_.find(&worker); number != live_numbers_.end())
      live_.take(number->second, figures);
  });
  if (said.empty()) return said;
  auto notes = std::move(record_.notes);
  record_ = record;
  const size_t passed = record_.passed_limits.size();
  if (outcome_.began()) limits_.judge_whole_run();
  for (size_t i = passed; i < record_.passed_limits.size(); i++)
    record::add_note(record_, record::Severity::warning,
                     "limit exceeded: " + figures::passed_when_text(record_.passed_limits[i]));
  if (outcome_.judge_again(record_, groups())) said.push_back(to_text(record_.verdict) + ": " + record_.reason);
  record = record_;
  record_.notes = std::move(notes);
  Q_EMIT owner_.state_changed();
  return said;
}

}  // namespace n2nq::run

#include "moc_run_session.cpp"
