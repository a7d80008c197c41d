#include "app/place/display.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QDir>
#include <QLibraryInfo>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "app/place/x_server.h"
#include "broker/base/fd.h"

namespace n2nq::place {
namespace {

bool has_plugin(const QString& file) {
  const QDir plugins(QLibraryInfo::path(QLibraryInfo::PluginsPath) + "/platforms");
  return !plugins.entryList({file}).isEmpty();
}

std::optional<std::string> wayland_trouble(const std::string& display, const Environment& environment) {
  const std::string path = display.starts_with('/') ? display : environment("XDG_RUNTIME_DIR") + "/" + display;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return "the display WAYLAND_DISPLAY=" + display + " has too long a path";
  std::memcpy(address.sun_path, path.data(), path.size());
  const Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const bool answers =
      fd.valid() && ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int error = errno;
  if (!answers)
    return "the display WAYLAND_DISPLAY=" + display + " does not answer (" + path + ": " + std::strerror(error) + ")";
  if (!has_plugin("libqwayland*"))
    return "the display WAYLAND_DISPLAY=" + display + " needs Qt's Wayland plugin; install qt6-wayland";
  return std::nullopt;
}

}  // namespace

Environment process_environment() {
  return [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
}

Result<Platform> choose_platform(const Environment& environment) {
  const std::string platform = environment("QT_QPA_PLATFORM");
  const bool any = platform.empty();
  const bool wants_x = any || platform.find("xcb") != std::string::npos;
  const bool wants_wayland = any || platform.find("wayland") != std::string::npos;
  if (!wants_x && !wants_wayland) {
    // Qt itself would abort. What follows a colon are options; there may be several names to try.
    for (const QString& name : QString::fromStdString(platform).split(';'))
      if (has_plugin("libq" + name.section(':', 0, 0) + ".so")) return Platform{};
    return fail("QT_QPA_PLATFORM=" + platform + " names a platform that is not installed; unset it");
  }
  const std::string x = environment("DISPLAY");
  const std::string wayland = environment("WAYLAND_DISPLAY");
  std::optional<std::string> trouble;
  if (wants_x && !x.empty()) {
    auto connection = connect_to_x(x);
    if (connection) return Platform{.name = {}, .display = std::move(*connection)};
    trouble = connection.error().text;
  }
  if (wants_wayland && !wayland.empty()) {
    const auto wayland_says = wayland_trouble(wayland, environment);
    if (!wayland_says) return Platform{.name = any ? "wayland" : "", .display = {}};
    if (!trouble) trouble = wayland_says;
  }
  if (trouble) return fail(*trouble);
  if (any) return fail("there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set");
  return fail(std::string("there is no display: ") + (wants_x ? "DISPLAY" : "WAYLAND_DISPLAY") + " is not set");
}

}  // namespace n2nq::place
