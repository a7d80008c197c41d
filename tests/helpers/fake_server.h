// The connections of a server that does what a test tells it to do wrong. On a thread of its own, from start() to
// stop(), which whoever derives from it calls in the constructor and the destructor.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <thread>

#include "tests/helpers/run.h"

namespace n2nq::test {

class FakeServer {
 public:
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(listener_.number()); }

 protected:
  struct Client {
    int fd = -1;
    std::string in{}, out{};
    std::string channel{};  // that it is subscribed to
  };
  FakeServer() = default;
  virtual ~FakeServer() = default;
  void start();
  void stop();

  virtual void on_client(Client&) {}
  // Takes what is whole off what has come.
  virtual void on_bytes(Client& client) = 0;
  // Now that all its answers are out, its connections end.
  virtual bool is_over() const { return false; }
  static void end(Client& client);
  std::map<int, Client>& clients() { return clients_; }

 private:
  void run();
  void read(Client& client);
  static bool write(Client& client);

  ReservedPort listener_;
  std::map<int, Client> clients_;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

}  // namespace n2nq::test
