// Where the receivers of one loop are reached: one listening socket, and the connections that came in through it until
// they have shown the run's token and named a receiver. Whoever does neither is sent away, and told of once for each
// kind of trouble. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "broker/net/event_loop.h"
#include "broker/tls/tls.h"
#include "workers/bus/bus.h"
#include "workers/bus/stream/guest.h"
#include "workers/bus/stream/stream.h"
#include "workers/bus/stream/stream_loop.h"
#include "workers/bus/stream/tls_choice.h"

namespace n2nq::bus {

class ListedInlet;

struct EntranceLimits {
  int64_t head_ns = 5'000'000'000;  // for whoever has not shown the token
  // Of those at a time, and no more than a quarter of the descriptors that there are; more wait in the kernel.
  size_t unproven = 1024;
  int64_t close_ns = Stream::kCloseNs;
};

class Entrance final : public net::EventLoop::Handler {
 public:
  using MakeGuest = std::function<std::unique_ptr<Guest>(Entrance&)>;

  Entrance(StreamLoop& loop, const BusOptions& options, TlsChoice tls, std::string scheme, MakeGuest make_guest,
           EntranceLimits limits = {});
  ~Entrance() override;

  // Listens, unless it does already.
  Result<void> open();
  // Of a receiver, once it is open.
  std::string address_of(uint32_t number) const;
  int fd() const { return listening_.get(); }

  void enroll(ListedInlet& inlet);
  void strike(const ListedInlet& inlet);
  // Who is reached at this path; null: nobody. Behind a load balancer whoever has the turn, of those that take anything
  // now.
  ListedInlet* find(std::string_view path);
  bool balanced() const { return tls_.balanced; }
  bool empty() const { return inlets_.empty(); }
  // Whether the Authorization field has the run's token.
  bool admits(std::string_view authorization) const;
  void tell_once(const std::string& kind, const std::string& text);

  StreamLoop& loop() { return loop_; }
  const tls::Server* tls() const { return server_ ? &*server_ : nullptr; }
  const EntranceLimits& limits() const { return limits_; }
  // Of connections that belong to nobody yet.
  LinkCounters& counters() { return counters_; }
  void proven();
  void leave(Guest& guest);

 private:
  void on_events(uint32_t events) override;
  void let_in();
  void one_less_unproven();
  ListedInlet* next_in_turn();

  StreamLoop& loop_;
  std::string listen_;
  std::string expected_;  // the Authorization field
  TlsChoice tls_;
  std::string scheme_;
  MakeGuest make_guest_;
  EntranceLimits limits_;
  std::optional<tls::Server> server_;
  Fd listening_;
  std::string authority_;
  uint16_t port_ = 0;  // 0: the kernel chooses
  std::map<uint32_t, ListedInlet*> inlets_;
  uint32_t turn_ = 0;  // the number of the one that had it last
  std::unordered_map<Guest*, std::unique_ptr<Guest>> guests_;
  std::set<std::string> told_;
  LinkCounters counters_;
  size_t unproven_ = 0;
  bool waiting_ = false;
  Alarm again_;
};

}  // namespace n2nq::bus
