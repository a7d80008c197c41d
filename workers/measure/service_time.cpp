#include "workers/measure/service_time.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "broker/base/units.h"
#include "workers/measure/exponential.h"
#include "workers/measure/load_shape.h"

namespace n2nq::measure {
namespace {

struct KindRow {
  std::string_view word;
  ServiceTime::Kind kind;
  bool computes;
};
constexpr KindRow kKinds[] = {{"none", ServiceTime::Kind::none, false},
                              {"fixed", ServiceTime::Kind::fixed, false},
                              {"exponential", ServiceTime::Kind::exponential, false},
                              {"busy", ServiceTime::Kind::fixed, true},
                              {"busy-exponential", ServiceTime::Kind::exponential, true}};

// "10us/1KiB"
bool take_piece(std::string_view text, ServiceTime& time) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const auto piece_ns = parse_duration(text.substr(0, slash));
  const auto piece_bytes = parse_size(text.substr(slash + 1));
  if (!piece_ns || !piece_bytes) return false;
  time.piece_ns = *piece_ns;
  time.piece_bytes = *piece_bytes;
  return *piece_ns > 0 && *piece_bytes > 0;
}

std::optional<ServiceTime> read_service_time(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view word = colon == std::string_view::npos ? "fixed" : text.substr(0, colon);
  const auto* row = std::ranges::find(kKinds, word, &KindRow::word);
  if (row == std::end(kKinds) || row->kind == ServiceTime::Kind::none) return std::nullopt;
  ServiceTime time{.kind = row->kind, .computes = row->computes};
  const std::string_view times = colon == std::string_view::npos ? text : text.substr(colon + 1);
  const size_t plus = times.find('+');
  const auto mean_ns = parse_duration(times.substr(0, plus));
  if (!mean_ns || (plus != std::string_view::npos && !take_piece(times.substr(plus + 1), time))) return std::nullopt;
  time.mean_ns = *mean_ns;
  return time;
}

}  // namespace

Result<ServiceTime> parse_service_time(std::string_view text) {
  if (text == "none") return ServiceTime{};
  const auto time = read_service_time(text);
  if (!time)
    return fail("'" + std::string(text) +
                "' is not a service time; write none, fixed:5ms or exponential:5ms, busy:5ms or busy-exponential:5ms "
                "to use a processor, and +10us/1KiB behind it for what depends on the size");
  const bool too_short = time->mean_ns < 1 && !time->by_size();
  if (too_short || std::max(time->mean_ns, time->piece_ns) > kLongestServiceNs)
    return fail("'" + std::string(text) + "' is out of range; a service time is from 1ns to 1h, or none");
  return *time;
}

std::string_view word_of(const ServiceTime& time) {
  for (const KindRow& row : kKinds)
    if (row.kind == time.kind && row.computes == time.computes) return row.word;
  return kKinds[0].word;
}

int64_t ServiceTime::mean_of(uint64_t bytes) const {
  if (!by_size()) return mean_ns;
  const double pieces = static_cast<double>(bytes) / static_cast<double>(piece_bytes);
  const double ns = static_cast<double>(mean_ns) + pieces * static_cast<double>(piece_ns);
  return std::llround(std::min(ns, static_cast<double>(kLongestServiceNs)));
}

int64_t ServiceTimes::next_ns(uint64_t bytes) {
  const int64_t mean_ns = time_.mean_of(bytes);
  return time_.kind == ServiceTime::Kind::exponential ? exponential_ns(mean_ns, random_.next()) : mean_ns;
}

Result<SharedLimit> parse_shared_limit(std::string_view text) {
  using Kind = SharedLimit::Kind;
  if (text == "none") return SharedLimit{};
  if (text.starts_with("pool:")) {
    const auto places = parse_whole(text.substr(5));
    if (places && *places > 0 && *places <= kMostPlaces)
      return SharedLimit{.kind = Kind::pool, .places = static_cast<uint32_t>(*places)};
  } else if (text.starts_with("rate:")) {
    if (const auto per_s = parse_rate(text.substr(5)); per_s && *per_s >= kLeastSharedPerS)
      return SharedLimit{.kind = Kind::rate, .per_s = *per_s};
  }
  return fail("'" + std::string(text) + "' is not a shared limit; write none, pool:4 (up to " +
              std::to_string(kMostPlaces) + ") or rate:200/s (from " + exact_rate(kLeastSharedPerS) + " on)");
}

std::string exact_shared_limit(const SharedLimit& limit) {
  if (limit.kind == SharedLimit::Kind::pool) return "pool:" + std::to_string(limit.places);
  if (limit.kind == SharedLimit::Kind::rate) return "rate:" + exact_rate(limit.per_s);
  return "none";
}

}  // namespace n2nq::measure
