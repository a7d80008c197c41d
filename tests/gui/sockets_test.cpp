// The queue is left alone: no socket of the bench has anything to do with its port. The one that it opens when asked
// serves live figures.
#include <unistd.h>

#include <QRegularExpression>
#include <QTcpServer>
#include <QTcpSocket>
#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/gui/window_rig.h"
#include "tests/helpers/sockets.h"

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
    const auto has_it = [port](const TcpSocket& socket) { return socket.local == port || socket.remote == port; };
    of_the_run += static_cast<int>(std::ranges::count_if(tcp_sockets(), has_it));
    EXPECT_TRUE(std::ranges::none_of(tcp_sockets_of(::getpid()), has_it))
        << "a socket of the bench has the queue's port " << port;
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
