#include "app/cli/metrics_server.h"

#include <gmock/gmock.h>

#include <QtCore/qtestsupport_core.h>
#include <QTcpSocket>
#include <vector>

#include "app/cli/metrics_text.h"

namespace n2nq::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int kPatienceMs = 20'000;

struct MetricsServerTest : testing::Test {
  void serve(MetricsServer::Limits limits = {}) {
    auto listening =
        MetricsServer::listen(0, [this] { return asked++, std::string("n2nq_figures 1\n# EOF\n"); }, limits);
    ASSERT_TRUE(listening) << listening.error().text;
    server = std::move(*listening);
  }
  std::unique_ptr<QTcpSocket> connected() const {
    auto socket = std::make_unique<QTcpSocket>();
    socket->connectToHost("127.0.0.1", server->port());
    EXPECT_TRUE(QTest::qWaitFor([&] { return socket->state() == QAbstractSocket::ConnectedState; }, kPatienceMs));
    return socket;
  }
  static bool closed(const QTcpSocket& socket) {
    return QTest::qWaitFor([&] { return socket.state() == QAbstractSocket::UnconnectedState; }, kPatienceMs);
  }
  // All that comes until the server says no more.
  std::string ask(const QByteArray& request) const {
    const auto socket = connected();
    socket->write(request);
    EXPECT_TRUE(closed(*socket));
    return socket->readAll().toStdString();
  }

  int asked = 0;
  std::unique_ptr<MetricsServer> server;
};

TEST_F(MetricsServerTest, ServesTheTextWithItsType) {
  serve();
  const std::string answer = ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 21\r\n"));
  EXPECT_TRUE(answer.ends_with("\r\n\r\nn2nq_figures 1\n# EOF\n"));
  EXPECT_THAT(ask("GET /metrics?x=1 HTTP/1.0\n\n"), StartsWith("HTTP/1.1 200"));
}

TEST_F(MetricsServerTest, AnswersHeadWithoutTheText) {
  serve();
  const std::string answer = ask("HEAD /metrics HTTP/1.1\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST_F(MetricsServerTest, TurnsOtherPathsAndMethodsAway) {
  serve();
  EXPECT_THAT(ask("GET / HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(ask("GET /metrics/../x HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 404"));
  const std::string post = ask("POST /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_THAT(post, StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(post, HasSubstr("Allow: GET, HEAD\r\n"));
  EXPECT_EQ(asked, 0);
}

TEST_F(MetricsServerTest, RefusesWhatIsNoHttp) {
  serve();
  for (const char* request : {"\r\n\r\n", "GET /metrics\r\n\r\n", "GET  /metrics HTTP/1.1\r\n\r\n", "x y SMTP\r\n\r\n"})
    EXPECT_THAT(ask(request), StartsWith("HTTP/1.1 400")) << request;
  EXPECT_THAT(ask(QByteArray("\0\xff\xfe\n\n", 5)), StartsWith("HTTP/1.1 400"));
  EXPECT_EQ(asked, 0);
}

TEST_F(MetricsServerTest, RefusesARequestWithoutEnd) {
  serve();
  const auto socket = connected();
  const QByteArray part(64 * 1024, 'x');
  socket->write("GET /metrics HTTP/1.1\r\nX: " + part);
  ASSERT_TRUE(QTest::qWaitFor([&] { return socket->canReadLine(); }, kPatienceMs));
  EXPECT_THAT(socket->readAll().toStdString(), StartsWith("HTTP/1.1 431"));
  EXPECT_EQ(asked, 0);
}

TEST_F(MetricsServerTest, LetsASlowClientGo) {
  serve({.patience = std::chrono::milliseconds(50)});
  const auto socket = connected();
  socket->write("GET /met");
  EXPECT_TRUE(closed(*socket));
  EXPECT_EQ(socket->bytesAvailable(), 0);
}

TEST_F(MetricsServerTest, LetsAClientGoWhoseRequestDoesNotEnd) {
  serve({.patience = std::chrono::milliseconds(50)});
  const auto socket = connected();
  const auto gone = [&] { return socket->state() == QAbstractSocket::UnconnectedState || socket->write("x") < 1; };
  EXPECT_TRUE(QTest::qWaitFor(gone, kPatienceMs));
}

TEST_F(MetricsServerTest, LetsASilentClientGoThatTookItsAnswer) {
  serve({.patience = std::chrono::milliseconds(50)});
  const auto socket = connected();
  socket->write("GET /metrics HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(closed(*socket));
}

TEST_F(MetricsServerTest, HasRoomForSoManyAtATimeAndThenAgain) {
  serve({.connections = 3});
  std::vector<std::unique_ptr<QTcpSocket>> idle;
  for (int i = 0; i < 3; i++) idle.push_back(connected());
  EXPECT_EQ(ask("GET /metrics HTTP/1.1\r\n\r\n"), "");
  idle.pop_back();
  EXPECT_TRUE(QTest::qWaitFor([&] { return ask("GET /metrics HTTP/1.1\r\n\r\n") != ""; }, kPatienceMs));
}

TEST_F(MetricsServerTest, TakesARequestInPieces) {
  serve();
  const auto socket = connected();
  for (const char c : std::string("GET /metrics HTTP/1.1\r\n\r\n")) {
    socket->write(&c, 1);
    socket->flush();
    QCoreApplication::processEvents();
  }
  EXPECT_TRUE(closed(*socket));
  EXPECT_THAT(socket->readAll().toStdString(), StartsWith("HTTP/1.1 200"));
}

TEST_F(MetricsServerTest, GoesWithItsClients) {
  serve();
  const auto socket = connected();
  server.reset();
  EXPECT_TRUE(closed(*socket));
}

TEST_F(MetricsServerTest, SaysThatThePortIsTaken) {
  serve();
  const auto second = MetricsServer::listen(server->port(), [] { return std::string(); });
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().text, HasSubstr("it is in use; choose another with --metrics PORT"));
}

TEST_F(MetricsServerTest, IsThereForThisComputerAlone) {
  serve();
  EXPECT_THAT(server->address(), StartsWith("http://127.0.0.1:"));
  QTcpSocket elsewhere;
  elsewhere.connectToHost("127.0.0.2", server->port());
  EXPECT_TRUE(
      QTest::qWaitFor([&] { return elsewhere.error() == QAbstractSocket::ConnectionRefusedError; }, kPatienceMs));
}

}  // namespace
}  // namespace n2nq::cli
