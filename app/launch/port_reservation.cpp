#include "app/launch/port_reservation.h"

#include <cerrno>
#include <cstring>

namespace n2nq::launch {

Result<PortReservation> PortReservation::make(const net::Endpoint& wanted) {
  Fd fd(::socket(wanted.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  // The broker sets the same option, which lets it listen on a port that is bound and not listening.
  if (!fd.valid() || ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&wanted.address), wanted.length) != 0)
    return fail("the queue cannot listen at " + wanted.text() + ": " + std::strerror(errno) +
                    "; choose an address of this computer and a free port, or port 0",
                errno);
  const auto endpoint = net::local_endpoint(fd.get());
  if (!endpoint) return std::unexpected(endpoint.error());
  return PortReservation(std::move(fd), *endpoint);
}

}  // namespace n2nq::launch
