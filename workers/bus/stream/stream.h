// A TCP connection on the event loop, with or without TLS over it. It writes what the socket takes and keeps the
// rest, and counts every byte at the socket, so that handshakes and encryption are in the count. Thread: the loop's.
// States: idle -> connecting -> shaking -> open -> closing -> closed; closed from everywhere. No call to it calls back.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "broker/base/fd.h"
#include "broker/net/event_loop.h"
#include "broker/net/socket.h"
#include "broker/tls/sealed_socket.h"
#include "workers/bus/link.h"
#include "workers/bus/stream/stream_loop.h"

namespace n2nq::bus {

struct StreamEnd {
  enum class Kind {
    unreachable,  // never connected
    untrusted,    // the other side's certificate is not the right one
    no_tls,       // what came is not TLS
    tls_refused,  // it speaks TLS, and says with an alert that it ends the handshake
    tls_failed,   // it speaks TLS, but none that will do
    closed,       // the other side closed it
    broken,
  };
  Kind kind = Kind::closed;
  std::string text;
  long verdict = 0;                // of OpenSSL on a certificate that is not trusted
  bool wants_certificate = false;  // it has asked for one of this side, which has none, and heard no more; if it has
                                   // refused, that is why
};

class StreamUser {
 public:
  virtual ~StreamUser() = default;
  virtual void on_stream_open() {}
  // Before each read: whether, and to where.
  virtual bool wants_stream_bytes() { return true; }
  virtual std::span<uint8_t> stream_space() = 0;
  virtual void on_stream_bytes(size_t n) = 0;
  // All that was written is with the kernel.
  virtual void on_stream_drained() {}
  // The last call. Not after close().
  virtual void on_stream_end(const StreamEnd& end) = 0;
};

class Stream final : public net::EventLoop::Handler {
 public:
  static constexpr int64_t kCloseNs = 3'000'000'000;

  Stream(StreamLoop& loop, StreamUser& user, LinkCounters& counters);
  ~Stream() override;

  // What is written before it is open goes out then. The string must outlive the connection.
  Result<void> connect(const net::Endpoint& to, const tls::Client* tls, const std::string& host,
                       const std::string& fingerprint);
  void accept(Fd fd, const tls::Server* tls);
  // TLS from here on, over a connection that was open without: on_stream_open() follows again. From within a call to
  // its user, where all that was written is out.
  void secure(const tls::Client& tls, const std::string& host);

  bool shaking() const { return state_ == State::shaking; }
  bool open() const { return state_ == State::open; }
  bool closed() const { return state_ == State::closed; }
  bool encrypted() const;  // the handshake is done
  int fd() const { return fd_.get(); }
  int64_t read_ns() const { return read_ns_; }  // the worker's clock right after the last read

  // Sends what the socket takes, and keeps the rest.
  void write(std::span<const uint8_t> bytes);
  void write(std::string_view text) { write(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size())); }
  size_t pending() const { return out_.size() - out_at_ + (sealed_ ? sealed_->kept() : 0); }

  // Reads in the next turn, for users that did not want bytes.
  void read_later() { again_.set_soon(); }

  // Once all is out, however long that takes, says so to the other side, and waits for it to close, but not long.
  // on_stream_end() follows.
  void close_gently();
  // Closes now: what the kernel has not sent yet still goes.
  void close();
  // Closes now, and throws that away.
  void reset();

  // How long it waits then.
  void close_within(int64_t ns) { close_ns_ = ns; }

  // What it counts from now on is theirs, and, the first time, what it has counted so far.
  void count_for(LinkCounters& counters);

 private:
  enum class State { idle, connecting, shaking, open, closing, closed };

  void on_events(uint32_t events) override;
  void connected();
  void shake();
  void became_open();
  void read_on();
  // Bytes, 0: there are none now, -1: it has ended.
  ssize_t receive(std::span<uint8_t> space);
  ssize_t receive_sealed(std::span<uint8_t> space);
  void seal(tls::SslPtr ssl);
  void count_sealed();
  size_t send_some(std::span<const uint8_t> bytes);
  void flush();
  void say_end();
  void drain_to_end();
  void end(StreamEnd::Kind kind, std::string text, long verdict = 0);
  void end_for(const tls::Fault& fault);
  void end_soon(std::string why);
  void on_alarm();
  void drop();
  void count_sent(size_t n) { counted_.sent_bytes += n, counters_->sent_bytes += n; }
  void count_received(size_t n) { counted_.received_bytes += n, counters_->received_bytes += n; }

  static constexpr int kReadsPerTurn = 4;
  static constexpr unsigned kDeadAfterMs = 10'000;
  static constexpr size_t kKeptCapacity = 1 << 20;

  StreamLoop& loop_;
  StreamUser& user_;
  LinkCounters* counters_;
  LinkCounters counted_;
  bool owned_ = false;  // count_for() has been called
  Fd fd_;
  std::unique_ptr<tls::SealedSocket> sealed_;  // null: no TLS
  net::Endpoint to_;
  State state_ = State::idle;
  bool accepted_ = false;
  bool socket_ready_ = false;
  bool hangup_ = false;
  bool said_end_ = false;
  bool wants_certificate_ = false;  // the other side has asked for one, and this side has none
  bool heard_ = false;              // something came over TLS since
  int64_t read_ns_ = 0;
  std::vector<uint8_t> out_;
  size_t out_at_ = 0;
  std::string broken_;  // why it ends in the next turn
  int last_errno_ = 0;
  int64_t close_ns_ = kCloseNs;
  Alarm again_;
  Alarm close_alarm_;
};

}  // namespace n2nq::bus
