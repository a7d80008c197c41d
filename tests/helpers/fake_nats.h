// A server that speaks NATS as far as SUB, PUB and PING, and does what it is told to do wrong.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/helpers/fake_server.h"

namespace n2nq::test {

class FakeNats final : public FakeServer {
 public:
  static constexpr auto kEnds = "end";  // of the connection
  struct Wrong {
    std::string greeting = R"(INFO {"server_id":"X","server_name":"x","version":"2.9.10","max_payload":67112960} )"
                           "\r\n";
    // To an operation: bytes in place of the first answers, or kEnds.
    std::map<std::string, std::vector<std::string>> answers{};
    uint64_t drops_every = 0;  // of the messages
    uint64_t ends_after = 0;   // its connections, once all has been passed on
  };
  explicit FakeNats(Wrong wrong);
  ~FakeNats() override { stop(); }

  uint64_t published() const { return published_; }
  uint64_t dropped() const { return dropped_; }
  int operations(const std::string& name) const;  // that came so far

 private:
  void on_client(Client& client) override { client.out += wrong_.greeting; }
  void on_bytes(Client& client) override;
  bool is_over() const override { return wrong_.ends_after > 0 && published_ >= wrong_.ends_after; }
  void obey(Client& client, const std::vector<std::string>& words, const std::string& payload);

  Wrong wrong_;
  mutable std::mutex mutex_;
  std::map<std::string, int> operations_;
  std::atomic<uint64_t> published_ = 0, dropped_ = 0;
};

}  // namespace n2nq::test
