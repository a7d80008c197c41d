#include "app/run/run_session.h"

#include "app/live/warnings.h"
#include "app/plan/filter_text.h"
#include "app/run/look_record.h"
#include "app/run/request_commands.h"
#include "app/run/session_impl.h"
#include "app/text/quantity.h"
#include "broker/base/assert.h"

namespace n2nq::run {

namespace {

constexpr int64_t kSilenceNs = 3'000'000'000;
constexpr int64_t kLinkSilenceNs = 12'000'000'000;   // longer than a link takes to be told lost
constexpr int64_t kLookPatienceNs = 15'000'000'000;  // longer than a worker gives itself
constexpr int64_t kOldestFiguresNs = 1'000'000'000;  // older ones say nothing of now

int64_t ns_of(std::chrono::milliseconds time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

// How long the queue itself may keep a run still in which some receiver takes nothing.
int64_t still_ns(const plan::RunPlan& plan) {
  return plan.queue.drain_timeout_ns + plan.queue.stall_timeout_ns;
}

}  // namespace

RunSession::Impl::Impl(RunSession& owner, plan::RunPlan plan, SessionOptions options)
    : owner_(owner),
      plan_(std::move(plan)),
      options_(options),
      stage_(options),
      live_(plan_.senders.fleet.count, plan_.receivers.fleet.count),
      expected_(plan_),
      ladder_({.quiet_ns = still_ns(plan_) + ns_of(options.quiet_timeout), .term_ns = ns_of(options.term_timeout)}),
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
      const bool lacking = worker->shortfall() == Worker::Shortfall::some;
      note(!well ? Severity::error : lacking ? Severity::warning : Severity::info, text);
      if (const auto number = live_numbers_.find(worker.get()); number != live_numbers_.end())
        live_.set_worker_gone(number->second);
      if (!well && !facts_.killed && !had_to_end(name)) facts_.failures.push_back(text);
      // Where a link was cut, nothing else tells the others that their queue is gone.
      const bool queue_cut_off = role == Role::broker && worker->cut_off_ns() != 0;
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

// A worker that somebody started by hand may know nothing of it.
bool RunSession::Impl::waits_for_look(Worker& worker) {
  const plan::Fleet& fleet = worker.identity().role == Role::sender ? plan_.senders.fleet : plan_.receivers.fleet;
  if (!plan_.look.any() || !fleet.attach.empty() || ladder_.rung() != Rung::none) return false;
  Look& look = looks_[worker.identity().share.host];
  if (look.over) return false;
  if (look.by == nullptr) {
    if (!ready_for_looks() || std::exchange(looking_, true)) return true;
    look.by = &worker;
    look.asked_ns = now_ns();
    note(Severity::info, "looking at the way from " + worker.record().place + " to the queue before the run");
    worker.send(control::LookCommand{.path = plan_.look.path, .bandwidth = plan_.look.bandwidth});
    return true;
  }
  if (!look.by->looked() && !look.by->over() && now_ns() - look.asked_ns < kLookPatienceNs) return true;
  take_look(*look.by);
  look.over = true;
  looking_ = false;
  last_start_ns_ = now_ns();  // that was not the time to join
  // The turn of the next host.
  QMetaObject::invokeMethod(this, [this] { advance(); }, Qt::QueuedConnection);
  return false;
}

// Who joins over a way that is being filled may be too late. Attached workers are nobody's to wait for.
bool RunSession::Impl::ready_for_looks() {
  const auto joined = [this](Role role, const plan::Fleet& fleet) {
    return !fleet.attach.empty() || stage_.group(role).all_at_least(WorkerState::joined);
  };
  return joined(Role::sender, plan_.senders.fleet) && joined(Role::receiver, plan_.receivers.fleet);
}

void RunSession::Impl::take_look(const Worker& worker) {
  const std::string from = worker.record().place;
  const std::string& to = live_.queue_host();
  if (!worker.looked()) {
    note(Severity::warning, "the way from " + from + " to the queue could not be looked at: " + worker.identity().name +
                                " gave no answer; the run goes on without it");
    return;
  }
  for (const std::string& trouble : add_look(record_, *worker.looked(), from, to))
    note(Severity::warning, "the way from " + from + " to the queue: " + trouble + "; the run goes on without it");
  for (const std::string& text : look_texts(record_, from)) note(Severity::info, text);
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
      note(Severity::info, "the run begins: " + std::to_string(worker->begin()->senders) + " senders, " +
                               std::to_string(worker->begin()->receivers) + " receivers");
      if (plan_.queue.requests.on) note(Severity::info, "requests: " + plan::requests_text(plan_));
      enter(State::running);
    }
  }
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

// Receivers go on with what waits in their lines.
void RunSession::Impl::put_exit_off() {
  exit_deadline_ns_ =
      now_ns() + ns_of(options_.exit_timeout) + plan::longest_service_ns(plan_.receivers.service_time, 1);
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
  const Judgement judgement = judge(facts_);
  record_.verdict = judgement.verdict;
  record_.reason = judgement.reason;
  if (setup_) setup_->give_up();
  note_traffic();
  if (facts_.began)
    for (const live::LiveWarning& warning : live::warnings_of(live_, plan_))
      if (warning.id == "clock") note(Severity::warning, warning.text);
  if (facts_.began && !record_.rate_reached)
    note(Severity::warning, "the senders did not reach the rate of the plan; see their lateness");
  notes_.add_last(made_note(judgement.verdict == results::Verdict::failed ? Severity::error : Severity::info,
                            results::to_text(judgement.verdict) + ": " + judgement.reason));
  Q_EMIT owner_.noted();
  record_.notes = notes_.all();
  enter(State::over);
  Q_EMIT owner_.finished();
}

// What the run itself cost the way to its hosts; logs come after it.
void RunSession::Impl::note_traffic() {
  const double seconds = static_cast<double>(elapsed_ns().value_or(0)) / 1e9;
  control::Heard all;
  std::string most;
  int64_t most_bytes = 0;
  for (const Role role : kRoles) {
    for (const auto& worker : stage_.group(role).workers()) {
      if (hosts::is_local(worker->identity().share.host)) continue;
      const control::Heard heard = worker->heard();
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

void RunSession::Impl::give_up(const std::string& reason) {
  if (std::ranges::find(facts_.failures, reason) == facts_.failures.end()) facts_.failures.push_back(reason);
  climb(Rung::all_asked);
}

void RunSession::Impl::climb(Rung rung) {
  if (!ladder_.climb_to(rung, now_ns())) return;
  live_.stop_senders(plan::planned_messages(plan_) ? std::optional(plan_.senders.messages) : std::nullopt);
  for (const Role role : kRoles) {
    WorkerGroup& group = stage_.group(role);
    if (rung == Rung::senders_asked && role == Role::sender) group.stop();
    if (rung == Rung::all_asked) group.stop();
    if (rung >= Rung::terminated && role != Role::broker) force(group, rung);
  }
  advance();
}

void RunSession::Impl::kill_all() {
  facts_.killed = true;
  note(Severity::warning, "killed by the user");
  ladder_.climb_to(Rung::killed, now_ns());
  for (const Role role : kRoles) stage_.group(role).kill();
  advance();
}

// A queue that waits for a fleet that hangs is healthy, and has yet to say what became of the messages: it is made to
// end only if it does not by itself, with no fleet left.
void RunSession::Impl::end_queue(int64_t now) {
  const bool fleets_over = stage_.group(Role::sender).all_over() && stage_.group(Role::receiver).all_over();
  if (ladder_.rung() < Rung::all_asked || !fleets_over || queue_ladder_.climb_to(Rung::all_asked, now)) return;
  if (!queue_ladder_.is_time(now)) return;
  queue_ladder_.climb_to(queue_ladder_.next(), now);
  force(stage_.group(Role::broker), queue_ladder_.rung());
}

void RunSession::Impl::force(WorkerGroup& group, Rung rung) {
  for (const auto& worker : group.workers()) {
    if (worker->over()) continue;
    const std::string& name = worker->identity().name;
    if (!had_to_end(name)) facts_.had_to_end.push_back(name);
    note(Severity::warning, name + (rung == Rung::killed ? ": does not end and is killed"
                                                         : ": does not answer and is asked to terminate"));
  }
  if (rung == Rung::terminated)
    group.terminate();
  else
    group.kill();
}

void RunSession::Impl::stop() {
  if (state_ == State::idle || state_ == State::over) return;
  if (facts_.stopped) return kill_all();
  note_stop("stopped by the user");
  if (ladder_.rung() != Rung::none) return;  // the run ends already, for a reason of its own
  if (!opened_) {
    if (setup_) setup_->give_up();
    return finish();
  }
  climb(facts_.began ? Rung::senders_asked : Rung::all_asked);
}

// Whichever role is stopped, the run comes to its end: without the queue at once, without receivers the senders have
// nobody to send to.
void RunSession::Impl::stop(Role role) {
  WorkerGroup& group = stage_.group(role);
  if (!group.started() || state_ == State::over) return;
  if (!facts_.began) return facts_.stopped ? void() : stop();
  if (!facts_.stopped) note_stop(group.workers().front()->identity().name + ": stopped by the user");
  if (!group.stopping()) group.stop();
  climb(role == Role::broker ? Rung::all_asked : Rung::senders_asked);
}

void RunSession::Impl::note_stop(const std::string& text) {
  facts_.stopped = true;
  facts_.failed_before_stop = !facts_.failures.empty() || !facts_.had_to_end.empty();
  note(Severity::info, text);
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

void RunSession::Impl::on_tick() {
  const int64_t now = now_ns();
  const uint64_t moved = movement();
  if (moved != moved_so_far_) {
    ladder_.moved(now);
    last_moved_ns_ = now;
  }
  moved_so_far_ = moved;
  if (const uint64_t served = live_.service().count(); served != served_so_far_) {
    served_so_far_ = served;
    if (exit_deadline_ns_ != 0) put_exit_off();
  }
  end_queue(now);
  if (ladder_.is_time(now)) return climb(ladder_.next());
  if (exit_deadline_ns_ != 0 && now >= exit_deadline_ns_ && ladder_.rung() < Rung::terminated)
    return climb(Rung::terminated);
  // A look has a patience of its own; the time to join begins anew after it.
  const int64_t join_timeout = looking_ ? 0 : plan_.join_timeout_ns;
  if (!facts_.began && ladder_.rung() == Rung::none && all_started() && join_timeout > 0 &&
      now - last_start_ns_ >= join_timeout)
    return give_up("the run did not begin within " + text::duration(static_cast<double>(join_timeout)) + ": " +
                   status_text_of(view()));
  watch_silence();
  watch_hanging(now);
  watch_reach(now);
  // Services that joined or are done show in telemetry only.
  advance();
}

// Longer than anything in the plan may keep a healthy run still.
int64_t RunSession::Impl::patience_ns() const {
  return still_ns(plan_) + plan_.queue.retention_ns.value_or(0) + 2 * plan_.senders.delay_ns +
         ns_of(options_.quiet_timeout) + (hosts_of(plan_).empty() ? 0 : kLinkSilenceNs);
}

void RunSession::Impl::watch_hanging(int64_t now) {
  if ((state_ != State::running && state_ != State::draining) || ladder_.rung() != Rung::none) return;
  for (const Role role : {Role::sender, Role::receiver})
    for (const auto& worker : stage_.group(role).workers())
      if (worker->state() == WorkerState::running && worker->speaks() && worker->silent_ns() > patience_ns())
        return give_up(worker->identity().name + ": has said nothing for " +
                       text::duration(static_cast<double>(worker->silent_ns())) + "; its process hangs");
  const bool paced_elsewhere = !plan_.senders.fleet.attach.empty() && state_ == State::running;
  if (!paced_elsewhere && now - std::max(last_moved_ns_, begun_ns_) > patience_ns())
    give_up("nothing has moved for " + text::duration(static_cast<double>(now - std::max(last_moved_ns_, begun_ns_))) +
            ": the queue hangs");
}

void RunSession::Impl::watch_silence() {
  for (const Role role : {Role::sender, Role::receiver}) {
    for (const auto& worker : stage_.group(role).workers()) {
      const bool silent =
          worker->state() == WorkerState::running && worker->speaks() && worker->silent_ns() > kSilenceNs;
      if (silent && silent_.insert(worker.get()).second)
        note(Severity::warning, worker->identity().name + ": has said nothing for 3 s; is its process stopped?");
      if (!silent && silent_.erase(worker.get()) > 0) note(Severity::info, worker->identity().name + ": speaks again");
    }
  }
}

void RunSession::Impl::note(Severity severity, const std::string& text) {
  if (notes_.add(made_note(severity, text))) Q_EMIT owner_.noted();
}

results::RunNote RunSession::Impl::made_note(Severity severity, const std::string& text) const {
  return {.utc_ns = wall_ns(), .since_begin_ns = elapsed_ns(), .severity = severity, .text = text};
}

RunSession::RunSession(plan::RunPlan plan, SessionOptions options, QObject* parent)
    : QObject(parent), impl_(std::make_unique<Impl>(*this, std::move(plan), std::move(options))) {}

RunSession::~RunSession() = default;

const plan::RunPlan& RunSession::plan() const {
  return impl_->plan_;
}

State RunSession::state() const {
  return impl_->state_;
}

RoleStatus RunSession::role_status(Role role) const {
  return role_status_of(impl_->view(), role);
}

std::vector<ProcessStatus> RunSession::processes() const {
  return processes_of(impl_->view());
}

std::vector<results::ProcessRecord> RunSession::process_records() const {
  return records_of(impl_->groups());
}

std::string RunSession::status_text() const {
  return status_text_of(impl_->view());
}

void RunSession::start(Role role) {
  N2NQ_ASSERT(plan::problems_of(impl_->plan_).empty());
  impl_->start(role);
}

void RunSession::start_all() {
  for (const Role role : Impl::kRoles) start(role);
}

void RunSession::stop() {
  impl_->stop();
}

bool RunSession::stopping() const {
  return impl_->ladder_.rung() != Impl::Rung::none;
}

bool RunSession::stopped_by_user() const {
  return impl_->facts_.stopped;
}

void RunSession::stop(Role role) {
  impl_->stop(role);
}

void RunSession::make_request(const std::vector<plan::ReceiverFilter>& filters) {
  impl_->make_request(filters);
}

const live::LiveFigures& RunSession::live() const {
  return impl_->live_;
}

live::ServiceFigures RunSession::all_of(Role role) const {
  const live::LiveFigures& live = impl_->live_;
  const live::ServiceFigures& told = role == Role::sender ? live.all_senders() : live.all_receivers();
  return state() == State::over ? with_totals(live.of_whole_run(told), impl_->record_.totals) : told;
}

std::optional<int64_t> RunSession::elapsed_ns() const {
  return impl_->elapsed_ns();
}

std::optional<Deliveries> RunSession::expected_deliveries() const {
  if (const auto told = impl_->record_.totals.expected) return Deliveries{.count = *told};
  return impl_->expected_.value();
}

std::optional<uint64_t> RunSession::planned_messages() const {
  return plan::planned_messages(impl_->plan_);
}

std::optional<int64_t> RunSession::remaining_ns() const {
  const auto planned = plan::planned_duration_ns(impl_->plan_);
  const auto elapsed = elapsed_ns();
  if (!planned || !elapsed || impl_->state_ != State::running) return std::nullopt;
  return std::max<int64_t>(*planned - *elapsed, 0);
}

const std::vector<results::RunNote>& RunSession::notes() const {
  return impl_->notes_.all();
}

void RunSession::add_note(results::Severity severity, const std::string& text) {
  impl_->note(severity, text);
}

const std::string& RunSession::folder() const {
  return impl_->stage_.folder();
}

std::string RunSession::log_path(Role role, uint32_t service) const {
  return impl_->stage_.log_path(role, service);
}

std::optional<FarLog> RunSession::far_log(Role role, uint32_t service) const {
  return impl_->stage_.far_log(role, service);
}

std::string RunSession::why_no_log(Role role, uint32_t service) const {
  return impl_->stage_.why_no_log(role, service);
}

std::vector<FarFolder> RunSession::far_folders() const {
  return impl_->far_folders();
}

std::vector<std::string> RunSession::take_fetched(results::RunRecord& record) {
  const auto said = take_fetched_summaries(record, impl_->groups(), impl_->live_);
  if (said.empty()) return said;
  auto notes = std::move(impl_->record_.notes);
  impl_->record_ = record;
  impl_->record_.notes = std::move(notes);
  Q_EMIT state_changed();
  return said;
}

const std::string& RunSession::run_name() const {
  return impl_->stage_.run_name();
}

const std::optional<launch::LinkFailure>& RunSession::host_failure() const {
  static const std::optional<launch::LinkFailure> kNone;
  return impl_->setup_ ? impl_->setup_->failure() : kNone;
}

const std::string& RunSession::better_queue_host() const {
  const bool known = !impl_->better_queue_host_.empty() || !impl_->setup_;
  return known ? impl_->better_queue_host_ : impl_->setup_->better_queue_host();
}

const results::RunRecord& RunSession::record() const {
  return impl_->record_;
}

}  // namespace n2nq::run
