// --control host:port: lets one controller at a time attach over TCP to a worker that somebody started by hand.
// Each connection must say hello with the right token first; a second controller is told "already controlled".
// Thread: the event loop's. States: free, attached; a controller that leaves makes it free again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "broker/control/control_link.h"
#include "broker/net/socket.h"

namespace n2nq::control {

class ControlListener final : private net::EventLoop::Handler {
 public:
  struct Options {
    net::Endpoint endpoint{};  // port 0: the kernel chooses, see local()
    Token token{};
    int64_t hello_deadline_ns = 5'000'000'000;
    size_t max_waiting = 16;  // connections that have not said hello
  };
  struct Callbacks {
    std::function<void(ControlLink& link)> on_attached{};  // free -> attached: the moment to send `ready`
    std::function<Result<void>(const std::string& type, const nlohmann::json& message)> on_command{};
    std::function<void(std::string reason)> on_detached{};  // attached -> free; the run goes on
  };

  // The error names the endpoint and what to do.
  static Result<std::unique_ptr<ControlListener>> open(net::EventLoop& loop, Options options, Callbacks callbacks);
  ~ControlListener() override;

  const net::Endpoint& local() const { return local_; }
  // The attached controller, or null. Valid until on_detached returns.
  ControlLink* controller() { return attached_; }
  // The controller and those that wait, or are being hung up on.
  size_t connections() const { return connections_.size(); }

 private:
  struct Connection {
    std::unique_ptr<ControlLink> link;
    bool gone = false;
  };

  ControlListener(net::EventLoop& loop, Fd socket, net::Endpoint local, Options options, Callbacks callbacks);
  void on_events(uint32_t events) override;
  void accept_all();
  void admit(Fd socket);
  void on_hello(Connection* connection);
  void on_lost(Connection* connection, std::string reason);
  void sweep();
  ControlLink::Callbacks link_callbacks(Connection* connection);

  net::EventLoop& loop_;
  Fd socket_;
  net::Endpoint local_;
  Options options_;
  Callbacks callbacks_;
  std::vector<std::unique_ptr<Connection>> connections_;
  ControlLink* attached_ = nullptr;
  net::Timer again_;  // sweeps what is gone outside of its own callbacks, and accepts again after descriptors ran out
};

}  // namespace n2nq::control
