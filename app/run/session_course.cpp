// How a session conducts its run: what is started, begins, drains and is over, each step from what is there.
#include <algorithm>
#include <iterator>
#include <utility>

#include "app/live/warnings.h"
#include "app/plan/filter_text.h"
#include "app/record/backlog.h"
#include "app/record/machine.h"
#include "app/record/outages.h"
#include "app/record/trust.h"
#include "app/run/session_impl.h"
#include "app/text/quantity.h"
#include "broker/base/assert.h"
#include "broker/base/join.h"

namespace n2nq::run {
namespace {

using record::Severity;
using WorkerState = Worker::State;

constexpr int kTickMs = 200;

RunEnd::Patience patience_of(const plan::RunPlan& plan, const SessionOptions& options) {
  const auto ns = [](std::chrono::nanoseconds time) { return time.count(); };
  return {.quiet_ns = still_ns(plan) + ns(options.quiet_timeout),
          .term_ns = ns(options.term_timeout),
          .exit_ns = ns(options.exit_timeout) + plan::longest_service_ns(plan, 1, 1)};
}

Severity severity_of_end(const Worker& worker) {
  if (!worker.ended_well()) return Severity::error;
  const auto* queue = worker.broker_summary();
  const bool lacking = worker.doing() == Doing::incomplete || (queue != nullptr && queue->refused_connections > 0);
  return lacking ? Severity::warning : Severity::info;
}

// Who was made to end is not lost.
record::EventKind kind_of_end(const Worker& worker, bool made_to) {
  if (worker.ended_well() || made_to) return record::EventKind::none;
  return worker.cut_off_ns() != 0 ? record::EventKind::link_lost : record::EventKind::lost;
}

}  // namespace

RunSession::Impl::Impl(RunSession& owner, plan::RunPlan plan, SessionOptions options)
    : owner_(owner),
      plan_(std::move(plan)),
      options_(std::move(options)),
      stage_(options_),
      live_(plan_.senders.fleet.count, plan_.receivers.fleet.count),
      requests_(plan_, record_, stage_, live_, take_note()),
      pauses_(plan_, stage_, take_note(), [this] { return elapsed_ns(); }),
      comings_(plan_, stage_, live_, take_note(), [this] { return elapsed_ns(); }),
      kills_(
          plan_, [this](const std::string& server) { kill_server(server); }, [this] { return elapsed_ns(); }),
      places_(plan_, options_.links, stage_.run_name(),
              {.note = take_note(),
               .changed = [this] { Q_EMIT owner_.state_changed(); },
               .failed = [this](const std::string& text) { fail_start(text); },
               .found = [this](const std::optional<net::Endpoint>& listen) { open(listen); }}),
      looks_(plan_, stage_, record_, take_note(), [this] { on_looked(); }),
      watch_(plan_, options_, stage_, live_, take_note()),
      events_(live_, take_note()),
      limits_(plan_, live_, record_, take_note()),
      end_(stage_, patience_of(plan_, options_), take_note()),
      servers_(plan_, stage_, take_note()),
      recorders_(plan_, options_, stage_, live_, take_note()),
      loads_(plan_, options_.links, stage_, recorders_, record_, take_note(), [this] { return elapsed_ns(); }) {
  live_.set_wanted(plan::deliveries_by_sender(plan_));
  live_.set_bus(plan_.bus.traits(), plan_.bus.settings);
  record_.plan = plan_;
  record_.bus_settings = record::bus_settings_of(plan_.bus);
  record_.totals.planned = plan::planned_messages(plan_);
  for (const Role role : kRoles) listen_to(stage_.group(role));
  for (const WorkerGroup* group : {&stage_.group(Role::broker), &stage_.servers()})
    connect(group, &WorkerGroup::cause_told, this,
            [this](const QString& text) { outcome_.add_cause({.text = text.toStdString()}); });
  connect(&tick_, &QTimer::timeout, this, &Impl::on_tick);
  connect(&recorders_, &HostRecorders::changed, this, &Impl::advance);
  connect(&servers_, &ServerCluster::changed, this, &Impl::advance);
  connect(&servers_, &ServerCluster::server_gone, this, &Impl::note_gone);
}

TakeNote RunSession::Impl::take_note() {
  return TakeNote([this](record::RunNote one, int64_t ago_ns) { note(std::move(one), ago_ns); });
}

SessionParts RunSession::Impl::parts() const {
  return {.state = state_,
          .plan = plan_,
          .broker = stage_.group(Role::broker),
          .senders = stage_.group(Role::sender),
          .receivers = stage_.group(Role::receiver),
          .servers = stage_.servers(),
          .gone = servers_.gone(),
          .live = live_,
          .stopping = end_.begun(),
          .record = record_,
          .waiting = waiting_,
          .preparing = opened_ ? servers_.status_text() : places_.status_text()};
}

Groups RunSession::Impl::groups() const {
  return {stage_.group(Role::broker), stage_.group(Role::sender), stage_.group(Role::receiver), stage_.servers()};
}

std::optional<int64_t> RunSession::Impl::elapsed_ns() const {
  if (begun_ns_ == 0) return std::nullopt;
  return (ended_ns_ == 0 ? now_ns() : ended_ns_) - begun_ns_;
}

const std::string& RunSession::Impl::better_queue_host() const {
  return watch_.better_queue_host().empty() ? places_.better_queue_host() : watch_.better_queue_host();
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
  connect(&group, &WorkerGroup::server_gone, this, &Impl::note_gone);
  connect(&group, &WorkerGroup::telemetry, this, [this](Worker* worker, const control::Telemetry& figures) {
    const auto number = live_numbers_.find(worker);
    if (number != live_numbers_.end()) live_.take(number->second, figures, elapsed_ns().value_or(0));
    recorders_.begin(*worker, &figures);
  });
}

void RunSession::Impl::start(Role role) {
  if (state_ > State::connecting || end_.begun() || stage_.group(role).started()) return;
  if (opened_ && servers_.ready() && !lacks_certificate(role)) return launch(role);
  waiting_.insert(role);
  if (state_ != State::idle) return;
  state_ = State::launching;
  prepare();
  if (!opened_) advance();
}

void RunSession::Impl::prepare() {
  record_.started_utc_ns = wall_ns();
  record_.machine_json = record::machine_json();
  record_.campaign = options_.campaign;
  places_.start();
}

void RunSession::Impl::open(const std::optional<net::Endpoint>& listen) {
  if (state_ == State::over) return;
  const auto opened = stage_.open(plan_, listen, places_.places(), places_.password());
  record_.folder = stage_.folder();
  if (!opened) return fail_start(opened.error().text);
  tick_.start(kTickMs);
  opened_ = true;
  recorders_.launch();
  servers_.launch();
  launch_waiting();
}

void RunSession::Impl::launch_waiting() {
  if (!opened_ || !servers_.ready() || waiting_.empty()) return;
  note_servers(servers_.facts());
  const auto ready = [this](Role role) { return !lacks_certificate(role); };
  for (auto role = std::ranges::find_if(waiting_, ready); role != waiting_.end();
       role = std::ranges::find_if(waiting_, ready))
    launch(waiting_.extract(role).value());
}

// Fleets are told which certificate the queue has made for the run.
bool RunSession::Impl::lacks_certificate(Role role) const {
  return role != Role::broker && plan_.bus.makes_certificate() && !stage_.queue_certificate();
}

void RunSession::Impl::fail_start(const std::string& text) {
  if (state_ == State::over) return;
  outcome_.add_failure({.text = text});
  note(Severity::error, text);
  finish();
}

void RunSession::Impl::launch(Role role) {
  if (state_ > State::connecting || end_.begun()) return;
  stage_.launch(plan_, role);
  for (const auto& worker : stage_.group(role).workers()) {
    const Worker::Identity& identity = worker->identity();
    if (role != Role::broker)
      live_numbers_[worker.get()] =
          live_.add_worker(role, identity.share.first, identity.share.count, worker->record().place);
    else
      live_.set_queue_host(worker->record().place);
  }
  watch_.joining(now_ns());
  note(Severity::info, stage_.group(role).workers().front()->identity().name + ": started");
  advance();
}

// Whatever changes anywhere comes through here; each step looks at what is, not at what just happened.
void RunSession::Impl::advance() {
  if (!take_steps()) return;
  told_ = status_texts_of(parts());
  Q_EMIT owner_.state_changed();
  check_over();
}

bool RunSession::Impl::take_steps() {
  if (state_ == State::idle || state_ == State::over) return false;
  servers_.take_steps();
  if (const auto why = servers_.failure(); why && !end_.begun()) give_up({.text = *why});
  note_ends();
  if (state_ == State::over) return false;
  launch_waiting();
  release_fleets();
  check_begin();
  check_draining();
  return true;
}

void RunSession::Impl::note_ends() {
  for (const Role role : kRoles)
    for (const auto& worker : stage_.group(role).workers())
      if (worker->over() && ends_noted_.insert(worker.get()).second) note_end(*worker);
  for (const auto& keeper : stage_.servers().workers())
    if (keeper->over() && ends_noted_.insert(keeper.get()).second) recorders_.ended(*keeper);
}

void RunSession::Impl::note_end(const Worker& worker) {
  const Worker::Identity& identity = worker.identity();
  const std::string reason = worker.reason();
  const std::string text = identity.name + ": " + worker.state_text() + (reason.empty() ? "" : ": " + reason);
  const bool made_to = outcome_.killed() || end_.had_to_end(identity.name);
  note({.severity = severity_of_end(worker),
        .text = text,
        .kind = kind_of_end(worker, made_to),
        .subject = identity.name,
        .was_killed = worker.doing() == Doing::killed});
  leftovers_.ended(worker, identity.role != Role::broker && watch_.joined_any(worker));
  if (const auto number = live_numbers_.find(&worker); number != live_numbers_.end())
    live_.set_worker_gone(number->second);
  recorders_.ended(worker);
  const bool well = worker.ended_well();
  const bool is_queue = identity.role == Role::broker;
  // The fleets may notice first that a queue is gone.
  const Failure failure{.text = text, .of = identity.name};
  if (!well && !made_to) {
    if (is_queue && outcome_.began() && worker.outcome() == nullptr)
      outcome_.add_cause(failure);
    else
      outcome_.add_failure(failure);
  }
  // Where a link was cut, nothing else tells the others that their queue is gone; one that goes on for longer
  // without the bench ends the run itself.
  const bool queue_cut_off =
      is_queue && worker.cut_off_ns() != 0 && !(options_.survives_longer_on(identity.share.host) && outcome_.began());
  // A queue that ended well has had its run: of a very short one the fleets tell only after it.
  const bool too_early = !outcome_.began() && !(is_queue && well);
  if ((too_early || queue_cut_off) && !end_.begun()) give_up(failure);
}

void RunSession::Impl::note_servers(const std::vector<control::ServedFacts>& servers) {
  if (servers.empty() || std::exchange(server_noted_, true)) return;
  const control::ServedFacts& first = servers.front();
  record_.server = first.name + " " + first.version;
  const std::string addresses = join(servers, ",", &control::ServedFacts::address);
  note(Severity::info,
       (servers.size() == 1 ? "server of the run: " : "cluster of the run: ") + record_.server + " at " + addresses);
}

void RunSession::Impl::note_gone(const control::ServerGone& gone) {
  outcome_.server_gone(gone.killed);
  auto noted = dated(record::server_gone_note(gone));
  // When it was, by the queue's own clock, or that of this process: the message about it has come over a link.
  const auto& queue = stage_.group(Role::broker).workers();
  std::optional<int64_t> begun_ns;
  if (servers_.started())
    begun_ns = begun_ns_;
  else if (!queue.empty() && queue.front()->begin())
    begun_ns = queue.front()->begin()->origin_monotonic_ns;
  if (begun_ns && noted.since_begin_ns)
    noted.since_begin_ns = std::clamp(since(*begun_ns, gone.monotonic_ns), int64_t{0}, *noted.since_begin_ns);
  if (!gone.killed) outcome_.add_failure({.text = noted.text});
  if (notes_.add(std::move(noted))) Q_EMIT owner_.noted();
  advance();
}

void RunSession::Impl::release_fleets() {
  recorders_.watch(now_ns());
  const auto& broker = stage_.group(Role::broker).workers();
  if (!broker.empty() && broker.front()->ready()) {
    stage_.broker_is_ready(broker.front()->ready()->port.value_or(0));
    record_.run_id = broker.front()->ready()->run_id.value_or("");
    note_servers(broker.front()->ready()->servers);
  }
  for (const Role role : {Role::sender, Role::receiver})
    for (const auto& worker : stage_.group(role).workers())
      if (worker->state() == WorkerState::joined && !released_.contains(worker.get()) && recorders_.settled(now_ns()))
        release(*worker);
  if (state_ == State::launching && all_started() &&
      std::ranges::all_of(kRoles, [this](Role role) { return stage_.group(role).all_at_least(WorkerState::ready); }))
    enter(State::connecting);
}

void RunSession::Impl::release(Worker& worker) {
  if (!end_.begun() && looks_.holds(worker)) return;
  released_.insert(&worker);
  if (worker.identity().role == Role::receiver) {
    requests_.send_to(worker);
    pauses_.send_to(worker);
    comings_.send_to(worker);
  }
  worker.send(control::StartCommand{});
}

// That was not the time to join. It is the turn of the next host.
void RunSession::Impl::on_looked() {
  watch_.joining(now_ns());
  QTimer::singleShot(0, this, &Impl::advance);
}

void RunSession::Impl::check_begin() {
  for (const Role role : {Role::sender, Role::receiver}) {
    for (const auto& worker : stage_.group(role).workers()) {
      if (!worker->begin() || !begun_.insert(worker.get()).second) continue;
      live_.begin(live_numbers_.at(worker.get()), worker->begin()->origin_monotonic_ns);
      recorders_.begin(*worker, nullptr);
      if (!outcome_.began()) begin(*worker->begin());
    }
  }
}

void RunSession::Impl::begin(const control::Begin& begin) {
  outcome_.begin();
  begun_ns_ = now_ns();
  recorders_.sample();
  record_.began_utc_ns = begin.origin_utc_ns;
  note_machines();
  note(Severity::info, "the run begins: " + std::to_string(begin.senders) + " senders, " +
                           std::to_string(begin.receivers) + " receivers");
  if (plan_.queue.requests.on) note(Severity::info, "requests: " + plan::requests_text(plan_));
  enter(State::running);
  pauses_.begin();
  comings_.begin();
  servers_.begin();
  recorders_.begin_elsewhere(begun_ns_, [this](const std::string& place) {
    return place == live_.queue_host() ||
           std::ranges::any_of(live_numbers_, [&](const auto& one) { return one.first->place() == place; });
  });
  kills_.begin();
  loads_.begin();
}

// All have said on which computer they are, as nobody joins before that.
void RunSession::Impl::note_machines() {
  record_.machines = machines_of(groups());
  recorders_.compare(record_.machines);
  for (const std::string& place : places_beside_queue(record_))
    note(Severity::info, place + " and " + record::queue_place(record_) +
                             ", where the queue is, are the same computer: nothing between them crosses a network");
}

void RunSession::Impl::check_draining() {
  if (state_ == State::running) {
    const auto senders = live_.senders();
    const bool done = std::ranges::all_of(
        senders, [](const live::ServiceFigures& sender) { return sender.state >= live::ServiceState::stopped; });
    if (done || end_.begun()) {
      if (!end_.begun()) recorders_.sample();  // while all are still there; climb() has asked else
      senders_done_ns_ = elapsed_ns();
      enter(State::draining);
    }
  }
  if (state_ != State::running && state_ != State::draining) return;
  const bool told = std::ranges::any_of(kRoles, [this](Role role) {
    return role != Role::sender && stage_.group(role).any_at_least(WorkerState::ended);
  });
  if (told) comings_.end();
  if (told) recorders_.sample_at_end();
  if (told && stage_.group(Role::broker).all_at_least(WorkerState::ended)) {
    end_.await_exit(now_ns());
    enter(State::ending);
  }
}

void RunSession::Impl::enter(State state) {
  if (state <= state_) return;
  state_ = state;
  Q_EMIT owner_.state_changed();
}

void RunSession::Impl::on_tick() {
  if (ended()) return check_over();
  const int64_t now = now_ns();
  if (watch_.moved(now)) end_.moved(now);
  if (watch_.served()) end_.served(now);
  end_.end_queue(now);
  if (const auto rung = end_.due(now)) return climb(*rung);
  if (!outcome_.began() && !end_.begun() && all_started() && !looks_.looking() && watch_.begins_late(now))
    return give_up({.text = "the run did not begin within " +
                            text::duration(static_cast<double>(plan_.join_timeout_ns)) + ": " +
                            status_text_of(parts())});
  if (outcome_.began()) watch_.ask_queue(now);
  watch_.note_silence(now);
  events_.sample(EventWatch::read_clocks());
  if (const auto failure = trouble(now)) give_up(*failure);
  judge_limits(now);
  if (const bool replies = plan::asks_for_replies(plan_); !latency_choice_.intended())
    latency_choice_.look_at(live_.summary(record::first_latency(replies)),
                            live_.summary(record::first_latency(replies, true)));
  look_for_warnings();
  // Services that joined or are done show in telemetry only.
  if (!take_steps()) return;
  if (StatusTexts texts = status_texts_of(parts()); texts != told_) {
    told_ = std::move(texts);
    Q_EMIT owner_.state_changed();
  }
  check_over();
}

std::optional<Failure> RunSession::Impl::trouble(int64_t now_ns) {
  if (end_.begun()) return std::nullopt;
  if (!outcome_.began()) return watch_.unreachable(now_ns);
  if (state_ != State::running && state_ != State::draining) return std::nullopt;
  return watch_.hanging(begun_ns_, state_ == State::running, now_ns);
}

void RunSession::Impl::give_up(const Failure& failure) {
  outcome_.add_failure(failure);
  climb(RunEnd::Rung::all_asked);
}

void RunSession::Impl::climb(RunEnd::Rung rung) {
  if (rung <= end_.rung()) return;
  live_.stop_senders(plan::messages_by_sender(plan_));
  pauses_.end();
  comings_.end();
  kills_.end();
  loads_.end();
  if (state_ == State::running && !end_.begun()) recorders_.sample();  // before any of them is told to end
  end_.climb_to(rung, now_ns());
  advance();
}

void RunSession::Impl::stop() {
  if (state_ == State::idle || state_ == State::over) return;
  if (ended()) return servers_.over() ? recorders_.kill() : servers_.kill_all();
  if (outcome_.stopped()) return kill_all();
  note_stop();
  if (end_.begun()) return;  // the run ends already, for a reason of its own
  if (!opened_) {
    places_.give_up();
    return finish();
  }
  climb(outcome_.began() ? RunEnd::Rung::senders_asked : RunEnd::Rung::all_asked);
}

// Whichever role is stopped, the run comes to its end: without the queue at once, without receivers the senders have
// nobody to send to.
void RunSession::Impl::stop(Role role) {
  WorkerGroup& group = stage_.group(role);
  if (!group.started() || state_ == State::over) return;
  if (ended()) return servers_.over() ? recorders_.kill() : servers_.kill_all();
  if (!outcome_.began()) return outcome_.stopped() ? void() : stop();
  if (!outcome_.stopped()) note_stop(group.workers().front()->identity().name);
  if (!group.stopping()) group.stop();
  climb(role == Role::broker ? RunEnd::Rung::all_asked : RunEnd::Rung::senders_asked);
}

void RunSession::Impl::kill_server(const std::string& server) {
  if (servers_.started()) return servers_.kill(server);
  for (const auto& worker : stage_.group(Role::broker).workers())
    worker->send(control::KillServerCommand{.server = server});
}

void RunSession::Impl::note_stop(const std::string& subject) {
  outcome_.stop(outcome_.failed() || !end_.had_to_end().empty());
  note({.text = (subject.empty() ? "" : subject + ": ") + "stopped by the user",
        .kind = record::EventKind::stop,
        .subject = subject});
  Q_EMIT owner_.state_changed();
}

void RunSession::Impl::kill_all() {
  outcome_.kill();
  note({.severity = Severity::warning, .text = "killed by the user", .kind = record::EventKind::kill});
  end_.kill_all(now_ns());
  servers_.kill_all();
  recorders_.kill();
  advance();
}

void RunSession::Impl::finish() {
  if (state_ == State::over) return;
  tick_.stop();
  note_end_of_run();
  comings_.end();
  kills_.end();
  servers_.kill_all();
  recorders_.kill();
  loads_.settle();
  fill_record(record_, groups(), live_);
  recorders_.add_machines(record_.machines);
  record_.warnings = warnings_.kept();
  const int64_t due_until_ns = record::due_until_ns(record_, senders_done_ns_.value_or(elapsed_ns().value_or(0)));
  record_.outages = record::outages(record_.series, notes_.all(), due_until_ns);
  for (live::SeriesPoint& slot : record_.series) slot.first_received_ns = slot.last_received_ns = {};  // not saved
  if (outcome_.began()) limits_.judge_whole_run();
  outcome_.judge(record_, end_.had_to_end());
  places_.give_up();
  places_.judge_password(outcome_.began());
  note_leftovers();
  note_figures();
  notes_.add_last(dated({.severity = record::is_failure(record_.verdict) ? Severity::error : Severity::info,
                         .text = to_text(record_.verdict) + ": " + record_.reason}));
  Q_EMIT owner_.noted();
  // What was noticed late stands where it happened.
  record_.notes = notes_.all();
  std::ranges::stable_sort(record_.notes, {}, &record::RunNote::utc_ns);
  record_.catch_ups = record::catch_ups_of(record_);
  enter(State::over);
  Q_EMIT owner_.finished();
}

void RunSession::Impl::note_figures() {
  if (!outcome_.began()) return;
  if (const auto text = traffic_text_of(parts(), elapsed_ns().value_or(0))) note(Severity::info, *text);
  for (const std::string& doubt : record::doubts_of(record_)) note(Severity::warning, "doubtful: " + doubt);
}

// Also of a run that never began.
void RunSession::Impl::note_leftovers() {
  if (const auto text = leftovers_.text(plan_, record_.run_id)) note(Severity::warning, *text);
}

void RunSession::Impl::look_for_warnings() {
  if (!outcome_.began() || ended()) return;
  std::vector<live::LiveWarning> warnings = live::warnings_of(live_, plan_);
  std::ranges::move(watch_.silences(now_ns()), std::back_inserter(warnings));
  warnings_.sample(*elapsed_ns(), warnings);
}

void RunSession::Impl::make_request(const std::vector<plan::ReceiverFilter>& filters) {
  requests_.make(filters, elapsed_ns(), state_ >= State::ending || end_.begun());
  if (!plan::balances(plan_.queue)) live_.set_wanted(std::nullopt);  // from which message on?
}

void RunSession::Impl::note(record::RunNote note, int64_t ago_ns) {
  record::RunNote one = dated(std::move(note));
  one.utc_ns -= ago_ns;
  if (one.since_begin_ns) *one.since_begin_ns -= ago_ns;
  if (notes_.add(std::move(one))) Q_EMIT owner_.noted();
}

record::RunNote RunSession::Impl::dated(record::RunNote note) const {
  note.utc_ns = wall_ns();
  note.since_begin_ns = elapsed_ns();
  return note;
}

}  // namespace n2nq::run
