#include "workers/control/events.h"

#include <algorithm>
#include <cctype>

#include "broker/base/machine_json.h"
#include "workers/control/json_fields.h"

namespace n2nq::control {

std::string to_text(Role role) {
  switch (role) {
    case Role::broker:
      return "broker";
    case Role::sender:
      return "sender";
    case Role::receiver:
      return "receiver";
    case Role::recorder:
      return "recorder";
  }
  return "?";
}

std::optional<Role> parse_role(const std::string& text) {
  if (text == "broker") return Role::broker;
  if (text == "sender") return Role::sender;
  if (text == "receiver") return Role::receiver;
  if (text == "recorder") return Role::recorder;
  return {};
}

std::string to_line(const Ready& ready) {
  OrderedJson object{{"type", "ready"}, {"role", to_text(ready.role)}, {"pid", ready.pid}, {"version", ready.version}};
  if (ready.port) object["port"] = *ready.port;
  if (ready.services > 0) object["first_service"] = ready.first_service;
  if (ready.services > 0) object["services"] = ready.services;
  if (ready.log_dir) object["log_dir"] = *ready.log_dir;
  if (ready.run_id) object["run_id"] = *ready.run_id;
  if (ready.machine) put_machine(object["machine"], *ready.machine);
  return to_line(object);
}

std::string to_line(const Joined& joined) {
  return to_line(OrderedJson{{"type", "joined"}, {"joined", joined.joined}, {"services", joined.services}});
}

bool is_plausible(const Looked& looked) {
  constexpr int64_t kLongestNs = 3'600'000'000'000;
  constexpr size_t kMostHops = 64;
  constexpr size_t kLongestAddress = 64;
  const auto time = [](int64_t ns) { return ns >= 0 && ns <= kLongestNs; };
  const auto address = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) || c == '.' || c == ':'; };
  if (looked.bandwidth && !time(looked.bandwidth->duration_ns)) return false;
  if (!looked.path) return true;
  return looked.path->hops.size() <= kMostHops && std::ranges::all_of(looked.path->hops, [&](const auto& hop) {
           return hop.address.size() <= kLongestAddress && std::ranges::all_of(hop.address, address) &&
                  time(hop.round_trip_ns.value_or(0));
         });
}

std::string to_line(const Looked& looked) {
  OrderedJson object{{"type", "looked"}};
  if (looked.path) {
    OrderedJson hops = OrderedJson::array();
    for (const PathFigures::Hop& hop : looked.path->hops)
      hops.push_back({{"address", hop.address},
                      {"round_trip_ns", hop.round_trip_ns ? OrderedJson(*hop.round_trip_ns) : OrderedJson(nullptr)}});
    object["path"] = {{"hops", std::move(hops)}, {"reached", looked.path->reached}, {"trouble", looked.path->trouble}};
  }
  if (looked.bandwidth)
    object["bandwidth"] = {{"bytes", looked.bandwidth->bytes},
                           {"duration_ns", looked.bandwidth->duration_ns},
                           {"trouble", looked.bandwidth->trouble}};
  return to_line(object);
}

std::string to_line(const Begin& begin) {
  return to_line(OrderedJson{{"type", "begin"},
                             {"run_id", begin.run_id},
                             {"origin_monotonic_ns", begin.origin_monotonic_ns},
                             {"origin_utc_ns", begin.origin_utc_ns},
                             {"senders", begin.senders},
                             {"receivers", begin.receivers}});
}

std::string to_line(const End& end) {
  return to_line(OrderedJson{{"type", "end"}, {"reason", end.reason}});
}

std::string to_line(const Warning& warning) {
  OrderedJson object{{"type", "warning"}, {"text", warning.text}};
  if (warning.service) object["service"] = *warning.service;
  return to_line(object);
}

std::string to_line(const ErrorReply& error) {
  return to_line(OrderedJson{{"type", "error"}, {"text", error.text}});
}

std::string to_line(const Pong& pong) {
  return to_line(OrderedJson{{"type", "pong"}, {"id", pong.id}, {"monotonic_ns", pong.monotonic_ns}});
}

}  // namespace n2nq::control
