#include "broker/base/clock.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>

#include "broker/base/random.h"

namespace n2nq {
namespace {

uint64_t hash_text(uint64_t hash, std::string_view text) {
  for (const char c : text) hash = mix64(hash ^ static_cast<unsigned char>(c));
  return mix64(hash + text.size());  // the length keeps "ab","c" apart from "a","bc"
}

std::string file_text(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A kernel without time namespaces has no such link, which is as good as everybody sharing one.
std::optional<std::string> time_namespace() {
  char link[128];
  const ssize_t length = readlink("/proc/self/ns/time", link, sizeof link);
  if (length >= 0) return std::string(link, static_cast<size_t>(length));
  if (errno == ENOENT && access("/proc/self/ns", X_OK) == 0) return std::string("none");
  return std::nullopt;
}

std::string_view line_about(std::string_view text, std::string_view key) {
  const size_t begin = text.find(key);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

uint64_t clock_id() {
  const auto space = time_namespace();
  if (!space) return 0;
  return clock_id_from(file_text("/proc/sys/kernel/random/boot_id"), *space, file_text("/proc/self/timens_offsets"));
}

uint64_t clock_id_from(std::string_view boot_id, std::string_view time_namespace, std::string_view offsets) {
  constexpr size_t kUuidLength = 36;
  if (boot_id.size() < kUuidLength || time_namespace.empty()) return 0;
  boot_id = boot_id.substr(0, kUuidLength);
  if (boot_id.find_first_not_of("0-") == std::string_view::npos) return 0;
  uint64_t hash = hash_text(0, boot_id);
  hash = hash_text(hash, time_namespace);
  hash = hash_text(hash, line_about(offsets, "monotonic"));
  return hash == 0 ? 1 : hash;
}

std::string utc_text(int64_t wall_ns, int decimals) {
  using namespace std::chrono;
  const sys_time<nanoseconds> time{nanoseconds{wall_ns}};
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  char second[64];
  std::snprintf(second, sizeof second, "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  char rest[16];
  std::snprintf(rest, sizeof rest, "%09d", static_cast<int>(clock.subseconds().count()));
  return std::string(second) + "." + std::string(rest, static_cast<size_t>(decimals)) + "Z";
}

}  // namespace n2nq
