#include "workers/recorder/recorder.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "broker/base/clock.h"
#include "broker/base/machine_facts.h"
#include "broker/process/process_figures.h"
#include "workers/control/line_writer.h"

namespace n2nq::recorder {
namespace {

using control::RecordedOf;

// What a process starts shows no sooner than this.
constexpr int64_t kChildrenPeriodNs = 10'000'000'000;
// But where connections of nobody have come: a server that is started again is a new child.
constexpr int64_t kSoonNs = 500'000'000;

control::Lacking lacking(RecordedOf of, const std::string& name, const std::string& why) {
  control::Lacking all{.of = of, .subject = name, .why = why};
  for (const control::HostColumn& column : control::columns_of(of)) all.series.emplace_back(column.name);
  return all;
}

}  // namespace

Recorder::Recorder(const RecorderOptions& options)
    : options_(options),
      signals_(loop_, [this](int) { stop("stopped by a signal"); }),
      timer_(loop_, [this] { on_time(); }),
      loads_(loop_, [this](const std::string& line) { link_->send(line); }) {
  link_ = options.controlled ? std::make_unique<control::ControlLink>(
                                   loop_, STDIN_FILENO, STDOUT_FILENO, callbacks(),
                                   control::ControlLink::Timing::patient(options.control_timeout_ns))
                             : std::make_unique<control::ControlLink>(loop_, STDOUT_FILENO);
}

control::ControlLink::Callbacks Recorder::callbacks() {
  return {.on_hello = [this](const control::Token&, const control::BusAccess&) { begin(); },
          .on_refused =
              [this](const std::string& text) {
                std::fprintf(stderr, "n2nq-recorder: %s\n", text.c_str());
                code_ = ExitCode::local_trouble;
                loop_.stop();
              },
          .on_command = [this](const std::string& type, const nlohmann::json& message) { return obey(type, message); },
          .on_lost = [this](const std::string& why) { stop("control lost: " + why); }};
}

// The spinners are there before anything of the run is.
control::Ready Recorder::ready() {
  control::Ready ready{
      .role = control::Role::recorder, .pid = ::getpid(), .version = N2NQ_VERSION, .machine = read_machine_facts()};
  if (!options_.awake) return ready;
  if (auto awake = Awake::start()) {
    awake_.emplace(std::move(*awake));
    ready.awake = awake_->text();
    host_.leave_out(*awake_);
  } else {
    ready.not_awake = awake.error().text;
  }
  return ready;
}

ExitCode Recorder::run() {
  link_->send(control::to_line(ready()));
  link_->start();
  if (!options_.controlled) begin();
  loop_.run();
  if (code_ == ExitCode::local_trouble) return code_;  // nothing was recorded
  const control::RecorderSummary summary{.outcome = {.cpu_ns = static_cast<uint64_t>(process::process_cpu_ns()),
                                                     .peak_rss_bytes = process::peak_rss_bytes(),
                                                     .exit_code = static_cast<int>(code_),
                                                     .verdict = "complete",
                                                     .reason = reason_},
                                         .readings = readings_};
  link_->finish(control::to_line(summary), std::chrono::seconds(1));
  return code_;
}

void Recorder::begin() {
  recording_ = true;
  timer_.every(options_.period_ns);
  watch(options_.watch);
}

Result<void> Recorder::obey(const std::string& type, const nlohmann::json& message) {
  const auto command = control::parse_command(type, message);
  if (!command) return std::unexpected(command.error());
  if (const auto* wish = std::get_if<control::WatchCommand>(&*command))
    watch(*wish);
  else if (std::holds_alternative<control::SampleCommand>(*command))
    take(true);
  else if (const auto* sink = std::get_if<control::SinkCommand>(&*command))
    return loads_.obey(*sink);
  else if (const auto* fill = std::get_if<control::FillCommand>(&*command))
    return loads_.obey(*fill);
  else if (std::holds_alternative<control::StopCommand>(*command))
    stop("stopped by command");
  else
    return fail("field \"type\": recorders accept watch, sample, sink, fill, stop and ping");
  return {};
}

// Those that are watched already go on where they are.
void Recorder::watch(const control::WatchCommand& command) {
  std::vector<ProcessReader> processes;
  hidden_.clear();
  sides_.clear();
  for (const control::WatchCommand::Process& process : command.processes) {
    const auto& [name, pid, program, side] = process;
    if (!side.empty()) sides_[name] = side;
    const auto known = std::ranges::find_if(
        processes_, [&](const ProcessReader& one) { return one.pid() == pid && one.name() == name; });
    if (known != processes_.end())
      processes.push_back(std::move(*known));
    else if (const std::string why = why_hidden(process); !why.empty()) {
      hidden_.push_back(lacking(RecordedOf::process, name, why));
      if (!side.empty()) hidden_.push_back(lacking(RecordedOf::connections, side, name + ": " + why));
    } else {
      processes.emplace_back(name, static_cast<pid_t>(pid));
      children_due_ns_ = 0;
    }
  }
  processes_ = std::move(processes);
  if (command.port == 0 && sides_.empty())
    connections_.reset();
  else if (!connections_ || !connections_->is_of(command.port, !sides_.empty()))
    connections_.emplace(command.port, !sides_.empty());
  take(true);
}

// In another container the same number is another process. The kernel cuts names.
std::string Recorder::why_hidden(const control::WatchCommand::Process& process) {
  constexpr size_t kLongestName = 15;
  const std::string number = std::to_string(process.pid);
  KeptFile file("/proc/" + number + "/comm", true);
  const std::string_view text = file.read(buffer_);
  const std::string_view name = text.substr(0, text.find('\n'));
  if (file.error() == EMFILE || file.error() == ENFILE) return why_unreadable("/proc/" + number, file.error());
  if (name.empty())
    return "process " + number + " has ended, or this host hides it from the recorder (hidepid, another container)";
  if (!process.program.empty() && name != process.program.substr(0, kLongestName))
    return "process " + number + " is not " + process.program + " where the recorder runs: it is in another container";
  return {};
}

void Recorder::find_children() {
  const int64_t now = now_ns();
  if (processes_.empty() || now < children_due_ns_) return;
  children_due_ns_ = now + kChildrenPeriodNs;
  const Parents parents = read_parents(buffer_);
  for (ProcessReader& process : processes_) process.take_parents(parents);
}

void Recorder::read_processes(bool asked, control::Recorded& into) {
  const bool all = asked || processes_pace_.due();
  const auto read_each = [&] {
    for (ProcessReader& process : processes_)
      if (auto values = process.read(buffer_, all))
        into.processes.push_back({.name = process.name(), .values = std::move(*values)});
  };
  if (all)
    processes_pace_.run(read_each);
  else
    read_each();
  for (const ProcessReader& process : processes_) process.add_lacking(into.lacking);
}

void Recorder::read_connections(bool asked, control::Recorded& into) {
  if (!connections_) return;
  Sides sides;
  for (const ProcessReader& process : processes_)
    if (const auto side = sides_.find(process.name()); side != sides_.end()) {
      auto& pids = sides[side->second];
      std::ranges::copy(process.pids(), std::back_inserter(pids));
    }
  for (const control::Lacking& one : hidden_)
    if (one.of == RecordedOf::connections) sides.erase(one.subject);
  into.connections = connections_->read(buffer_, asked, sides);
  connections_->add_lacking(into.lacking, sides);
  if (connections_->found_strangers()) children_due_ns_ = std::min(children_due_ns_, now_ns() + kSoonNs);
}

control::Recorded Recorder::read(bool asked) {
  find_children();
  readings_++;
  control::Recorded recorded{.sequence = said_ + 1, .time_ns = now_ns(), .merged = merged_};
  recorded.host = host_.read(buffer_);
  host_.add_lacking(recorded.lacking);
  if (awake_ && !awake_->holds()) recorded.not_awake = "somebody has ended what kept them awake";
  recorded.lacking.insert(recorded.lacking.end(), hidden_.begin(), hidden_.end());
  read_processes(asked, recorded);
  read_connections(asked, recorded);
  return recorded;
}

// Where it outlives the link it does so for the sake of the others.
void Recorder::on_time() {
  const auto is_left = [](const ProcessReader& process) { return ::kill(process.pid(), 0) == 0 || errno == EPERM; };
  if (options_.controlled && link_->unheard_for(control::ControlLink::Timing{}.ping_deadline_ns) &&
      std::ranges::none_of(processes_, is_left))
    return stop("control lost, and no process that it watched is left");
  take(false);
}

// Counters go on growing: what is not said now is in the next line.
void Recorder::take(bool asked) {
  if (!recording_) return;
  if (!link_->idle()) {
    merged_++;
    return;
  }
  link_->send(control::to_line(read(asked)));
  said_++;
}

void Recorder::stop(const std::string& why) {
  if (std::exchange(stopping_, true)) return;
  reason_ = why;
  timer_.disarm();
  loads_.stop();
  take(true);
  loop_.stop();
}

}  // namespace n2nq::recorder
