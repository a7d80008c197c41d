#include "app/run/host_recorders.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/hosts/host_list.h"
#include "app/launch/programs.h"
#include "app/plan/plain_text.h"
#include "app/record/machine.h"

namespace n2nq::run {
namespace {

using record::Severity;
using namespace std::chrono_literals;

constexpr auto kStopPatience = 2s;                        // for the last reading, and again for the end after SIGKILL
constexpr std::chrono::nanoseconds kAnswerPatience = 2s;  // for the reading of what it is to watch
constexpr size_t kLongestWords = 1000;
constexpr uint64_t kClockPing = 1;  // those that keep its link alive have none
constexpr int64_t kWatchPeriodNs = 200'000'000;

bool is_of_load(const control::Message& message) {
  return std::visit(
      []<class Each>(const Each&) {
        return std::same_as<Each, control::Sinking> || std::same_as<Each, control::Flowing> ||
               std::same_as<Each, control::Sunk> || std::same_as<Each, control::Filled>;
      },
      message);
}

}  // namespace

HostRecorder::HostRecorder(std::unique_ptr<launch::WorkerProcess> process, std::string token,
                           const SessionOptions& options, live::LiveFigures& live, TakeNote note)
    : process_(std::move(process)), token_(std::move(token)), options_(options), live_(live), note_(std::move(note)) {
  live_.hosts().add(place());
  connect(process_.get(), &launch::WorkerProcess::started, this, &HostRecorder::on_started);
  connect(process_.get(), &launch::WorkerProcess::finished, this, &HostRecorder::on_finished);
  connect(process_.get(), &launch::WorkerProcess::error_output, this,
          [this](const QString& line) { say(line.toStdString()); });
  deadline_.setSingleShot(true);
  connect(&deadline_, &QTimer::timeout, this, &HostRecorder::on_deadline);
  deadline_.start(options_.ready_timeout);
}

HostRecorder::~HostRecorder() = default;

void HostRecorder::note(const std::string& text) {
  note_(Severity::warning, "recorder on " + place() + ": " + plan::one_line(text.substr(0, kLongestWords)));
}

// They may be anything, and as many as it likes.
void HostRecorder::say(const std::string& text) {
  if (++sayings_ <= kMostSayings) note(text);
}

void HostRecorder::on_started() {
  if (stopping_) return process_->kill();
  client_ = std::make_unique<launch::ControlClient>(process_->channel(), control::HelloCommand{token_});
  connect(client_.get(), &launch::ControlClient::received, this, &HostRecorder::on_message);
  connect(client_.get(), &launch::ControlClient::nonsense, this,
          [this](const QString& text) { say(text.toStdString()); });
  if (!process_->ping_every(options_.ping_interval)) client_->ping_every(options_.ping_interval);
}

void HostRecorder::on_message(const control::Message& message) {
  if (const auto* recorded = std::get_if<control::Recorded>(&message)) {
    take(*recorded);
  } else if (const auto* ready = std::get_if<control::Ready>(&message)) {
    if (ready->role != Role::recorder) return give_up("it is a " + control::to_text(ready->role));
    if (std::exchange(ready_, true)) return;
    machine_ = ready->machine;
    if (ready->awake) {
      const std::string how = plan::one_line(ready->awake->substr(0, kLongestWords));
      live_.hosts().awake(place(), how);
      note_(Severity::info, "the cores of " + place() + " are kept awake: " + how);
    }
    if (ready->not_awake) live_.hosts().not_awake(place(), plan::one_line(ready->not_awake->substr(0, kLongestWords)));
    if (!stopping_) deadline_.stop();
    // Where nothing is to be watched, there is a reading from before the run all the same.
    if (wish_.processes.empty())
      client_->send(control::SampleCommand{});
    else
      client_->send(wish_);
    ask_clock();
    Q_EMIT changed();
  } else if (std::holds_alternative<control::RecorderSummary>(message)) {
    summed_up_ = true;
  } else if (const auto* error = std::get_if<control::ErrorReply>(&message)) {
    say(error->text);
  } else if (const auto* pong = std::get_if<control::Pong>(&message)) {
    if (pong->id == kClockPing) take(*pong);
  } else if (is_of_load(message)) {
    Q_EMIT said(place(), message);
  }
}

void HostRecorder::ask_clock() {
  if (clock_pings_ == 0 || !is_there()) return;
  asked_ns_ = now_ns();
  client_->send(control::PingCommand{.id = kClockPing});
}

// The soonest answer says it best: each may lie here until somebody looks.
void HostRecorder::take(const control::Pong& pong) {
  if (clock_pings_ == 0) return;
  clock_pings_--;
  const int64_t round_trip_ns = now_ns() - asked_ns_;
  if (!ahead_ns_ || round_trip_ns < round_trip_ns_) {
    round_trip_ns_ = round_trip_ns;
    ahead_ns_ = since(asked_ns_ + round_trip_ns / 2, pong.monotonic_ns);
  }
  if (begun_ns_) begin(*begun_ns_);
  ask_clock();
  if (clock_pings_ == 0) Q_EMIT changed();
}

void HostRecorder::begin(int64_t begun_ns) {
  begun_ns_ = begun_ns;
  if (ahead_ns_) live_.hosts().begin(place(), begun_ns, *ahead_ns_);
}

// The workers there measure the network: that stands on the same time axis.
control::Recorded HostRecorder::with_network(control::Recorded recorded) {
  constexpr size_t kColumn = control::at(control::kHostColumns, "network_round_trip");
  recorded.host[kColumn] = live_.layers().take_round_trip(place()).value_or(control::kNoFigure);
  recorded.lacking.push_back({.of = control::RecordedOf::host,
                              .series = {std::string(control::kHostColumns[kColumn].name)},
                              .why = "no sender or receiver on this host has measured the network during the run"});
  return recorded;
}

void HostRecorder::take(const control::Recorded& recorded) {
  live_.hosts().take(place(), with_network(recorded));
  if (recorded.not_awake)
    live_.hosts().not_awake(place(), plan::one_line(recorded.not_awake->substr(0, kLongestWords)));
  live_.hosts().count(place(), {.sent = static_cast<double>(live_.all_senders().count),
                                .received = static_cast<double>(live_.all_receivers().count)});
  if (answered_) return;
  // Each of them is there, or there is a sentence why not.
  const auto read = [&](const control::WatchCommand::Process& one) {
    const auto lacks = [&](const control::Lacking& lacking) {
      return lacking.of == control::RecordedOf::process && lacking.subject == one.name;
    };
    return std::ranges::find(recorded.processes, one.name, &control::RecordedSubject::name) !=
               recorded.processes.end() ||
           std::ranges::any_of(recorded.lacking, lacks);
  };
  answered_ = ready_ && std::ranges::all_of(wish_.processes, read);
  if (answered_) Q_EMIT changed();
}

void HostRecorder::watch(const control::WatchCommand& wish) {
  if (wish == wish_ || over_ || stopping_) return;
  wish_ = wish;
  answered_ = false;
  if (ready_) client_->send(wish_);
}

void HostRecorder::sample() {
  if (ready_ && !over_ && !stopping_) client_->send(control::SampleCommand{});
}

void HostRecorder::tell(const control::Command& command) {
  if (is_there() && !stopping_) client_->send(command);
}

void HostRecorder::stop() {
  if (over_ || std::exchange(stopping_, true)) return;
  if (!client_) return kill();
  client_->send(control::StopCommand{});
  deadline_.start(kStopPatience);
}

void HostRecorder::kill() {
  if (over_) return;
  live_.hosts().lacks(place(), "the recorder was killed with the run, before its last reading");
  stopping_ = killed_ = true;
  process_->kill();
  deadline_.start(kStopPatience);
}

void HostRecorder::give_up(const std::string& why) {
  note(why + ", killed; this run lacks the figures of its host");
  live_.hosts().lacks(place(), "the recorder did not run: " + why);
  kill();
}

void HostRecorder::on_deadline() {
  if (killed_) {  // it may not be killed: nobody waits for it
    over_ = true;
    Q_EMIT lost(place());
    Q_EMIT changed();
  } else if (stopping_) {
    note("does not end, killed; the last reading of its host is missing");
    live_.hosts().lacks(place(), "the recorder did not end when it was told to; its last reading is missing");
    kill();
  } else {
    give_up("no answer within " + std::to_string(options_.ready_timeout.count() / 1000) + " s of its start");
  }
}

void HostRecorder::on_finished(const launch::ProcessEnd& end) {
  if (client_) client_->drain();
  deadline_.stop();
  if (!stopping_ || (!summed_up_ && !killed_)) {
    note(end.text + "; figures of its host are missing from here on");
    if (!live_.hosts().why_not_awake(place()))
      live_.hosts().not_awake(place(), "its recorder ended, and what kept them awake with it");
    live_.hosts().lacks(place(),
                        std::string(ready_ ? "the recorder ended during the run: " : "the recorder did not run: ") +
                            plan::one_line(end.text.substr(0, kLongestWords)));
  }
  if (std::exchange(over_, true)) return;
  Q_EMIT lost(place());
  Q_EMIT changed();
}

HostRecorders::HostRecorders(const plan::RunPlan& plan, const SessionOptions& options, RunStage& stage,
                             live::LiveFigures& live, TakeNote note)
    : plan_(plan), options_(options), stage_(stage), live_(live), note_(std::move(note)) {}

void HostRecorders::launch() {
  if (!plan_.recorder.on) return;
  for (const std::string& host : recorded_hosts(plan_)) {
    auto one =
        std::make_unique<HostRecorder>(stage_.launch_recorder(plan_, host), stage_.token(), options_, live_, note_);
    connect(one.get(), &HostRecorder::changed, this, &HostRecorders::changed);
    connect(one.get(), &HostRecorder::said, this, &HostRecorders::said);
    connect(one.get(), &HostRecorder::lost, this, &HostRecorders::lost);
    all_.push_back(std::move(one));
  }
}

bool HostRecorders::settled(int64_t now_ns) {
  const bool all = std::ranges::all_of(all_, [](const auto& one) { return one->settled(); });
  if (all) {
    waiting_since_ns_ = 0;
    return true;
  }
  if (waiting_since_ns_ == 0) waiting_since_ns_ = now_ns;
  const bool ready = std::ranges::all_of(all_, [](const auto& one) { return one->ready(); });
  int64_t patience_ns = (ready ? kAnswerPatience : std::chrono::nanoseconds(options_.ready_timeout)).count();
  if (plan_.join_timeout_ns > 0) patience_ns = std::min(patience_ns, plan_.join_timeout_ns / 4);
  return now_ns - waiting_since_ns_ >= patience_ns;
}

bool HostRecorders::over() const {
  return std::ranges::all_of(all_, [](const auto& one) { return one->over(); });
}

void HostRecorders::watch(int64_t now_ns) {
  const bool serves = plan_.bus.starts_server() && plan_.bus.server_hosts().empty();  // beside the queue, or on hosts
  const std::pair<const WorkerGroup*, const char*> groups[] = {
      {&stage_.group(Role::broker), serves ? live::kServersSide : ""},
      {&stage_.group(Role::sender), live::kSendersSide},
      {&stage_.group(Role::receiver), live::kReceiversSide},
      {&stage_.servers(), live::kServersSide}};
  size_t ready = 0, started = 0;
  for (const auto& [group, side] : groups)
    for (const auto& worker : group->workers()) {
      started++;
      if (worker->ready() && worker->pid() > 0) ready++;
    }
  if (ready == watched_ || (ready < started && now_ns - watched_ns_ < kWatchPeriodNs)) return;
  watched_ = ready;
  watched_ns_ = now_ns;
  const auto& queue = stage_.group(Role::broker).workers();
  const uint16_t port =
      !queue.empty() && queue.front()->ready() ? queue.front()->ready()->port.value_or(0) : uint16_t{0};
  for (const auto& one : all_) {
    control::WatchCommand wish{.port = port};
    for (const auto& [group, side] : groups)
      for (const auto& worker : group->workers())
        if (worker->ready() && worker->pid() > 0 && worker->place() == one->place())
          wish.processes.push_back({.name = worker->identity().name,
                                    .pid = worker->pid(),
                                    .program = launch::program_of(worker->identity().role),
                                    .side = plan_.bus.traits().own_queue ? "" : side});
    if (!wish.processes.empty()) one->watch(wish);
  }
}

// Stamps of a recorder are of the clock of its host, which is that of the workers there. A host that has nothing but
// the queue has BEGIN from a worker elsewhere, and from how that one's clock stands to the queue's.
void HostRecorders::begin(const Worker& worker, const control::Telemetry* line) {
  if (all_.empty() || !worker.begin()) return;
  live::HostFigures& figures = live_.hosts();
  const int64_t origin_ns = worker.begin()->origin_monotonic_ns;
  figures.begin(worker.place(), origin_ns);
  if (line == nullptr || figures.knows_begin(live_.queue_host())) return;
  const int64_t offset_ns = line->process.clock ? line->process.clock->offset_ns.value_or(0) : 0;
  figures.begin(live_.queue_host(), origin_ns, offset_ns);
}

void HostRecorders::begin_elsewhere(int64_t begun_ns, const std::function<bool(const std::string& place)>& knows) {
  for (const auto& one : all_)
    if (!knows(one->place())) one->begin(begun_ns);
}

void HostRecorders::add_machines(std::vector<record::MachineRecord>& machines) const {
  for (const auto& one : all_)
    if (one->machine() && std::ranges::find(machines, one->place(), &record::MachineRecord::place) == machines.end())
      machines.push_back({.place = one->place(), .facts = record::as_kept(*one->machine())});
}

void HostRecorders::compare(const std::vector<record::MachineRecord>& machines) {
  for (auto one = machines.begin(); one != machines.end(); ++one)
    for (auto other = machines.begin(); other != one; ++other)
      if (is_one_computer(one->facts, other->facts)) live_.hosts().same_computer(one->place, other->place);
}

HostRecorder* HostRecorders::find(const std::string& place) const {
  const auto found = std::ranges::find(all_, place, [](const auto& one) { return one->place(); });
  return found == all_.end() ? nullptr : found->get();
}

bool HostRecorders::is_there(const std::string& place) const {
  const HostRecorder* one = find(place);
  return one != nullptr && one->is_there();
}

void HostRecorders::tell(const std::string& place, const control::Command& command) {
  if (HostRecorder* one = find(place)) one->tell(command);
}

void HostRecorders::sample() {
  for (const auto& one : all_) one->sample();
}

void HostRecorders::sample_at_end() {
  if (!std::exchange(end_sampled_, true)) sample();
}

void HostRecorders::ended(const Worker& worker) {
  std::optional<live::HostFigures::AtEnd> said;
  if (const control::Outcome* outcome = worker.outcome()) {
    const auto whole = [](uint64_t value) { return static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX)); };
    said.emplace(whole(outcome->cpu_ns));
    said->disk_written_bytes = outcome->disk_written_bytes.transform(whole);
    said->cpu_user_ns = outcome->cpu_user_ns.transform(whole);
    said->cpu_system_ns = outcome->cpu_system_ns.transform(whole);
    said->context_switches = outcome->context_switches.transform(whole);
    said->disk_read_bytes = outcome->disk_read_bytes.transform(whole);
  }
  live_.hosts().ended(worker.place(), worker.identity().name, said);
}

void HostRecorders::stop() {
  for (const auto& one : all_) one->stop();
}

void HostRecorders::kill() {
  for (const auto& one : all_) one->kill();
}

}  // namespace n2nq::run

#include "moc_host_recorders.cpp"
