#include "tests/helpers/run.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

namespace n2nq::test {

std::string program(const std::string& name) {
  const char* elsewhere = std::getenv("N2NQ_BIN_DIR");
  return std::string(elsewhere ? elsewhere : N2NQ_BUILT_BIN_DIR) + "/" + name;
}

ReservedPort::ReservedPort(uint16_t wanted) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  int on = 1;
  ::setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(wanted);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no free port");
  }
  number_ = ntohs(address.sin_port);
}

ReservedPort::~ReservedPort() {
  ::close(fd_);
}

void ReservedPort::listen() {
  if (::listen(fd_, 8) != 0) throw std::runtime_error("cannot listen on the reserved port");
}

int64_t RunEnded::sum(const std::string& role, const std::string& key) const {
  int64_t total = 0;
  for (const auto& fleet : fleets) {
    if (fleet.role != role) continue;
    if (fleet.total(key) < 0) return -1;
    total += fleet.total(key);
  }
  return total;
}

bool RunEnded::all_ended_with(int code) const {
  return broker.exit == Exit{.code = code} &&
         std::all_of(fleets.begin(), fleets.end(), [&](const auto& fleet) { return fleet.exit == Exit{.code = code}; });
}

namespace {

std::string told(const std::string& who, const Ended& ended) {
  return who + " ended with " + (ended.exit ? to_string(*ended.exit) : "nothing: it still ran") + "\n  " +
         ended.summary.dump() + "\n  " + ended.err.substr(0, 2000) + "\n";
}

Ended collect(Process& process, Deadline deadline) {
  Ended ended{.exit = process.wait_exit(deadline)};
  ended.summary = summary_of(process.out_lines());
  ended.out = process.out();
  ended.err = process.err();
  return ended;
}

}  // namespace

std::string RunEnded::story() const {
  std::string text = told("broker", broker);
  for (const auto& fleet : fleets) text += told(fleet.role + " fleet from " + std::to_string(fleet.first), fleet);
  return text;
}

Json await_json(Process& process, const std::string& type, Deadline deadline) {
  auto line = process.wait_line([&](const std::string& text) { return is_type(text, type); }, deadline);
  if (!line)
    throw std::runtime_error("no `" + type + "` line came; stdout: " + process.out() + "; stderr: " + process.err());
  return *parse_line(*line);
}

std::optional<Json> await_telemetry(Process& worker, const WantedTotals& wanted, Deadline deadline) {
  const auto line = worker.wait_line(
      [&wanted](const std::string& text) {
        const auto json = parse_line(text);
        return json && json->value("type", "") == "telemetry" && wanted((*json)["totals"]);
      },
      deadline);
  return line ? parse_line(*line) : std::nullopt;
}

WantedTotals at_least(const std::string& key, int64_t count) {
  return [=](const Json& totals) { return count_in(totals, key) >= count; };
}

BusTap::BusTap(uint16_t broker_port)
    : process_({N2NQ_BROKEN_BUS, std::to_string(broker_port), "tap"}),
      port_(await_json(process_, "ready")["port"].get<uint16_t>()) {}

std::map<std::pair<std::string, uint32_t>, Carried> BusTap::links(size_t count, Deadline deadline) {
  std::map<std::pair<std::string, uint32_t>, Carried> links;
  while (links.size() < count) {
    auto line = process_.wait_line([](const std::string& text) { return is_type(text, "link"); }, deadline);
    if (!line) break;
    const Json link = *parse_line(*line);
    links[{link["role"] == 1 ? "sender" : "receiver", link["number"].get<uint32_t>()}] = {
        .data = link["data"].get<std::vector<std::pair<uint32_t, uint64_t>>>(),
        .accepted = count_in(link, "accepted"),
        .confirmed = count_in(link, "confirmed"),
        .answered = count_in(link, "answered")};
  }
  return links;
}

Process& Stage::start_raw(const std::string& name, Options arguments, Process::Stdin in) {
  arguments.insert(arguments.begin(), program(name));
  return processes_.emplace_back(std::move(arguments), in);
}

Process& Stage::start_broker(Options options) {
  Options arguments{"--listen", address()};
  bool has_token = std::find(options.begin(), options.end(), "--token-file") != options.end();
  if (!has_token) arguments.push_back("--insecure-no-token");
  arguments.insert(arguments.end(), options.begin(), options.end());
  broker_ = &start_raw("n2nq-broker", arguments);
  await_json(*broker_, "ready");
  return *broker_;
}

Process& Stage::start(const Fleet& fleet) {
  Options arguments{"--broker",  "127.0.0.1:" + std::to_string(fleet.port.value_or(port())),
                    "--count",   std::to_string(fleet.count),
                    "--first",   std::to_string(fleet.first),
                    "--log-dir", logs().string()};
  arguments.insert(arguments.end(), fleet.options.begin(), fleet.options.end());
  Process& process = start_raw("n2nq-" + fleet.role, arguments, fleet.in);
  fleets_.emplace_back(fleet, &process);
  await_json(process, "ready");
  return process;
}

RunEnded Stage::finish(Deadline deadline) {
  RunEnded run;
  for (auto& [fleet, process] : fleets_) {
    FleetEnded ended;
    static_cast<Ended&>(ended) = collect(*process, deadline);
    ended.role = fleet.role;
    ended.count = fleet.count;
    ended.first = fleet.first;
    run.fleets.push_back(std::move(ended));
  }
  if (broker_) run.broker = collect(*broker_, deadline);
  run.sender_logs = read_logs(logs(), "sender");
  run.receiver_logs = read_logs(logs(), "receiver");
  return run;
}

Ended Stage::finish_one(Process& process, Deadline deadline) {
  return collect(process, deadline);
}

Fleet senders(int count, Options options, int first) {
  return {.role = "sender", .count = count, .first = first, .options = std::move(options)};
}

Fleet receivers(int count, Options options, int first) {
  return {.role = "receiver", .count = count, .first = first, .options = std::move(options)};
}

}  // namespace n2nq::test
