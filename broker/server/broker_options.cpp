#include "broker/server/broker_options.h"

#include <sstream>

#include "broker/base/units.h"
#include "broker/net/resolve.h"
#include "broker/process/command_line.h"
#include "broker/serve/recipe.h"

namespace n2nq::server {
namespace {

constexpr const char* kDescription =
    "n2nq-broker: the queue of N2NQ Bench. Accepts messages from senders and passes them to receivers; ends after one "
    "run.";

constexpr const char* kFooter = R"(Example, from three shells in any order:
  n2nq-broker   --listen 127.0.0.1:7400 --mode broadcaster --retention 5s --insecure-no-token
  n2nq-receiver --broker 127.0.0.1:7400 --count 10 --log-dir out
  n2nq-sender   --broker 127.0.0.1:7400 --count 10 --messages 50 --size 50B --delay 100ms --log-dir out

Durations: 250us, 500ms, 2s, 1min. Sizes: 50B, 4KiB (1024), 4kB (1000).
The first line on stdout reports the port, the last one is the summary; both are JSON.
Exit codes: 0 complete, 1 something lost or unsent, 2 usage, 3 local problem, 4 not everyone joined.)";

Result<std::optional<uint32_t>> parse_retention(const std::string& text) {
  if (text == "until-collected") return std::optional<uint32_t>();
  auto ns = parse_duration(text);
  if (!ns) return fail(ns.error().text + ", or until-collected");
  const int64_t ms = (*ns + 999'999) / 1'000'000;
  if (ms < 1 || ms > 40ll * 24 * 3600 * 1000) return fail("'" + text + "' is out of range; write 1ms to 40 days");
  return std::optional<uint32_t>(static_cast<uint32_t>(ms));
}

Result<uint16_t> parse_port(const std::string& text) {
  const auto port = parse_whole(text);
  if (!port || *port == 0 || *port > 65535) return fail("'" + text + "' is no port from 1 to 65535");
  return static_cast<uint16_t>(*port);
}

Result<serve::Apart> parse_apart(const std::string& text) {
  std::istringstream words(text);
  serve::Apart apart;
  std::getline(words, apart.address, ',');
  if (auto good = net::check_endpoint(apart.address); !good) return std::unexpected(good.error());
  const auto common = parse_port(apart.address.substr(apart.address.rfind(':') + 1));
  if (!common) return std::unexpected(common.error());
  apart.common_port = *common;
  std::string word;
  if (std::getline(words, word, ',')) {
    const auto first = parse_port(word.substr(0, word.find('-'))), last = parse_port(word.substr(word.find('-') + 1));
    if (!first || !last || *first > *last || word.find('-') == std::string::npos)
      return fail("'" + word + "' is no range of ports; write FIRST-LAST, such as 7400-7500");
    apart.first_port = *first;
    apart.last_port = *last;
  }
  while (std::getline(words, word, ',')) {
    const auto port = parse_port(word);
    if (!port) return std::unexpected(port.error());
    apart.taken.push_back(*port);
  }
  return apart;
}

void add_queue_options(process::CommandLine& line, BrokerOptions& options, std::string& retention) {
  using queue::Policy;
  line.heading("The queue");
  line.choice<wire::Mode>("--mode", options.queue.mode,
                          {{"broadcaster", wire::Mode::broadcaster},
                           {"load-balancer", wire::Mode::load_balancer},
                           {"request-reply", wire::Mode::request_reply}},
                          "Every message to every receiver, to exactly one, or as a request that is replied to");
  line.choice<wire::ReplyFrom>(
      "--reply-from", options.reply_from,
      {{"one", wire::ReplyFrom::one}, {"first", wire::ReplyFrom::first}, {"all", wire::ReplyFrom::all}},
      "Request-reply: each request to one receiver, to all and the first reply counts, or to all and every reply "
      "counts");
  line.choice<Policy>("--policy", options.queue.policy,
                      {{"random", Policy::random},
                       {"round-robin", Policy::round_robin},
                       {"least-outstanding", Policy::least_outstanding}},
                      "Load balancer, and request-reply from one: who gets the next message (without responses "
                      "least-outstanding means fewest unsent)");
  line.flag(
      "--elsewhere", options.elsewhere,
      "Messages travel over another bus: bring senders and receivers together, begin and end the run, carry none");
  line.option(
      "--serve", "KIND", "",
      "With --elsewhere: start a server of this kind for the run, and end it with the run: " + serve::recipe_names(),
      [&options](const std::string& text) -> Result<void> {
        options.serve = text;
        if (serve::find_recipe(text) == nullptr)
          return fail("'" + text + "' is no server that can be started; write " + serve::recipe_names());
        return {};
      });
  line.option("--serve-listen", "HOST:PORT,...", options.serve_listen.front(),
              "Where that server listens; port 0 lets the system choose. Several addresses: as many servers, as a "
              "cluster",
              [&options](const std::string& text) -> Result<void> {
                options.serve_listen.clear();
                std::istringstream words(text + ",");
                for (std::string one; std::getline(words, one, ',');) {
                  if (auto good = net::check_endpoint(one); !good) return good;
                  options.serve_listen.push_back(one);
                }
                return {};
              });
  line.settings("--serve-set", options.serve_settings, "Settings of that server (docs/buses.md, docs/buses/)");
  line.option(
      "--serve-apart", "HOST:PORT[,FIRST-LAST[,PORT...]]", "",
      "Servers alone and no queue, of a cluster on several computers: where those elsewhere reach these, with a "
      "port that none has for itself on any of them; among which ports, and which of those are not free; waits "
      "to be told who else there is (docs/control.md)",
      [&options](const std::string& text) -> Result<void> {
        auto apart = parse_apart(text);
        if (!apart) return std::unexpected(apart.error());
        options.serve_apart = std::move(*apart);
        return {};
      });
  line.flag("--list-servers", options.list_servers,
            "Print which of these servers are installed here, a line of JSON each, and exit");
  line.option("--retention", "DURATION|until-collected", "5s; load balancer and request-reply: until-collected",
              "How long a message is kept at most", [&retention](const std::string& text) -> Result<void> {
                if (auto parsed = parse_retention(text); !parsed) return std::unexpected(parsed.error());
                retention = text;
                return {};
              });
  line.option("--max-memory", "SIZE", format_size(options.queue.max_memory),
              "Bound for kept messages (requests and replies each), beyond it senders have to wait; at least four "
              "times --max-message and some",
              [&options](const std::string& text) -> Result<void> {
                auto size = parse_size_between(text, 2 << 20, uint64_t{1} << 40);
                if (!size) return std::unexpected(size.error());
                options.queue.max_memory = *size;
                return {};
              });
  line.option("--max-message", "SIZE", format_size(options.max_message), "Largest payload",
              [&options](const std::string& text) -> Result<void> {
                auto size = parse_size_between(text, 1, 64 << 20);
                if (!size) return std::unexpected(size.error());
                options.max_message = static_cast<uint32_t>(*size);
                return {};
              });
  line.whole("--tries", options.queue.tries, 1, 255,
             "With responses: deliveries of a message before it counts as undeliverable");
  line.whole("--response-window", options.queue.response_window, 1, 1 << 20,
             "With responses: deliveries a receiver may leave unanswered");
  line.option("--take-over", "DURATION|never", "never",
              "With responses, where a message goes to one receiver: what one has not answered for so long goes to "
              "another, looked for every 100ms",
              [&options](const std::string& text) -> Result<void> {
                options.queue.take_over_ms.reset();
                if (text == "never") return {};
                auto ns = parse_duration(text);
                if (!ns) return fail(ns.error().text + ", or never");
                if (*ns < 100'000'000 || *ns > 3600'000'000'000)
                  return fail("'" + text + "' is out of range; write 100ms to 1h, or never");
                options.queue.take_over_ms = static_cast<uint32_t>(*ns / 1'000'000);
                return {};
              });
  line.whole("--seed", options.queue.seed, 0, ~uint64_t{0}, "Of the random policy, so that a run can be repeated");
}

void add_run_options(process::CommandLine& line, BrokerOptions& options) {
  auto expect = [&line](const char* name, std::optional<uint32_t>& value, const char* help) {
    line.option(name, "N", "", help, [&value](const std::string& text) -> Result<void> {
      auto number = parse_whole(text);
      if (!number || *number == 0 || *number > 1'000'000)
        return fail("'" + text + "' is out of range; write 1 to 1000000");
      value = static_cast<uint32_t>(*number);
      return {};
    });
  };
  line.heading("Begin and end of the run");
  expect("--expect-senders", options.expect_senders,
         "Begin once this many senders are here, however many fleets they are");
  expect("--expect-receivers", options.expect_receivers, "The same for receivers");
  line.duration("--assemble-timeout", options.assemble_timeout_ns,
                "After the first join: give up, naming who is missing (0 = wait for ever)");
  line.duration("--drain-timeout", options.drain_timeout_ns,
                "After the last sender: how long nothing may move before the rest counts as undeliverable");
  line.duration("--stall-timeout", options.stall_timeout_ns,
                "Drop a receiver that takes no owed byte, or gives no answer, for this long");
}

void add_process_options(process::CommandLine& line, BrokerOptions& options) {
  line.heading("Who may come, and where");
  line.option("--listen", "HOST:PORT", options.listen, "Where to listen; port 0 lets the system choose",
              [&options](const std::string& text) -> Result<void> {
                options.listen = text;
                return net::check_endpoint(text);
              });
  line.text("--token-file", options.token_file, "FILE", "The run token that clients must show");
  line.flag("--tls", options.tls,
            "Encrypt connections (TLS 1.3), by a certificate made for the run unless one is given; the first line on "
            "stdout has its fingerprint");
  line.text("--tls-certificate", options.tls_certificate, "FILE", "With --tls: the certificate, PEM");
  line.text("--tls-key", options.tls_key, "FILE", "With --tls-certificate: its private key, PEM");
  line.flag("--insecure-no-token", options.insecure_no_token, "Let everybody in who can reach the port");
  line.heading("Reports and control");
  line.text("--log-dir", options.log_dir, "DIR", "Write broker.log there");
  line.option("--telemetry", "DURATION|off", "off", "Print counters this often",
              [&options](const std::string& text) -> Result<void> {
                options.telemetry_ns = 0;
                if (text == "off") return {};
                auto ns = parse_duration(text);
                if (!ns) return fail(ns.error().text + ", or off");
                if (*ns < 10'000'000) return fail("'" + text + "' is too often; write 10ms or more");
                options.telemetry_ns = *ns;
                return {};
              });
  line.flag("--controlled", options.controlled,
            "Take commands on stdin (docs/control.md); the first carries the token");
  line.text("--control", options.control, "HOST:PORT", "Take commands on a TCP port; needs --token-file");
  line.choice<bool>("--on-control-lost", options.finish_on_control_lost, {{"stop", false}, {"finish", true}},
                    "What to do when the controller is gone");
  line.duration("--control-timeout", options.control_timeout_ns,
                "How long pings may be missing, and how long to run on after stdin ends; 0 = 10s, and not at all");
  line.flag("--keep-summary", options.keep_summary,
            "Leave the summary in --log-dir too (broker.summary.json), for whoever reaches this computer later");
}

}  // namespace

std::variant<BrokerOptions, int> parse_broker_options(int argc, char** argv) {
  BrokerOptions options;
  std::string retention;
  process::CommandLine line("n2nq-broker", kDescription, kFooter);
  add_queue_options(line, options, retention);
  add_run_options(line, options);
  add_process_options(line, options);
  process::add_limit_options(line, options.limits);
  if (const auto code = line.parse(argc, argv)) return *code;
  if (options.list_servers) return options;

  if (!retention.empty())
    options.queue.retention_ms = *parse_retention(retention);
  else if (options.queue.mode == wire::Mode::broadcaster)
    options.queue.retention_ms = 5000;
  options.queue.max_frame =
      options.max_message +
      static_cast<uint32_t>(options.request_reply() ? wire::kReplyHeaderBytes : wire::kDataHeaderBytes);
  const uint64_t least = queue::Store::least_max_bytes(options.queue.max_frame);
  if (options.queue.max_memory < least)
    return line.usage_error("--max-memory " + format_size(options.queue.max_memory) +
                            " is too little for --max-message " + format_size(options.max_message) + "; set at least " +
                            format_size(least + (1 << 20)));
  if (!options.insecure_no_token && options.token_file.empty() && !options.controlled)
    return line.usage_error("no token: give --token-file FILE, or --insecure-no-token to let everybody in");
  if (options.tls_certificate.empty() != options.tls_key.empty())
    return line.usage_error("--tls-certificate and --tls-key belong together; give both, or neither");
  if (!options.tls && !options.tls_key.empty())
    return line.usage_error("--tls-certificate is for encrypted connections; give --tls too");
  if (!options.serve.empty() && !options.elsewhere)
    return line.usage_error("--serve starts the server of another bus; give --elsewhere too");
  if (!options.serve.empty() && options.limits.any())
    return line.usage_error("--cpus and --memory are limits of the queue; those of a server stand in --serve-set");
  if (options.serve.empty() && !options.serve_settings.empty())
    return line.usage_error("--serve-set is for a server that is started; give --serve too");
  if (const serve::Recipe* recipe = serve::find_recipe(options.serve); recipe != nullptr) {
    if (!recipe->in_image.empty()) {
      auto container = serve::take_container(options.serve_settings);
      if (!container) return line.usage_error("--serve-set: " + container.error().text);
      options.container = std::move(*container);
    }
    if (auto good = recipe->check(options.serve_settings); !good)
      return line.usage_error("--serve-set: " + good.error().text);
    if (options.serve_listen.size() > 1 && !recipe->forms_clusters)
      return line.usage_error("--serve-listen: servers of " + std::string(recipe->title) +
                              " are not started as a cluster; give one address");
  }
  if (options.serve_apart && (options.serve.empty() || !options.controlled))
    return line.usage_error("--serve-apart is for servers of a controller; give --serve and --controlled too");
  if (options.keep_summary && options.log_dir.empty())
    return line.usage_error("--keep-summary needs --log-dir, where it is left");
  if (!options.control.empty() && options.token_file.empty())
    return line.usage_error("--control needs --token-file FILE");
  if (options.controlled && !options.control.empty())
    return line.usage_error("--controlled and --control exclude each other");
  if (options.stall_timeout_ns < 100'000'000)
    return line.usage_error("--stall-timeout is too short; give 100ms or more");
  if (options.queue.take_over_ms && options.to_all())
    return line.usage_error(
        "--take-over is for modes in which a message goes to one receiver: load-balancer, and "
        "request-reply with --reply-from one");
  if (options.queue.take_over_ms && options.queue.tries < 2)
    return line.usage_error("--take-over needs --tries of 2 or more: the last try stays with its receiver");
  if (options.queue.take_over_ms && int64_t{*options.queue.take_over_ms} * 1'000'000 >= options.stall_timeout_ns)
    return line.usage_error("--take-over has to be shorter than --stall-timeout, which drops whoever gives no answer");
  return options;
}

std::string BrokerOptions::text() const {
  const char* policies[] = {"random", "round-robin", "least-outstanding"};
  std::string out = "listen=" + listen;
  const char* modes[] = {"broadcaster", "load-balancer", "request-reply"};
  out += std::string(" mode=") + modes[static_cast<int>(queue.mode) - 1];
  if (request_reply()) out += std::string(" reply-from=") + wire::name(reply_from);
  if (!to_all()) out += std::string(" policy=") + policies[static_cast<int>(queue.policy)];
  if (elsewhere) out += " elsewhere";
  if (!serve.empty()) {
    out += " serve=" + serve + " serve-listen=";
    for (const std::string& one : serve_listen) out += (&one == &serve_listen.front() ? "" : ",") + one;
    if (serve_apart) out += " serve-apart=" + serve_apart->address;
    if (container) out += " image=" + container->image;
  }
  out += " retention=" +
         (queue.retention_ms ? format_duration(int64_t{*queue.retention_ms} * 1'000'000) : "until-collected");
  out += " max-memory=" + format_size(queue.max_memory) + " max-message=" + format_size(max_message);
  out += " tries=" + std::to_string(queue.tries) + " response-window=" + std::to_string(queue.response_window);
  if (queue.take_over_ms) out += " take-over=" + format_duration(int64_t{*queue.take_over_ms} * 1'000'000);
  out += " seed=" + std::to_string(queue.seed);
  if (expect_senders) out += " expect-senders=" + std::to_string(*expect_senders);
  if (expect_receivers) out += " expect-receivers=" + std::to_string(*expect_receivers);
  out += " assemble-timeout=" + format_duration(assemble_timeout_ns) +
         " drain-timeout=" + format_duration(drain_timeout_ns) + " stall-timeout=" + format_duration(stall_timeout_ns);
  if (tls) out += tls_certificate.empty() ? " tls=made-for-run" : " tls=" + tls_certificate;
  out += insecure_no_token ? " token=none" : " token=required";
  return out;
}

}  // namespace n2nq::server
