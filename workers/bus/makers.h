// How each bus of the table but our own is made. What this program was built without has no way to be made; the list is
// put together by CMakeLists.txt beside this file. Any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "workers/bus/bus.h"

namespace n2nq::bus {

struct Maker {
  std::string_view kind;
  std::string_view option;  // of CMake, with which it is built
  Result<std::unique_ptr<Bus>> (*make)(const BusOptions& options, const LoopParts& parts) = nullptr;
  std::string (*libraries)(const BusOptions& options) = nullptr;  // ", OpenSSL 3.0.15"
};
std::span<const Maker> makers();

}  // namespace n2nq::bus
