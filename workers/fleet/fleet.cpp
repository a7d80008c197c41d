#include "workers/fleet/fleet.h"

#include <csignal>
#include <filesystem>

#include "broker/base/join.h"
#include "broker/base/random.h"
#include "broker/net/resolve.h"
#include "broker/process/process_figures.h"
#include "workers/control/line_writer.h"
#include "workers/fleet/verdict.h"
#include "workers/measure/clock.h"

namespace n2nq::fleet {
namespace {

constexpr uint64_t kManyFiles = uint64_t{1} << 17;

control::Role control_role(wire::Role role) {
  return role == wire::Role::sender ? control::Role::sender : control::Role::receiver;
}

FleetContext make_context(wire::Role role, std::string noun, const WorkerOptions& options) {
  const int64_t now_ns = measure::now_ns();
  const measure::WorkerClock clock(options.clock_skew_ns, options.clock_drift_ppm, now_ns);
  FleetContext context{
      .role = role,
      .noun = std::move(noun),
      .broker = {},
      .token = {},
      .first = options.first,
      .count = options.count,
      .fleet_id = random_id(),
      .clock_id = clock.true_to_machine() ? measure::clock_id() : 0,
      .clock = clock,
      .give_up_ns = options.connect_timeout_ns == 0 ? transport::BusLoop::kNever : now_ns + options.connect_timeout_ns,
      .source_ports = options.source_ports,
      .bus = options.bus,
      .traits = bus::find_bus(options.bus.kind)};
  if (context.elsewhere() && !options.source_ports.any())
    context.bus.sockets.ports = std::make_shared<net::SourcePorts>(options.source_ports);
  return context;
}

}  // namespace

Fleet::Fleet(wire::Role role_on_wire, std::string noun, const WorkerOptions& options, std::unique_ptr<FleetRole> role)
    : options_(options),
      context_(make_context(role_on_wire, std::move(noun), options)),
      complaints_("n2nq-" + context_.noun),
      signals_(events_, [this](int signal) { on_signal(signal); }),
      desk_(events_, options, desk_callbacks()),
      role_(std::move(role)),
      live_(events_, options, context_, control_role(role_on_wire), *role_, round_trips_, desk_),
      started_(!options.controlled) {}

Fleet::~Fleet() = default;

ExitCode Fleet::run() {
  auto prepared = prepare();
  say_ready();
  desk_.start();
  if (!prepared) {
    complaints_.say(prepared.error().text);
    fail_with(failure_.value_or(ExitCode::local_trouble), prepared.error().text);
    reason_ = prepared.error().text;
  } else {
    if (!options_.controlled) join();
    events_.run();
  }
  each_loop([](ServiceLoop& loop) { loop.finish(); });
  close_logs();
  complaints_.close();
  return sum_up();
}

Result<void> Fleet::prepare() {
  if (auto built = bus::check_built(options_.bus); !built) return built;
  if (auto given = net::check(options_.bus.sockets); !given) return given;
  if (auto enough = check_descriptors(); !enough) return enough;
  control::Token token;
  if (!options_.token_file.empty()) {
    auto read = control::Token::read_file(options_.token_file);
    if (!read) return fail("--token-file: " + read.error().text);
    token = std::move(*read);
    context_.token = token.reveal();
    if (const std::string hint = control::token_file_hint(options_.token_file); !hint.empty()) complaints_.say(hint);
  }
  if (auto opened = open_logs(); !opened) return opened;
  if (auto writable = live_.prepare(); !writable) return writable;
  if (auto listening = desk_.listen(token); !listening) return listening;
  auto broker = net::resolve(options_.broker);
  if (!broker) {
    failure_ = ExitCode::not_assembled;
    return fail("--broker: " + broker.error().text);
  }
  context_.broker = *broker;
  const std::string password_file = bus::value_of(*context_.traits, options_.bus.settings, bus::kPasswordFileKey);
  if (!password_file.empty()) {
    auto password = control::read_password_file(password_file);
    if (!password) return fail("bus." + std::string(bus::kPasswordFileKey) + ": " + password.error().text);
    context_.bus.password = std::move(*password);
  }
  const std::string ca_file = bus::value_of(*context_.traits, options_.bus.settings, bus::kTlsCaKey);
  if (!ca_file.empty()) {
    auto authorities = control::read_certificates_file(ca_file);
    if (!authorities) return fail("bus." + std::string(bus::kTlsCaKey) + ": " + authorities.error().text);
    context_.bus.authorities = std::move(*authorities);
  }
  if (!options_.controlled)
    if (auto trusts = trust_broker(options_.broker_certificate); !trusts) return trusts;
  if (context_.role == wire::Role::receiver && context_.traits->meets_directly) return {};
  auto servers = bus::find_servers(options_.bus);
  if (!servers) {
    failure_ = ExitCode::not_assembled;
    return fail("bus.address: " + servers.error().text);
  }
  context_.bus.servers = std::move(*servers);
  return {};
}

Result<void> Fleet::check_descriptors() const {
  // Of a service: its connection to the broker, its log, and the links to another bus, of which a requester or a
  // replier may have two.
  const uint64_t links = !context_.elsewhere() ? 0 : context_.traits->request_reply ? 2 : 1;
  const uint64_t each = 1 + (options_.logs() ? 1 : 0) + links;
  const uint64_t wanted = uint64_t{options_.count} * each + 16 * uint64_t{options_.loops} + 64;
  // Without a server each may have a connection to each on the other side, and client libraries open more by
  // themselves.
  const uint64_t limit = net::raise_descriptor_limit(context_.elsewhere() ? std::max(wanted, kManyFiles) : wanted);
  if (limit >= wanted) return {};
  return fail("this process may open " + std::to_string(limit) + " files, but --count " +
              std::to_string(options_.count) + " needs " + std::to_string(wanted) +
              "; raise the limit with 'ulimit -n " + std::to_string(wanted) + "' or lower --count");
}

Result<void> Fleet::open_logs() {
  if (!options_.logs()) return {};
  log::LogOptions log{.folder = options_.log_dir,
                      .level = options_.log,
                      .role = context_.role == wire::Role::sender ? log::LogRole::sender : log::LogRole::receiver,
                      .program = "n2nq-" + context_.noun,
                      .version = N2NQ_VERSION,
                      .services = {},
                      .on_error = [this](const std::string& text) { complaints_.say_one_of_many("log", text); }};
  for (uint32_t slot = 0; slot < context_.count; slot++) log.services.push_back(context_.service_name(slot));
  std::vector<log::LogQueue*> queues;
  for (uint32_t i = 0; i < options_.loops; i++) {
    log_queues_.push_back(std::make_unique<log::LogQueue>());
    queues.push_back(log_queues_.back().get());
  }
  auto writer = log::LogWriter::open(std::move(log), queues);
  if (!writer) return fail("--log-dir: " + writer.error().text);
  log_writer_ = std::move(*writer);
  live_.watch_log(log_writer_.get());
  return {};
}

void Fleet::say_ready() {
  control::Ready ready{.role = control_role(context_.role),
                       .pid = ::getpid(),
                       .version = N2NQ_VERSION,
                       .port = desk_.port(),
                       .first_service = context_.first,
                       .services = context_.count,
                       .machine = read_machine_facts()};
  if (options_.logs()) {
    std::error_code ignored;
    ready.log_dir = std::filesystem::absolute(options_.log_dir, ignored).string();
  }
  desk_.say(control::to_line(ready));
}

void Fleet::hear_hello(const control::Token& token, const control::BusAccess& access) {
  if (!token.empty()) context_.token = token.reveal();
  if (!access.password.empty()) context_.bus.password = access.password;
  if (!access.authorities.empty()) context_.bus.authorities = access.authorities;
  const std::string& certificate = access.broker_certificate;
  if (auto trusts = trust_broker(certificate.empty() ? options_.broker_certificate : certificate); !trusts) {
    complaints_.say(trusts.error().text);
    fail_with(ExitCode::local_trouble, trusts.error().text);
    return events_.stop();
  }
  join();
}

// Over another bus the settings are of that, and who has started the broker says whether it is encrypted.
Result<void> Fleet::trust_broker(const std::string& certificate) {
  const bool own_tls =
      !context_.elsewhere() && bus::value_of(*context_.traits, options_.bus.settings, bus::kTlsKey) == "true";
  if (!own_tls && certificate.empty()) return {};
  auto client = certificate.empty() ? tls::Client::for_given(context_.bus.authorities) : tls::Client::for_run();
  if (!client) return std::unexpected(client.error());
  context_.trust = std::make_shared<tls::Trust>(
      tls::Trust{.client = std::move(*client), .host = net::host_in(options_.broker), .certificate = certificate});
  return {};
}

// The loops are made here and not before: what they say in HELLO, the token among it, is known only now.
void Fleet::join() {
  joining_ = true;
  std::vector<log::LogQueue*> queues;
  if (log_writer_ && log_writer_->wants_messages())
    for (const auto& queue : log_queues_) queues.push_back(queue.get());
  role_->make_loops(context_, *this, events_, queues);
  live_.ask_clock([this] { return clock_now(); });
  live_.start();
  each_loop([number = uint32_t{0}](ServiceLoop& loop) mutable {
    loop.set_number(number++);
    loop.start();
  });
}

void Fleet::loop_joined(const std::optional<wire::Welcome>& welcome) {
  events_.post([this, welcome] {
    if (welcome) welcome_ = welcome;
    if (++loops_joined_ < role_->loops().size() || !welcome_) return;
    desk_.say_live(control::to_line(control::Joined{.joined = context_.count, .services = context_.count}));
    if (const auto to = way_end()) {
      network_keeper_ = std::make_unique<NetworkKeeper>(events_, *to, round_trips_);
      network_keeper_->start();
    }
    if (!welcome_->same_clock) return measure_clock();
    clock_known_ = true;
    try_ready();
  });
}

// Where messages go first, if that is one place; of several servers where the first service begins.
std::optional<net::Endpoint> Fleet::way_end() const {
  if (!context_.elsewhere()) return context_.broker;
  const auto& servers = context_.bus.servers;
  if (servers.empty()) return std::nullopt;
  return servers[bus::first_server_of(*context_.traits, context_.first, servers.size())].endpoint;
}

void Fleet::measure_clock() {
  clock_keeper_ = std::make_unique<ClockKeeper>(
      events_, context_, round_trips_.probe_ns,
      ClockKeeper::Callbacks{.on_estimate = [this](const ClockView& view) { take_clock(view); },
                             .on_unmeasured =
                                 [this](const transport::Loss& loss) {
                                   complaints_.say("the clock connection: " + loss.text);
                                   fail_with(exit_code_of(loss.kind), loss.text);
                                   stop(loss.text);
                                 }});
  clock_keeper_->start();
}

// The loops get it before READY goes out on one of their connections, and with it a sender's CLOCK.
void Fleet::take_clock(const ClockView& view) {
  each_loop([&view](ServiceLoop& loop) { loop.post([&loop, view] { loop.set_clock(view); }); });
  clock_known_ = true;
  try_ready();
}

void Fleet::try_ready() {
  const bool looking = way_look_ && !way_look_->over();
  const bool linked = !context_.elsewhere() || loops_linked_ == role_->loops().size();
  if (!clock_known_ || !started_ || ready_sent_ || stopping_ || looking || !linked) return;
  ready_sent_ = true;
  role_->loops().front()->post([loop = role_->loops().front()] { loop->send_ready(); });
}

void Fleet::loop_begun(const Beginning& beginning) {
  if (log_writer_) {
    std::call_once(log_begun_, [&] {
      const auto& estimate = beginning.clock.estimate;
      log_writer_->begin({.run_id = id_text(beginning.welcome.run_id),
                          .origin_monotonic_ns = beginning.begin_ns,
                          .origin_utc_ns = beginning.begin.wall_ns,
                          .replies = beginning.welcome.mode == wire::Mode::request_reply,
                          .clock_note = beginning.clock.same
                                            ? "same clock as the broker"
                                            : "add " + std::to_string(estimate.offset_ns) +
                                                  " ns for the broker's clock, accurate within " +
                                                  std::to_string(estimate.bound_ns) + " ns at the start"});
    });
  }
  events_.post([this, beginning] {
    if (std::exchange(begun_, true)) return;
    desk_.say_live(control::to_line(control::Begin{.run_id = id_text(beginning.welcome.run_id),
                                                   .origin_monotonic_ns = beginning.begin_ns,
                                                   .origin_utc_ns = beginning.begin.wall_ns,
                                                   .senders = beginning.begin.senders,
                                                   .receivers = beginning.begin.receivers,
                                                   .bus = bus_facts(beginning)}));
    if (clock_keeper_) clock_keeper_->begin();
    live_.begin(measure::wall_ns(), measure::now_ns());
  });
}

control::BusFacts Fleet::bus_facts(const Beginning& beginning) const {
  const net::SocketFacts& socket = beginning.socket;
  control::BusFacts facts{.nodelay = socket.nodelay,
                          .send_buffer_bytes = socket.send_buffer_bytes,
                          .receive_buffer_bytes = socket.receive_buffer_bytes,
                          .congestion_control = socket.congestion_control};
  if (context_.elsewhere()) facts.client = bus::client_of(options_.bus);
  if (!beginning.bus_server.empty()) facts.server = beginning.bus_server;
  return facts;
}

void Fleet::service_lost(uint32_t slot, const transport::Loss& loss) {
  complaints_.say_one_of_many(context_.service_name(slot), loss.text);
  events_.post([this, slot, loss] {
    desk_.say_live(control::to_line(control::Warning{.text = loss.text, .service = context_.first + slot}));
    fail_with(exit_code_of(loss.kind), loss.text);
    if (loss.kind == transport::Loss::Kind::not_joined || loss.kind == transport::Loss::Kind::local) stop(loss.text);
  });
}

void Fleet::service_told(uint32_t slot, const std::string& text) {
  complaints_.say_one_of_many(context_.service_name(slot), text);
  events_.post([this, slot, text] {
    desk_.say_live(control::to_line(control::Warning{.text = text, .service = context_.first + slot}));
  });
}

void Fleet::peer_announced(const wire::Address& address) {
  events_.post([this, address] { role_->take_address(address); });
}

void Fleet::loop_linked() {
  events_.post([this] {
    loops_linked_++;
    try_ready();
  });
}

void Fleet::clock_announced(const wire::Clock& clock) {
  events_.post([this, clock] { role_->take_clock(clock); });
}

void Fleet::tally_announced(const wire::Tally& tally) {
  events_.post([this, tally] { role_->take_tally(tally); });
}

void Fleet::told_end(wire::EndReason reason) {
  events_.post([this, reason] { end_reason_ = reason; });
}

void Fleet::loop_ended() {
  events_.post([this] {
    if (++loops_ended_ == role_->loops().size()) on_all_ended();
  });
}

ControlDesk::Callbacks Fleet::desk_callbacks() {
  return {
      .on_hello = [this](const control::Token& token, const control::BusAccess& access) { hear_hello(token, access); },
      .on_refused =
          [this](const std::string& text) {
            complaints_.say(text);
            fail_with(ExitCode::local_trouble, text);
            events_.stop();
          },
      .on_command = [this](const control::Command& command) { return obey(command); },
      .on_lost = [this](const std::string& why) { control_lost(why); },
      .on_attached = [this] { live_.forget_controller(); }};
}

Result<void> Fleet::obey(const control::Command& command) {
  if (std::holds_alternative<control::StartCommand>(command)) {
    started_ = true;
    try_ready();
    return {};
  }
  if (std::holds_alternative<control::StopCommand>(command)) {
    stop("stopped by command");
    return {};
  }
  if (const auto* heard = std::get_if<control::HeardCommand>(&command)) {
    desk_.heard(heard->sequence);
    return {};
  }
  if (const auto* asked = std::get_if<control::LookCommand>(&command)) return look(*asked);
  return role_->obey(command);
}

// The run cannot begin before this fleet is told to start and has done with this, so nothing of it is ever in a run.
Result<void> Fleet::look(const control::LookCommand& command) {
  const auto to = way_end();
  if (!to) return fail("field \"type\": look examines the path to one server, and messages go to each receiver");
  if (!network_keeper_ || stopping_) return fail("field \"type\": look comes between joined and start");
  if (started_) return fail("field \"type\": the run may begin at any moment; look before start");
  if (way_look_ && !way_look_->over()) return fail("field \"type\": the path is already being examined");
  way_look_ = std::make_unique<WayLook>(events_, context_, *to, command, [this](const control::Looked& looked) {
    hold_round_trips(false);
    desk_.say_live(control::to_line(looked));
    try_ready();
  });
  hold_round_trips(true);
  way_look_->start();
  return {};
}

// What the way takes while it is filled on purpose is not what it takes. Offsets of clocks are measured on: their
// bounds know how long a probe took.
void Fleet::hold_round_trips(bool held) {
  round_trips_.tcp_ns.hold(held);
  round_trips_.probe_ns.hold(held);
  if (held)
    network_keeper_->hold();
  else
    network_keeper_->go_on();
}

void Fleet::control_lost(const std::string& why) {
  control_lost_ = true;
  if (finishing_) return;
  const std::string text = "control lost: " + why;
  complaints_.say(text);
  // Nobody can start what has not begun.
  if (options_.on_control_lost == WorkerOptions::OnControlLost::stop || !started_) stop(text);
}

void Fleet::on_signal(int signal) {
  const std::string name = signal == SIGTERM ? "SIGTERM" : "SIGINT";
  if (!stopping_) return stop("stopped by " + name);
  // Asked twice: whatever is still under way stays so.
  fail_with(ExitCode::incomplete, "ended immediately by a second " + name);
  on_all_ended();
}

void Fleet::stop(const std::string& why) {
  if (std::exchange(stopping_, true)) return;
  if (reason_.empty()) reason_ = why;
  if (!begun_) fail_with(ExitCode::incomplete, why + ", before the run began");
  if (!joining_) return events_.stop();
  each_loop([](ServiceLoop& loop) { loop.post([&loop] { loop.stop(); }); });
}

void Fleet::fail_with(ExitCode code, const std::string& reason) {
  if (failure_ && weight(*failure_) >= weight(code)) return;
  failure_ = code;
  reason_ = reason;
}

void Fleet::on_all_ended() {
  if (std::exchange(finishing_, true)) return;
  if (network_keeper_) network_keeper_->stop();
  if (begun_)
    desk_.say_live(control::to_line(
        control::End{.reason = end_word(end_reason_, failure_).value_or(wire::word(wire::EndReason::complete))}));
  if (clock_keeper_) return clock_keeper_->finish([this] { finish(); });
  finish();
}

void Fleet::finish() {
  live_.finish([this](const Result<void>& hlog) {
    if (!hlog) complaints_.say("--hlog: " + hlog.error().text);
    events_.stop();
  });
}

void Fleet::close_logs() {
  if (!log_writer_) return;
  for (uint32_t slot = 0; slot < context_.count; slot++) log_writer_->set_end(slot, role_->log_end(slot));
  const log::LogTotals totals = log_writer_->close();
  if (totals.not_written > 0)
    complaints_.say(std::to_string(totals.not_written) +
                    " log lines could not be written; see above for the first cause");
}

ExitCode Fleet::sum_up() {
  const std::string shortfall = role_->shortfall();
  const ExitCode code = failure_ ? *failure_ : shortfall.empty() ? ExitCode::complete : ExitCode::incomplete;
  if (begun_ && code != ExitCode::complete && !shortfall.empty()) add_part(reason_, "; ", shortfall);
  const process::ProcessTotals totals = process::process_totals();
  const control::Outcome outcome{.services = context_.count,
                                 .cpu_ns = static_cast<uint64_t>(process::process_cpu_ns()),
                                 .peak_rss_bytes = process::peak_rss_bytes(),
                                 .disk_written_bytes = totals.disk_written_bytes,
                                 .cpu_user_ns = totals.cpu_user_ns,
                                 .cpu_system_ns = totals.cpu_system_ns,
                                 .context_switches = totals.context_switches,
                                 .disk_read_bytes = totals.disk_read_bytes,
                                 .wire = to_figures(role_->wire()),
                                 .exit_code = static_cast<int>(code),
                                 .verdict = verdict(code),
                                 .reason = reason_,
                                 .end = end_word(end_reason_, failure_),
                                 .stopped = stopping_};
  control::ClockFigures clock;
  if (clock_keeper_) clock = clock_keeper_->figures_with_intervals();
  role_->add_bounds(clock);
  if (auto said = desk_.finish(role_->summary(outcome, clock, round_trips_.figures()), context_.noun, control_lost_);
      !said)
    complaints_.say(said.error().text);
  return code;
}

std::optional<control::ClockFigures> Fleet::clock_now() const {
  if (clock_keeper_ && !clock_keeper_->known()) return {};
  control::ClockFigures clock;
  if (clock_keeper_) clock = clock_keeper_->figures();
  role_->add_bounds(clock);
  if (clock.kind == "same" && !clock.bound_ns) return {};
  return clock;
}

template <class Task>
void Fleet::each_loop(Task task) {
  for (ServiceLoop* loop : role_->loops()) task(*loop);
}

}  // namespace n2nq::fleet
