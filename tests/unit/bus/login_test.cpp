// Logins at servers of the user's own, as each of them knows users.
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/fake_redis.h"
#include "tests/unit/bus/bus_rig.h"

namespace n2nq::bus::test {
namespace {

using testing::HasSubstr;

const std::string kPassword = "pass \"word\" 1\\";

// Why it does not become ready, or that it does.
std::string come(const std::string& kind, const std::string& address, const std::string& user,
                 const std::string& password, const std::map<std::string, std::string>& more = {}) {
  BusOptions options{.kind = kind,
                     .settings = {{"address", address}, {"user", user}},
                     .password = password,
                     .run_id = 0xab,
                     .to_all = true};
  options.settings.insert(more.begin(), more.end());
  return loss_of(options);
}

void expect_logins(const std::string& kind, const std::string& address, const std::string& user) {
  SCOPED_TRACE(kind + " " + user);
  EXPECT_EQ(come(kind, address, user, kPassword), "it is ready");
  const std::string refused = come(kind, address, user, "another");
  EXPECT_THAT(refused, HasSubstr("it refuses the login; correct bus.user, or the password in bus.password_file"));
  EXPECT_THAT(refused, testing::Not(HasSubstr("another")));
  EXPECT_THAT(come(kind, address, user + "x", kPassword), HasSubstr("it refuses the login"));
}

void expect_wants_login(const std::string& kind, const std::string& address) {
  EXPECT_THAT(come(kind, address, "", ""), HasSubstr("it wants a login; give bus.user and bus.password_file"));
}

TEST(Login, AtRedis) {
  const RedisServer server(
      {"--requirepass", "of the default user", "--user", "bench", "on", ">" + kPassword, "~*", "&*", "+@all"});
  for (const char* kind : {"redis-pubsub", "redis-streams"}) {
    expect_logins(kind, server.address(), "bench");
    expect_wants_login(kind, server.address());
    EXPECT_EQ(come(kind, server.address(), "", "of the default user"), "it is ready");
  }
}

// What it does not know it repeats.
TEST(Login, IsInNoErrorOfAServerThatKnowsNone) {
  const FakeRedis server(
      {.answers = {{"AUTH", {"-ERR unknown command 'AUTH', with args beginning with: 'secret' \r\n"}}}});
  EXPECT_THAT(
      come("redis-pubsub", server.address(), "", "secret"),
      testing::AllOf(HasSubstr("refuses AUTH: \"ERR\"; it refuses the login"), testing::Not(HasSubstr("secret"))));
}

TEST(Login, NeedsAPassword) {
  for (const char* kind : {"redis-pubsub", "redis-streams", "nats", "jetstream", "rabbitmq", "kafka"}) {
    BusRig rig({.kind = kind, .settings = {{"address", "127.0.0.1:1"}}, .run_id = 0xab, .to_all = true});
    const auto made = make_bus(
        {.kind = kind, .settings = {{"address", "127.0.0.1:1"}, {"user", "x"}}, .token = kToken, .to_all = true},
        rig.parts());
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().text, "bus.user needs a password; give bus.password_file");
  }
}

TEST(Login, AtNats) {
  const std::string quoted = "\"pass \\\"word\\\" 1\\\\\"";
  const NatsServer users("authorization { users: [{user: bench, password: " + quoted +
                         "}] }\n"
                         "jetstream { store_dir: \"{folder}\" }");
  expect_logins("nats", users.address(), "bench");
  expect_logins("jetstream", users.address(), "bench");
  expect_wants_login("nats", users.address());
  const NatsServer token("authorization { token: " + quoted + " }");
  EXPECT_EQ(come("nats", token.address(), "", kPassword), "it is ready");
  EXPECT_THAT(come("nats", token.address(), "", "another"), HasSubstr("it refuses the login"));
}

TEST(Login, AtRabbitMq) {
  const auto& server = static_cast<RabbitServer&>(shared_server("rabbitmq"));
  server.ask("rabbit_auth_backend_internal:add_user(<<\"bench\">>, <<\"pass \\\"word\\\" 1\\\\\">>, <<\"test\">>)");
  server.ask("rabbit_vhost:add(<<\"lab\">>, <<\"test\">>)");
  server.ask(
      "rabbit_auth_backend_internal:set_permissions(<<\"bench\">>, <<\"lab\">>, <<\".*\">>, <<\".*\">>, <<\".*\">>, "
      "<<\"test\">>)");
  EXPECT_EQ(come("rabbitmq", server.address(), "bench", kPassword, {{"vhost", "lab"}}), "it is ready");
  EXPECT_THAT(come("rabbitmq", server.address(), "bench", "another", {{"vhost", "lab"}}),
              HasSubstr("it refuses the login"));
  for (const char* wrong : {"/", "nowhere"})
    EXPECT_THAT(come("rabbitmq", server.address(), "bench", kPassword, {{"vhost", wrong}}),
                HasSubstr("correct bus.vhost"));
  EXPECT_EQ(come("rabbitmq", server.address(), "", ""), "it is ready") << "guest";
}

TEST(Login, AtKafka) {
  const std::string module = "org.apache.kafka.common.security.";
  const KafkaServer server(
      "listener.security.protocol.map=PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT\n"
      "inter.broker.listener.name=PLAINTEXT\nsasl.enabled.mechanisms=PLAIN\nsasl.mechanism.inter.broker.protocol="
      "PLAIN\n"
      "listener.name.plaintext.plain.sasl.jaas.config=" +
      module +
      "plain.PlainLoginModule required username=\"bench\" password=\"pass \\\\\"word\\\\\" 1\\\\\\\\\" "
      "user_bench=\"pass \\\\\"word\\\\\" 1\\\\\\\\\";");
  expect_logins("kafka", server.address(), "bench");
  expect_wants_login("kafka", server.address());
}

}  // namespace
}  // namespace n2nq::bus::test
