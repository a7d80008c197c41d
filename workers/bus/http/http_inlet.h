// A receiver that is reached by HTTP/1.1: each POST carries one message. It is answered at once with 204, or, in a run
// of requests and replies, with 200 and the REPLY frame once there is one; until then its connection is held.
// Thread: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

#include "workers/bus/stream/listed_inlet.h"

namespace n2nq::bus {

class HttpGuest;

class HttpInlet final : public ListedInlet {
 public:
  HttpInlet(Entrance& entrance, LinkEvents& events, uint32_t number, bool replies);
  ~HttpInlet() override;
  bool reply(std::span<const uint8_t> frame) override;

  // Called by the connections. A message came; whether it is not one that waits for its reply already.
  bool take(HttpGuest& guest, std::span<const uint8_t> frame);
  void forget(const HttpGuest& guest);

 private:
  struct Key {
    uint32_t sender = 0;
    uint64_t index = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const { return key.index * 0x9e3779b97f4a7c15 + key.sender; }
  };
  static Key key_of(std::span<const uint8_t> frame);

  bool replies_;
  std::unordered_map<Key, HttpGuest*, KeyHash> waiting_;
};

std::unique_ptr<Guest> make_http_guest(Entrance& entrance);

}  // namespace n2nq::bus
