// The bare relay: what a server between senders and receivers costs at the least. One thread on bare epoll copies each
// message to all receivers of its channel, or to the next of those that share it, by one write a receiver and loop
// turn. It keeps no message, answers for none, and promises nothing but this: what it has read it passes on in its
// order, and where receivers are behind it leaves senders unread. Thread: the one of run().
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "broker/base/fd.h"
#include "broker/control/token.h"

struct epoll_event;

namespace n2nq::relay {

struct Peer;
struct Channel;

class Relay {
 public:
  // An empty token: whoever comes is let in. SIGTERM and SIGINT are blocked from now on.
  Relay(Fd listener, control::Token token);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  // Until SIGTERM or SIGINT.
  void run();
  // What it did, in a line for people.
  std::string totals() const;

 private:
  void watch(int fd, uint32_t events, void* what);
  void notice(const epoll_event& event);
  void accept_all();

  int patience_ms() const;
  void tick();
  void read_turn();
  void read(Peer& peer);
  void read_long(Peer& peer);
  bool came(Peer& peer, long n, size_t wanted);
  void greet(Peer& peer, const uint8_t* bytes, size_t count);
  void welcome(Peer& peer, const std::string& channel);
  void take_from_receiver(Peer& peer, const uint8_t* bytes, size_t count);
  size_t take_from_sender(Peer& peer, uint8_t* bytes, size_t& count);
  void assemble(Peer& peer, const uint8_t* bytes, size_t count, size_t whole);
  void deal(Channel& channel, const uint8_t* piece, size_t count);

  void say(Peer& peer, const void* bytes, size_t count);
  void say_number(Peer& peer, uint32_t number) { say(peer, &number, sizeof number); }
  void write_log(Channel& channel);
  void write_outboxes();
  size_t write(Peer& peer, const uint8_t* from, size_t count);

  void refuse(Peer& peer, const std::string& why);
  void lose(Peer& peer, const std::string& why = {});
  void tell(const std::string& text);
  void bury();

  Fd listener_;
  Fd signals_;
  Fd epoll_;
  const control::Token token_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::map<std::string, std::unique_ptr<Channel>> channels_;
  std::vector<Peer*> unread_;    // those that have bytes
  std::vector<Peer*> outboxes_;  // those with something in their outbox
  std::unique_ptr<uint8_t[]> scratch_;
  bool over_ = false;
  bool anybody_gone_ = false;
  bool no_descriptors_ = false;
  uint64_t strangers_ = 0;  // who have not said who they are
  int64_t ticked_ns_ = 0;
  uint64_t told_ = 0;
  uint64_t messages_ = 0;
  uint64_t to_nobody_ = 0;
  uint64_t written_bytes_ = 0;
  uint64_t unsent_bytes_ = 0;  // to receivers that have gone
};

}  // namespace n2nq::relay
