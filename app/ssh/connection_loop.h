// What a session's thread does once it is logged in: carries bytes of its channels, opens new ones, and notices when
// the other side is gone. The session's thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/remote/inbox.h"
#include "app/remote/pump.h"
#include "app/ssh/forward.h"
#include "app/ssh/handle.h"

namespace n2nq::ssh {

class ConnectionLoop {
 public:
  using Clock = remote::Wire::Clock;
  using Forwarded = std::function<void(Result<Fd> socket)>;

  // `channels` is counted down for each that has ended.
  ConnectionLoop(ssh_session session, std::chrono::milliseconds silence, const remote::Wake& wake,
                 std::shared_ptr<std::atomic<int>> channels);

  void add(const remote::ExecRequest& request);
  void add(const std::string& address, uint16_t port, Forwarded done);
  // Until `aborted`, or the session is lost; says why. `take_requests` is called after each time it was woken.
  std::string run(const std::function<bool()>& aborted, const std::function<void()>& take_requests);
  // What runs is killed as far as the other side can be told at once; all ends as lost, with this text.
  void end(const std::string& why);

 private:
  struct Forwarding {
    Forward forward;
    Forwarded done;
  };

  void turn();
  bool turn_all(Clock::time_point now);
  void drop_ended();
  bool still_there();
  void keep_alive(Clock::time_point now);
  void wait();
  int wait_ms() const;

  ssh_session session_;
  std::chrono::milliseconds silence_;
  const remote::Wake& wake_;
  std::shared_ptr<std::atomic<int>> channels_;
  EventHandle event_;
  ssh_counter_struct counter_{};
  uint64_t heard_bytes_ = 0;
  Clock::time_point heard_at_, next_sign_;
  std::string why_;
  std::vector<std::unique_ptr<remote::Pump>> pumps_;
  std::vector<std::unique_ptr<Forwarding>> forwards_;
};

}  // namespace n2nq::ssh
