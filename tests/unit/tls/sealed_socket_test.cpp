#include "broker/tls/sealed_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <random>

#include "broker/base/fd.h"

namespace n2nq::tls {
namespace {

using Bytes = std::vector<uint8_t>;

// Both ends of a connection that takes little at a time.
class SealedPair : public testing::Test {
 protected:
  void SetUp() override {
    int fds[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    for (const int fd : fds) ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &kSmall, sizeof kSmall);
    near_fd = Fd(fds[0]), far_fd = Fd(fds[1]);
    server = std::make_unique<Server>(std::move(*Server::made_for_run()));
    trust = std::make_unique<Trust>(
        Trust{.client = Client::for_run(), .host = "localhost", .certificate = server->fingerprint()});
    near_end = std::make_unique<SealedSocket>(trust->open(), near_fd.get());
    far_end = std::make_unique<SealedSocket>(server->open(), far_fd.get());
  }

  void shake_hands() {
    for (int i = 0; i < 20 && !(near_end->shaken() && far_end->shaken()); i++)
      for (SealedSocket* end : {near_end.get(), far_end.get()}) {
        end->flush();
        end->shake();
      }
    ASSERT_TRUE(near_end->shaken() && far_end->shaken());
  }

  static Bytes random_bytes(size_t count, uint32_t seed) {
    std::mt19937 random(seed);
    Bytes bytes(count);
    std::ranges::generate(bytes, [&] { return static_cast<uint8_t>(random()); });
    return bytes;
  }

  // Sends all, in pieces of this size, while the other end reads into spaces of that.
  static Bytes carry(SealedSocket& from, SealedSocket& to, const Bytes& bytes, size_t piece, size_t space) {
    Bytes came, room(space);
    size_t sent = 0;
    for (int idle = 0; idle < 10 && came.size() < bytes.size();) {
      std::vector<iovec> pieces;
      for (size_t at = sent; at < bytes.size() && pieces.size() < 40; at += piece)
        pieces.push_back(
            {.iov_base = const_cast<uint8_t*>(bytes.data() + at), .iov_len = std::min(piece, bytes.size() - at)});
      const ssize_t out = pieces.empty() ? (from.flush(), 0) : from.send(pieces);
      if (out > 0) sent += static_cast<size_t>(out);
      const ssize_t in = to.receive(room);
      if (in > 0) came.insert(came.end(), room.begin(), room.begin() + in);
      idle = out > 0 || in > 0 ? 0 : idle + 1;
    }
    return came;
  }

  static constexpr int kSmall = 8 * 1024;
  Fd near_fd, far_fd;
  std::unique_ptr<Server> server;
  std::unique_ptr<Trust> trust;
  std::unique_ptr<SealedSocket> near_end, far_end;
};

TEST_F(SealedPair, CarriesTheSameBytesBothWaysWhateverTheirPieces) {
  shake_hands();
  for (const size_t count : {1u, 100u, 16'383u, 16'384u, 16'385u, 1'000'000u})
    for (const size_t piece : {7u, 1'000u, 16'384u, 20'000u, 1'000'000u})
      for (const size_t space : {1'000u, 65'536u}) {
        if (count > 100'000 && piece < 1'000) continue;
        SCOPED_TRACE(std::to_string(count) + " by " + std::to_string(piece) + " into " + std::to_string(space));
        const Bytes bytes = random_bytes(count, static_cast<uint32_t>(count + piece));
        EXPECT_TRUE(carry(*near_end, *far_end, bytes, piece, space) == bytes);
        EXPECT_TRUE(carry(*far_end, *near_end, bytes, piece, space) == bytes);
      }
  EXPECT_EQ(near_end->take_sent(), far_end->take_received());
  EXPECT_EQ(far_end->take_sent(), near_end->take_received());
}

TEST_F(SealedPair, PutsManySmallPiecesIntoOneRecord) {
  shake_hands();
  near_end->take_sent();
  const Bytes bytes = random_bytes(4'000, 1);
  EXPECT_TRUE(carry(*near_end, *far_end, bytes, 100, 65'536) == bytes);
  EXPECT_EQ(near_end->take_sent(), bytes.size() + 5 + 1 + 16) << "header, type and tag of one";
}

TEST_F(SealedPair, TakesNoMoreThanOneRecordBeyondWhatTheSocketHolds) {
  shake_hands();
  const Bytes bytes = random_bytes(4'000'000, 2);
  const ssize_t taken = near_end->send(bytes);
  ASSERT_GT(taken, 0);
  EXPECT_GT(near_end->kept(), 0u);
  EXPECT_LE(static_cast<size_t>(taken), near_end->take_sent() + 16 * 1024);
  errno = 0;
  EXPECT_EQ(near_end->send(bytes), -1);
  EXPECT_EQ(errno, EAGAIN);
}

TEST_F(SealedPair, SendsNothingBeforeTheHandshake) {
  errno = 0;
  EXPECT_EQ(near_end->send(random_bytes(10, 3)), -1);
  EXPECT_EQ(errno, EAGAIN);
  Bytes room(100);
  EXPECT_EQ(far_end->receive(room), -1);
  EXPECT_EQ(errno, EAGAIN);
}

TEST_F(SealedPair, TellsOfTheEndThatComesBehindBytes) {
  shake_hands();
  const Bytes bytes = random_bytes(300, 4);
  near_end->send(bytes);
  near_end->say_end();
  Bytes room(1'000);
  EXPECT_EQ(far_end->receive(room), 300);
  EXPECT_TRUE(far_end->end_is_next());
  EXPECT_EQ(far_end->receive(room), 0);
}

TEST_F(SealedPair, TheEndOfTheSocketIsTheEnd) {
  shake_hands();
  near_end.reset();
  near_fd.reset();
  Bytes room(1'000);
  EXPECT_EQ(far_end->receive(room), 0);
}

// Whatever is done to what is under way, nothing of it comes through.
TEST_F(SealedPair, NoticesEachBitThatIsChangedOnTheWay) {
  for (const size_t at : {0u, 3u, 5u, 60u, 115u}) {
    SCOPED_TRACE(at);
    SetUp();
    shake_hands();
    near_end->send(random_bytes(100, 5));
    Bytes wire(4'096);
    const ssize_t n = ::recv(far_fd.get(), wire.data(), wire.size(), 0);
    ASSERT_EQ(n, 122);
    wire[at] ^= 1;
    ASSERT_EQ(::send(near_fd.get(), wire.data(), static_cast<size_t>(n), 0), n);
    near_end.reset();
    near_fd.reset();
    Bytes room(1'000);
    const ssize_t came = far_end->receive(room);
    EXPECT_LE(came, 0);
    if (came < 0) {
      EXPECT_EQ(errno, EPROTO);
      EXPECT_FALSE(far_end->fault().text.empty());
    }
  }
}

TEST_F(SealedPair, SaysThatWhatCameIsNotTls) {
  const std::string_view plain = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  ASSERT_EQ(::send(near_fd.get(), plain.data(), plain.size(), 0), static_cast<ssize_t>(plain.size()));
  Bytes room(1'000);
  EXPECT_EQ(far_end->receive(room), -1);
  EXPECT_EQ(errno, EPROTO);
  EXPECT_TRUE(far_end->fault().not_tls);
}

TEST_F(SealedPair, ChangesItsKeyAfterSoManyRecords) {
  near_end = std::make_unique<SealedSocket>(trust->open(), near_fd.get(), /*records_of_a_key=*/4);
  far_end = std::make_unique<SealedSocket>(server->open(), far_fd.get(), /*records_of_a_key=*/3);
  shake_hands();
  near_end->take_sent();
  constexpr size_t kRecords = 100, kEach = 50;
  for (size_t i = 0; i < kRecords; i++) {
    const Bytes bytes = random_bytes(kEach, static_cast<uint32_t>(i));
    ASSERT_TRUE(carry(*near_end, *far_end, bytes, kEach, 1'000) == bytes) << i;
    ASSERT_TRUE(carry(*far_end, *near_end, bytes, kEach, 1'000) == bytes) << i;
  }
  EXPECT_EQ(near_end->take_sent(), kRecords * (kEach + 22) + kRecords / 4 * (5 + 5 + 17)) << "with the KeyUpdates";
}

// A peer may ask for new keys, but not do nothing else; nor may it leave the answers lying.
TEST_F(SealedPair, ALongRowOfRecordsWithoutContentEndsIt) {
  const SslPtr peer = trust->open();
  SSL_set_fd(peer.get(), near_fd.get());
  Bytes room(1'000);
  for (int i = 0; i < 20 && SSL_do_handshake(peer.get()) != 1; i++) far_end->shake();
  far_end->shake();
  ASSERT_TRUE(far_end->shaken());
  ssize_t came = -1;
  int asked = 0;
  for (errno = EAGAIN; errno == EAGAIN && asked < 1'000; asked++) {
    SSL_key_update(peer.get(), SSL_KEY_UPDATE_REQUESTED);
    SSL_do_handshake(peer.get());
    errno = 0;
    came = far_end->receive(room);
  }
  EXPECT_EQ(came, -1);
  EXPECT_EQ(errno, EPROTO);
  EXPECT_LT(asked, 50);
  EXPECT_LE(far_end->kept(), 64u * 1024);
}

TEST_F(SealedPair, TrustsNoOtherCertificate) {
  trust->certificate[0] = trust->certificate[0] == 'a' ? 'b' : 'a';
  ssize_t outcome = 0;
  for (int i = 0; i < 20; i++) {
    outcome = near_end->shake();
    if (outcome >= 0 || errno != EAGAIN) break;
    far_end->shake();
  }
  EXPECT_EQ(outcome, -1);
  EXPECT_EQ(errno, EPROTO);
  EXPECT_EQ(near_end->verdict(), X509_V_ERR_CERT_REJECTED);
}

}  // namespace
}  // namespace n2nq::tls
