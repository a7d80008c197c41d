#include "app/ssh/reach.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "broker/net/resolve.h"

namespace n2nq::ssh {
namespace {

using Clock = std::chrono::steady_clock;

// The answer of a name server, which may come when nothing waits for it any more.
struct Answer {
  remote::Wake come;
  std::mutex mutex;
  std::optional<Result<net::Endpoint>> endpoint;  // guarded by mutex
};

// True: `fd` is ready. False: the time is over, or it was aborted.
bool wait_for(int fd, short events, Clock::time_point until, const remote::Wake& wake,
              const std::function<bool()>& aborted) {
  while (!aborted()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    pollfd fds[2] = {{.fd = fd, .events = events, .revents = 0}, {.fd = wake.fd(), .events = POLLIN, .revents = 0}};
    ::poll(fds, 2, static_cast<int>(std::min<long long>(left, 60'000)));
    if (fds[0].revents != 0) return true;
    if (fds[1].revents != 0) wake.clear();
  }
  return false;
}

Result<net::Endpoint> look_up(const std::string& text, bool literal, Clock::time_point until, const remote::Wake& wake,
                              const std::function<bool()>& aborted) {
  if (literal) return net::resolve(text, 0);
  const auto answer = std::make_shared<Answer>();
  if (!answer->come.valid()) return fail(remote::kNoFiles);
  std::thread([answer, text] {
    auto endpoint = net::resolve(text);
    const std::lock_guard lock(answer->mutex);
    answer->endpoint = std::move(endpoint);
    answer->come.wake();
  }).detach();
  if (!wait_for(answer->come.fd(), POLLIN, until, wake, aborted)) return fail("no name server answers for " + text);
  const std::lock_guard lock(answer->mutex);
  return *answer->endpoint;
}

std::string why(int error, const std::string& place) {
  switch (error) {
    case ECONNREFUSED:
      return "nobody listens at " + place + "; is sshd running there, and is the port right?";
    case EHOSTUNREACH:
    case ENETUNREACH:
      return "there is no way to " + place + ": " + std::strerror(error) + "; is it in another network, or off?";
    default:
      return place + " cannot be reached: " + std::strerror(error);
  }
}

}  // namespace

Result<Fd> reach(const std::string& address, uint16_t port, std::chrono::milliseconds timeout, const remote::Wake& wake,
                 const std::function<bool()>& aborted) {
  const auto until = Clock::now() + timeout;
  const bool v6 = address.find(':') != std::string::npos;
  const bool literal = v6 || address.find_first_not_of("0123456789.") == std::string::npos;
  const std::string place = address + " port " + std::to_string(port);
  const auto endpoint =
      look_up((v6 ? "[" + address + "]" : address) + ":" + std::to_string(port), literal, until, wake, aborted);
  if (!endpoint) return std::unexpected(endpoint.error());

  Fd fd(::socket(endpoint->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return fail(why(errno, place), errno);
  const int on = 1;
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&endpoint->address), endpoint->length) != 0 &&
      errno != EINPROGRESS)
    return fail(why(errno, place), errno);
  if (!wait_for(fd.get(), POLLOUT, until, wake, aborted))
    return fail("no answer from " + place + " within " + std::to_string(timeout.count() / 1000) +
                    " s; is it on, and does the network let the connection through?",
                ETIMEDOUT);
  int error = 0;
  socklen_t length = sizeof error;
  ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &length);
  if (error != 0) return fail(why(error, place), error);
  return fd;
}

}  // namespace n2nq::ssh
