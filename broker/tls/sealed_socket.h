// TLS over a connected socket that does not block. Reads and writes as recv() and send() do, so that whoever has one of
// these beside a plain socket has one way for both. What was sealed and the socket does not take stays here, and goes
// first: nobody has to ask for the same bytes again. Thread: the loop's.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "broker/tls/tls.h"

namespace n2nq::tls {

class SealedSocket {
 public:
  // Half of what is safe with AES-GCM (RFC 8446, 5.5).
  static constexpr uint64_t kRecordsOfAKey = 1 << 23;

  // The socket is its owner's, and outlives it. After so many records there is a new key for what is sent.
  SealedSocket(SslPtr ssl, int fd, uint64_t records_of_a_key = kRecordsOfAKey);
  SealedSocket(const SealedSocket&) = delete;
  SealedSocket& operator=(const SealedSocket&) = delete;

  // The handshake, as far as it comes with what is there. 1: it is done; else as receive().
  ssize_t shake();
  bool shaken() const { return SSL_is_init_finished(ssl_.get()) == 1; }
  // Bytes, fewer than there is space for only if there are no more now, or it has ended; 0: the other side has ended
  // it; -1: errno says why, EAGAIN: there are none, EPROTO: fault() says. Shakes hands where that is not done yet.
  ssize_t receive(std::span<uint8_t> space);
  // Whether the last receive() met the end behind the bytes that it returned: no event tells of that again.
  bool end_is_next() const { return end_is_next_; }
  // How many of the bytes are on their way; fewer than all only if the socket is full; -1: errno says why, EAGAIN: it
  // is full, or hands are not shaken yet. Small pieces go into one record.
  ssize_t send(std::span<const iovec> pieces);
  ssize_t send(std::span<const uint8_t> bytes);
  // What the socket did not take before; whether it has taken all.
  bool flush();
  size_t kept() const { return kept_.size() - kept_at_; }  // bytes, as they go to the socket
  // Tells the other side that no more will come.
  void say_end();
  // What was to go out does not: the socket is used without TLS from here on.
  void drop_kept() { kept_.clear(), kept_at_ = 0; }

  const Fault& fault() const { return fault_; }
  long verdict() const;  // of OpenSSL on the other side's certificate
  // At the socket, so that handshakes and encryption are in them; since they were asked for last.
  uint64_t take_sent() { return std::exchange(sent_bytes_, 0); }
  uint64_t take_received() { return std::exchange(received_bytes_, 0); }

 private:
  friend struct SealedBio;
  int put(const uint8_t* data, size_t length);
  int get(uint8_t* data, size_t length);
  ssize_t seal(std::span<const uint8_t> bytes);
  ssize_t why_not(int outcome);

  static constexpr size_t kMostKept = 64 * 1024;
  static constexpr int kMostBare = 32;  // records without content, one after the other

  SslPtr ssl_;
  int fd_;
  uint64_t records_of_a_key_;
  std::vector<uint8_t> kept_;
  size_t kept_at_ = 0;
  Fault fault_;
  int socket_error_ = 0;
  bool saw_end_ = false;  // of the socket
  bool dry_ = false;      // the socket had no more
  int bare_ = 0;
  bool end_is_next_ = false;
  uint64_t sealed_ = 0;  // records
  uint64_t sent_bytes_ = 0;
  uint64_t received_bytes_ = 0;
};

}  // namespace n2nq::tls
