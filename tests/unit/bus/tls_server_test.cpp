// TLS to servers of the user's own: only to one that has the right certificate, and in words where it has not.
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/certificates.h"
#include "tests/unit/bus/bus_rig.h"
#include "workers/bus/bus_table.h"

namespace n2nq::bus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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

// Long before anybody would be tired of trying.
std::string soon_lost(const BusOptions& options) {
  BusRig rig(options);
  Service& sender = rig.sender(7, {});
  EXPECT_TRUE(rig.wait([&] { return !sender.heard.lost.empty() || sender.heard.ready; }, 3s));
  const auto lost = rig.heard(sender).lost;
  return lost.empty() ? "not lost" : lost.front().text;
}

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
  EXPECT_THAT(made.error().text, HasSubstr("cannot use the certificates of bus.tls_ca"));
}

}  // namespace
}  // namespace n2nq::bus::test
