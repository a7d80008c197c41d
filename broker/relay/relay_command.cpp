#include "broker/relay/relay_command.h"

#include <sys/prctl.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "broker/base/exit_code.h"
#include "broker/net/resolve.h"
#include "broker/net/socket.h"
#include "broker/process/command_line.h"
#include "broker/process/program_start.h"
#include "broker/relay/relay.h"

namespace n2nq::relay {
namespace {

constexpr const char* kRelayDescription =
    "n2nq-broker relay: what a server between senders and receivers costs at the least. Copies each message, keeps "
    "none, and promises nothing; for runs over the bus relay (docs/buses/relay.md). Runs until SIGTERM.";

constexpr const char* kRelayFooter = R"(Example:
  n2nq-broker relay --listen 10.0.0.1:7500 --token-file token

Exit codes: 0 ended by a signal, 2 usage, 3 local problem.)";

Result<void> relay_at(const std::string& listen, control::Token token) {
  auto endpoint = net::resolve(listen);
  if (!endpoint) return std::unexpected(endpoint.error());
  auto listener = net::listen_tcp(*endpoint);
  if (!listener) return std::unexpected(listener.error());
  auto local = net::local_endpoint(listener->get());
  if (!local) return std::unexpected(local.error());
  Relay relay(std::move(*listener), std::move(token));
  std::printf("n2nq-relay %s takes connections at %s\n", N2NQ_VERSION, local->text().c_str());
  std::fflush(stdout);
  relay.run();
  std::printf("%s\n", relay.totals().c_str());
  return {};
}

}  // namespace

int run_relay(int argc, char** argv) {
  process::start_program();
  std::string listen = "127.0.0.1:0";
  std::string token_file;
  bool no_token = false;
  process::CommandLine line("n2nq-broker relay", kRelayDescription, kRelayFooter);
  line.option("--listen", "HOST:PORT", listen, "Where to listen; port 0 lets the system choose",
              [&listen](const std::string& text) -> Result<void> {
                listen = text;
                return net::check_endpoint(text);
              });
  line.text("--token-file", token_file, "FILE", "The token that clients must show");
  line.flag("--insecure-no-token", no_token, "Let everybody in who can reach the port");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (token_file.empty() && !no_token)
    return line.usage_error("no token: give --token-file FILE, or --insecure-no-token to let everybody in");

  ::prctl(PR_SET_NAME, "n2nq-relay");
  net::raise_descriptor_limit(uint64_t{1} << 17);
  auto ran = [&]() -> Result<void> {
    if (token_file.empty()) return relay_at(listen, {});
    auto token = control::Token::read_file(token_file);
    return token ? relay_at(listen, std::move(*token)) : std::unexpected(token.error());
  }();
  if (ran) return static_cast<int>(ExitCode::complete);
  std::fprintf(stderr, "n2nq-relay: %s\n", ran.error().text.c_str());
  return static_cast<int>(ExitCode::local_trouble);
}

}  // namespace n2nq::relay
