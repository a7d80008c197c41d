// Whether a window can be shown at all. Asked before a QApplication is made, since that ends the program where it
// cannot, and before other threads are there.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "broker/base/result.h"

namespace n2nq::place {

using Environment = std::function<std::string(const char* name)>;  // "" where it is not set
Environment process_environment();

struct Platform {
  std::string name{};               // what QT_QPA_PLATFORM should be; empty: as it is
  std::shared_ptr<void> display{};  // to be held until the application is made; see connect_to_x
};
// The error says in words why no window can be shown: "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is
// set". May take some seconds where a display does not answer.
Result<Platform> choose_platform(const Environment& environment);

}  // namespace n2nq::place
