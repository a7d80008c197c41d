#include "workers/recorder/recorder_options.h"

#include <charconv>

#include "broker/process/command_line.h"

namespace n2nq::recorder {
namespace {

constexpr const char* kFooter = R"(
Example: what this host and process 4711 do each second, until Ctrl-C:
  n2nq-recorder --watch 4711 --port 7400
Each reading is one line of JSON on stdout; docs/control.md describes it.

Units: ms s min.
Exit codes: 0 complete, 2 usage, 3 local problem.
SIGTERM or Ctrl-C: one more reading, then end.)";

Result<void> take_processes(const std::string& text, control::WatchCommand& watch) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    int64_t pid = 0;
    const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end, pid);
    if (error != std::errc() || rest != text.data() + end || pid < 1 || pid > INT32_MAX)
      return fail("'" + text.substr(begin, end - begin) + "' is not a process id; write them like 4711,4712");
    watch.processes.push_back({.name = std::to_string(pid), .pid = pid});
    begin = end + 1;
  }
  return {};
}

}  // namespace

std::optional<int> parse(int argc, char** argv, RecorderOptions& options) {
  process::CommandLine line("n2nq-recorder",
                            "Records what a host, processes on it and their connections do while N2NQ Bench measures.",
                            kFooter);
  uint32_t port = 0;
  line.heading("Recording");
  line.duration("--period", options.period_ns, "Time between two readings, 100ms to 60s");
  line.option("--watch", "PID,PID...", "", "Processes to record, with all that they start",
              [&options](const std::string& text) { return take_processes(text, options.watch); });
  line.whole("--port", port, 0, UINT16_MAX, "Port of the queue, whose connections are recorded; 0 = none");
  line.flag("--awake", options.awake,
            "Keep the cores of this host from halting, by spinners that give way to everything else");
  line.heading("Control");
  line.flag("--controlled", options.controlled, "Take commands from stdin, as docs/control.md describes");
  line.duration("--control-timeout", options.control_timeout_ns,
                "Control is lost so long after the last ping or the end of stdin; 0 = 10 s and at once");
  if (auto code = line.parse(argc, argv)) return code;
  if (options.period_ns < control::kShortestReadingNs || options.period_ns > control::kLongestReadingNs)
    return line.usage_error("--period: 100ms to 60s are possible; write it like 1s");
  options.watch.port = static_cast<uint16_t>(port);
  return std::nullopt;
}

}  // namespace n2nq::recorder
