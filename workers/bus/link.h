// The seam between a service and a bus. An Outlet is one sender's way into a bus, an Inlet one receiver's way out of
// it; a bus implements both, and knows nothing of schedules, clocks, accounts or logs. What crosses it are frames as on
// our own bus (docs/protocol.md): each message is a DATA frame whose header says sender, index, times and checksum,
// each reply a REPLY frame; a bus carries them whole, one as one message of its own. Messages go in by batches. Thread:
// all of it the loop's. States: idle -> connecting -> ready -> finishing -> closed; lost from everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "broker/wire/frames.h"
#include "workers/bus/batch.h"

namespace n2nq::bus {

struct Loss {
  enum class Kind {
    not_joined,   // never welcomed, or sent away before the run began
    broker_gone,  // the connection broke
    sent_away,    // ERROR after the run began
    local,        // this machine's own trouble
  };
  Kind kind = Kind::broker_gone;
  std::string text;  // what, where, what to do
};

// What a service learns from its link. After on_link_closed() or on_link_lost() nothing more comes.
class LinkEvents {
 public:
  virtual ~LinkEvents() = default;
  // Inlet: whatever is sent from now on arrives. Outlet: it can be handed messages.
  virtual void on_link_ready() {}
  // One whole frame: a message, or to a requester a reply; in front of a message that the bus delivers again, AGAIN,
  // which names it. `read_ns` is the worker's clock right after the read that completed it.
  virtual void on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) = 0;
  // All frames that one read completed have been handed over.
  virtual void on_read_end() {}
  // Asked before each read, and on a bus that answers before each answer: false leaves it there until read_on().
  virtual bool wants_bytes() { return true; }
  // It can be handed messages or replies again.
  virtual void on_writable() {}
  // The bus has answered for so many of the messages that it was handed, counted from the first; the answer to the last
  // ones of them came then.
  virtual void on_accepted(uint64_t, int64_t) {}
  // The bus has refused a message: the next one, where answers come in the order of the messages. It is not in the
  // count of on_accepted().
  virtual void on_refused() {}
  // The same of the next messages that will get no answer, as the connection, or who was to answer, has ended.
  virtual void on_unanswered(uint64_t) {}
  // Where answers do not come in the order of the messages: for which one, in front of on_accepted().
  virtual void on_answered(const wire::DataHeader&) {}
  // It did not do what it was asked for, or refused a stranger; says so, and goes on.
  virtual void on_told(const std::string&) {}
  virtual void on_link_closed() {}
  virtual void on_link_lost(const Loss&) {}
};

// What a link has done so far: all bytes on the wire, with headers, handshakes and encryption.
struct LinkCounters {
  uint64_t sent_bytes = 0;
  uint64_t received_bytes = 0;
  uint64_t connections = 0;  // that were opened
  LinkCounters& operator+=(const LinkCounters& other) {
    sent_bytes += other.sent_bytes;
    received_bytes += other.received_bytes;
    connections += other.connections;
    return *this;
  }
};

class Outlet {
 public:
  virtual ~Outlet() = default;
  // Whether a batch can be handed over. If not, on_writable() tells when.
  virtual bool writable() const = 0;
  // Takes messages in the order of the batch, and returns how many; what it takes it sees to the end. Each bears the
  // time when the batch was made, unless the outlet stamps it again right before a write of its own. Only while
  // writable().
  virtual size_t hand_over(Batch& batch) = 0;
};

// An outlet, or an inlet, of a bus that begins and ends nothing by itself.
class Link {
 public:
  virtual ~Link() = default;
  virtual void start() = 0;
  // No more is handed over or asked for: on_link_closed() follows when everything is out and answered. What an inlet
  // had asked for may still come.
  virtual void finish() = 0;
  // Closes at once; nothing follows.
  virtual void cut_off() = 0;
  virtual LinkCounters counters() const = 0;
  // One of its connections, to ask the kernel about; -1: none.
  virtual int fd() const = 0;
};

class ForeignOutlet : public Link, public Outlet {
 public:
  // How many of its messages went to each receiver, where it chose them; empty where the bus does.
  struct Share {
    uint32_t receiver = 0;
    uint64_t messages = 0;
  };
  virtual std::vector<Share> shares() const { return {}; }
  // On a bus that answers: which of the messages that it took were refused or got no answer, by their index.
  virtual std::vector<wire::Tally::Stretch> unanswered() const { return {}; }
  // Before start(): the receivers that there are, by number, with the addresses that their inlets gave.
  struct Peer {
    uint32_t receiver = 0;
    std::string address;
  };
  virtual void meet(std::vector<Peer>) {}
};

// One that takes replies as well, where a replier has an outlet for them.
class ReplyOutlet : public ForeignOutlet {
 public:
  using Outlet::hand_over;
  // A REPLY frame, which bears its time already, by a write of its own. False: not now, on_writable() tells when.
  virtual bool hand_over(std::span<const uint8_t> frame) = 0;
};

class ForeignInlet : public Link {
 public:
  // What a sender needs to reach it; empty where all meet at a server. Known once it is ready.
  virtual std::string address() const { return {}; }
  // It wants bytes again.
  virtual void read_on() = 0;
  // As finish(), but another one may come for the same service: what the run has made at a server stays there.
  virtual void go_away() { finish(); }
  // Takes a REPLY frame and sees it to its requester; false: not now, on_writable() tells when.
  virtual bool reply(std::span<const uint8_t> frame) = 0;
  // Only where it acknowledges a message once that is worked on (acknowledges_late()): so many more of those that it
  // handed over are, in the order in which they came.
  virtual void done(size_t) {}
};

}  // namespace n2nq::bus
