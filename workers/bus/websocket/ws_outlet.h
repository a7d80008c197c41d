// A sender with a WebSocket connection to each receiver. A message goes to all of them, or to one in turn; it waits
// while a connection that it needs has not taken what it was given. Thread: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "workers/bus/bus.h"
#include "workers/bus/link.h"
#include "workers/bus/stream/direct_outlet.h"
#include "workers/bus/websocket/ws_frame.h"

namespace n2nq::bus {

class WsCall;

class WsOutlet final : public DirectOutlet {
 public:
  struct Way {
    bool replies = false;
    bool to_all = false;
  };
  WsOutlet(StreamLoop& loop, Approach& approach, LinkEvents& events, uint32_t number, Way way);
  ~WsOutlet() override;

  bool writable() const override;
  size_t hand_over(Batch& batch) override;
  int fd() const override;
  std::vector<Share> shares() const override;

 private:
  friend class WsCall;
  struct WsTarget final : Target {
    explicit WsTarget(Reach to);
    ~WsTarget() override;
    std::unique_ptr<WsCall> call;
    bool open = false;     // its handshake is done
    bool blocked = false;  // its connection has not taken all that it was given
    bool gone = false;     // it was open, and takes no more
  };

  std::unique_ptr<Target> make_target(Reach reach) override;
  void approach(Target& target) override;
  bool settle() override;
  void on_finish() override;
  void drop_connections() override;
  WsTarget& target(size_t i) const { return static_cast<WsTarget&>(*targets()[i]); }
  size_t next_place() const;  // of the receiver whose turn it is
  size_t hand_to_all(const Batch& batch);
  size_t hand_in_turn(const Batch& batch);
  bool any_open() const;
  void encode(std::span<const uint8_t> frame);
  void write(WsTarget& target);

  // Called by the calls.
  void opened(WsTarget& target);
  void drained(WsTarget& target);
  void forgo(WsTarget& target);  // it has said Close
  void ended(WsTarget& target, const std::string& why, bool in_order);

  Way way_;
  size_t turn_;
  size_t live_ = 0;  // that are open and not gone
  size_t blocked_ = 0;
  std::vector<uint8_t> keys_;     // random bytes for masks, used up from the end
  std::vector<WsTarget*> turns_;  // of the batch under way
};

}  // namespace n2nq::bus
