// TLS to servers of the user's own: only to one that has the right certificate, and in words where it has not.
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>

#include "broker/control/token.h"
#include "broker/tls/tls.h"
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/certificates.h"
#include "tests/helpers/fake_nats.h"
#include "tests/helpers/fake_server.h"
#include "tests/unit/bus/bus_rig.h"
#include "workers/bus/bus_table.h"

namespace n2nq::bus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kInfoWithTls = R"(INFO {"version":"2.9.10","max_payload":1048576,"tls_required":true})"
                                     "\r\n";

// Says this first, and does that once the handshake begins.
class FakeStart final : public FakeServer {
 public:
  enum class Then { close, reset, answer };
  FakeStart(std::string greeting, Then then, std::string answer = {})
      : greeting_(std::move(greeting)), then_(then), answer_(std::move(answer)) {
    start();
  }
  ~FakeStart() override { stop(); }

  int begun() const { return begun_; }  // handshakes
  std::string heard() const {
    const std::scoped_lock lock(mutex_);
    return heard_;
  }

 private:
  void on_client(Client& client) override { client.out += greeting_; }
  void on_bytes(Client& client) override {
    const std::scoped_lock lock(mutex_);
    heard_ += std::exchange(client.in, {});
    begun_++;
    if (then_ == Then::answer) client.out += answer_;
    if (then_ == Then::close) end(client);
    if (then_ != Then::reset) return;
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(client.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::shutdown(client.fd, SHUT_RD);
  }

  const std::string greeting_;
  const Then then_;
  const std::string answer_;
  mutable std::mutex mutex_;
  std::string heard_;
  std::atomic<int> begun_ = 0;
};

// A NATS server as it starts: it asks for certificates that it does not insist on, and ends some connections before
// the handshake and some after it, without a word; then it serves one.
class StartingNats final {
 public:
  explicit StartingNats(const Certificates& certificates)
      : tls_(*tls::Server::given(certificates.server(), certificates.key())) {
    listener_.listen();
    thread_ = std::thread([this] {
      for (int i = 0; i < 5; i++) serve(i);
    });
  }
  ~StartingNats() { thread_.join(); }
  std::string address() const { return "localhost:" + std::to_string(listener_.number()); }
  int served() const { return served_; }

 private:
  void serve(int number) {
    const int fd = ::accept4(listener_.fd(), nullptr, nullptr, SOCK_CLOEXEC);
    const std::string info = kInfoWithTls;
    ::send(fd, info.data(), info.size(), MSG_NOSIGNAL);
    if (number >= 2) shake(fd, number == 4);
    ::close(fd);
  }
  void shake(int fd, bool go_on) {
    const tls::SslPtr ssl = tls_.open();
    SSL_set_fd(ssl.get(), fd);
    SSL_set_verify(ssl.get(), SSL_VERIFY_PEER, nullptr);
    if (SSL_do_handshake(ssl.get()) != 1 || !go_on) return;
    const std::string again = R"(INFO {"version":"2.10.1","max_payload":2000})"
                              "\r\n";
    SSL_write(ssl.get(), again.data(), static_cast<int>(again.size()));
    char bytes[4096];
    for (int n = 0; (n = SSL_read(ssl.get(), bytes, sizeof bytes)) > 0;) {
      if (!std::string_view(bytes, static_cast<size_t>(n)).ends_with("PING\r\n")) continue;
      served_++;
      SSL_write(ssl.get(), "PONG\r\n", 6);
    }
  }

  const tls::Server tls_;
  ReservedPort listener_;
  std::atomic<int> served_ = 0;
  std::thread thread_;
};

BusOptions over_tls(const std::string& kind, const std::string& address, const std::string& authorities) {
  return {.kind = kind,
          .settings = {{"address", address}, {"tls", "true"}},
          .authorities = authorities,
          .run_id = 0xab,
          .to_all = true};
}

void expect_delivery(const BusOptions& options) {
  BusRig rig(options);
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready || !sender.heard.lost.empty(); }, 20s));
  ASSERT_TRUE(rig.heard(sender).ready) << rig.heard(sender).lost.front().text;
  const std::vector<std::string> sent{"a", std::string(100'000, 'b')};
  ASSERT_EQ(rig.send(7, sent), 2u);
  EXPECT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 2; }));
  EXPECT_EQ(payloads_of(rig.heard(receiver)), sent);
  finish_all(rig, {&receiver, &sender}, {7}, {1});
}

// Long before anybody would be tired of trying: after 5 s, Kafka's client after 15.
std::string soon_lost(const BusOptions& options) {
  BusRig rig(options);
  Service& sender = rig.sender(7, {});
  const auto soon = options.kind == "kafka" ? 10s : 3s;
  EXPECT_TRUE(rig.wait([&] { return !sender.heard.lost.empty() || sender.heard.ready; }, soon));
  const auto lost = rig.heard(sender).lost;
  return lost.empty() ? "not lost" : lost.front().text;
}

// While it lives, these say whom the host trusts; null: nothing does.
struct TrustEnvironment {
  explicit TrustEnvironment(const char* file) {
    for (const char* name : {"SSL_CERT_FILE", "SSL_CERT_DIR"}) {
      if (const char* value = std::getenv(name)) before.emplace_back(name, value);
      ::unsetenv(name);
    }
    if (file != nullptr) ::setenv("SSL_CERT_FILE", file, 1);
  }
  ~TrustEnvironment() {
    ::unsetenv("SSL_CERT_FILE");
    for (const auto& [name, value] : before) ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<std::pair<std::string, std::string>> before;
};

struct TlsServerTest : testing::TestWithParam<const char*> {
  static const Certificates& certificates() {
    static const Certificates all;
    return all;
  }
  const std::string authority = content_of(certificates().authority());
};

TEST_P(TlsServerTest, IsTrustedOnlyByTheRightCertificate) {
  const std::string kind = GetParam();
  const auto server = tls_server(find_bus(kind)->server, certificates());
  expect_delivery(over_tls(kind, server->address_by_name(), authority));
  EXPECT_THAT(
      soon_lost(over_tls(kind, server->address_by_name(), content_of(certificates().stranger()))),
      AllOf(HasSubstr("server at " + server->address_by_name() + " is not trusted: none of those in bus.tls_ca"),
            HasSubstr("give the certificate of who has in bus.tls_ca")));
  EXPECT_THAT(soon_lost(over_tls(kind, server->address_by_name(), "")),
              HasSubstr("is not trusted: nobody whom this host trusts has signed its certificate"));
  {
    const TrustEnvironment environment(certificates().authority().c_str());
    expect_delivery(over_tls(kind, server->address_by_name(), ""));
  }
  EXPECT_THAT(
      soon_lost(over_tls(kind, server->address(), authority)),
      AllOf(HasSubstr("server at " + server->address() + " is not trusted: its certificate is for another name"),
            HasSubstr("mismatch")));
  BusOptions plain = over_tls(kind, server->address_by_name(), "");
  plain.settings.erase("tls");
  EXPECT_THAT(loss_of(plain), AllOf(HasSubstr("server at " + server->address_by_name()), HasSubstr("bus.tls")));
}

TEST_P(TlsServerTest, IsNoneThatSpeaksPlainly) {
  const std::string kind = GetParam();
  EXPECT_THAT(loss_of(over_tls(kind, shared_server(find_bus(kind)->server).address(), authority)),
              AllOf(HasSubstr("TLS"), HasSubstr("set bus.tls to false")));
}

INSTANTIATE_TEST_SUITE_P(All, TlsServerTest, testing::Values("redis-pubsub", "nats", "jetstream", "rabbitmq", "kafka"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

struct TlsToServer : TlsServerTest {};

TEST_F(TlsToServer, IsNotThatOfYesterday) {
  const RedisServer server({"--tls-cert-file", certificates().expired(), "--tls-key-file", certificates().key(),
                            "--tls-ca-cert-file", certificates().authority(), "--tls-auth-clients", "no"},
                           /*tls=*/true);
  EXPECT_THAT(soon_lost(over_tls("redis-pubsub", server.address_by_name(), authority)),
              HasSubstr("its certificate, or one that signed it, has expired"));
}

// As Redis is shipped; by both versions of TLS, which ask at different times.
TEST_F(TlsToServer, HasNoCertificateOfOurs) {
  for (const char* version : {"TLSv1.2", "TLSv1.3"}) {
    SCOPED_TRACE(version);
    const RedisServer server({"--tls-cert-file", certificates().server(), "--tls-key-file", certificates().key(),
                              "--tls-ca-cert-file", certificates().authority(), "--tls-protocols", version},
                             /*tls=*/true);
    EXPECT_THAT(soon_lost(over_tls("redis-pubsub", server.address_by_name(), authority)),
                HasSubstr("wants a certificate of each client, which the bench does not have"));
  }
}

TEST_F(TlsToServer, OfNatsHasNoCertificateOfOurs) {
  const NatsServer server("tls { cert_file: \"" + certificates().server() + "\", key_file: \"" + certificates().key() +
                          "\", ca_file: \"" + certificates().authority() + "\", verify: true }");
  EXPECT_THAT(soon_lost(over_tls("nats", server.address_by_name(), authority)),
              HasSubstr("wants a certificate of each client"));
}

TEST_F(TlsToServer, OfKafkaHasNoCertificateOfOurs) {
  const KafkaServer server("ssl.client.auth=required", &certificates());
  EXPECT_THAT(soon_lost(over_tls("kafka", server.address_by_name(), authority)),
              AllOf(HasSubstr("the Kafka server at " + server.address_by_name()),
                    HasSubstr("wants a certificate of each client")));
}

TEST_F(TlsToServer, OfKafkaTakesALoginToo) {
  const KafkaServer server(
      "listener.security.protocol.map=PLAINTEXT:SASL_SSL,CONTROLLER:PLAINTEXT\nsasl.enabled.mechanisms=PLAIN\n"
      "sasl.mechanism.inter.broker.protocol=PLAIN\nlistener.name.plaintext.plain.sasl.jaas.config="
      "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"bench\" password=\"word\" "
      "user_bench=\"word\";",
      &certificates());
  BusOptions options = over_tls("kafka", server.address_by_name(), authority);
  options.settings["user"] = "bench";
  options.password = "word";
  EXPECT_EQ(loss_of(options), "it is ready");
  options.password = "another";
  EXPECT_THAT(loss_of(options), HasSubstr("it refuses the login"));
}

TEST_F(TlsToServer, TakesALoginToo) {
  const Certificates& all = certificates();
  const RedisServer redis(
      {"--tls-cert-file", all.server(), "--tls-key-file", all.key(), "--tls-ca-cert-file", all.authority(),
       "--tls-auth-clients", "no", "--requirepass", "word", "--user", "bench", "on", ">word", "~*", "&*", "+@all"},
      /*tls=*/true);
  const NatsServer nats("tls { cert_file: \"" + all.server() + "\", key_file: \"" + all.key() +
                        "\" }\nauthorization { user: bench, password: word }");
  const RabbitServer rabbit(&all);
  const struct {
    const char *kind, *user, *password;
    const BusServer& server;
  } kLogins[] = {{"redis-pubsub", "", "word", redis},
                 {"redis-pubsub", "bench", "word", redis},
                 {"nats", "bench", "word", nats},
                 {"rabbitmq", "guest", "guest", rabbit}};
  for (const auto& [kind, user, password, server] : kLogins) {
    SCOPED_TRACE(std::string(kind) + " " + user);
    BusOptions options = over_tls(kind, server.address_by_name(), authority);
    if (*user != 0) options.settings["user"] = user;
    options.password = password;
    EXPECT_EQ(loss_of(options), "it is ready");
    options.password = "another";
    EXPECT_THAT(loss_of(options), HasSubstr("it refuses the login"));
  }
}

TEST_F(TlsToServer, ComesBeforeTheLogin) {
  for (const auto then : {FakeStart::Then::close, FakeStart::Then::reset}) {
    const FakeStart server(kInfoWithTls, then);
    BusOptions options = over_tls("nats", server.address(), authority);
    options.settings["user"] = "bench";
    options.password = "password-of-the-bench";
    EXPECT_THAT(loss_of(options), HasSubstr("cannot be reached"));
    EXPECT_GT(server.begun(), 2);
    EXPECT_THAT(server.heard(), AllOf(Not(HasSubstr("CONNECT")), Not(HasSubstr("password-of-the-bench"))));
  }
}

TEST_F(TlsToServer, IsNoneWhereSomethingElseIsSaidBefore) {
  const FakeNats both({.greeting = std::string(kInfoWithTls) + "PONG\r\n"});
  EXPECT_THAT(
      soon_lost(over_tls("nats", both.address(), authority)),
      HasSubstr("sends more than its INFO before TLS, \"PONG..\"; see its log, and whether somebody is between"));
  const FakeNats pings({.greeting = std::string("PING\r\n") + kInfoWithTls});
  EXPECT_THAT(soon_lost(over_tls("nats", pings.address(), authority)), HasSubstr("does not speak as one"));
  EXPECT_EQ(pings.operations("PONG"), 0);
  const FakeStart later(kInfoWithTls, FakeStart::Then::answer, "+OK\r\nPONG\r\n");
  EXPECT_THAT(soon_lost(over_tls("nats", later.address(), authority)),
              HasSubstr("goes on without TLS, which it has agreed to"));
}

TEST_F(TlsToServer, IsNoneByAnOldVersion) {
  const std::string hello("\x16\x03\x02\x00\x2a\x02\x00\x00\x26\x03\x02", 11);
  const FakeStart old("", FakeStart::Then::answer, hello + std::string(32, 'r') + std::string("\x00\x00\x2f\x00", 4));
  EXPECT_THAT(soon_lost(over_tls("redis-pubsub", old.address(), authority)),
              AllOf(HasSubstr("unsupported protocol; see its log, its versions of TLS and its ciphers"),
                    Not(HasSubstr("bus.tls"))));
}

TEST_F(TlsToServer, IsTriedUntilTheServerIsThere) {
  const StartingNats server(certificates());
  BusRig rig(over_tls("nats", server.address(), authority));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready || !sender.heard.lost.empty(); }, 20s));
  ASSERT_TRUE(rig.heard(sender).ready) << rig.heard(sender).lost.front().text;
  EXPECT_EQ(server.served(), 1);
  EXPECT_EQ(rig.server(), "nats-server 2.10.1");  // as it says over TLS
}

// By its address, by what signed it or itself, and never by its common name.
TEST_F(TlsToServer, TakesTheRightNames) {
  const Certificates& all = certificates();
  const struct {
    std::string certificate, trusted;
    bool by_name;
    const char* outcome;
  } kCases[] = {{all.by_address(), all.authority(), false, "it is ready"},
                {all.by_address(), all.authority(), true, "its certificate is for another name"},
                {all.server(), all.server(), true, "it is ready"},
                {all.common(), all.common(), true, "its certificate is for another name"}};
  for (const auto& [certificate, trusted, by_name, outcome] : kCases) {
    SCOPED_TRACE(certificate);
    const RedisServer server({"--tls-cert-file", certificate, "--tls-key-file", all.key(), "--tls-ca-cert-file",
                              all.authority(), "--tls-auth-clients", "no"},
                             /*tls=*/true);
    const std::string address = by_name ? server.address_by_name() : server.address();
    EXPECT_THAT(loss_of(over_tls("redis-pubsub", address, content_of(trusted))), HasSubstr(outcome));
  }
  EXPECT_EQ((NamedServer{.address = "one.example.:6379", .endpoint = {}}.host()), "one.example");
}

size_t trusted_by(const tls::Client& client) {
  static const std::string nobody;
  const tls::SslPtr connection = client.open("localhost", nobody);
  return static_cast<size_t>(
      sk_X509_OBJECT_num(X509_STORE_get0_objects(SSL_CTX_get_cert_store(SSL_get_SSL_CTX(connection.get())))));
}

TEST_F(TlsToServer, LooksForWhomTheHostTrustsWhereDistributionsHaveThem) {
  const TrustEnvironment environment(nullptr);
  const TempDir dir;
  const auto empty = (dir.path() / "none.pem").string();
  std::ofstream(empty) << "nothing\n";
  const auto found = tls::Client::for_given(
      "", {.files = {"/nowhere.pem", empty, certificates().authority(), certificates().stranger()}, .folder = {}});
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(trusted_by(*found), 1u);
  const auto none = tls::Client::for_given("", {.files = {"/nowhere.pem", empty}, .folder = "/nowhere"});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().text, "this host trusts nobody: there are no certificates in /nowhere, /nowhere.pem, " +
                                   empty + "; install its package ca-certificates, or give bus.tls_ca");
}

TEST_F(TlsToServer, IsNoneOfAServerOfTheRun) {
  BusOptions options = over_tls("redis-pubsub", "127.0.0.1:1", "");
  options.token = kToken;
  options.own_server = true;
  BusRig rig({.kind = "http"});
  const auto made = make_bus(options, rig.parts());
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text, HasSubstr("a server that is started for the run has no TLS"));
}

TEST_F(TlsToServer, WantsCertificatesThatCanBeRead) {
  BusOptions options =
      over_tls("redis-pubsub", "127.0.0.1:1", authority.substr(0, 60) + "\n-----END CERTIFICATE-----\n");
  options.token = kToken;
  BusRig rig({.kind = "http"});
  const auto made = make_bus(options, rig.parts());
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text, HasSubstr("bus.tls_ca: a certificate in it is damaged"));
}

// What the bench and workers take out of a file is what is trusted, or refused; nothing else of the file matters.
TEST_F(TlsToServer, TakesTheCertificatesThatControlTakes) {
  const auto outcome = [](const std::string& text) {
    const auto certificates = control::certificates_in(text);
    if (!certificates) return std::string("not taken");
    return std::string(tls::Client::for_server(*certificates) ? "trusted" : "damaged");
  };
  std::string flipped = authority, crlf;
  flipped[40] = flipped[40] == 'A' ? 'B' : 'A';
  for (const char c : authority) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  const std::pair<std::string, const char*> texts[] = {
      {authority, "trusted"},
      {authority + authority, "trusted"},
      {"Of A:\n" + authority + "\nOf B:\n\n" + authority + "\n\n", "trusted"},
      {crlf, "trusted"},
      {flipped, "damaged"},
      {authority + flipped, "damaged"},
      {authority.substr(0, 200), "not taken"},
      {authority.substr(0, 200) + "-----END CERTIFICATE-----\n", "damaged"},
      {"", "not taken"},
      {"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", "damaged"}};
  for (const auto& [text, what] : texts) EXPECT_EQ(outcome(text), what) << text;
}

}  // namespace
}  // namespace n2nq::bus::test
