// n2nq-broker: options, signals and control around one server on one event loop. Called with the word relay it is the
// bare relay instead, so that one is wherever a queue is; with watch it is what watches over a server in a container.
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <vector>

#include "broker/base/clock.h"
#include "broker/base/exit_code.h"
#include "broker/base/units.h"
#include "broker/control/control_link.h"
#include "broker/control/control_listener.h"
#include "broker/net/event_loop.h"
#include "broker/net/resolve.h"
#include "broker/net/timer.h"
#include "broker/process/process_figures.h"
#include "broker/process/program_start.h"
#include "broker/process/signals.h"
#include "broker/process/summary_file.h"
#include "broker/relay/relay_command.h"
#include "broker/serve/cluster.h"
#include "broker/serve/installed.h"
#include "broker/serve/recipe.h"
#include "broker/server/broker_options.h"
#include "broker/server/broker_report.h"
#include "broker/server/run_log.h"
#include "broker/server/server.h"
#include "broker/wire/relay.h"

namespace n2nq {
namespace {

using server::BrokerOptions;

constexpr int64_t kServerEndsWithinNs = 1'000'000'000;

void complain(const std::string& text) {
  std::fprintf(stderr, "n2nq-broker: %s\n", text.c_str());
}

// One broker from start to end. Thread: the loop's, which is the only one.
class Broker {
 public:
  Broker(BrokerOptions options, server::RunLog log)
      : options_(std::move(options)),
        log_(std::move(log)),
        signals_(loop_, [this](int) { stop("told to stop by a signal"); }),
        telemetry_(loop_, [this] { send_telemetry(); }),
        end_of_server_(loop_, [this] { end_run(); }) {}

  ExitCode run(std::optional<control::Token> token) {
    open_control();
    link_->start();
    // A controlled broker connects to nobody, and nobody to it, before it has its token.
    if (!options_.controlled) open(std::move(token).value_or(control::Token()));
    try {
      if (!code_) loop_.run();
    } catch (const std::bad_alloc&) {
      spare_.reset();
      end(ExitCode::local_trouble,
          "the system gives the broker no more memory; allow it more (ulimit -v), or let it keep less (--max-memory)");
    }
    return finish();
  }

 private:
  void open_control() {
    if (!options_.controlled) {
      link_ = std::make_unique<control::ControlLink>(loop_, STDOUT_FILENO);
      return;
    }
    control::ControlLink::Callbacks callbacks;
    callbacks.on_hello = [this](control::Token token, const control::BusAccess&) { open(std::move(token)); };
    callbacks.on_refused = [this](const std::string& text) { end(ExitCode::local_trouble, text); };
    callbacks.on_command = [this](const std::string& type, const nlohmann::json& line) { return command(type, line); };
    callbacks.on_lost = [this](const std::string& reason) { control_lost(reason); };
    link_ = std::make_unique<control::ControlLink>(loop_, STDIN_FILENO, STDOUT_FILENO, std::move(callbacks),
                                                   control::ControlLink::Timing::patient(options_.control_timeout_ns));
  }

  void open(control::Token token) {
    if (options_.serve.empty()) return listen(token);
    std::vector<net::Endpoint> places;
    for (const std::string& one : options_.serve_listen) {
      auto endpoint = net::resolve(one);
      if (!endpoint) return end(ExitCode::local_trouble, endpoint.error().text);
      places.push_back(*endpoint);
    }
    const serve::Recipe* recipe = serve::find_recipe(options_.serve);
    if (options_.container)
      if (auto found = serve::find_podman(*options_.container); !found)
        return end(ExitCode::server_missing, found.error().text);
    auto program = options_.container ? Result<std::string>(recipe->in_image) : serve::find_program(*recipe);
    if (!program) return end(ExitCode::server_missing, program.error().text);
    servers_ = std::make_unique<serve::Cluster>(
        loop_,
        serve::Cluster::Wish{.recipe = recipe,
                             .program = *program,
                             .listen = std::move(places),
                             .log_dir = options_.log_dir,
                             .password = token.reveal(),
                             .settings = options_.serve_settings,
                             .container = options_.container,
                             .apart = options_.serve_apart},
        serve::Cluster::Callbacks{.on_ready = [this, token] { options_.serve_apart ? servers_ready() : listen(token); },
                                  .on_first_ready =
                                      [this] {
                                        if (options_.serve_apart) link_->send(server::first_ready_line());
                                      },
                                  .on_gone = [this](size_t index, const std::string& why) { server_gone(index, why); },
                                  .on_lost = [this](const std::string& why) { server_lost(why); }});
    if (options_.serve_apart) return prepare_servers();
    if (auto started = servers_->start(); !started) end(ExitCode::local_trouble, started.error().text);
  }

  void prepare_servers() {
    const auto sites = servers_->prepare();
    if (!sites) return end(ExitCode::local_trouble, sites.error().text);
    link_->send(server::sites_line(*sites, servers_->recipe().one_first));
  }

  Result<void> form_cluster(const nlohmann::json& line) {
    if (!servers_ || !options_.serve_apart) return fail("form_cluster: it is for servers of --serve-apart");
    auto members = server::parse_members(line);
    if (!members) return std::unexpected(members.error());
    const auto cookie = line.find("cookie");
    if (cookie == line.end() || !cookie->is_string()) return fail("form_cluster: a cookie is expected, as text");
    return servers_->form(std::move(*members), cookie->get<std::string>());
  }

  void servers_ready() {
    log_.write("start", "n2nq-broker " N2NQ_VERSION " " + options_.text());
    ready_ = server::servers_ready_line(*servers_);
    link_->send(ready_);
  }

  // Its workers lose their connections to it, and the run its end.
  void server_lost(const std::string& why) {
    if (ready_.empty()) {
      const auto full = servers_->full_disk();
      return end(ExitCode::local_trouble, full ? why + "; " + *full : why);
    }
    log_.write("server", why);
    const bool alone = servers_->size() == 1;  // of several each has been told of
    tell(alone ? server::server_gone_line(1, 1, /*killed=*/false, /*leads=*/false, now_ns(), why)
               : server::warning_line(why),
         why);
    tell_full_disk();
    server_trouble_ = why;
    if (run_code_) end_run();
  }

  // Of a cluster, which goes on.
  void server_gone(size_t index, const std::string& why) {
    if (ready_.empty()) return;
    const std::string words =
        "server " + std::to_string(index + 1) + " of " + std::to_string(servers_->size()) + " " + why;
    log_.write("server", words);
    tell(server::server_gone_line(index + 1, servers_->size(), /*killed=*/false, /*leads=*/false, now_ns(), why),
         words);
    tell_full_disk();
  }

  // A server that can write no more ends, or answers nothing, and neither it nor its clients need say why.
  void tell_full_disk() {
    const auto full = servers_ && !full_disk_told_ ? servers_->full_disk() : std::nullopt;
    if (!full) return;
    full_disk_told_ = true;
    log_.write("server", *full);
    tell(server::cause_line(*full), *full);
  }

  void tell(const std::string& line, const std::string& words) {
    if (options_.controlled)
      link_->send(line);
    else
      complain(words);
    if (listener_ && listener_->controller() != nullptr) listener_->controller()->send(line);
  }

  // Says where, and the run can come.
  void listen(const control::Token& token) {
    auto endpoint = net::resolve(options_.listen);
    if (!endpoint) return end(ExitCode::local_trouble, endpoint.error().text);
    auto server = std::make_unique<server::Server>(loop_, options_, token, log_);
    auto port = server->listen(*endpoint);
    if (!port) return end(ExitCode::local_trouble, port.error().text);
    server_ = std::move(server);
    server_->on_over([this](ExitCode code) { run_over(code); });
    server_->on_warning([this](const std::string& text) { tell(server::warning_line(text), text); });
    if (auto ok = listen_for_controller(token); !ok) return end(ExitCode::local_trouble, ok.error().text);
    log_.write("start", "n2nq-broker " N2NQ_VERSION " port=" + std::to_string(*port) + " " + options_.text());
    ready_ = server::ready_line(*port, server_->run_id(), server_->certificate(), servers_.get());
    link_->send(ready_);
    if (options_.telemetry_ns > 0) telemetry_.every(options_.telemetry_ns);
  }

  // A server that dies has closed its connections, and workers have ended for that, before its own end is known.
  void run_over(ExitCode code) {
    run_code_ = code;
    if (code == ExitCode::complete || !servers_ || !server_trouble_.empty()) return end_run();
    end_of_server_.arm_at(now_ns() + kServerEndsWithinNs);
  }

  void end_run() {
    if (*run_code_ != ExitCode::complete) tell_full_disk();
    if (server_trouble_.empty()) return end(*run_code_, server_->reason());
    end(*run_code_ == ExitCode::complete ? ExitCode::incomplete : *run_code_, server_trouble_);
  }

  Result<void> listen_for_controller(const control::Token& token) {
    if (options_.control.empty()) return {};
    auto endpoint = net::resolve(options_.control);
    if (!endpoint) return std::unexpected(endpoint.error());
    control::ControlListener::Callbacks callbacks;
    callbacks.on_attached = [this](control::ControlLink& link) { link.send(ready_); };
    callbacks.on_command = [this](const std::string& type, const nlohmann::json& line) { return command(type, line); };
    auto listener =
        control::ControlListener::open(loop_, {.endpoint = *endpoint, .token = token}, std::move(callbacks));
    if (!listener) return std::unexpected(listener.error());
    listener_ = std::move(*listener);
    return {};
  }

  Result<void> command(const std::string& type, const nlohmann::json& line) {
    if (type == "kill_server") return kill_server(line);
    if (type == "form_cluster") return form_cluster(line);
    if (type != "stop")
      return fail("type: the broker accepts ping, stop, form_cluster and kill_server, not '" + type + "'");
    stop("told to stop by its controller");
    return {};
  }

  Result<void> kill_server(const nlohmann::json& line) {
    const auto given = line.find("server");
    const std::string which = given != line.end() && given->is_string() ? given->get<std::string>() : std::string();
    const bool leader = which == "leader";
    const auto number = parse_whole(which);
    if (!leader && (!number || *number == 0)) return fail("server: give its number as text, from 1, or \"leader\"");
    if (!servers_ || ready_.empty()) return fail("kill_server: no server was started for this run, or it is not ready");
    const bool as_leader = leader || (line.contains("leads") && line["leads"] == true);
    const auto done = [this, as_leader](const Result<serve::Cluster::Killed>& killed) {
      server_killed(killed, as_leader);
    };
    std::set<size_t> dead;
    if (const auto given_dead = line.find("dead"); given_dead != line.end() && given_dead->is_array())
      for (const auto& one : *given_dead)
        if (one.is_number_unsigned() && one.get<size_t>() > 0) dead.insert(one.get<size_t>() - 1);
    if (leader)
      servers_->kill_leader(dead, done);
    else
      servers_->kill(*number - 1, as_leader, done);
    return {};
  }

  void server_killed(const Result<serve::Cluster::Killed>& killed, bool as_leader) {
    if (!killed && as_leader && options_.serve_apart) {
      link_->send(server::leader_line(0, killed.error().text));
      return;
    }
    if (!killed) return tell(server::warning_line("no server was killed: " + killed.error().text), killed.error().text);
    if (killed->elsewhere) {
      link_->send(server::leader_line(killed->index + 1));
      return;
    }
    const std::string number = std::to_string(killed->index + 1), all = std::to_string(servers_->size());
    const std::string text = "server " + number + " of " + all + (killed->leads ? ", the leader, was" : " was") +
                             " killed, as it was asked for";
    log_.write("server", text);
    tell(server::server_gone_line(killed->index + 1, servers_->size(), /*killed=*/true, killed->leads, killed->at_ns,
                                  text),
         text);
  }

  void control_lost(const std::string& reason) {
    complain("control lost (" + reason + (options_.finish_on_control_lost ? "); the run continues" : "); stopping"));
    if (!options_.finish_on_control_lost) stop("control was lost");
  }

  void stop(const std::string& why) {
    if (run_code_) return end_run();
    if (server_)
      server_->stop(why);
    else if (options_.serve_apart && !ready_.empty())
      end(ExitCode::complete, why);
    else
      end(ExitCode::not_assembled, why);
  }

  void send_telemetry() {
    const std::string line = server::telemetry_line(*server_);
    if (link_->idle()) link_->send(line);
    control::ControlLink* remote = listener_ ? listener_->controller() : nullptr;
    if (remote != nullptr && remote->idle()) remote->send(line);
  }

  void end(ExitCode code, const std::string& reason) {
    if (code_) return;
    code_ = code;
    reason_ = reason;
    if (code == ExitCode::local_trouble || code == ExitCode::server_missing || code == ExitCode::not_assembled)
      complain(reason);
    loop_.stop();
  }

  ExitCode finish() {
    if (servers_) servers_->end();
    const std::string summary =
        server_ ? server::summary_line(*server_, *code_, reason_) : server::early_summary_line(*code_, reason_);
    log_.write("totals", summary);
    log_.write("cost", "cpu=" + format_duration(process::process_cpu_ns()) +
                           " peak-memory=" + format_size(process::peak_rss_bytes()));
    log_.flush();
    if (options_.keep_summary)
      if (auto kept = process::write_summary_file(process::summary_path(options_.log_dir, "broker"), summary); !kept)
        complain(kept.error().text);
    if (listener_ && listener_->controller() != nullptr) listener_->controller()->finish(summary);
    if (!link_->finish(summary)) complain("cannot deliver the summary: " + summary);
    return *code_;
  }

  BrokerOptions options_;
  server::RunLog log_;
  net::EventLoop loop_;
  process::Signals signals_;
  net::Timer telemetry_;
  std::unique_ptr<control::ControlLink> link_;
  std::unique_ptr<control::ControlListener> listener_;
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<serve::Cluster> servers_;
  std::string server_trouble_;
  bool full_disk_told_ = false;
  std::optional<ExitCode> run_code_;
  net::Timer end_of_server_;
  std::string ready_;
  std::optional<ExitCode> code_;
  std::string reason_;
  std::unique_ptr<char[]> spare_ = std::make_unique<char[]>(256 * 1024);  // for the last words, when memory ends
};

int early_end(ExitCode code, const std::string& reason) {
  complain(reason);
  std::printf("%s\n", server::early_summary_line(code, reason).c_str());
  return static_cast<int>(code);
}

int list_servers() {
  for (const serve::Recipe& recipe : serve::all_recipes())
    std::printf("%s\n", server::server_line(recipe, serve::look_for(recipe)).c_str());
  return static_cast<int>(std::fflush(stdout) == 0 ? ExitCode::complete : ExitCode::local_trouble);
}

int run(int argc, char** argv) {
  process::start_program();
  auto parsed = server::parse_broker_options(argc, argv);
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  BrokerOptions& options = std::get<BrokerOptions>(parsed);
  if (options.list_servers) return list_servers();
  if (const auto code = process::hold_to(options.limits, "n2nq-broker", argv)) return *code;

  net::raise_descriptor_limit(uint64_t{1} << 17);
  std::optional<control::Token> token;
  if (!options.token_file.empty()) {
    auto read = control::Token::read_file(options.token_file);
    if (!read) return early_end(ExitCode::local_trouble, read.error().text);
    token = std::move(*read);
  }
  server::RunLog log;
  if (!options.log_dir.empty() && !options.serve_apart) {  // the servers there have logs of their own
    auto opened = server::RunLog::open(options.log_dir);
    if (!opened) return early_end(ExitCode::local_trouble, opened.error().text);
    log = std::move(*opened);
  }
  return static_cast<int>(Broker(std::move(options), std::move(log)).run(std::move(token)));
}

}  // namespace
}  // namespace n2nq

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], n2nq::wire::kRelayWord) == 0) return n2nq::relay::run_relay(argc - 1, argv + 1);
  if (argc > 2 && std::strcmp(argv[1], n2nq::serve::kWatchWord) == 0) return n2nq::serve::watch(argv + 2);
  return n2nq::run(argc, argv);
}
