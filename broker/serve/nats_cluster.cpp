#include "broker/serve/nats_cluster.h"

#include <algorithm>
#include <set>

namespace n2nq::serve {
namespace {

std::string jetstream_request(const std::string& name) {
  return "SUB n2nq.said 1\r\nPUB $JS.API." + name + " n2nq.said 0\r\n\r\n";
}

// As a part of an address.
std::string escaped(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string all;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    all += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return all;
}

}  // namespace

// They reach each other by ports of their own, where whoever has not the password is refused.
std::string nats_cluster(const Site& site) {
  if (site.members.size() == 1) return {};
  const std::string login = site.password.empty() ? "" : "n2nq:" + escaped(site.password) + "@";
  std::string text = "cluster {\n  name: " + quoted(site.cluster()) +
                     "\n  listen: " + quoted(site.bound(site.more_ports.at(0))) + "\n  routes: [\n";
  for (const Site::Member& member : site.members)
    text += "    " + quoted("nats://" + login + site.reached(member, member.more_ports.at(0))) + "\n";
  text += "  ]\n";
  if (!login.empty()) text += "  authorization { user: n2nq, password: " + quoted(site.password) + " }\n";
  return text + "}\n";
}

// By the ports of their clients, as a host may have several addresses.
size_t nats_servers(std::string_view info) {
  const std::string urls = said_behind(info, "\"connect_urls\":[", "]").value_or("");
  std::set<std::string> ports;
  for (size_t end = 0; (end = urls.find("\"", end)) != std::string::npos; end++)
    if (const size_t colon = urls.rfind(':', end); colon != std::string::npos && colon > urls.rfind('"', end - 1))
      ports.insert(urls.substr(colon, end - colon));
  return std::max<size_t>(ports.size(), 1);
}

std::string jetstream_question() {
  return jetstream_request("INFO");
}

bool jetstream_answers(std::string_view answer) {
  return answer.find("\"streams\":") != std::string_view::npos && answer.find("\"error\":") == std::string_view::npos;
}

std::string jetstream_leader_question() {
  return jetstream_request("STREAM.LIST");
}

std::optional<size_t> jetstream_leader(const Site& site, std::string_view answer) {
  const auto leader = said_behind(answer, "\"leader\":\"", "\"");
  const auto found = leader ? std::ranges::find(site.members, *leader, &Site::Member::name) : site.members.end();
  if (found == site.members.end()) return std::nullopt;
  return static_cast<size_t>(found - site.members.begin());
}

}  // namespace n2nq::serve
