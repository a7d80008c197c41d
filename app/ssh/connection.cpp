#include "app/ssh/connection.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstdlib>

#include "app/ssh/connection_loop.h"
#include "app/ssh/host_key.h"
#include "app/ssh/login.h"
#include "app/ssh/reach.h"

namespace n2nq::ssh {
namespace {

using remote::LinkFailure;
using remote::LinkStep;
using remote::LinkTrouble;

constexpr const char* kClosed = "it was closed";
constexpr const char* kGone = "the other side disconnected";

// The home of the environment, as for keys; libssh's own would be that of the password file. Empty: as libssh has it.
std::string known_hosts_file(const Options& options) {
  const char* home = std::getenv("HOME");
  if (!options.known_hosts.empty() || home == nullptr || *home == '\0') return options.known_hosts;
  return std::string(home) + "/.ssh/known_hosts";
}

}  // namespace

Connection::Connection(const hosts::Host& host, const Options& options, Secrets& secrets, Events events, Way way)
    : host_(host),
      options_(options),
      secrets_(secrets),
      events_(std::move(events)),
      asker_(box_, options.ask ? events_.asked : Asker::Show()),
      way_(way) {
  thread_ = std::thread([this] { run(); });
}

Connection::~Connection() {
  abort();
  thread_.join();
}

void Connection::abort() {
  inbox_.abort();
  asker_.abort();
  const std::lock_guard lock(mutex_);
  for (const Fd& socket : watched_) ::shutdown(socket.get(), SHUT_RDWR);
}

void Connection::take_way(Result<Fd> socket) {
  {
    const std::lock_guard lock(mutex_);
    given_way_ = std::move(socket);
  }
  inbox_.wake()->wake();
}

void Connection::watch(int socket) {
  const std::lock_guard lock(mutex_);
  watched_.emplace_back(::fcntl(socket, F_DUPFD_CLOEXEC, 0));
  if (inbox_.aborted()) ::shutdown(socket, SHUT_RDWR);
}

void Connection::watch_nothing() {
  const std::lock_guard lock(mutex_);
  watched_.clear();
}

// By a socket of ours, so that an agent that waits for somebody does not hold up the end of a link.
void Connection::reach_agent(ssh_session session) {
  const char* from_surroundings = std::getenv("SSH_AUTH_SOCK");
  std::string path = options_.agent_socket;
  if (path.empty() && from_surroundings != nullptr) path = from_surroundings;
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  if (!options_.use_agent || path.empty() || path.size() >= sizeof address.sun_path) return;
  path.copy(address.sun_path, path.size());
  Fd agent(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!agent.valid() || ::connect(agent.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return;
  ::fcntl(agent.get(), F_SETFL, 0);
  watch(agent.get());
  if (ssh_set_agent_socket(session, agent.get()) == SSH_OK) agent.release();  // the session closes it
}

std::unique_ptr<remote::Exec> Connection::exec(const std::vector<std::string>& arguments) {
  auto wire = std::make_shared<remote::Wire>(inbox_.wake());
  auto exec = std::make_unique<remote::Exec>(wire);
  put(remote::ExecRequest{.wire = std::move(wire), .arguments = arguments});
  return exec;
}

void Connection::forward(const std::string& address, uint16_t port, Forwarded done) {
  put(ForwardRequest{.address = address, .port = port, .done = std::move(done)});
}

void Connection::put(Request request) {
  ++*channels_;
  if (!inbox_.put(request)) lose(request, kGone);
}

void Connection::tell_step(LinkStep step, const std::string& text) {
  tell_step({.step = step, .ok = true, .text = text});
}

void Connection::tell_step(const remote::StepReport& report) {
  box_.put([this, report] {
    if (events_.step_passed && !inbox_.aborted()) events_.step_passed(report);
  });
}

void Connection::tell_failure(const LinkFailure& failure) {
  box_.put([this, failure] {
    if (!inbox_.aborted()) events_.failed(failure);
  });
}

void Connection::lose(Request& request, const std::string& why) {
  if (auto* exec = std::get_if<remote::ExecRequest>(&request))
    exec->wire->put_end({.lost = true, .text = why});
  else
    box_.put([done = std::get<ForwardRequest>(request).done, why] { done(fail(why)); });
  --*channels_;
}

void Connection::lose_requests(const std::string& why) {
  for (Request& request : inbox_.close()) lose(request, why);
}

void Connection::run() {
  auto session = establish();
  watch_nothing();
  if (!session) {
    tell_failure(session.error());
    lose_requests(session.error().text);
  } else {
    box_.put([this] {
      if (events_.opened && !inbox_.aborted()) events_.opened();
    });
    ConnectionLoop loop(session->get(), options_.silence, *inbox_.wake(), channels_);
    const std::string why =
        loop.run([this] { return inbox_.aborted(); },
                 [this, &loop] {
                   for (Request& request : inbox_.take()) {
                     if (auto* exec = std::get_if<remote::ExecRequest>(&request)) {
                       loop.add(*exec);
                       continue;
                     }
                     auto& wanted = std::get<ForwardRequest>(request);
                     loop.add(wanted.address, wanted.port, [this, done = wanted.done](Result<Fd> socket) {
                       // A call that is copied cannot hold what has one owner.
                       auto shared = std::make_shared<Result<Fd>>(std::move(socket));
                       box_.put([done, shared] { done(std::move(*shared)); });
                     });
                   }
                 });
    loop.end(inbox_.aborted() ? kClosed : why);
    tell_failure({.trouble = LinkTrouble::broken,
                  .step = LinkStep::upload,
                  .text = host_.name + ": the link was lost: " + why,
                  .host = host_.name});
    lose_requests(inbox_.aborted() ? kClosed : why);
    session->reset();
  }
  box_.put([this] { events_.gone(); });
}

Result<void> Connection::set_options(ssh_session session) {
  const unsigned port = host_.port;
  const long seconds = options_.connect_timeout.count() / 1000;
  const long microseconds = options_.connect_timeout.count() % 1000 * 1000;
  const bool no = false;
  const auto set = [&](ssh_options_e option, const void* value) {
    return ssh_options_set(session, option, value) >= 0;
  };
  bool ok = set(SSH_OPTIONS_PROCESS_CONFIG, &no) && set(SSH_OPTIONS_HOST, host_.address.c_str()) &&
            set(SSH_OPTIONS_PORT, &port) && set(SSH_OPTIONS_TIMEOUT, &seconds) &&
            set(SSH_OPTIONS_TIMEOUT_USEC, &microseconds);
  if (!host_.user.empty()) ok = ok && set(SSH_OPTIONS_USER, host_.user.c_str());
  if (const std::string file = known_hosts_file(options_); !file.empty())
    ok = ok && set(SSH_OPTIONS_KNOWNHOSTS, file.c_str());
  if (!options_.agent_socket.empty()) ok = ok && set(SSH_OPTIONS_IDENTITY_AGENT, options_.agent_socket.c_str());
  if (!ok) return fail("the address, port or user of " + host_.name + " cannot be used: " + error_of(session));
  return {};
}

Result<Fd> Connection::wait_for_way() {
  const auto until = remote::Wire::Clock::now() + options_.connect_timeout;
  while (!inbox_.aborted()) {
    {
      const std::lock_guard lock(mutex_);
      if (given_way_) return std::move(*given_way_);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - remote::Wire::Clock::now()).count();
    if (left <= 0) break;
    pollfd wake{.fd = inbox_.wake()->fd(), .events = POLLIN, .revents = 0};
    ::poll(&wake, 1, static_cast<int>(left));
    inbox_.wake()->clear();
  }
  return fail("the jump host " + host_.jump + " could not get there within " +
              std::to_string(options_.connect_timeout.count() / 1000) + " s");
}

Result<Fd> Connection::find_way() {
  if (way_ == Way::given) return wait_for_way();
  return reach(host_.address, host_.port, options_.connect_timeout, *inbox_.wake(),
               [this] { return inbox_.aborted(); });
}

std::expected<SessionHandle, LinkFailure> Connection::establish() {
  const auto unreachable = [this](const std::string& text) {
    return std::unexpected(LinkFailure{.trouble = LinkTrouble::unreachable,
                                       .step = LinkStep::reach,
                                       .text = host_.name + ": " + text,
                                       .host = host_.name});
  };
  if (!inbox_.wake()->valid()) return unreachable(remote::kNoFiles);
  auto reached = find_way();
  if (!reached) return unreachable(reached.error().text);
  Fd socket = std::move(*reached);
  watch(socket.get());
  SessionHandle session(ssh_new());
  if (!session) return unreachable("not enough memory for a session");
  if (const auto set = set_options(session.get()); !set) return unreachable(set.error().text);
  if (auto shaken = shake_hands(session.get(), std::move(socket)); !shaken) return std::unexpected(shaken.error());

  auto key = check_host_key(session.get(), host_, asker_);
  if (!key) return std::unexpected(key.error());
  tell_step(*key);

  reach_agent(session.get());
  auto in = Login(session.get(), host_, options_, asker_, secrets_).run();
  if (!in) return std::unexpected(in.error());
  tell_step(LinkStep::login, *in);
  return session;
}

std::expected<void, LinkFailure> Connection::shake_hands(ssh_session session, Fd socket) {
  const int raw = socket.get();
  const bool given = ssh_options_set(session, SSH_OPTIONS_FD, &raw) >= 0;
  if (given) socket.release();  // the session closes it
  if (given && ssh_connect(session) == SSH_OK) {
    const char* banner = ssh_get_serverbanner(session);
    tell_step(LinkStep::reach,
              host_.address + " port " + std::to_string(host_.port) + ", " + (banner != nullptr ? banner : "SSH"));
    return {};
  }
  const std::string error = error_of(session);
  return std::unexpected(LinkFailure{.trouble = LinkTrouble::unreachable,
                                     .step = LinkStep::reach,
                                     .text = host_.name + ": no SSH server answers at " + host_.address + " port " +
                                             std::to_string(host_.port) + ": " + error,
                                     .host = host_.name});
}

}  // namespace n2nq::ssh
