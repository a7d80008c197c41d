#include "workers/sender/sender_options.h"

#include <unistd.h>

#include <cerrno>

namespace n2nq::sender {
namespace {

constexpr uint64_t kLargestMessage = 1024 * 1024 * 1024;
constexpr int64_t kShortestTimeout = 1'000'000;
constexpr int64_t kLongestTimeout = 3'600'000'000'000;
constexpr uint32_t kMostOutstanding = 1'000'000;

constexpr const char* kFooter = R"(
Example: ten senders of 50 messages each, one every 100 ms, with a log file each:
  n2nq-broker   --listen 127.0.0.1:7400 --mode broadcaster --insecure-no-token
  n2nq-receiver --broker 127.0.0.1:7400 --count 10
  n2nq-sender   --broker 127.0.0.1:7400 --count 10 --messages 50 --size 50B --delay 100ms --log-dir out
The three can be started in any order; each ends by itself and prints a summary as its last line.

Units: ns us ms s min h; B kB KiB MB MiB (kB = 1000, KiB = 1024).
Exit codes: 0 complete, 1 ended with something lost or unsent, 2 usage, 3 local problem, 4 could not join, 5 broker lost.
SIGTERM or Ctrl-C: stop sending, wait until the broker has everything sent, end.)";

// "recorded stdin:120": 120; 0 of any other text.
Result<uint64_t> bytes_on_stdin(std::string_view text, std::string_view kind) {
  const std::string begin = std::string(kind) + " stdin:";
  if (!text.starts_with(begin)) return 0;
  const auto bytes = parse_whole(text.substr(begin.size()));
  if (!bytes || *bytes == 0 || *bytes > measure::kMostFromFile)
    return fail("'" + std::string(text) + "': expected a number of bytes, 1 to " +
                std::to_string(measure::kMostFromFile));
  return *bytes;
}

// So many bytes and the end of the line, and no more: what follows is for others.
Result<std::string> read_stdin(uint64_t bytes) {
  std::string content(bytes + 1, '\0');
  for (size_t at = 0; at < content.size();) {
    const ssize_t got = ::read(STDIN_FILENO, content.data() + at, content.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return fail("stdin ended before the content that it was to bring");
    at += static_cast<size_t>(got);
  }
  content.pop_back();
  return content;
}

Result<void> take_input(SenderOptions& options) {
  if (options.times_bytes > 0) {
    const auto packed = read_stdin(options.times_bytes);
    if (!packed) return std::unexpected(packed.error());
    auto times = measure::times_from("stdin", *packed);
    if (!times) return std::unexpected(times.error());
    options.shape = measure::recorded_shape(std::move(*times));
  }
  if (options.payload_bytes == 0) return {};
  auto content = read_stdin(options.payload_bytes);
  if (!content) return std::unexpected(content.error());
  auto bytes = measure::bytes_from("stdin", std::move(*content));
  if (!bytes) return std::unexpected(bytes.error());
  options.payload = {.kind = measure::Payload::Kind::file, .file = std::move(*bytes)};
  return {};
}

Result<void> check_messages(const process::CommandLine& line, const SenderOptions& options) {
  if (line.given("--messages") && line.given("--duration"))
    return fail("--messages and --duration exclude each other; use only one");
  for (const char* other : {"--messages", "--duration", "--delay"})
    if (options.shape.exists() && line.given(other))
      return fail(std::string(other) + " and --shape exclude each other: a shape has its own rate and length");
  if (options.shape.recorded.content && options.pacing == measure::Pacing::poisson)
    return fail("--pacing poisson and --shape recorded exclude each other: recorded times are as they are");
  if (line.given("--duration") && options.duration_ns == 0)
    return fail("--duration: must be above 0; write it like 30s");
  if (options.reply_from) {
    if (options.timeout_ns < kShortestTimeout || options.timeout_ns > kLongestTimeout)
      return fail("--timeout: must be from 1ms to 1h; write it like 5s");
    if (options.outstanding > 0 && (options.shape.exists() || options.pacing == measure::Pacing::poisson))
      return fail("--outstanding: in closed loop replies say when requests go; leave out --shape and --pacing poisson");
  } else if (line.given("--timeout") || line.given("--outstanding")) {
    return fail("--timeout and --outstanding need --reply-from: only requests wait for replies");
  }
  if (options.size.max > kLargestMessage) return fail("--size: a message of more than 1GiB is beyond the protocol");
  if (options.phase_of > 0 && uint64_t{options.first} + options.count - 1 > options.phase_of)
    return fail("--phase-of: this fleet has sender " + std::to_string(options.first + options.count - 1) +
                "; set the number of the last sender or more");
  return {};
}

void add_replies(process::CommandLine& line, SenderOptions& options) {
  line.heading("Requests and replies");
  line.option("--reply-from", "one|first|all", "",
              "Each message is a request, and receivers reply, as the broker's --reply-from says; needs --mode "
              "request-reply there",
              [&options](const std::string& given) -> Result<void> {
                for (const auto from : {wire::ReplyFrom::one, wire::ReplyFrom::first, wire::ReplyFrom::all})
                  if (given == wire::name(from)) options.reply_from = from;
                if (!options.reply_from) return fail("'" + given + "' is none of: one, first, all");
                return {};
              });
  line.duration("--timeout", options.timeout_ns, "A request without its reply after this long has timed out");
  line.whole("--outstanding", options.outstanding, 0, kMostOutstanding,
             "Closed loop: keep so many requests outstanding and send the next when one is answered or timed out, "
             "whatever --delay; 0 = by the schedule");
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
              "100/s..5000/s over 30s; steps, spike, burst; or recorded FILE, a time for each message",
              [&options](const std::string& text) -> Result<void> {
                const auto on_stdin = bytes_on_stdin(text, "recorded");
                if (!on_stdin) return std::unexpected(on_stdin.error());
                options.times_bytes = *on_stdin;
                if (*on_stdin > 0) return {};
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
  line.option("--payload", "random|repeated|text N%|file FILE", measure::exact_payload(options.payload),
              "Content of messages: random letters, one letter, text that compresses to N % of its size, or pieces "
              "of a file",
              [&options](const std::string& text) -> Result<void> {
                const auto on_stdin = bytes_on_stdin(text, "file");
                if (!on_stdin) return std::unexpected(on_stdin.error());
                options.payload_bytes = *on_stdin;
                if (*on_stdin > 0) return {};
                auto payload = measure::parse_payload(text);
                if (!payload) return std::unexpected(payload.error());
                options.payload = *payload;
                return {};
              });
  line.whole("--seed", options.seed, 0, UINT64_MAX,
             "Seed of sizes, contents, random phases and delays: same seed, same run");
  add_replies(line, options);
  fleet::add_options(line, options, "sender");
  if (auto code = line.parse(argc, argv)) return code;
  if (auto valid = fleet::check(options); !valid) return line.usage_error(valid.error().text);
  if (auto taken = take_input(options); !taken) return line.usage_error(taken.error().text);
  if (auto valid = check_messages(line, options); !valid) return line.usage_error(valid.error().text);
  if (options.outstanding > 0) options.delay_ns = 0;
  return std::nullopt;
}

}  // namespace n2nq::sender
