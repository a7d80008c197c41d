// The queue is left alone: no socket of the bench has anything to do with its port. The one that it opens when asked
// serves live figures.
#include <QRegularExpression>
#include <QTcpServer>
#include <QTcpSocket>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class Sockets : public WindowRig {
 protected:
  // From the broker's own log.
  int broker_port() const {
    std::ifstream log(run_folder() / "broker.log");
    std::stringstream text;
    text << log.rdbuf();
    const auto found = QRegularExpression(" port=(\\d+)").match(QString::fromStdString(text.str()));
    return found.hasMatch() ? found.captured(1).toInt() : -1;
  }

  static std::set<std::string> own_sockets() {
    std::set<std::string> inodes;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
      if (!gone && target.starts_with("socket:[")) inodes.insert(target.substr(8, target.size() - 9));
    }
    return inodes;
  }

  struct Connection {
    int local = 0;
    int remote = 0;
    std::string inode;
  };
  static std::vector<Connection> connections() {
    std::vector<Connection> all;
    for (const char* path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
      std::ifstream file(path);
      std::string line;
      std::getline(file, line);
      while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string slot, local, remote, state, queues, timer, retransmits, uid, timeout, inode;
        fields >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> uid >> timeout >> inode;
        const auto port = [](const std::string& address) {
          return static_cast<int>(std::stoul(address.substr(address.find(':') + 1), nullptr, 16));
        };
        all.push_back({port(local), port(remote), inode});
      }
    }
    return all;
  }
};

TEST_F(Sockets, OfTheBenchNeverHaveTheQueuesPortInARun) {
  open_window();
  type("Senders amount text", "3");
  type("Receivers amount text", "3");
  type("Senders messages text", "6000");
  type("Senders delay", "10 ms");
  click("Start all");
  int looks = 0;
  int of_the_run = 0;
  ASSERT_TRUE(wait([&] {
    if (rows("Receivers") == 0 || number(cell("Receivers", 0, "Received")) < 10) return false;
    const int port = broker_port();
    const auto own = own_sockets();
    for (const Connection& connection : connections()) {
      if (connection.local != port && connection.remote != port) continue;
      of_the_run++;
      EXPECT_FALSE(own.contains(connection.inode)) << "a socket of the bench has the queue's port " << port;
    }
    return ++looks == 20;
  }));
  EXPECT_GT(of_the_run, 0) << "the senders and receivers were seen there";
  click("Stop all");
  ASSERT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("stopped"); }));
}

class Metrics : public WindowRig {
 protected:
  static uint16_t free_port() {
    QTcpServer server;
    EXPECT_TRUE(server.listen(QHostAddress::LocalHost));
    return server.serverPort();
  }
  // All of the answer, as a scraper gets it.
  std::string scrape(uint16_t port) const {
    QTcpSocket client;
    client.connectToHost(QHostAddress::LocalHost, port);
    client.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(wait([&] { return client.state() == QAbstractSocket::UnconnectedState; }));
    return client.readAll().toStdString();
  }
};

TEST_F(Metrics, AreServedInARunOfTheWindow) {
  const uint16_t port = free_port();
  open_window({}, port);
  type("Senders amount text", "3");
  type("Receivers amount text", "3");
  type("Senders messages text", "6000");
  type("Senders delay", "10 ms");
  click("Start all");
  ASSERT_TRUE(wait([&] { return rows("Receivers") > 0 && number(cell("Receivers", 0, "Received")) > 10; }));
  const std::string answer = scrape(port);
  EXPECT_THAT(answer, HasSubstr("application/openmetrics-text"));
  EXPECT_THAT(answer, HasSubstr("n2nq_run_state{n2nq_run_state=\"running\"} 1"));
  EXPECT_THAT(answer, testing::ContainsRegex("n2nq_received_messages_total [1-9]"));
  EXPECT_TRUE(answer.ends_with("# EOF\n"));
  click("Stop all");
  ASSERT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("stopped"); }));
  EXPECT_THAT(scrape(port), HasSubstr("n2nq_run_state{n2nq_run_state=\"over\"} 1"));
}

}  // namespace
}  // namespace n2nq::test
