// The broker's end of one connection, driven by a test step by step over a real socket. Every wait has a deadline and
// fails the test when it passes.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <optional>
#include <string>
#include <vector>

#include "broker/net/socket.h"
#include "broker/wire/checksum.h"
#include "broker/wire/frames.h"
#include "tests/helpers/deadline.h"

namespace n2nq::test {

using namespace std::chrono_literals;

class Peer {
 public:
  explicit Peer(Fd fd) : fd_(std::move(fd)) {}

  template <class Frame>
  void send(const Frame& frame) {
    wire::Bytes bytes;
    append(bytes, frame);
    send_bytes(bytes);
  }
  void send_bytes(std::span<const uint8_t> bytes) {
    while (!bytes.empty()) {
      pollfd ready{.fd = fd_.get(), .events = POLLOUT, .revents = 0};
      ASSERT_EQ(::poll(&ready, 1, Deadline(10s).poll_ms()), 1);
      const ssize_t n = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      ASSERT_GT(n, 0);
      bytes = bytes.subspan(static_cast<size_t>(n));
    }
  }

  // The next whole frame; empty when the other side has closed.
  std::vector<uint8_t> receive() {
    const Deadline deadline(10s);
    while (buffer_.size() < wire::kHeaderBytes || buffer_.size() < wire::read_header(buffer_.data()).length)
      if (!read_some(deadline)) return {};
    const size_t length = wire::read_header(buffer_.data()).length;
    std::vector<uint8_t> frame(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(length));
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(length));
    return frame;
  }
  // The next frame, which has to be of this type.
  std::vector<uint8_t> expect(wire::Type type) {
    auto frame = receive();
    if (frame.empty())
      ADD_FAILURE() << "the connection ended instead of " << name(type);
    else if (wire::read_header(frame.data()).type != type)
      ADD_FAILURE() << name(wire::read_header(frame.data()).type) << " instead of " << name(type);
    return frame;
  }
  // Within a millisecond.
  bool has_bytes() {
    if (!buffer_.empty()) return true;
    pollfd ready{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    return ::poll(&ready, 1, 1) == 1;
  }
  void close() { fd_.reset(); }
  int fd() const { return fd_.get(); }

 private:
  bool read_some(const Deadline& deadline) {
    pollfd ready{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, deadline.poll_ms()) != 1) {
      ADD_FAILURE() << "nothing came in time";
      return false;
    }
    uint8_t bytes[4096];
    const ssize_t n = ::recv(fd_.get(), bytes, sizeof bytes, 0);
    if (n <= 0) return false;
    buffer_.insert(buffer_.end(), bytes, bytes + n);
    return true;
  }

  Fd fd_;
  std::vector<uint8_t> buffer_;
};

class FakeBroker {
 public:
  FakeBroker() {
    net::Endpoint any;
    auto& address = reinterpret_cast<sockaddr_in&>(any.address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    any.length = sizeof address;
    auto fd = net::listen_tcp(any);
    EXPECT_TRUE(fd);
    fd_ = std::move(*fd);
    endpoint_ = *net::local_endpoint(fd_.get());
  }

  const net::Endpoint& endpoint() const { return endpoint_; }
  int fd() const { return fd_.get(); }

  Peer accept() {
    pollfd ready{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&ready, 1, Deadline(10s).poll_ms()), 1) << "nobody connected";
    return Peer(Fd(::accept4(fd_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)));
  }
  // Up to BEGIN.
  Peer accept_and_begin(wire::Welcome welcome, wire::Begin begin) {
    Peer peer = accept();
    peer.expect(wire::Type::hello);
    peer.send(welcome);
    peer.send(begin);
    return peer;
  }

 private:
  Fd fd_;
  net::Endpoint endpoint_;
};

// A DATA frame whose checksum is right unless `corrupt`.
inline wire::Bytes data_frame(uint32_t sender, uint64_t index, std::string_view text, bool corrupt = false,
                              int64_t intended_ns = wire::kNoSchedule, int64_t sent_ns = 0) {
  wire::Bytes frame(wire::kDataHeaderBytes + text.size());
  std::copy(text.begin(), text.end(), frame.begin() + wire::kDataHeaderBytes);
  const uint32_t checksum = wire::crc32c(std::span<const uint8_t>(frame).subspan(wire::kDataHeaderBytes));
  wire::write_data_header(frame.data(), {.length = static_cast<uint32_t>(frame.size()),
                                         .sender = sender,
                                         .checksum = corrupt ? ~checksum : checksum,
                                         .index = index,
                                         .intended_ns = intended_ns,
                                         .sent_ns = sent_ns});
  return frame;
}

// A REPLY frame whose checksum is right unless `corrupt`.
inline wire::Bytes reply_frame(uint32_t requester, uint64_t index, uint32_t replier, std::string_view text,
                               bool corrupt = false, int64_t sent_ns = 0) {
  wire::Bytes frame(wire::kReplyHeaderBytes + text.size());
  std::copy(text.begin(), text.end(), frame.begin() + wire::kReplyHeaderBytes);
  const uint32_t checksum = wire::crc32c(std::span<const uint8_t>(frame).subspan(wire::kReplyHeaderBytes));
  wire::write_reply_header(frame.data(), {.length = static_cast<uint32_t>(frame.size()),
                                          .requester = requester,
                                          .checksum = corrupt ? ~checksum : checksum,
                                          .index = index,
                                          .read_ns = sent_ns,
                                          .sent_ns = sent_ns,
                                          .replier = replier});
  return frame;
}

}  // namespace n2nq::test
