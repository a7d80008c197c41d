#include "workers/bus/kafka/kafka_sockets.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace n2nq::bus {
namespace {

LinkCounters over(int fd) {
  tcp_info info{};
  socklen_t length = sizeof info;
  if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return {};
  return {.sent_bytes = info.tcpi_bytes_sent - info.tcpi_bytes_retrans, .received_bytes = info.tcpi_bytes_received};
}

}  // namespace

int KafkaSockets::open(int domain, int type, int protocol, const net::SocketWishes& wishes) {
  const int fd = ::socket(domain, type | SOCK_CLOEXEC, protocol);
  if (fd < 0) return fd;
  net::apply(wishes, fd);
  // Where its connection is to lead is not known yet: one that cannot be opened from there is tried from the next.
  if (wishes.ports != nullptr && !net::leave_from_any(fd, static_cast<sa_family_t>(domain), *wishes.ports)) {
    ::close(fd);
    errno = EADDRNOTAVAIL;
    return -1;
  }
  const std::lock_guard lock(mutex_);
  open_.push_back(fd);
  closed_.connections++;
  return fd;
}

int KafkaSockets::close(int fd) {
  const std::lock_guard lock(mutex_);
  closed_ += over(fd);
  std::erase(open_, fd);
  return ::close(fd);
}

LinkCounters KafkaSockets::counters() const {
  const std::lock_guard lock(mutex_);
  LinkCounters all = closed_;
  for (const int fd : open_) all += over(fd);
  return all;
}

int KafkaSockets::any() const {
  const std::lock_guard lock(mutex_);
  return open_.empty() ? -1 : open_.back();
}

}  // namespace n2nq::bus
