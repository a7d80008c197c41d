// One service's connection to the bus: connects (again and again until told to give up), says HELLO, cuts what comes
// into frames, and writes what the socket takes. It never connects again once the run has begun.
// Thread: the loop's. States: idle -> waiting -> connecting -> greeting -> joined -> running -> leaving -> closed, from
// everywhere to closed when something goes wrong, and back to waiting from connecting and greeting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "broker/net/event_loop.h"
#include "broker/net/socket.h"
#include "broker/tls/sealed_socket.h"
#include "broker/wire/frames.h"
#include "workers/bus/link.h"
#include "workers/transport/bus_events.h"
#include "workers/transport/bus_loop.h"
#include "workers/transport/frame_splitter.h"

namespace n2nq::transport {

// What it takes to join.
struct Join {
  net::Endpoint broker;
  wire::Hello hello;
  uint16_t source_port = 0;  // 0: the kernel chooses
  net::SocketWishes socket{};
  std::shared_ptr<const tls::Trust> trust{};  // null: the connection is not encrypted
};

class BusConnection final : public net::EventLoop::Handler, public bus::Outlet {
 public:
  enum class State { idle, waiting, connecting, greeting, joined, running, leaving, closed };

  BusConnection(BusLoop& loop, BusEvents& events, Join join);
  ~BusConnection() override;

  void start();
  State state() const { return state_; }
  bool open() const { return state_ == State::joined || state_ == State::running; }
  int fd() const { return fd_.get(); }
  const bus::LinkCounters& counters() const { return counters_; }
  size_t memory_bytes() const { return out_.capacity() + splitter_.held(); }

  // Control frames: appended behind what is pending, and written as far as the socket takes them.
  template <class Frame>
  void send(const Frame& frame) {
    append(out_, frame);
    flush();
  }
  void send_leave();

  // Messages: whether the socket can take any now.
  bool writable() const override { return socket_ready_ && open() && out_at_ == out_.size(); }
  size_t hand_over(bus::Batch& batch) override;
  // What went out; less than asked means that the socket is full. Only while writable().
  size_t write(std::span<const uint8_t> bytes);
  // The rest of a frame that write() cut: goes out before anything else.
  void finish_later(std::span<const uint8_t> rest);

  // After BYE: no more is sent, and the connection closes when the broker has closed it. on_closed() follows.
  void leave(const wire::Bye& bye);

  // Gives up what has not joined yet: closes at once, and on_closed() follows.
  void abandon();

  // Closes at once, whatever is to be sent yet, in the kernel too; on_closed() follows.
  void cut_off();

  // The broker sent what it must not: the connection ends, and on_lost() follows.
  void refuse(const std::string& what);
  // It is silent where it must not be: the same.
  void give_up_on_broker(const std::string& why);

  // For services that left bytes in the kernel: reads until there is no more.
  void read_on();

  // Called by BusLoop.
  void connect();
  void give_up();
  void close_now();

 private:
  void on_events(uint32_t events) override;
  void connected();
  bool shake();
  ssize_t put(std::span<const uint8_t> bytes);
  ssize_t get(std::span<uint8_t> space);
  void count_sealed();
  bool keeps_any() const { return sealed_ && sealed_->kept() > 0; }
  void try_again(const Error& error);
  void flush();
  bool take(size_t n);
  bool on_frame(const wire::Header& header, wire::Frame frame);
  bool hand_over_held();
  bool on_welcome(wire::Frame frame);
  bool on_begin(wire::Frame frame);
  bool on_error(wire::Frame frame);
  void on_stream_end(const std::string& why);
  void lose(Loss::Kind kind, std::string text);
  void drop_socket();
  std::string where() const { return "the broker at " + join_.broker.text(); }

  static constexpr int kReadsPerTurn = 4;
  static constexpr int64_t kFirstRetryNs = 20'000'000;
  static constexpr int64_t kLastRetryNs = 500'000'000;
  static constexpr int64_t kLeaveNs = 3'000'000'000;
  static constexpr unsigned kDeadAfterMs = 10'000;

  BusLoop& loop_;
  BusEvents& events_;
  Join join_;
  FrameSplitter splitter_;
  Fd fd_;
  std::unique_ptr<tls::SealedSocket> sealed_;  // null: nothing is encrypted
  State state_ = State::idle;
  bool socket_ready_ = false;
  bool hangup_ = false;
  bool shut_ = false;  // it sends no more
  bool queued_to_read_ = false;
  int64_t retry_ns_ = kFirstRetryNs;
  int64_t read_ns_ = 0;
  std::string last_failure_;
  bus::LinkCounters counters_;
  struct Held {
    wire::Bytes frame;
    int64_t read_ns = 0;
  };
  std::vector<Held> held_;  // came in one read with BEGIN, before the service could take them
  wire::Bytes out_;
  size_t out_at_ = 0;
};

}  // namespace n2nq::transport
