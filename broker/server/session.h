// One connection: bytes in, whole frames on to the server, frames and messages out. Knows which frames the protocol
// allows when, and decides nothing about the run. Thread: the server's loop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "broker/base/fd.h"
#include "broker/net/event_loop.h"
#include "broker/queue/queue.h"
#include "broker/queue/receiver.h"
#include "broker/tls/sealed_socket.h"
#include "broker/wire/frames.h"

namespace n2nq::server {

class Server;

class Session final : public net::EventLoop::Handler {
 public:
  // closing: the farewell is out, what still comes in is dropped until the peer closes. closed: to be deleted.
  enum class State { connected, joined, done, leaving, ended, closing, closed };

  static constexpr size_t kReadBytes = 256 * 1024;
  static constexpr size_t kLeastReadBytes = 64 * 1024;

  // `tls`: what the connection is encrypted by, or null.
  Session(Server& server, Fd fd, const tls::Server* tls, int64_t now_ms);
  ~Session() override;

  // Reads once and handles what is whole.
  void read_once();
  // Writes what waits: own frames, and for a receiver its share of the queue.
  void write();
  // After the last frame: nothing more goes out; what comes in is dropped until the peer closes.
  void shut();
  void close();

  // A frame of our own, between messages; it goes out at the end of the turn.
  template <class Frame>
  void send(const Frame& frame) {
    wire::append(control(), frame);
    flush();
  }
  // It has said HELLO, and may take part.
  void join(wire::Hello hello);
  void announce_accepted();
  wire::Bytes& control() {
    if (receiver) return receiver->control;
    return control_;
  }
  std::string name() const;  // "sender-7", or the peer's address before HELLO

  const std::string& peer() const { return peer_; }
  bool joined() const { return joined_; }
  const wire::Hello& hello() const { return hello_; }
  bool is(wire::Role role) const { return joined_ && hello_.role == role; }
  bool open() const { return state != State::closing && state != State::closed; }
  // Whether a frame of this type is for now; `begun`: the run has.
  bool allows(wire::Type type, bool begun) const;
  // After END what was under way is read and dropped.
  bool drops(wire::Type type) const;
  size_t partial_bytes() const { return partial_.size(); }
  // The length of a frame that is collected by itself, 0 if none is.
  size_t large_wanted() const { return partial_wanted_ > kReadBytes / 2 ? partial_wanted_ : 0; }

  State state = State::connected;
  bool unread = false;    // in the server's list of sessions with bytes to read
  bool flushing = false;  // in the server's list of sessions with frames to write
  bool blocked = false;
  bool refused = false;    // it was sent away with an ERROR
  bool said_done = false;  // sender: nothing of it can be missing any more
  bool cut_off = false;    // sender, receiver: it has lost its link to the other bus
  bool clock_due = false;  // sender or replier: its clock is not the broker's, and no CLOCK has come that speaks for it
  bool clock_said = false;      // sender or replier: its first CLOCK went on
  bool clock_waits = false;     // sender or replier: a newer CLOCK waits to go on
  bool late = false;            // receiver: the log has it that what it left unanswered went to others
  bool filter_refused = false;  // receiver: the log has it that a filter of it was
  size_t large_held = 0;        // bytes of a frame that is being collected, counted against the bound
  int64_t since_ms;             // of the state connected, ended or closing
  int64_t heard_ms;             // last bytes
  int64_t reassured_ms = 0;     // sender made to wait: when it last heard that the broker lives
  uint64_t accepted = 0;        // sender: messages taken, which is the last index
  uint64_t announced = 0;       // sender: the count in the last ACCEPTED
  // Whoever the queue has something for: receivers, and in request-reply also senders, from the queue of replies.
  std::unique_ptr<queue::Receiver> receiver;
  queue::Queue* queue = nullptr;
  bool replies = false;  // requester or replier

 private:
  static constexpr int kWritesPerTurn = 4;

  void on_events(uint32_t events) override;
  ssize_t receive(std::span<uint8_t> space);
  ssize_t send_pieces(std::span<iovec> pieces);
  size_t take_frames(std::span<const uint8_t> bytes);
  bool plausible(const wire::Header& header);
  void refuse_message(wire::Frame frame);
  bool judge_first_bytes(std::span<const uint8_t> bytes);
  void keep_partial(std::span<const uint8_t> bytes);
  void end_of_input(int why);
  void tls_failed();
  void say_end();
  void read_large();
  void flush();
  void unblock();
  void write_messages();
  void write_frames();

  Server& server_;
  Fd fd_;
  std::unique_ptr<tls::SealedSocket> sealed_;  // null: nothing is encrypted
  std::string peer_;
  wire::Hello hello_;
  bool joined_ = false;
  bool said_end_ = false;      // to the peer
  bool peer_closed_ = false;   // the peer's end was announced: read until it shows
  wire::Bytes partial_;        // a frame cut short by the last read
  size_t partial_wanted_ = 0;  // its whole length, once its header is there
  wire::Bytes control_;
  size_t control_sent_ = 0;
};

// Of those that `hears` says can, the first of each fleet, which hears for all of it.
template <class Hears>
std::vector<Session*> leaders_of(const std::vector<std::unique_ptr<Session>>& sessions, Hears hears) {
  std::set<uint64_t> fleets;
  std::vector<Session*> leaders;
  for (const auto& session : sessions)
    if (hears(*session) && fleets.insert(session->hello().fleet).second) leaders.push_back(session.get());
  return leaders;
}

}  // namespace n2nq::server
