// The recorder as its tests start it: controlled, or by hand in surroundings that were prepared.
#pragma once

#include <arpa/inet.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/helpers/own_network.h"
#include "tests/system/foreign.h"
#include "tests/system/planted.h"

namespace n2nq::test {

inline std::vector<std::string> reasons_of(const Json& line, const std::string& of) {
  std::vector<std::string> reasons;
  for (const Json& lacking : line.at("lacking"))
    if (lacking.at("of") == of) reasons.push_back(lacking.at("why"));
  return reasons;
}

inline Json one(const std::string& name, pid_t pid, const std::string& program = "") {
  return Json::array({{{"name", name}, {"pid", pid}, {"program", program}}});
}

class Recorder : public testing::Test {
 protected:
  // Told of what it records, with a period so long that every reading is one that was asked for.
  Process& start(const Json& processes, uint16_t port = 0) {
    process_.emplace(std::vector<std::string>{program("n2nq-recorder"), "--controlled", "--period", "60s"},
                     Process::Stdin::pipe);
    tell({{"type", "hello"}, {"token", "any"}});
    tell({{"type", "watch"}, {"processes", processes}, {"port", port}});
    await_json(*process_, "ready");
    next();  // of hello
    watched_ = next();
    return *process_;
  }
  void tell(const Json& command) { process_->send_line(command.dump()); }
  Json next() { return await_json(*process_, "record"); }
  Json sample() {
    tell({{"type", "sample"}});
    return next();
  }
  std::optional<Process> process_;
  Json watched_;
};

// A connection within this process: both of its ends are on this host. As root it is the only one there.
struct Connection {
  Connection() {
    enter_own_network();
    listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    EXPECT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener, 1), 0);
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
    port = ntohs(address.sin_port);
    client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    server = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    char byte = 'x';
    EXPECT_EQ(::write(client, &byte, 1), 1);
    EXPECT_EQ(::read(server, &byte, 1), 1);
  }
  ~Connection() {
    for (const int fd : {client, server, listener}) ::close(fd);
  }
  static tcp_info info(int socket) {
    tcp_info info{};
    socklen_t length = sizeof info;
    EXPECT_EQ(::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length), 0);
    return info;
  }
  int listener = -1, client = -1, server = -1;
  uint16_t port = 0;
};

}  // namespace n2nq::test
