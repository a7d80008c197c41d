#include "workers/control/events.h"

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
  }
  return "?";
}

std::optional<Role> parse_role(const std::string& text) {
  if (text == "broker") return Role::broker;
  if (text == "sender") return Role::sender;
  if (text == "receiver") return Role::receiver;
  return {};
}

std::string to_line(const Ready& ready) {
  OrderedJson object{{"type", "ready"}, {"role", to_text(ready.role)}, {"pid", ready.pid}, {"version", ready.version}};
  if (ready.port) object["port"] = *ready.port;
  if (ready.services > 0) object["first_service"] = ready.first_service;
  if (ready.services > 0) object["services"] = ready.services;
  if (ready.log_dir) object["log_dir"] = *ready.log_dir;
  if (ready.run_id) object["run_id"] = *ready.run_id;
  return to_line(object);
}

std::string to_line(const Joined& joined) {
  return to_line(OrderedJson{{"type", "joined"}, {"joined", joined.joined}, {"services", joined.services}});
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
