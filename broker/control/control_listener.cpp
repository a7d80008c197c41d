#include "broker/control/control_listener.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "broker/base/clock.h"

namespace n2nq::control {
namespace {

constexpr unsigned kDeadAfterMs = 10'000;
constexpr int64_t kAcceptAgainNs = 100'000'000;

bool out_of_descriptors(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

Result<std::unique_ptr<ControlListener>> ControlListener::open(net::EventLoop& loop, Options options,
                                                               Callbacks callbacks) {
  if (options.token.empty()) return fail("--control needs a token; set its file with --token-file");
  auto socket = net::listen_tcp(options.endpoint);
  if (!socket) return std::unexpected(socket.error());
  auto local = net::local_endpoint(socket->get());
  if (!local) return std::unexpected(local.error());
  return std::unique_ptr<ControlListener>(
      new ControlListener(loop, std::move(*socket), *local, std::move(options), std::move(callbacks)));
}

ControlListener::ControlListener(net::EventLoop& loop, Fd socket, net::Endpoint local, Options options,
                                 Callbacks callbacks)
    : loop_(loop),
      socket_(std::move(socket)),
      local_(local),
      options_(std::move(options)),
      callbacks_(std::move(callbacks)),
      again_(loop, [this] {
        sweep();
        accept_all();
      }) {
  loop_.add(socket_.get(), EPOLLIN | EPOLLET, this);
}

ControlListener::~ControlListener() {
  loop_.remove(socket_.get(), this);
}

void ControlListener::on_events(uint32_t) {
  accept_all();
}

void ControlListener::accept_all() {
  while (true) {
    Fd socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.valid()) {
      admit(std::move(socket));
      continue;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    // Edge-triggered: the waiting connection makes no second event.
    if (out_of_descriptors(errno)) again_.arm_at(now_ns() + kAcceptAgainNs);
    return;
  }
}

void ControlListener::admit(Fd socket) {
  sweep();
  if (connections_.size() >= options_.max_waiting + 1) return;  // one of them may be the controller
  net::prepare_stream(socket.get(), kDeadAfterMs);
  net::bound_unacknowledged(socket.get(), kDeadAfterMs);
  auto connection = std::make_unique<Connection>();
  connection->link = std::make_unique<ControlLink>(
      loop_, std::move(socket), options_.token, link_callbacks(connection.get()),
      ControlLink::Timing{.hello_deadline_ns = options_.hello_deadline_ns, .ping_deadline_ns = 0});
  connection->link->start();
  connections_.push_back(std::move(connection));
}

ControlLink::Callbacks ControlListener::link_callbacks(Connection* connection) {
  return {.on_hello = [this, connection](const Token&, const BusAccess&) { on_hello(connection); },
          .on_refused = [connection](const std::string&) { connection->link->hang_up(); },
          .on_command = [this](const std::string& type, const nlohmann::json& message) -> Result<void> {
            return callbacks_.on_command ? callbacks_.on_command(type, message) : Result<void>{};
          },
          .on_lost = [this, connection](std::string reason) { on_lost(connection, std::move(reason)); }};
}

void ControlListener::on_hello(Connection* connection) {
  if (attached_ != nullptr) {
    connection->link->send_error("already controlled; one controller at a time");
    connection->link->hang_up();
    return;
  }
  attached_ = connection->link.get();
  if (callbacks_.on_attached) callbacks_.on_attached(*attached_);
}

void ControlListener::on_lost(Connection* connection, std::string reason) {
  if (connection->link.get() == attached_) {
    if (callbacks_.on_detached) callbacks_.on_detached(std::move(reason));
    attached_ = nullptr;
  }
  connection->gone = true;
  connection->link->close();
  again_.arm_now();  // it cannot be destroyed from within its own callback
}

void ControlListener::sweep() {
  std::erase_if(connections_, [](const auto& connection) { return connection->gone; });
}

}  // namespace n2nq::control
