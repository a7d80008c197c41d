#include "broker/tls/sealed_socket.h"

#include <openssl/err.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::tls {
namespace {

constexpr size_t kRecord = 16 * 1024;        // the most that one may hold
constexpr size_t kKeptCapacity = 64 * 1024;  // beyond it, what was kept gives its memory back

}  // namespace

// OpenSSL's way to the socket.
struct SealedBio {
  static SealedSocket& of(BIO* bio) { return *static_cast<SealedSocket*>(BIO_get_data(bio)); }

  static int write(BIO* bio, const char* data, int length) {
    BIO_clear_retry_flags(bio);
    return of(bio).put(reinterpret_cast<const uint8_t*>(data), static_cast<size_t>(length));
  }

  static int read(BIO* bio, char* data, int length) {
    BIO_clear_retry_flags(bio);
    const int n = of(bio).get(reinterpret_cast<uint8_t*>(data), static_cast<size_t>(length));
    if (n < 0 && of(bio).socket_error_ == EAGAIN) BIO_set_retry_read(bio);
    return n;
  }

  static long control(BIO* bio, int command, long, void*) {
    if (command == BIO_CTRL_EOF) return of(bio).saw_end_ ? 1 : 0;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
  }

  static BIO* make(SealedSocket& socket) {
    static BIO_METHOD* const method = [] {
      BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
      BIO_meth_set_write(made, write);
      BIO_meth_set_read(made, read);
      BIO_meth_set_ctrl(made, control);
      return made;
    }();
    BIO* bio = BIO_new(method);
    N2NQ_ASSERT(bio != nullptr);
    BIO_set_data(bio, &socket);
    BIO_set_init(bio, 1);
    return bio;
  }
};

SealedSocket::SealedSocket(SslPtr ssl, int fd, uint64_t records_of_a_key)
    : ssl_(std::move(ssl)), fd_(fd), records_of_a_key_(records_of_a_key) {
  // Each record that has no content is seen here, and so how many a peer sends.
  SSL_clear_mode(ssl_.get(), SSL_MODE_AUTO_RETRY);
  BIO* bio = SealedBio::make(*this);
  SSL_set_bio(ssl_.get(), bio, bio);
}

// ---- between OpenSSL and the socket

// Takes all, and keeps what the socket does not: a record that was sealed is sealed for good.
int SealedSocket::put(const uint8_t* data, size_t length) {
  if (kept() > kMostKept) {  // of a peer that asks, and takes no answer
    socket_error_ = ENOBUFS;
    return -1;
  }
  size_t sent = 0;
  while (kept() == 0 && sent < length) {
    const ssize_t n = ::send(fd_, data + sent, length - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) {
      socket_error_ = errno;
      return -1;
    }
    if (n < 0) break;
    sent += static_cast<size_t>(n);
    sent_bytes_ += static_cast<size_t>(n);
  }
  kept_.insert(kept_.end(), data + sent, data + length);
  return static_cast<int>(length);
}

int SealedSocket::get(uint8_t* data, size_t length) {
  ssize_t n = 0;
  do {
    n = ::recv(fd_, data, length, 0);
  } while (n < 0 && errno == EINTR);
  socket_error_ = n < 0 ? errno : 0;
  dry_ = socket_error_ == EAGAIN;
  if (n == 0) saw_end_ = true;
  if (n > 0) received_bytes_ += static_cast<size_t>(n);
  return static_cast<int>(n);
}

bool SealedSocket::flush() {
  while (kept() > 0) {
    const ssize_t n = ::send(fd_, kept_.data() + kept_at_, kept_.size() - kept_at_, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;  // full, or broken: reading tells which, and why
    kept_at_ += static_cast<size_t>(n);
    sent_bytes_ += static_cast<size_t>(n);
  }
  drop_kept();
  if (kept_.capacity() > kKeptCapacity) kept_ = {};
  return true;
}

// ---- the handshake, and bytes

ssize_t SealedSocket::shake() {
  flush();
  ERR_clear_error();
  const int outcome = SSL_do_handshake(ssl_.get());
  return outcome == 1 ? 1 : why_not(outcome);
}

// As recv() returns it, with errno.
ssize_t SealedSocket::why_not(int outcome) {
  const int error = SSL_get_error(ssl_.get(), outcome);
  if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
    errno = EAGAIN;
    return -1;
  }
  if (error == SSL_ERROR_ZERO_RETURN || saw_end_) {
    ERR_clear_error();
    return 0;
  }
  if (error == SSL_ERROR_SYSCALL && socket_error_ != 0) {
    ERR_clear_error();
    errno = socket_error_;
    return -1;
  }
  if (fault_.text.empty()) fault_ = last_fault();
  errno = EPROTO;
  return -1;
}

ssize_t SealedSocket::receive(std::span<uint8_t> space) {
  ERR_clear_error();
  size_t filled = 0;
  end_is_next_ = false;
  while (filled < space.size()) {
    size_t n = 0;
    dry_ = false;
    const int outcome = SSL_read_ex(ssl_.get(), space.data() + filled, space.size() - filled, &n);
    if (outcome == 1) {
      filled += n;
      bare_ = 0;
      continue;
    }
    const ssize_t why = why_not(outcome);
    if (why < 0 && errno == EAGAIN && !dry_) {
      if (++bare_ <= kMostBare) continue;
      fault_.text = "many records without content";
      errno = EPROTO;
    }
    if (filled == 0) return why;
    end_is_next_ = why == 0 || errno != EAGAIN;
    break;
  }
  return static_cast<ssize_t>(filled);
}

ssize_t SealedSocket::seal(std::span<const uint8_t> bytes) {
  size_t n = 0;
  if (++sealed_ % records_of_a_key_ == 0) SSL_key_update(ssl_.get(), SSL_KEY_UPDATE_NOT_REQUESTED);
  const int outcome = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &n);
  if (outcome == 1) return static_cast<ssize_t>(n);
  if (why_not(outcome) == 0) errno = EPIPE;
  return -1;
}

ssize_t SealedSocket::send(std::span<const uint8_t> bytes) {
  const iovec piece{.iov_base = const_cast<uint8_t*>(bytes.data()), .iov_len = bytes.size()};
  return send(std::span(&piece, 1));
}

ssize_t SealedSocket::send(std::span<const iovec> pieces) {
  if (!flush() || !shaken()) {
    errno = EAGAIN;
    return -1;
  }
  ERR_clear_error();
  std::array<uint8_t, kRecord> record;
  ssize_t sent = 0;
  size_t at = 0;  // in the first piece
  while (!pieces.empty() && kept() == 0) {
    size_t filled = 0;
    std::span<const uint8_t> bytes;
    while (!pieces.empty() && filled < kRecord) {
      const std::span whole(static_cast<const uint8_t*>(pieces[0].iov_base), pieces[0].iov_len);
      const auto rest = whole.subspan(at, std::min(whole.size() - at, kRecord - filled));
      at += rest.size();
      if (at == whole.size()) pieces = pieces.subspan(1), at = 0;
      if (filled == 0 && (rest.size() == kRecord || pieces.empty())) {
        bytes = rest;  // without a copy
        break;
      }
      std::copy(rest.begin(), rest.end(), record.begin() + static_cast<ptrdiff_t>(filled));
      filled += rest.size();
      bytes = std::span(record).first(filled);
    }
    if (bytes.empty()) break;
    const ssize_t n = seal(bytes);
    if (n < 0) return sent > 0 ? sent : -1;
    N2NQ_ASSERT(static_cast<size_t>(n) == bytes.size());  // its way to the socket takes all
    sent += n;
  }
  return sent;
}

void SealedSocket::say_end() {
  ERR_clear_error();
  if (shaken()) SSL_shutdown(ssl_.get());
  flush();
}

long SealedSocket::verdict() const {
  return SSL_get_verify_result(ssl_.get());
}

}  // namespace n2nq::tls
