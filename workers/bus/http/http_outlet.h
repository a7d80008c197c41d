// A sender that posts each message to a receiver by HTTP/1.1, to all receivers in turn. A connection carries one
// request at a time; what is answered frees it. No message is sent twice: one whose connection breaks stays unanswered.
// A receiver that cannot be reached any more is passed over until it answers again. Thread: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workers/bus/bus.h"
#include "workers/bus/link.h"
#include "workers/bus/stream/direct_outlet.h"

namespace n2nq::bus {

struct HttpOutletOptions {
  bool replies = false;
  bool fresh = false;       // each request opens a connection of its own
  size_t connections = 64;  // at most
};

class HttpCall;

class HttpOutlet final : public DirectOutlet {
 public:
  HttpOutlet(StreamLoop& loop, Approach& approach, LinkEvents& events, uint32_t number, HttpOutletOptions options);
  ~HttpOutlet() override;

  bool writable() const override {
    return state() == State::ready && busy_ < options_.connections && !starved_ && !balancer_away();
  }
  size_t hand_over(Batch& batch) override;
  int fd() const override;
  std::vector<Share> shares() const override;
  std::vector<wire::Tally::Stretch> unanswered() const override;

 private:
  friend class HttpCall;
  struct HttpTarget final : Target {
    using Target::Target;
    std::string start;  // of each request's head, up to the length of its body
    std::string probe;  // a request without a message
    std::vector<wire::Tally::Stretch> unanswered;
    std::vector<HttpCall*> idle;
  };

  std::unique_ptr<Target> make_target(Reach reach) override;
  void approach(Target& target) override;
  bool settle() override;
  void on_finish() override {}
  void drop_connections() override;
  HttpTarget& next_target();
  HttpCall* call_to(HttpTarget& target);
  void send(HttpCall& call, std::span<const uint8_t> frame);
  void starve(std::string why);
  void feed();
  void close_one_idle();

  // Called by the calls.
  void greeted(HttpCall& call, bool stays);
  void answered(HttpCall& call, bool stays);
  void unanswered(HttpTarget& target, wire::Tally::Stretch message, const std::string& why);
  void ended(HttpCall& call);
  void free_or_close(HttpCall& call, bool stays);

  HttpOutletOptions options_;
  std::vector<std::unique_ptr<HttpCall>> calls_;
  size_t turn_;
  size_t busy_ = 0;  // calls with a message
  uint64_t accepted_ = 0;
  bool starved_ = false;  // the system allowed no connection; tried again before long
  std::string hunger_;    // why, until it is tried again
  bool told_starved_ = false;
  Alarm feed_;
};

}  // namespace n2nq::bus
