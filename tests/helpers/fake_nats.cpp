#include "tests/helpers/fake_nats.h"

#include <sstream>
#include <utility>

namespace n2nq::test {

FakeNats::FakeNats(Wrong wrong) : wrong_(std::move(wrong)) {
  start();
}

void FakeNats::on_bytes(Client& client) {
  while (true) {
    const size_t end = client.in.find("\r\n");
    if (end == std::string::npos) return;
    std::istringstream line(client.in.substr(0, end));
    std::vector<std::string> words;
    for (std::string word; line >> word;) words.push_back(word);
    size_t used = end + 2;
    std::string payload;
    if (!words.empty() && words[0] == "PUB") {
      const size_t size = std::stoul(words.back());
      if (client.in.size() < used + size + 2) return;
      payload = client.in.substr(used, size);
      used += size + 2;
    }
    client.in.erase(0, used);
    if (!words.empty()) obey(client, words, payload);
  }
}

int FakeNats::operations(const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = operations_.find(name);
  return found == operations_.end() ? 0 : found->second;
}

void FakeNats::obey(Client& client, const std::vector<std::string>& words, const std::string& payload) {
  {
    const std::scoped_lock lock(mutex_);
    operations_[words[0]]++;
  }
  auto& instead = wrong_.answers[words[0]];
  if (!instead.empty()) {
    if (instead.front() == kEnds)
      end(client);
    else
      client.out += instead.front();
    instead.erase(instead.begin());
  } else if (words[0] == "PING") {
    client.out += "PONG\r\n";
  } else if (words[0] == "SUB") {
    client.channel = words[1];
  } else if (words[0] == "PUB") {
    published_++;
    const bool dropped = wrong_.drops_every > 0 && published_ % wrong_.drops_every == 0;
    dropped_ += dropped ? 1 : 0;
    if (dropped) return;
    for (auto& [fd, other] : clients())
      if (other.channel == words[1])
        other.out += "MSG " + words[1] + " 1 " + std::to_string(payload.size()) + "\r\n" + payload + "\r\n";
  }
}

}  // namespace n2nq::test
