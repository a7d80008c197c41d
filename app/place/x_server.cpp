#include "app/place/x_server.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <future>
#include <thread>

#include "broker/base/fd.h"
#include "broker/base/units.h"

namespace n2nq::place {
namespace {

constexpr int kPatienceMs = 5000;
constexpr uint16_t kFirstPort = 6000;

class Socket {
 public:
  explicit Socket(int family) : fd_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {}
  // 0, or errno.
  int connect(const sockaddr* address, socklen_t size) const {
    if (!fd_.valid()) return errno;
    if (::connect(fd_.get(), address, size) == 0) return 0;
    if (errno != EINPROGRESS) return errno;
    if (!wait(POLLOUT)) return ETIMEDOUT;
    int error = 0;
    socklen_t length = sizeof error;
    return ::getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
  }

 private:
  bool wait(short what) const {
    pollfd watched{.fd = fd_.get(), .events = what, .revents = 0};
    int ready = 0;
    do ready = ::poll(&watched, 1, kPatienceMs);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
  }

  Fd fd_;
};

// `abstract`: a name that is in no folder. 0, or errno.
int try_unix(const std::string& path, bool abstract) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const size_t first = abstract ? 1 : 0;
  if (path.size() + first >= sizeof address.sun_path) return ENAMETOOLONG;
  std::memcpy(address.sun_path + first, path.data(), path.size());
  const size_t size = offsetof(sockaddr_un, sun_path) + first + path.size() + (abstract ? 0 : 1);
  const Socket socket(AF_UNIX);
  return socket.connect(reinterpret_cast<const sockaddr*>(&address), static_cast<socklen_t>(size));
}

std::optional<std::string> try_tcp(const XDisplay& display) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(kFirstPort + display.number);
  if (const int error = ::getaddrinfo(display.host.c_str(), port.c_str(), &hints, &found); error != 0)
    return display.host + ": " + ::gai_strerror(error);
  int error = EADDRNOTAVAIL;
  for (const addrinfo* at = found; at != nullptr && error != 0; at = at->ai_next) {
    const Socket socket(at->ai_family);
    error = socket.connect(at->ai_addr, at->ai_addrlen);
  }
  ::freeaddrinfo(found);
  if (error == 0) return std::nullopt;
  return display.host + " port " + port + ": " + std::strerror(error);
}

std::optional<std::string> try_local(const XDisplay& display) {
  const std::string path = "/tmp/.X11-unix/X" + std::to_string(display.number);
  if (try_unix(path, true) == 0) return std::nullopt;
  const int error = try_unix(path, false);
  if (error == 0) return std::nullopt;
  return path + ": " + std::strerror(error);
}

// Keeps libraries from writing to stderr while it lives.
class Silence {
 public:
  Silence() : kept_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
    const Fd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (kept_.valid() && nowhere.valid()) ::dup2(nowhere.get(), STDERR_FILENO);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    if (kept_.valid()) ::dup2(kept_.get(), STDERR_FILENO);
  }

 private:
  Fd kept_;
};

std::optional<std::string> socket_trouble(const std::string& text, const XDisplay& display) {
  if (!display.host.starts_with('/')) return display.host.empty() ? try_local(display) : try_tcp(display);
  const int error = try_unix(text, false);
  return error == 0 ? std::nullopt : std::optional(text + ": " + std::strerror(error));
}

enum class Admission { open, refused, silent };
struct Answer {
  Admission admission = Admission::refused;
  std::shared_ptr<void> connection{};
};

// Asks with the credentials that Qt will show, through the library that Qt uses. May take for ever.
Answer ask(const std::string& display) {
  using Connect = void* (*)(const char*, int*);
  using HasError = int (*)(void*);
  using Disconnect = void (*)(void*);
  void* library = ::dlopen("libxcb.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {};
  const auto connect = reinterpret_cast<Connect>(::dlsym(library, "xcb_connect"));
  const auto has_error = reinterpret_cast<HasError>(::dlsym(library, "xcb_connection_has_error"));
  const auto disconnect = reinterpret_cast<Disconnect>(::dlsym(library, "xcb_disconnect"));
  if (connect == nullptr || has_error == nullptr || disconnect == nullptr) return {};
  std::shared_ptr<void> connection(connect(display.c_str(), nullptr), disconnect);
  if (has_error(connection.get()) != 0) return {};
  return {.admission = Admission::open, .connection = std::move(connection)};
}

// One that takes connections and then says nothing would hold us up for ever: it is left to a thread of its own.
Answer ask_with_patience(const std::string& display) {
  std::promise<Answer> promise;
  std::future<Answer> answer = promise.get_future();
  const Silence silence;
  std::thread([display, promise = std::move(promise)]() mutable { promise.set_value(ask(display)); }).detach();
  if (answer.wait_for(std::chrono::milliseconds(kPatienceMs)) == std::future_status::ready) return answer.get();
  return {.admission = Admission::silent, .connection = {}};
}

}  // namespace

std::optional<XDisplay> parse_display(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  const std::string behind = text.substr(colon + 1);
  const auto number = parse_whole(std::string_view(behind).substr(0, behind.find('.')));
  if (!number || *number > 65535 - kFirstPort) return std::nullopt;
  std::string host = text.substr(0, colon);
  if (host == "unix" || host == "unix/" || host.ends_with("/unix")) host.clear();
  return XDisplay{.host = host, .number = static_cast<uint16_t>(*number)};
}

Result<std::shared_ptr<void>> connect_to_x(const std::string& display) {
  const std::string named = "the display DISPLAY=" + display;
  const auto parts = parse_display(display);
  if (!parts) return fail(named + " is not a display; it should be like :0 or host:10.0");
  // Twice: a server that begins again, since its last client went, drops whoever comes meanwhile. The socket is looked
  // at only then, because a look is a client that comes and goes, too.
  for (int attempt = 1;; attempt++) {
    Answer answer = ask_with_patience(display);
    if (answer.admission == Admission::open) return std::move(answer.connection);
    if (answer.admission == Admission::silent)
      return fail(named + " does not answer (it accepts connections but stays silent)");
    if (const auto trouble = socket_trouble(display, *parts))
      return fail(named + " does not answer (" + *trouble + ")");
    if (attempt == 2) return fail(named + " refuses access (libxcb is missing, or the X authority is unknown)");
  }
}

}  // namespace n2nq::place
