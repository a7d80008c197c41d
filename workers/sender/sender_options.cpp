#include "workers/sender/sender_options.h"

namespace n2nq::sender {
namespace {

constexpr uint64_t kLargestMessage = 1024 * 1024 * 1024;

constexpr const char* kFooter = R"(
Example: ten senders of 50 messages each, one every 100 ms, with a log file each:
  n2nq-broker   --listen 127.0.0.1:7400 --mode broadcaster --insecure-no-token
  n2nq-receiver --broker 127.0.0.1:7400 --count 10
  n2nq-sender   --broker 127.0.0.1:7400 --count 10 --messages 50 --size 50B --delay 100ms --log-dir out
The three can be started in any order; each ends by itself and prints a summary as its last line.

Units: ns us ms s min h; B kB KiB MB MiB (kB = 1000, KiB = 1024).
Exit codes: 0 complete, 1 ended with something lost or unsent, 2 usage, 3 local problem, 4 could not join, 5 broker lost.
SIGTERM or Ctrl-C: stop sending, wait until the broker has everything sent, end.)";

Result<void> check_messages(const process::CommandLine& line, const SenderOptions& options) {
  if (line.given("--messages") && line.given("--duration"))
    return fail("--messages and --duration exclude each other; use only one");
  for (const char* other : {"--messages", "--duration", "--delay"})
    if (options.shape.exists() && line.given(other))
      return fail(std::string(other) + " and --shape exclude each other: a shape has its own rate and length");
  if (line.given("--duration") && options.duration_ns == 0)
    return fail("--duration: must be above 0; write it like 30s");
  if (options.size.max > kLargestMessage) return fail("--size: a message of more than 1GiB is beyond the protocol");
  if (options.phase_of > 0 && uint64_t{options.first} + options.count - 1 > options.phase_of)
    return fail("--phase-of: this fleet has sender " + std::to_string(options.first + options.count - 1) +
                "; set the number of the last sender or more");
  return {};
}

}  // namespace

std::optional<int> parse(int argc, char** argv, SenderOptions& options) {
  process::CommandLine line("n2nq-sender",
                            "A fleet of senders for N2NQ Bench: each sends messages over the bus on an exact schedule.",
                            kFooter);
  line.heading("Messages");
  line.whole("--messages", options.messages, 0, uint64_t{1} << 48, "Number of messages each sender sends");
  line.duration("--duration", options.duration_ns, "How long to send, instead of --messages");
  line.size_range("--size", options.size, "Payload of a message, fixed or random within a range");
  line.duration("--delay", options.delay_ns,
                "Time between two messages of a sender; 0 = as fast as the bus accepts them");
  line.choice("--pacing", options.pacing, {{"fixed", measure::Pacing::fixed}, {"poisson", measure::Pacing::poisson}},
              "All delays equal, or exponentially distributed around --delay (then there are no phases)");
  line.option("--shape", "SHAPE", measure::exact_shape(options.shape),
              "Load of all senders together over time, instead of --messages, --duration and --delay: ramp "
              "100/s..5000/s over 30s; steps, spike, burst",
              [&options](const std::string& text) -> Result<void> {
                auto shape = measure::parse_shape(text);
                if (!shape) return std::unexpected(shape.error());
                if (const auto problems = measure::problems_of(*shape); !problems.empty())
                  return fail(problems.front().part + " " + problems.front().text);
                options.shape = *shape;
                return {};
              });
  line.choice("--phase", options.phase,
              {{"even", measure::PhaseKind::even},
               {"together", measure::PhaseKind::together},
               {"random", measure::PhaseKind::random}},
              "How the senders are staggered within the delay");
  line.whole(
      "--phase-of", options.phase_of, 0, 4'000'000'000,
      "How many senders are staggered together, numbered from 1, when several fleets form one; 0 = this fleet alone");
  line.option("--payload", "random|repeated|text N%", measure::exact_payload(options.payload),
              "Content of messages: random letters, one letter, or text that compresses to N % of its size",
              [&options](const std::string& text) -> Result<void> {
                auto payload = measure::parse_payload(text);
                if (!payload) return std::unexpected(payload.error());
                options.payload = *payload;
                return {};
              });
  line.whole("--seed", options.seed, 0, UINT64_MAX,
             "Seed of sizes, contents, random phases and delays: same seed, same run");
  fleet::add_options(line, options, "sender");
  if (auto code = line.parse(argc, argv)) return code;
  if (auto valid = fleet::check(options); !valid) return line.usage_error(valid.error().text);
  if (auto valid = check_messages(line, options); !valid) return line.usage_error(valid.error().text);
  return std::nullopt;
}

}  // namespace n2nq::sender
