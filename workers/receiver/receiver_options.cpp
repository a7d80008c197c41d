#include "workers/receiver/receiver_options.h"

#include "broker/wire/filter.h"

namespace n2nq::receiver {
namespace {

constexpr uint64_t kLargestReply = uint64_t{1} << 30;

constexpr const char* kFooter = R"(
Example: ten receivers that ask for five messages at a time from the first three senders only, and confirm each:
  n2nq-broker   --listen 127.0.0.1:7400 --mode broadcaster --insecure-no-token
  n2nq-receiver --broker 127.0.0.1:7400 --count 10 --requests 5 --filter 'senders=1..3' --responses --log-dir out
  n2nq-sender   --broker 127.0.0.1:7400 --count 10
The three can be started in any order; each ends by itself and prints a summary as its last line.

Filters: senders=1..5,9;size=10B..1KiB;index=1..100 in any combination, bounds inclusive; senders=self gives receiver k
the messages of sender k.
Exit codes: 0 complete, 1 ended with something lost, 2 usage, 3 local problem, 4 could not join, 5 broker lost.
SIGTERM or Ctrl-C: accept what is in flight, leave the run, end.)";

}  // namespace

std::optional<int> parse(int argc, char** argv, ReceiverOptions& options) {
  process::CommandLine line(
      "n2nq-receiver",
      "A fleet of receivers for N2NQ Bench: each receives messages from the bus, checks and times them.", kFooter);
  line.heading("Requests and responses");
  line.flag("--responses", options.responses, "Confirm every message, or refuse it if its checksum does not match");
  line.option("--requests", "N", "",
              "Request N messages, and the next N once they have arrived; without it messages are pushed",
              [&](const std::string& given) -> Result<void> {
                const auto number = parse_whole(given);
                if (!number || *number == 0 || *number > (uint64_t{1} << 62))
                  return fail("'" + given + "' is out of range; write a whole number from 1");
                options.requests = *number;
                return {};
              });
  line.option("--filter", "FILTER", "", "Which messages to request; needs --requests",
              [&](const std::string& given) -> Result<void> {
                options.filter = given;
                if (auto filter = wire::parse_filter(given, 1); !filter) return std::unexpected(filter.error());
                return {};
              });
  line.heading("Service");
  line.option(
      "--service-time", "none|KIND:DURATION[+DURATION/SIZE]", "none",
      "How long it works on each message before it responds, requests more and continues with the next; KIND is "
      "fixed or exponential, or busy or busy-exponential, which use so much of a processor",
      [&](const std::string& given) -> Result<void> {
        const auto time = measure::parse_service_time(given);
        if (!time) return std::unexpected(time.error());
        options.service_time = *time;
        return {};
      });
  line.option("--shared-limit", "none|pool:N|rate:N/s", "none",
              "What the receivers of this process share: no more than N work on a message at a time, or begin to in a "
              "second; needs --service-time",
              [&](const std::string& given) -> Result<void> {
                const auto limit = measure::parse_shared_limit(given);
                if (!limit) return std::unexpected(limit.error());
                options.shared_limit = *limit;
                return {};
              });
  line.option("--reply-size", "SIZE|FROM..TO", "none",
              "Request-reply: reply to each message, once it has been worked on, with so much; needs a broker with "
              "--mode request-reply",
              [&](const std::string& given) -> Result<void> {
                const auto size = parse_size_range(given);
                if (!size) return std::unexpected(size.error());
                if (size->max > kLargestReply)
                  return fail("'" + given + "': a reply of more than 1GiB is beyond the protocol");
                options.reply_size = *size;
                return {};
              });
  line.option("--away", "NUMBERS", "none",
              "Receivers that are not there when the run begins, such as 2-4,7: each comes when it is told to; only "
              "where a message goes to one receiver",
              [&](const std::string& given) -> Result<void> {
                const auto services = control::parse_services(given);
                if (!services) return std::unexpected(services.error());
                options.away = *services;
                return {};
              });
  line.whole("--seed", options.seed, 0, UINT64_MAX,
             "Seed of exponential service times and of replies: same seed, same times and contents");
  fleet::add_options(line, options, "receiver");
  if (auto code = line.parse(argc, argv)) return code;
  if (auto valid = fleet::check(options); !valid) return line.usage_error(valid.error().text);
  if (!options.filter.empty() && !options.pulls())
    return line.usage_error("--filter needs --requests: only requested messages can be filtered; add --requests 1");
  if (options.shared_limit.exists() && !options.service_time.exists())
    return line.usage_error("--shared-limit needs --service-time: without one no receiver works on a message");
  if (options.reply_size && (options.responses || options.pulls()))
    return line.usage_error(
        "--reply-size excludes --responses and --requests: a reply is what confirms a request, and requests come "
        "unasked");
  return std::nullopt;
}

}  // namespace n2nq::receiver
