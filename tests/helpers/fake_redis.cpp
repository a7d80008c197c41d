#include "tests/helpers/fake_redis.h"

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <utility>

namespace n2nq::test {
namespace {

// The first whole command of what came, an array of bulk strings, which is taken out.
std::optional<std::vector<std::string>> take_command(std::string& in) {
  size_t at = 0;
  const auto number = [&](char type) -> std::optional<size_t> {
    const size_t end = in.find("\r\n", at);
    if (end == std::string::npos) return std::nullopt;
    if (in[at] != type) throw std::runtime_error("no command: " + in.substr(at, 40));
    const auto value = static_cast<size_t>(std::atoll(in.c_str() + at + 1));
    at = end + 2;
    return value;
  };
  if (in.empty()) return std::nullopt;
  const auto count = number('*');
  if (!count) return std::nullopt;
  std::vector<std::string> command;
  for (size_t i = 0; i < *count; i++) {
    if (at >= in.size()) return std::nullopt;
    const auto size = number('$');
    if (!size || in.size() < at + *size + 2) return std::nullopt;
    command.push_back(in.substr(at, *size));
    at += *size + 2;
  }
  in.erase(0, at);
  return command;
}

std::string bulk(const std::string& text) {
  return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
}

}  // namespace

FakeRedis::FakeRedis(Wrong wrong) : wrong_(std::move(wrong)) {
  start();
}

void FakeRedis::on_bytes(Client& client) {
  if (wrong_.says_nothing) return client.in.clear();
  while (const auto command = take_command(client.in)) obey(client, *command);
}

void FakeRedis::obey(Client& client, const std::vector<std::string>& command) {
  if (command[0] == wrong_.says_nothing_to) return;
  if (command[0] == wrong_.ends_at) return end(client);
  auto& instead = wrong_.answers[command[0]];
  if (!instead.empty()) {
    client.out += instead.front();
    instead.erase(instead.begin());
  } else if (command[0] == "PING") {
    client.out += "+PONG\r\n";
  } else if (command[0] == "SUBSCRIBE") {
    client.channel = command[1];
    client.out += "*3\r\n" + bulk("subscribe") + bulk(command[1]) + ":1\r\n";
  } else if (command[0] == "PUBLISH") {
    publish(client, command);
  } else {
    client.out += "-ERR unknown command\r\n";
  }
}

void FakeRedis::publish(Client& by, const std::vector<std::string>& command) {
  if (wrong_.refuses_after > 0 && published_ == wrong_.refuses_after) {
    refused_++;
    by.out += "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
    return;
  }
  const bool dropped = wrong_.drops_every > 0 && (published_ + 1) % wrong_.drops_every == 0;
  published_++;
  dropped_ += dropped ? 1 : 0;
  const bool forged = wrong_.forges_every > 0 && published_ % wrong_.forges_every == 0;
  std::string other = command[2];
  other[8] = 77;  // the sender's number
  uint64_t reached = 0;
  for (auto& [fd, client] : clients()) {
    if (client.channel != command[1]) continue;
    reached++;
    if (!dropped) client.out += "*3\r\n" + bulk("message") + bulk(command[1]) + bulk(command[2]);
    if (forged) client.out += "*3\r\n" + bulk("message") + bulk(command[1]) + bulk(other);
  }
  if (wrong_.answers_no_more_after > 0 && published_ > wrong_.answers_no_more_after) return;
  by.out += ":" + std::to_string(reached) + "\r\n";
}

}  // namespace n2nq::test
