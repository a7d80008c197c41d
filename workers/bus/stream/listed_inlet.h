// What the inlets of HTTP and WebSocket share: a receiver that is reached through the entrance of its loop, and the
// connections that belong to it. Thread: the loop's. States: idle -> starting -> ready -> finishing -> closed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workers/bus/link.h"
#include "workers/bus/stream/entrance.h"
#include "workers/bus/stream/guest.h"

namespace n2nq::bus {

class ListedInlet : public ForeignInlet {
 public:
  ListedInlet(Entrance& entrance, LinkEvents& events, uint32_t number);
  ~ListedInlet() override;

  void start() override;
  void finish() override;
  void cut_off() override;
  LinkCounters counters() const override { return counters_; }
  int fd() const override;
  std::string address() const override { return address_; }
  void read_on() override;

  uint32_t number() const { return number_; }
  LinkEvents& events() { return events_; }
  LinkCounters& counted() { return counters_; }
  void add(Guest& guest);
  void remove(Guest& guest);

 protected:
  // Of a reply whose connection, that of its request or requester, has ended. The first time only.
  void tell_nowhere(const std::string& whose);

 private:
  enum class State { idle, starting, ready, finishing, closed };
  void on_alarm();

  static constexpr int64_t kFarewellNs = 3'000'000'000;

  Entrance& entrance_;
  LinkEvents& events_;
  uint32_t number_;
  State state_ = State::idle;
  std::string trouble_;
  std::string address_;
  std::vector<Guest*> guests_;
  bool told_nowhere_ = false;
  LinkCounters counters_;
  Alarm alarm_;
};

}  // namespace n2nq::bus
