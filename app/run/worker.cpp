#include "app/run/worker.h"

#include "app/hosts/host_list.h"
#include "app/plan/plain_text.h"
#include "app/text/quantity.h"
#include "broker/base/clock.h"
#include "broker/base/exit_code.h"

namespace n2nq::run {
namespace {

using record::Severity;

constexpr int kIncomplete = static_cast<int>(ExitCode::incomplete);

// Every sender was done, or told to stop, and nothing was owed any more.
bool took_its_course(const control::Outcome& outcome) {
  return outcome.end == "complete" || outcome.end == "stopped";
}

// All that is missing was older than the plan lets the queue keep it.
bool lost_as_allowed(const control::BrokerSummary& broker) {
  return broker.expired > 0 && broker.undeliverable == 0 && broker.in_doubt == 0 && broker.senders_vanished == 0 &&
         broker.receivers_vanished == 0 && took_its_course(broker.outcome);
}

bool lost_as_allowed(const control::ReceiverSummary& receivers) {
  return receivers.lost && *receivers.lost > 0 && *receivers.lost == receivers.expired && receivers.undeliverable == 0;
}

std::string reason_of(const control::BrokerSummary& broker) {
  const auto number = [](uint64_t n) { return text::count(static_cast<int64_t>(n)); };
  const uint64_t refusals = broker.refused_connections;
  const std::string refused = refusals == 0 ? "" : text::amount(refusals, "connection") + " refused";
  if (broker.outcome.exit_code != kIncomplete) {
    const std::string& why = broker.outcome.reason;
    return why + (why.empty() || refused.empty() ? "" : "; ") + refused;
  }
  const uint64_t cut_off = broker.senders_cut_off.value_or(0) + broker.receivers_cut_off.value_or(0);
  std::string text;
  if (broker.expired + broker.undeliverable + broker.in_doubt > 0 || cut_off == 0)
    text = number(broker.expired) + " expired, " + number(broker.undeliverable) + " undeliverable, " +
           number(broker.in_doubt) + " in doubt";
  else
    text = text::amount(cut_off, "service") + " cut off from the bus";
  if (broker.senders_vanished > 0) text += ", " + number(broker.senders_vanished) + " senders vanished";
  if (broker.receivers_vanished > 0) text += ", " + number(broker.receivers_vanished) + " receivers vanished";
  if (!refused.empty()) text += ", " + refused;
  return text + (broker.outcome.reason.empty() ? "" : "; " + broker.outcome.reason);
}

// What our programs mean by their exit codes.
std::optional<std::string> words_of_end(int exit_code, Role role) {
  switch (static_cast<ExitCode>(exit_code)) {
    case ExitCode::usage:
      return "refused what it was started with";
    case ExitCode::local_trouble:
      return "failed on its computer";
    case ExitCode::not_assembled:
      return role == Role::broker ? "gave up waiting" : "could not join";
    case ExitCode::broker_lost:
      return "lost the queue";
    case ExitCode::server_missing:
      return "its server is not installed";
    case ExitCode::complete:
    case ExitCode::incomplete:
      break;
  }
  return {};
}

std::string services_text(const Share& share) {
  return std::to_string(share.first) + "-" + std::to_string(share.first + share.count - 1);
}

}  // namespace

Worker::Worker(Identity identity, std::unique_ptr<launch::WorkerProcess> process, control::HelloCommand hello,
               const SessionOptions& options)
    : identity_(std::move(identity)), options_(options), hello_(std::move(hello)), process_(std::move(process)) {
  connect(process_.get(), &launch::WorkerProcess::started, this, &Worker::on_started);
  connect(process_.get(), &launch::WorkerProcess::finished, this, &Worker::on_finished);
  connect(process_.get(), &launch::WorkerProcess::error_output, this, &Worker::complain);
  ready_deadline_.setSingleShot(true);
  connect(&ready_deadline_, &QTimer::timeout, this, [this] {
    say(Severity::error, "no answer within " + std::to_string(options_.ready_timeout.count() / 1000) +
                             " s of its start, killed; is it a program of this version?");
    kill();
  });
  ready_deadline_.start(options_.ready_timeout);
  heard_ns_ = now_ns();
}

Worker::~Worker() = default;

Doing Worker::doing() const {
  if (state_ == State::over) {
    if (process_end_->signal != 0) return Doing::killed;
    return ended_well() ? shortfall() : Doing::failed;
  }
  if (stopping_) return Doing::stopping;
  switch (state_) {
    case State::starting:
      return Doing::starting;
    case State::ready:
      return identity_.role == Role::broker ? Doing::listening : Doing::joining;
    case State::joined:
      return Doing::joined;
    case State::running:
      return Doing::running;
    case State::ended:
    case State::over:
      break;
  }
  return Doing::ending;
}

std::string Worker::state_text() const {
  const Doing doing = this->doing();
  switch (doing) {
    case Doing::killed:
      return killed_ ? "killed" : process_end_->text;
    case Doing::failed:
      return outcome() != nullptr && process_end_->started && process_end_->signal == 0
                 ? words_of_end(process_end_->exit_code, identity_.role).value_or(process_end_->text)
                 : process_end_->text;
    case Doing::ended_with_losses:
      return "ended; lost as the plan allows";
    case Doing::stopped:
      return "ended; stopped before all was sent";
    default:
      return to_text(doing);
  }
}

int64_t Worker::pid() const {
  return ready_ ? ready_->pid : pid_;
}

const control::Outcome* Worker::outcome() const {
  if (const auto* sender = sender_summary()) return &sender->outcome;
  if (const auto* receiver = receiver_summary()) return &receiver->outcome;
  if (const auto* broker = broker_summary()) return &broker->outcome;
  return nullptr;
}

bool Worker::ended_well() const {
  const control::Outcome* said = outcome();
  return over() && said != nullptr && said->exit_code <= 1 && process_end_->signal == 0 && !fetched_;
}

// What an exit code of "incomplete" stands for.
Doing Worker::shortfall() const {
  if (outcome()->exit_code != kIncomplete) return Doing::ended;
  if (const auto* broker = broker_summary(); broker != nullptr && lost_as_allowed(*broker))
    return Doing::ended_with_losses;
  if (const auto* receivers = receiver_summary(); receivers != nullptr && lost_as_allowed(*receivers))
    return Doing::ended_with_losses;
  if (const auto* senders = sender_summary();
      senders != nullptr && stopping_ && senders->counts.accepted == senders->counts.count)
    return Doing::stopped;
  return Doing::incomplete;
}

std::string Worker::reason() const {
  if (const auto* broker = broker_summary()) return plan::one_line(reason_of(*broker));
  return outcome() != nullptr ? plan::one_line(outcome()->reason) : std::string();
}

bool Worker::take_fetched(const control::Message& summary) {
  const auto* sender = std::get_if<control::SenderSummary>(&summary);
  const auto* receiver = std::get_if<control::ReceiverSummary>(&summary);
  const auto* broker = std::get_if<control::BrokerSummary>(&summary);
  if (sender != nullptr && identity_.role == Role::sender && sender->outcome.services == identity_.share.count)
    summary_ = *sender;
  else if (receiver != nullptr && identity_.role == Role::receiver &&
           receiver->outcome.services == identity_.share.count)
    summary_ = *receiver;
  else if (broker != nullptr && identity_.role == Role::broker)
    summary_ = *broker;
  else
    return false;
  fetched_ = true;
  return true;
}

// Its answer may take as much longer as the bytes do on a slow link.
void Worker::give(std::string input) {
  constexpr size_t kBytesAMs = 64;
  if (input.empty()) return;
  ready_deadline_.start(options_.ready_timeout + std::chrono::milliseconds(input.size() / kBytesAMs));
  input_ = std::move(input);
}

void Worker::send(const control::Command& command) {
  if (client_ && !over()) client_->send(command);
}

void Worker::stop() {
  if (over()) return;
  stopping_ = true;
  if (client_)
    send(control::StopCommand{});
  else
    process_->kill();  // it may not even have begun: then as soon as it does
  Q_EMIT changed();
}

void Worker::terminate() {
  if (over()) return;
  stopping_ = true;
  process_->terminate();
}

void Worker::kill() {
  if (over()) return;
  stopping_ = true;
  killed_ = true;
  process_->kill();
}

int64_t Worker::silent_ns() const {
  return now_ns() - heard_ns_;
}

void Worker::on_started() {
  pid_ = process_->pid();
  if (stopping_) return process_->kill();  // told to stop before there was anybody to tell
  if (!input_.empty()) process_->channel().write(input_.data(), static_cast<qint64>(input_.size()));
  input_.clear();
  client_ = std::make_unique<launch::ControlClient>(process_->channel(), hello_);
  connect(client_.get(), &launch::ControlClient::received, this, &Worker::on_message);
  connect(client_.get(), &launch::ControlClient::nonsense, this, &Worker::on_nonsense);
  if (!process_->ping_every(options_.ping_interval)) client_->ping_every(options_.ping_interval);
}

void Worker::on_message(const control::Message& message) {
  heard_ns_ = now_ns();
  if (const auto* figures = std::get_if<control::Telemetry>(&message)) {
    take(*figures);
  } else if (const auto* ready = std::get_if<control::Ready>(&message)) {
    take(*ready);
  } else if (std::holds_alternative<control::Joined>(message)) {
    enter(State::joined);
  } else if (const auto* looked = std::get_if<control::Looked>(&message)) {
    looked_ = *looked;
    Q_EMIT changed();
  } else if (const auto* begin = std::get_if<control::Begin>(&message)) {
    begin_ = *begin;
    enter(State::running);
  } else if (std::holds_alternative<control::End>(message)) {
    enter(State::ended);
  } else if (const auto* warning = std::get_if<control::Warning>(&message)) {
    const std::string service = warning->service ? " " + std::to_string(*warning->service) : "";
    say(Severity::warning, (service.empty() ? "" : "service" + service + ": ") + warning->text);
    if (warning->cause.value_or(false))
      Q_EMIT cause_told(QString::fromStdString(plan::one_line(warning->text.substr(0, kLongestSaying))));
  } else if (const auto* gone = std::get_if<control::ServerGone>(&message)) {
    take(*gone);
  } else if (const auto* sites = std::get_if<control::Sites>(&message)) {
    sites_ = *sites;
    Q_EMIT changed();
  } else if (std::holds_alternative<control::FirstReady>(message)) {
    first_ready_ = true;
    Q_EMIT changed();
  } else if (const auto* leads = std::get_if<control::Leader>(&message)) {
    Q_EMIT leader_told({.server = leads->server, .text = plan::one_line(leads->text.substr(0, kLongestSaying))});
  } else if (const auto* pong = std::get_if<control::Pong>(&message)) {
    answers_ = true;
    Q_EMIT answered(*pong);
  } else if (const auto* error = std::get_if<control::ErrorReply>(&message)) {
    say(Severity::error, error->text);
  } else if (const auto* sender = std::get_if<control::SenderSummary>(&message)) {
    summary_ = *sender;
  } else if (const auto* receiver = std::get_if<control::ReceiverSummary>(&message)) {
    summary_ = *receiver;
  } else if (const auto* broker = std::get_if<control::BrokerSummary>(&message)) {
    summary_ = *broker;
    enter(State::ended);
  }
}

// One that says nothing else will not come to its senses, and costs time that the others are measured in.
void Worker::on_nonsense(const QString& text) {
  complain(QStringLiteral("a line that cannot be parsed: ") + text);
  if (++nonsense_ != kMostNonsense || over()) return;
  say(Severity::error, "has sent " + std::to_string(kMostNonsense) +
                           " lines that cannot be parsed, killed; is it a program of this version?");
  kill();
}

// Of whoever has started servers, and of each of those once.
void Worker::take(control::ServerGone gone) {
  const bool known =
      ready_ &&
      std::ranges::find(ready_->servers, gone.server, &control::ServedFacts::number) != ready_->servers.end() &&
      std::ranges::find(gone_servers_, gone.server, &control::ServerGone::server) == gone_servers_.end();
  if (identity_.role != Role::broker || !known) return;
  gone.text = plan::one_line(gone.text.substr(0, kLongestSaying));
  gone_servers_.push_back(gone);
  Q_EMIT server_gone(gone);
}

void Worker::take(const control::Ready& ready) {
  ready_deadline_.stop();
  const bool worker = identity_.role != Role::broker;
  if (ready.role != identity_.role) {
    say(Severity::error, "is a " + control::to_text(ready.role) + " and not a " + control::to_text(identity_.role) +
                             "; attach the other one here");
    return kill();
  }
  if (worker && (ready.first_service != identity_.share.first || ready.services != identity_.share.count)) {
    say(Severity::error, "has the services " + services_text({ready.first_service, ready.services}) +
                             " but the plan needs " + services_text(identity_.share) + "; set the amount to " +
                             std::to_string(ready.services) + " and start its numbers at 1");
    return kill();
  }
  ready_ = ready;
  enter(State::ready);
}

// One on another computer leaves there what has not been heard here.
void Worker::take(const control::Telemetry& figures) {
  speaks_ = true;
  if (figures.role != identity_.role) return;
  heard_sequence_ = std::max(heard_sequence_, figures.sequence);
  if (!hosts::is_local(identity_.share.host) && heard_ns_ - said_heard_ns_ >= kSayHeardNs) {
    said_heard_ns_ = heard_ns_;
    send(control::HeardCommand{.sequence = heard_sequence_});
  }
  Q_EMIT telemetry(figures);
}

void Worker::on_finished(const launch::ProcessEnd& end) {
  if (client_) client_->drain();
  ready_deadline_.stop();
  process_end_ = end;
  if (end.started && end.exit_code < 0 && end.signal == 0 && !hosts::is_local(identity_.share.host) && !killed_)
    cut_off_ns_ = now_ns();
  state_ = State::over;
  Q_EMIT changed();
}

// Lines may come late or twice (an attached worker says `ready` again); a state never goes back.
void Worker::enter(State state) {
  if (state <= state_) return;
  state_ = state;
  Q_EMIT changed();
}

// A worker's own words may be anything: they are cut to a size, and to what a terminal shows as it is.
void Worker::say(Severity severity, const std::string& text) {
  if (++sayings_ > kMostSayings) return;
  std::string line = identity_.name + ": " + plan::one_line(text.substr(0, kLongestSaying));
  if (sayings_ == kMostSayings) line += " (further output is dropped)";
  Q_EMIT noted(severity, QString::fromStdString(line));
}

// A process that floods its stderr must not flood the run log.
void Worker::complain(const QString& line) {
  if (++complaints_ > kMostComplaints) return;
  say(Severity::warning, line.toStdString());
  if (complaints_ == kMostComplaints) say(Severity::warning, "wrote more than this; the rest is dropped");
}

record::ProcessRecord Worker::record() const {
  record::ProcessRecord record{.name = identity_.name,
                               .role = identity_.role,
                               .place = process_->place(),
                               .first_service = identity_.role == Role::broker ? 0 : identity_.share.first,
                               .services = identity_.role == Role::broker ? 0 : identity_.share.count,
                               .pid = pid(),
                               .end = state_text()};
  record.was_started = !process_end_ || process_end_->started;
  if (process_end_ && process_end_->exit_code >= 0) record.exit_code = process_end_->exit_code;
  if (const control::Outcome* said = outcome()) {
    if (!record.exit_code && process_end_ && process_end_->signal == 0) record.exit_code = said->exit_code;
    record.reason = reason();
    record.cpu_ns = said->cpu_ns;
    record.peak_rss_bytes = said->peak_rss_bytes;
    if (said->wire) set_wire(record, *said->wire);
  }
  const control::ClockFigures* clock = nullptr;
  if (const auto* sender = sender_summary()) clock = &sender->clock;
  if (const auto* receiver = receiver_summary()) clock = &receiver->clock;
  if (clock != nullptr) {
    record.clock_kind = clock->kind;
    record.clock_offset_ns = clock->offset_ns;
    record.clock_bound_ns = clock->own_bound_ns;
    record.clock_round_trip_ns = clock->round_trip_ns;
    record.clock_drift_ns = clock->drift_ns;
  }
  if (fetched_)
    record.figures_from = "fetched";
  else if (outcome() != nullptr)
    record.figures_from = "summary";
  else if (speaks_)
    record.figures_from = "telemetry";
  else if (begin_ && identity_.role != Role::broker)
    record.figures_from = "nothing";
  if (ready_ && ready_->log_dir) record.log_dir = *ready_->log_dir;
  if (begin_ && begin_->bus) record::set_socket(record, *begin_->bus);
  return record;
}

}  // namespace n2nq::run

#include "moc_worker.cpp"
