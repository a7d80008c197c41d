// One SSH session and its thread: reaching the host, its key, the login, then channels. libssh wants all of a session
// on one thread; whatever the UI thread asks crosses through an inbox, what comes back through a post box. UI thread.
// States: opening -> open -> gone; opening -> gone.
#pragma once

#include <atomic>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "app/hosts/host.h"
#include "app/remote/carrier.h"
#include "app/remote/inbox.h"
#include "app/ssh/asker.h"
#include "app/ssh/handle.h"
#include "app/ssh/options.h"
#include "app/ssh/secrets.h"
#include "broker/base/fd.h"

namespace n2nq::ssh {

class Connection {
 public:
  static constexpr int kMostChannels = 8;  // sshd's default ends a connection's patience at ten
  using Forwarded = std::function<void(Result<Fd> socket)>;
  struct Events {                                                                         // from the event loop
    std::function<void(const remote::StepReport&)> step_passed{};                         // opening
    std::function<void(const remote::LinkQuestion&, const remote::LinkAnswer&)> asked{};  // opening; may be empty
    std::function<void()> opened{};                                                       // opening -> open
    std::function<void(const remote::LinkFailure&)> failed{};                             // -> gone, unless aborted
    std::function<void()> gone{};                                                         // the thread is done; last
  };

  enum class Way { straight, given };

  // Begins at once. Way::given: with the socket that take_way() brings; else it connects by itself. `secrets` outlives
  // it.
  Connection(const hosts::Host& host, const Options& options, Secrets& secrets, Events events, Way way);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();  // abort(), and waits for the thread, which waits for nobody

  void take_way(Result<Fd> socket);
  void abort();
  int channels() const { return *channels_; }
  // Opening: as soon as it is open. What goes wrong comes as the end of the process.
  std::unique_ptr<remote::Exec> exec(const std::vector<std::string>& arguments);
  void forward(const std::string& address, uint16_t port, Forwarded done);

 private:
  struct ForwardRequest {
    std::string address;
    uint16_t port;
    Forwarded done;
  };
  using Request = std::variant<remote::ExecRequest, ForwardRequest>;

  void run();
  std::expected<SessionHandle, remote::LinkFailure> establish();
  Result<Fd> find_way();
  Result<Fd> wait_for_way();
  std::expected<void, remote::LinkFailure> shake_hands(ssh_session session, Fd socket);
  Result<void> set_options(ssh_session session);
  void tell_step(remote::LinkStep step, const std::string& text);
  void tell_step(const remote::StepReport& report);
  void tell_failure(const remote::LinkFailure& failure);
  void put(Request request);
  void lose(Request& request, const std::string& why);
  void lose_requests(const std::string& why);
  void watch(int socket);  // abort() shuts it down too
  void watch_nothing();
  void reach_agent(ssh_session session);

  const hosts::Host host_;
  const Options options_;
  Secrets& secrets_;
  const Events events_;
  threads::PostBox box_;
  Asker asker_;
  remote::Inbox<Request> inbox_;
  std::shared_ptr<std::atomic<int>> channels_ = std::make_shared<std::atomic<int>>(0);
  const Way way_;
  std::mutex mutex_;
  std::vector<Fd> watched_;              // guarded by mutex_
  std::optional<Result<Fd>> given_way_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace n2nq::ssh
