// What the broker is started with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "broker/control/token.h"
#include "broker/net/socket.h"
#include "broker/process/limited.h"
#include "broker/queue/queue.h"
#include "broker/serve/container.h"
#include "broker/serve/recipe.h"

namespace n2nq::server {

struct BrokerOptions {
  std::string listen = "127.0.0.1:7400";
  queue::Settings queue;
  wire::ReplyFrom reply_from = wire::ReplyFrom::one;  // of request-reply
  uint32_t max_message = 1 << 20;                     // bytes of payload
  std::optional<uint32_t> expect_senders;
  std::optional<uint32_t> expect_receivers;
  int64_t assemble_timeout_ns = 60'000'000'000;
  int64_t drain_timeout_ns = 10'000'000'000;
  int64_t stall_timeout_ns = 10'000'000'000;
  bool elsewhere = false;                                // messages travel over another bus
  std::string serve;                                     // whose server is started for the run; empty: none is
  std::vector<std::string> serve_listen{"127.0.0.1:0"};  // as many servers as addresses
  std::map<std::string, std::string> serve_settings{};
  std::optional<serve::Container> container{};  // for that server
  std::optional<serve::Apart> serve_apart{};    // servers alone, of a cluster on several computers; no queue
  bool list_servers = false;                    // nothing else
  process::Limits limits{};                     // of this process
  bool tls = false;                             // connections are encrypted
  std::string tls_certificate;                  // empty: one that is made for the run
  std::string tls_key;
  bool insecure_no_token = false;
  std::string token_file;
  std::string log_dir;
  int64_t telemetry_ns = 0;  // 0: off
  bool controlled = false;
  std::string control;  // address to listen for a controller on
  bool finish_on_control_lost = false;
  bool keep_summary = false;       // in log_dir
  int64_t control_timeout_ns = 0;  // 0: 10 s without a ping; at once at the end of stdin

  bool request_reply() const { return queue.mode == wire::Mode::request_reply; }
  // Every message goes to all receivers; else to one of them.
  bool to_all() const {
    return request_reply() ? reply_from != wire::ReplyFrom::one : queue.mode == wire::Mode::broadcaster;
  }
  // The settings as one line of text, for the log file.
  std::string text() const;
};

// The options, or the exit code with which to end (help, version and usage errors have been printed).
std::variant<BrokerOptions, int> parse_broker_options(int argc, char** argv);

}  // namespace n2nq::server
