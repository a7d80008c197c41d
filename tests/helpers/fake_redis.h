// A server that speaks Redis as far as PING, SUBSCRIBE and PUBLISH, and does what it is told to do wrong. On a thread
// of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/helpers/run.h"

namespace n2nq::test {

class FakeRedis {
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
  ~FakeRedis();
  FakeRedis(const FakeRedis&) = delete;
  FakeRedis& operator=(const FakeRedis&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(listener_.number()); }
  uint64_t published() const { return published_; }
  uint64_t dropped() const { return dropped_; }
  uint64_t refused() const { return refused_; }

 private:
  struct Client {
    int fd = -1;
    std::string in{}, out{};
    std::string channel{};  // that it is subscribed to
  };
  void run();
  void read(Client& client);
  void obey(Client& client, const std::vector<std::string>& command);
  void publish(Client& by, const std::vector<std::string>& command);
  static bool write(Client& client);

  Wrong wrong_;
  ReservedPort listener_;
  std::map<int, Client> clients_;
  std::atomic<bool> stopped_ = false;
  std::atomic<uint64_t> published_ = 0, dropped_ = 0, refused_ = 0;
  std::thread thread_;
};

}  // namespace n2nq::test
