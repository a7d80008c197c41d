// How a run goes by itself: what is started, begins, drains and is over, each step from what is there.
#include "app/live/warnings.h"
#include "app/plan/filter_text.h"
#include "app/run/request_commands.h"
#include "app/run/session_impl.h"
#include "app/text/quantity.h"

namespace n2nq::run {
namespace {

constexpr int64_t kOldestFiguresNs = 1'000'000'000;  // older ones say nothing of now

}  // namespace

RunSession::Impl::Impl(RunSession& owner, plan::RunPlan plan, SessionOptions options)
    : owner_(owner),
      plan_(std::move(plan)),
      options_(options),
      stage_(options),
      live_(plan_.senders.fleet.count, plan_.receivers.fleet.count),
      expected_(plan_),
      ladder_({.quiet_ns = still_ns() + ns_of(options.quiet_timeout), .term_ns = ns_of(options.term_timeout)}),
      queue_ladder_({.term_ns = ns_of(options.term_timeout)}) {
  record_.plan = plan_;
  record_.totals.planned = plan::planned_messages(plan_);
  for (const Role role : kRoles) listen_to(stage_.group(role));
  connect(&tick_, &QTimer::timeout, this, &Impl::on_tick);
}

bool RunSession::Impl::any_started() const {
  return std::ranges::any_of(kRoles, [this](Role role) { return stage_.group(role).started(); });
}

bool RunSession::Impl::all_started() const {
  return std::ranges::all_of(kRoles, [this](Role role) { return stage_.group(role).started(); });
}

void RunSession::Impl::listen_to(WorkerGroup& group) {
  connect(&group, &WorkerGroup::changed, this, &Impl::advance);
  connect(&group, &WorkerGroup::noted, this,
          [this](Severity severity, const QString& text) { note(severity, text.toStdString()); });
  connect(&group, &WorkerGroup::telemetry, this, [this](Worker* worker, const control::Telemetry& figures) {
    const auto number = live_numbers_.find(worker);
    if (number != live_numbers_.end()) live_.take(number->second, figures, elapsed_ns().value_or(0));
  });
}

std::vector<FarFolder> RunSession::Impl::far_folders() const {
  if (opened_ || !setup_) return stage_.far_folders();
  std::vector<FarFolder> folders;
  for (const auto& [host, path] : setup_->places().folders) folders.push_back({.host = host, .path = path});
  return folders;
}

void RunSession::Impl::start(Role role) {
  if (state_ > State::connecting || ladder_.rung() != Rung::none || stage_.group(role).started()) return;
  if (opened_) return launch(role);
  waiting_.insert(role);
  if (state_ != State::idle) return;
  state_ = State::launching;
  prepare();
  if (!opened_) advance();
}

void RunSession::Impl::launch(Role role) {
  if (state_ > State::connecting || ladder_.rung() != Rung::none) return;
  stage_.launch(plan_, role);
  for (const auto& worker : stage_.group(role).workers()) {
    const Worker::Identity& identity = worker->identity();
    if (role != Role::broker)
      live_numbers_[worker.get()] =
          live_.add_worker(role, identity.share.first, identity.share.count, worker->record().place);
    else
      live_.set_queue_host(worker->record().place);
  }
  last_start_ns_ = now_ns();
  note(Severity::info, stage_.group(role).workers().front()->identity().name + ": started");
  advance();
}

// Whatever changes anywhere comes through here; each step looks at what is, not at what just happened.
void RunSession::Impl::advance() {
  if (state_ == State::idle || state_ == State::over) return;
  note_ends();
  if (state_ == State::over) return;
  release_fleets();
  check_begin();
  check_draining();
  Q_EMIT owner_.state_changed();
  check_over();
}

void RunSession::Impl::note_ends() {
  for (const Role role : kRoles) {
    for (const auto& worker : stage_.group(role).workers()) {
      if (!worker->over() || !ends_noted_.insert(worker.get()).second) continue;
      const std::string& name = worker->identity().name;
      const std::string reason = worker->reason();
      const std::string text = name + ": " + worker->state_text() + (reason.empty() ? "" : ": " + reason);
      const bool well = worker->ended_well();
      const auto* queue = worker->broker_summary();
      const bool lacking =
          worker->shortfall() == Worker::Shortfall::some || (queue != nullptr && queue->refused_connections > 0);
      note(!well ? Severity::error : lacking ? Severity::warning : Severity::info, text);
      if (const auto number = live_numbers_.find(worker.get()); number != live_numbers_.end())
        live_.set_worker_gone(number->second);
      if (!well && !facts_.killed && !had_to_end(name)) facts_.failures.push_back(text);
      // Where a link was cut, nothing else tells the others that their queue is gone; one that goes on for longer
      // without the bench ends the run itself.
      const bool queue_cut_off =
          role == Role::broker && worker->cut_off_ns() != 0 && !(options_.survives_longer() && facts_.began);
      // A queue that ended well has had its run: of a very short one the fleets tell only after it.
      const bool too_early = !facts_.began && !(role == Role::broker && well);
      if ((too_early || queue_cut_off) && ladder_.rung() == Rung::none) give_up(text);
    }
  }
}

void RunSession::Impl::release_fleets() {
  const auto& broker = stage_.group(Role::broker).workers();
  if (!broker.empty() && broker.front()->ready()) {
    stage_.broker_is_ready(broker.front()->ready()->port.value_or(0));
    record_.run_id = broker.front()->ready()->run_id.value_or("");
  }
  for (const Role role : {Role::sender, Role::receiver}) {
    for (const auto& worker : stage_.group(role).workers()) {
      if (worker->state() != WorkerState::joined || released_.contains(worker.get())) continue;
      if (waits_for_look(*worker)) continue;
      released_.insert(worker.get());
      if (role == Role::receiver) send_requests_to(*worker);
      worker->send(control::StartCommand{});
    }
  }
  if (state_ == State::launching && all_started() &&
      std::ranges::all_of(kRoles, [this](Role role) { return stage_.group(role).all_at_least(WorkerState::ready); }))
    enter(State::connecting);
}

void RunSession::Impl::check_begin() {
  for (const Role role : {Role::sender, Role::receiver}) {
    for (const auto& worker : stage_.group(role).workers()) {
      if (!worker->begin() || !begun_.insert(worker.get()).second) continue;
      live_.begin(live_numbers_.at(worker.get()), worker->begin()->origin_monotonic_ns);
      if (facts_.began) continue;
      facts_.began = true;
      begun_ns_ = now_ns();
      record_.began_utc_ns = worker->begin()->origin_utc_ns;
      note_machines();
      note(Severity::info, "the run begins: " + std::to_string(worker->begin()->senders) + " senders, " +
                               std::to_string(worker->begin()->receivers) + " receivers");
      if (plan_.queue.requests.on) note(Severity::info, "requests: " + plan::requests_text(plan_));
      enter(State::running);
    }
  }
}

// All have said on which computer they are, as nobody joins before that.
void RunSession::Impl::note_machines() {
  record_.machines = machines_of(groups());
  for (const std::string& place : places_beside_queue(record_))
    note(Severity::info, place + " and " + record::queue_place(record_) +
                             ", where the queue is, are the same computer: nothing between them crosses a network");
}

void RunSession::Impl::check_draining() {
  if (state_ == State::running) {
    const auto senders = live_.senders();
    const bool done = std::ranges::all_of(
        senders, [](const live::ServiceFigures& sender) { return sender.state >= live::ServiceState::stopped; });
    if (done || ladder_.rung() != Rung::none) enter(State::draining);
  }
  if (state_ != State::running && state_ != State::draining) return;
  const bool told = std::ranges::any_of(kRoles, [this](Role role) {
    return role != Role::sender && stage_.group(role).any_at_least(WorkerState::ended);
  });
  if (told && stage_.group(Role::broker).all_at_least(WorkerState::ended)) {
    put_exit_off();
    enter(State::ending);
  }
}

void RunSession::Impl::check_over() {
  if (state_ == State::over || !any_started()) return;
  if (!facts_.began && ladder_.rung() == Rung::none) return;
  if (std::ranges::all_of(kRoles, [this](Role role) { return stage_.group(role).all_over(); })) finish();
}

void RunSession::Impl::finish() {
  if (state_ == State::over) return;
  tick_.stop();
  if (begun_ns_ != 0) ended_ns_ = now_ns();
  record_.ended_utc_ns = wall_ns();
  fill_record(record_, groups(), live_);
  facts_.totals = record_.totals;
  facts_.uncertain = std::ranges::any_of(record_.processes, record::is_uncertain);
  const Judgement judgement = judge(facts_);
  record_.verdict = judgement.verdict;
  record_.reason = judgement.reason;
  if (setup_) setup_->give_up();
  note_traffic();
  if (facts_.began)
    for (const live::LiveWarning& warning : live::warnings_of(live_, plan_))
      if (warning.id == "clock") note(Severity::warning, warning.text);
  if (facts_.began && !record_.rate_reached)
    note(Severity::warning, "the senders did not reach the planned rate; see their lateness");
  notes_.add_last(made_note(judgement.verdict == record::Verdict::failed ? Severity::error : Severity::info,
                            to_text(judgement.verdict) + ": " + judgement.reason));
  Q_EMIT owner_.noted();
  record_.notes = notes_.all();
  enter(State::over);
  Q_EMIT owner_.finished();
}

// Processes whose link was lost may have come to their planned end all the same: the summaries that they left say so,
// and were not there when the run was judged.
bool RunSession::Impl::judge_again(record::RunRecord& record) {
  facts_.totals = record.totals;
  facts_.uncertain = std::ranges::any_of(record.processes, record::is_uncertain);
  std::vector<std::string> hosts;
  for (const Role role : kRoles) {
    for (const auto& worker : stage_.group(role).workers()) {
      const control::Outcome* said = worker->outcome();
      if (worker->cut_off_ns() == 0 || said == nullptr || said->exit_code != 0) continue;
      if (!said->reason.empty() && said->reason != "complete") continue;  // it stopped for want of its control
      const std::string begin = worker->identity().name + ": ";
      std::erase_if(facts_.failures, [&begin](const std::string& text) { return text.starts_with(begin); });
      const std::string& host = worker->identity().share.host;
      if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
    }
  }
  if (hosts.empty()) return false;
  std::string names;
  for (const std::string& host : hosts) names += (names.empty() ? "" : ", ") + host;
  const Judgement judgement = judge(facts_);
  record.verdict = judgement.verdict;
  record.reason =
      judgement.reason + "; the link to " + names + " was lost before the end, and its processes ended as planned";
  return true;
}

// What the run itself cost the way to its hosts; logs come after it.
void RunSession::Impl::note_traffic() {
  const double seconds = static_cast<double>(elapsed_ns().value_or(0)) / 1e9;
  launch::HeardSoFar all;
  std::string most;
  int64_t most_bytes = 0;
  for (const Role role : kRoles) {
    for (const auto& worker : stage_.group(role).workers()) {
      if (hosts::is_local(worker->identity().share.host)) continue;
      const launch::HeardSoFar heard = worker->heard();
      all.bytes += heard.bytes;
      all.lines += heard.lines;
      if (heard.bytes <= most_bytes) continue;
      most_bytes = heard.bytes;
      most = worker->identity().name + " " + text::bytes(static_cast<double>(heard.bytes) / seconds) + "/s";
    }
  }
  if (!facts_.began || all.bytes == 0 || seconds <= 0) return;
  note(Severity::info, "control traffic from the hosts: " + text::bytes(static_cast<double>(all.bytes) / seconds) +
                           "/s, " + text::count(static_cast<int64_t>(static_cast<double>(all.lines) / seconds)) +
                           " lines/s (most of it from " + most + ")");
}

void RunSession::Impl::enter(State state) {
  if (state <= state_) return;
  state_ = state;
  Q_EMIT owner_.state_changed();
}

void RunSession::Impl::make_request(const std::vector<plan::ReceiverFilter>& filters) {
  plan_.queue.requests.filters = filters;
  if (!facts_.began) {
    record_.plan.queue.requests.filters = filters;
    expected_ = ExpectedDeliveries(plan_);
  }
  if (!plan_.queue.requests.on || !stage_.group(Role::receiver).started() || ending()) return;
  send_requests();
  note(Severity::info, "requests from now on: " + plan::requests_text(plan_));
  if (!facts_.began) return;
  const int64_t since_begin_ns = elapsed_ns().value_or(0);
  expected_.change(plan_, live_.senders(), std::clamp<int64_t>(since_begin_ns - live_.now_ns(), 0, kOldestFiguresNs));
  record_.requests.push_back({.since_begin_ns = since_begin_ns, .filters = plan::to_text(filters)});
}

void RunSession::Impl::send_requests() {
  for (const auto& worker : stage_.group(Role::receiver).workers())
    if (worker->state() >= WorkerState::joined) send_requests_to(*worker);
}

void RunSession::Impl::send_requests_to(Worker& worker) {
  if (!plan_.queue.requests.on) return;
  for (const auto& request : request_commands(plan_.queue.requests.filters, worker.identity().share))
    worker.send(request);
}

void RunSession::Impl::note(Severity severity, const std::string& text) {
  if (notes_.add(made_note(severity, text))) Q_EMIT owner_.noted();
}

record::RunNote RunSession::Impl::made_note(Severity severity, const std::string& text) const {
  return {.utc_ns = wall_ns(), .since_begin_ns = elapsed_ns(), .severity = severity, .text = text};
}

}  // namespace n2nq::run
