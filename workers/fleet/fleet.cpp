#include "workers/fleet/fleet.h"

#include <sys/random.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "broker/base/assert.h"
#include "broker/net/resolve.h"
#include "workers/fleet/process_figures.h"
#include "workers/measure/clock.h"

namespace n2nq::fleet {
namespace {

uint64_t random_id() {
  uint64_t id = 0;
  while (id == 0) N2NQ_ASSERT(::getrandom(&id, sizeof id, 0) == sizeof id);
  return id;
}

ExitCode exit_code_of(transport::Loss::Kind kind) {
  switch (kind) {
    case transport::Loss::Kind::not_joined:
      return ExitCode::not_assembled;
    case transport::Loss::Kind::broker_gone:
      return ExitCode::broker_lost;
    case transport::Loss::Kind::sent_away:
      return ExitCode::incomplete;
    case transport::Loss::Kind::local:
      return ExitCode::local_trouble;
  }
  return ExitCode::incomplete;
}

// Which of two troubles names the exit code: what kept the fleet from running before what happened while it ran.
int weight(ExitCode code) {
  switch (code) {
    case ExitCode::local_trouble:
      return 4;
    case ExitCode::not_assembled:
      return 3;
    case ExitCode::broker_lost:
      return 2;
    default:
      return 1;
  }
}

}  // namespace

Fleet::Fleet(wire::Role role_on_wire, std::string noun, const WorkerOptions& options, std::unique_ptr<FleetRole> role)
    : options_(options),
      complaints_("n2nq-" + noun),
      signals_(events_, [this](int signal) { on_signal(signal); }),
      role_(std::move(role)) {
  const int64_t now_ns = measure::now_ns();
  context_.role = role_on_wire;
  context_.noun = std::move(noun);
  context_.first = options.first;
  context_.count = options.count;
  context_.fleet_id = random_id();
  context_.clock = transport::WorkerClock(options.clock_skew_ns, options.clock_drift_ppm, now_ns);
  context_.clock_id = context_.clock.true_to_machine() ? measure::clock_id() : 0;
  context_.give_up_ns =
      options.connect_timeout_ns == 0 ? transport::BusLoop::kNever : now_ns + options.connect_timeout_ns;
  context_.first_source_port = options.first_source_port;
  started_ = !options.controlled;
}

Fleet::~Fleet() = default;

ExitCode Fleet::run() {
  link_ = std::make_unique<control::ControlLink>(events_, STDOUT_FILENO);
  link_->start();
  say_ready();
  if (auto prepared = prepare(); !prepared) {
    complaints_.say(prepared.error().text);
    if (!failure_) failure_ = ExitCode::local_trouble;
    reason_ = prepared.error().text;
  } else {
    join();
    events_.run();
  }
  each_loop([](ServiceLoop& loop) { loop.finish(); });
  close_logs();
  complaints_.close();
  const std::string shortfall = role_->shortfall();
  const ExitCode code = failure_ ? *failure_ : shortfall.empty() ? ExitCode::complete : ExitCode::incomplete;
  if (code == ExitCode::incomplete && !shortfall.empty() && reason_.empty()) reason_ = shortfall;
  link_->finish(summary(code).dump());
  return code;
}

Result<void> Fleet::prepare() {
  if (auto enough = check_descriptors(); !enough) return enough;
  if (!options_.token_file.empty()) {
    auto token = control::Token::read_file(options_.token_file);
    if (!token) return fail("--token-file: " + token.error().text);
    context_.token = token->reveal();
  }
  if (auto opened = open_logs(); !opened) return opened;
  auto broker = net::resolve(options_.broker);
  if (!broker) {
    failure_ = ExitCode::not_assembled;
    return fail("--broker: " + broker.error().text);
  }
  context_.broker = *broker;
  std::vector<log::LogQueue*> queues;
  for (const auto& queue : log_queues_) queues.push_back(queue.get());
  role_->make_loops(context_, *this, events_, queues);
  return {};
}

Result<void> Fleet::check_descriptors() const {
  const uint64_t wanted = uint64_t{options_.count} + (options_.logs() ? options_.count : 0) + 16 * options_.loops + 64;
  const uint64_t limit = net::raise_descriptor_limit(wanted);
  if (limit >= wanted) return {};
  return fail("this process may open " + std::to_string(limit) + " files, but --count " +
              std::to_string(options_.count) + " needs " + std::to_string(wanted) + "; raise the limit with 'ulimit -n " +
              std::to_string(wanted) + "' or lower --count");
}

Result<void> Fleet::open_logs() {
  if (!options_.logs()) return {};
  log::LogOptions log{.folder = options_.log_dir,
                      .level = options_.log,
                      .role = context_.role == wire::Role::sender ? log::LogRole::sender : log::LogRole::receiver,
                      .program = "n2nq-" + context_.noun,
                      .version = N2NQ_VERSION};
  for (uint32_t slot = 0; slot < context_.count; slot++) log.services.push_back(context_.service_name(slot));
  log.on_error = [this](const std::string& text) { complaints_.say_one_of_many("log", text); };
  std::vector<log::LogQueue*> queues;
  for (uint32_t i = 0; i < options_.loops; i++) {
    log_queues_.push_back(std::make_unique<log::LogQueue>());
    queues.push_back(log_queues_.back().get());
  }
  auto writer = log::LogWriter::open(std::move(log), queues);
  if (!writer) return fail("--log-dir: " + writer.error().text);
  log_writer_ = std::move(*writer);
  if (!log_writer_->wants_messages()) log_queues_.clear();
  return {};
}

void Fleet::say_ready() {
  Json ready;
  ready["type"] = "ready";
  ready["role"] = context_.noun;
  ready["pid"] = ::getpid();
  ready["version"] = N2NQ_VERSION;
  link_->send(ready.dump());
}

template <class Task>
void Fleet::each_loop(Task task) {
  for (ServiceLoop* loop : role_->loops()) task(*loop);
}

void Fleet::join() {
  each_loop([](ServiceLoop& loop) { loop.start(); });
}

void Fleet::loop_joined(const std::optional<wire::Welcome>& welcome) {
  events_.post([this, welcome] {
    if (welcome) welcome_ = welcome;
    if (++loops_joined_ < role_->loops().size() || !welcome_) return;
    joined_ = true;
    try_ready();
  });
}

void Fleet::try_ready() {
  if (!joined_ || !started_ || ready_sent_ || stopping_) return;
  ready_sent_ = true;
  role_->loops().front()->post([loop = role_->loops().front()] { loop->send_ready(); });
}

void Fleet::loop_begun(const Beginning& beginning) {
  if (log_writer_) {
    std::call_once(log_begun_, [&] {
      char run[17];
      std::snprintf(run, sizeof run, "%016llx", static_cast<unsigned long long>(beginning.welcome.run_id));
      log_writer_->begin({.run_id = run,
                          .origin_monotonic_ns = beginning.origin_ns,
                          .origin_utc_ns = beginning.begin.wall_ns,
                          .clock_note = beginning.welcome.same_clock ? "same clock" : "clocks differ"});
    });
  }
  events_.post([this] { begun_ = true; });
}

void Fleet::service_lost(uint32_t slot, const transport::Loss& loss) {
  complaints_.say_one_of_many(context_.service_name(slot), loss.text);
  events_.post([this, loss] {
    fail_with(exit_code_of(loss.kind), loss.text);
    if (loss.kind == transport::Loss::Kind::not_joined || loss.kind == transport::Loss::Kind::local) stop(loss.text);
  });
}

void Fleet::fail_with(ExitCode code, const std::string& reason) {
  if (failure_ && weight(*failure_) >= weight(code)) return;
  failure_ = code;
  reason_ = reason;
}

void Fleet::clock_announced(const wire::Clock& clock) {
  events_.post([this, clock] { role_->take_clock(clock); });
}

void Fleet::loop_ended() {
  events_.post([this] {
    if (++loops_ended_ == role_->loops().size()) on_all_ended();
  });
}

void Fleet::on_signal(int signal) {
  const std::string name = signal == SIGTERM ? "SIGTERM" : "SIGINT";
  if (!stopping_) return stop("stopped by " + name);
  // Asked twice: whatever is still under way stays so.
  fail_with(ExitCode::incomplete, "ended at once by a second " + name);
  on_all_ended();
}

void Fleet::stop(const std::string& why) {
  if (stopping_) return;
  stopping_ = true;
  if (reason_.empty()) reason_ = why;
  if (!begun_) fail_with(ExitCode::incomplete, why + " before the run began");
  each_loop([](ServiceLoop& loop) { loop.post([&loop] { loop.stop(); }); });
}

void Fleet::on_all_ended() {
  if (finishing_) return;
  finishing_ = true;
  role_->collect([this] { events_.stop(); });
}

void Fleet::close_logs() {
  if (!log_writer_) return;
  for (uint32_t slot = 0; slot < context_.count; slot++) log_writer_->set_end(slot, role_->log_end(slot));
  log_writer_->close();
}

Json Fleet::summary(ExitCode code) {
  Json out;
  out["type"] = "summary";
  out["role"] = context_.noun;
  out["exit_code"] = static_cast<int>(code);
  out["reason"] = reason_.empty() ? "complete" : reason_;
  out["services"] = context_.count;
  role_->summarize(out);
  out["cpu_ns"] = process_cpu_ns();
  out["peak_rss_bytes"] = peak_rss_bytes();
  return out;
}

}  // namespace n2nq::fleet
