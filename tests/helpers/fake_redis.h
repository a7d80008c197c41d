// A server that speaks Redis as far as PING, SUBSCRIBE and PUBLISH, and does what it is told to do wrong.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/helpers/fake_server.h"

namespace n2nq::test {

class FakeRedis final : public FakeServer {
 public:
  struct Wrong {
    std::map<std::string, std::vector<std::string>> answers{};  // to a command: bytes in place of the first answers
    uint64_t drops_every = 0;                                   // of the messages; answers for them all the same
    uint64_t refuses_after = 0;                                 // so many; the others it does not pass on
    uint64_t answers_no_more_after = 0;
    uint64_t ends_after = 0;    // its connections, once all has been passed on
    uint64_t forges_every = 0;  // passes the message on a second time, as one of sender 77
    bool says_nothing = false;
    std::string says_nothing_to{};  // this command
    std::string ends_at{};          // this command, each time: the connection
  };
  explicit FakeRedis(Wrong wrong);
  ~FakeRedis() override { stop(); }

  uint64_t published() const { return published_; }
  uint64_t dropped() const { return dropped_; }
  uint64_t refused() const { return refused_; }

 private:
  void on_bytes(Client& client) override;
  bool is_over() const override { return wrong_.ends_after > 0 && published_ >= wrong_.ends_after; }
  void obey(Client& client, const std::vector<std::string>& command);
  void publish(Client& by, const std::vector<std::string>& command);

  Wrong wrong_;
  std::atomic<uint64_t> published_ = 0, dropped_ = 0, refused_ = 0;
};

}  // namespace n2nq::test
