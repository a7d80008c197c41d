// A sender that writes messages to the bare relay, and a receiver that is given those of its channel, or a share of
// them. Thread: the loop's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workers/bus/relay/relay_talk.h"
#include "workers/bus/stream/server_inlet.h"
#include "workers/bus/stream/server_outlet.h"

namespace n2nq::bus {

class RelayOutlet final : public OutletOver<RelayTalk, RelayUser> {
 public:
  RelayOutlet(ServerSite& server, LinkEvents& events, uint32_t number, const std::string& channel);

 private:
  void append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) override;
  void ask_for_all() override { talk_.write_mark(); }
  void on_talk_ready() override { is_ready(); }
  void on_message(std::span<const uint8_t> message, int64_t read_ns) override;
  void on_mark() override;
  void on_held_up() override { show_life(); }
};

class RelayInlet final : public InletOver<RelayTalk, RelayUser> {
 public:
  RelayInlet(ServerSite& server, LinkEvents& events, uint32_t number, const std::string& channel, bool to_all);

 private:
  void take_leave() override;
  void on_talk_ready() override;
  void on_message(std::span<const uint8_t> message, int64_t read_ns) override;
  void on_mark() override;
  void on_held_up() override;

  std::string channel_;
};

}  // namespace n2nq::bus
