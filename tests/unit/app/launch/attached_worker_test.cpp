#include "app/launch/attached_worker.h"

#include <gmock/gmock.h>
#include <sys/socket.h>

#include <QTcpServer>
#include <QTcpSocket>

#include "tests/unit/app/launch/heard.h"

namespace n2nq::launch {
namespace {

using testing::HasSubstr;

std::string address_of(const QTcpServer& server) {
  return "127.0.0.1:" + std::to_string(server.serverPort());
}

TEST(AttachedWorker, IsAStreamToWhoListensThere) {
  QTcpServer server;
  ASSERT_TRUE(server.listen(QHostAddress::LocalHost));
  auto worker = attach_worker(address_of(server));
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_started());
  ASSERT_TRUE(QTest::qWaitFor([&] { return server.hasPendingConnections(); }, kPatienceMs));
  QTcpSocket* peer = server.nextPendingConnection();
  worker->channel().write("hello\n");
  ASSERT_TRUE(QTest::qWaitFor([&] { return peer->canReadLine(); }, kPatienceMs));
  peer->write("the end\n");
  peer->disconnectFromHost();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_TRUE(heard.end->started);
  EXPECT_EQ(worker->channel().readAll().toStdString(), "the end\n");
  EXPECT_EQ(heard.ends, 1);
}

TEST(AttachedWorker, SaysHowToStartOneWhereNobodyListens) {
  QTcpServer server;
  ASSERT_TRUE(server.listen(QHostAddress::LocalHost));
  const std::string address = address_of(server);
  server.close();
  auto worker = attach_worker(address);
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_FALSE(heard.end->started);
  EXPECT_THAT(heard.end->text, HasSubstr("no worker answers at " + address));
  EXPECT_THAT(heard.end->text, HasSubstr("--control"));
}

TEST(AttachedWorker, SaysWhatAnAddressLooksLike) {
  auto worker = attach_worker("nonsense");
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_THAT(heard.end->text, HasSubstr("HOST:PORT"));
}

TEST(AttachedWorker, IsReachedAtAnAddressInBrackets) {
  QTcpServer server;
  if (!server.listen(QHostAddress::LocalHostIPv6)) GTEST_SKIP() << "this computer has no IPv6";
  auto worker = attach_worker("[::1]:" + std::to_string(server.serverPort()));
  Heard heard(*worker);
  EXPECT_TRUE(heard.wait_started());
}

TEST(AttachedWorker, ALostConnectionIsSaidToBeThat) {
  QTcpServer server;
  ASSERT_TRUE(server.listen(QHostAddress::LocalHost));
  auto worker = attach_worker(address_of(server));
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_started());
  ASSERT_TRUE(QTest::qWaitFor([&] { return server.hasPendingConnections(); }, kPatienceMs));
  QTcpSocket* peer = server.nextPendingConnection();
  const linger reset{.l_onoff = 1, .l_linger = 0};
  ASSERT_EQ(::setsockopt(static_cast<int>(peer->socketDescriptor()), SOL_SOCKET, SO_LINGER, &reset, sizeof reset), 0);
  worker->channel().write("something unread\n");
  peer->abort();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_THAT(heard.end->text, testing::Not(HasSubstr("start it there")));
}

TEST(AttachedWorker, HoldsNoMoreUnreadThanALineOrTwo) {
  QTcpServer server;
  ASSERT_TRUE(server.listen(QHostAddress::LocalHost));
  auto worker = attach_worker(address_of(server));
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_started());
  ASSERT_TRUE(QTest::qWaitFor([&] { return server.hasPendingConnections(); }, kPatienceMs));
  QTcpSocket* peer = server.nextPendingConnection();
  peer->write(QByteArray(16 << 20, 'x'));
  ASSERT_TRUE(QTest::qWaitFor([&] { return worker->channel().bytesAvailable() >= 1 << 20; }, kPatienceMs));
  for (int turn = 0; turn < 100; turn++) QCoreApplication::processEvents();
  EXPECT_LE(worker->channel().bytesAvailable(), 2 << 20);
}

TEST(AttachedWorker, IsLetGoAndNotKilled) {
  QTcpServer server;
  ASSERT_TRUE(server.listen(QHostAddress::LocalHost));
  auto worker = attach_worker(address_of(server));
  Heard heard(*worker);
  ASSERT_TRUE(heard.wait_started());
  worker->kill();
  EXPECT_EQ(heard.ends, 0) << "the end comes from the event loop";
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->signal, 0);
  EXPECT_EQ(heard.end->text, "detached");
}

}  // namespace
}  // namespace n2nq::launch
