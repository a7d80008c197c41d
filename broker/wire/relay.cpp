#include "broker/wire/relay.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace n2nq::wire {
namespace {

constexpr std::string_view kSpoken = "n2nq-relay/1";
constexpr std::array<std::pair<std::string_view, RelayHello::Part>, 4> kParts{{{"sender", RelayHello::Part::sender},
                                                                               {"receiver", RelayHello::Part::receiver},
                                                                               {"sharer", RelayHello::Part::sharer},
                                                                               {"asker", RelayHello::Part::asker}}};

// Printable, with one space between; nothing: it is no such line.
std::optional<std::vector<std::string_view>> words_of(std::string_view line) {
  if (line.size() >= kLongestRelayLine || std::ranges::any_of(line, [](char c) { return c < ' ' || c > '~'; }))
    return std::nullopt;
  std::vector<std::string_view> words;
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find(' ', at), line.size());
    if (end == at) return std::nullopt;
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  if (words.empty() || words[0] != kSpoken) return std::nullopt;
  return words;
}

}  // namespace

std::string relay_hello(const RelayHello& hello) {
  const auto part = std::ranges::find(kParts, hello.part, &std::pair<std::string_view, RelayHello::Part>::second);
  return std::string(kSpoken) + " " + std::string(part->first) + " " + hello.channel +
         (hello.token.empty() ? "" : " " + hello.token) + "\n";
}

std::optional<RelayHello> read_relay_hello(std::string_view line) {
  const auto words = words_of(line);
  if (!words || words->size() < 3 || words->size() > 4) return std::nullopt;
  const auto part = std::ranges::find(kParts, (*words)[1], &std::pair<std::string_view, RelayHello::Part>::first);
  if (part == kParts.end()) return std::nullopt;
  return RelayHello{.part = part->second,
                    .channel = std::string((*words)[2]),
                    .token = words->size() == 4 ? std::string((*words)[3]) : std::string()};
}

std::string relay_welcome(const RelayWelcome& welcome) {
  return std::string(kSpoken) + " " + welcome.version + " " + welcome.pid + "\n";
}

std::optional<RelayWelcome> read_relay_welcome(std::string_view line) {
  const auto words = words_of(line);
  if (!words || words->size() != 3) return std::nullopt;
  return RelayWelcome{.version = std::string((*words)[1]), .pid = std::string((*words)[2])};
}

}  // namespace n2nq::wire
