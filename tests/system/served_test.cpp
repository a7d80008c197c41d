// A broker with a server of the run's own: it is there when the broker says so, and gone with it, whoever is killed.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/helpers/accounts.h"
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kToken = "run-token\"1\\";

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Served : public testing::Test {
 protected:
  static void SetUpTestSuite() { put_servers_into_path(); }
  ~Served() override {
    EXPECT_TRUE(pid_ == 0 || wait_gone(pid_, 10s));
    EXPECT_TRUE(guard_ == 0 || wait_gone(guard_, 10s));
    EXPECT_TRUE(folder_.empty() || !fs::exists(folder_));
    EXPECT_THAT(processes_left(), IsEmpty());
  }

  Process& start(Options options = {}) {
    options.insert(options.begin(), {"--elsewhere", "--serve", kind_, "--log-dir", logs()});
    if (!given_token_) options.emplace_back("--insecure-no-token");
    fs::create_directories(logs());
    Process& broker = stage_.start_raw("n2nq-broker", with_listen(std::move(options)));
    const Json ready = await_json(broker, "ready", 60s);  // as long as the slowest server may take, on a busy computer
    servers_ = ready.contains("servers") ? ready["servers"] : Json::array({Json::object()});
    server_ = servers_[0];
    know_server();
    return broker;
  }
  Options with_listen(Options options) const {
    options.insert(options.end(), {"--listen", stage_.address()});
    return options;
  }
  static bool says(Process& broker, const std::string& text) {
    const auto has = [&](const std::string& line) { return line.find(text) != std::string::npos; };
    return broker.wait_line(has, 20s).has_value();
  }
  std::string logs() const { return stage_.logs(); }
  std::string ask(const Options& words) const {
    const std::string address = server_.value("address", "");
    std::vector<std::string> argv{"/usr/bin/redis-cli", "-p", address.substr(address.rfind(':') + 1)};
    argv.insert(argv.end(), words.begin(), words.end());
    return output_of(argv);
  }
  void know_server() {
    pid_ = server_.value("pid", 0);
    guard_ = parent_of(pid_);
    folder_ = fs::read_symlink("/proc/" + std::to_string(pid_) + "/cwd");
  }
  Options bus(const std::string& kind = "redis-pubsub", const std::string& more = {}) const {
    return {"--bus", kind, "--bus-set", "address=" + server_.value("address", "") + more, "--bus-own-server"};
  }
  Fleet with_bus(Fleet fleet) const { return with(std::move(fleet), bus(kind_ == "redis" ? "redis-pubsub" : kind_)); }
  Fleet with(Fleet fleet, const Options& more) const {
    fleet.options.insert(fleet.options.end(), more.begin(), more.end());
    return fleet;
  }

  Stage stage_;
  std::string kind_ = "redis";
  bool given_token_ = false;
  Json servers_, server_;
  pid_t pid_ = 0;
  pid_t guard_ = 0;
  fs::path folder_{};
};

TEST_F(Served, IsThereWhenItIsSaidAndGoneWithTheBroker) {
  Process& broker = start();
  EXPECT_EQ(server_["name"], "redis-server");
  EXPECT_EQ(ask({"PING"}), "PONG\n");
  EXPECT_THAT(ask({"INFO", "server"}), HasSubstr("redis_version:" + server_["version"].get<std::string>()));
  EXPECT_EQ(ask({"CONFIG", "GET", "dir"}), "dir\n" + folder_.string() + "\n");
  EXPECT_EQ(ask({"CONFIG", "GET", "save"}), "save\n\n");
  broker.signal(SIGTERM);
  ASSERT_TRUE(broker.wait_exit(20s));
  EXPECT_FALSE(fs::exists("/proc/" + std::to_string(pid_)));  // before the broker
  EXPECT_EQ(server_["log"], logs() + "/server.log");
  EXPECT_THAT(text_of(logs() + "/server.log"), HasSubstr("Ready to accept connections"));
}

TEST_F(Served, WritesItsMessagesToAFileAsItIsTold) {
  Process& broker = start({"--serve-set", "append_fsync=always"});
  EXPECT_THAT(ask({"CONFIG", "GET", "appendonly"}), HasSubstr("yes"));
  EXPECT_THAT(ask({"CONFIG", "GET", "appendfsync"}), HasSubstr("always"));
  broker.signal(SIGTERM);
  ASSERT_TRUE(broker.wait_exit(20s));
  Process wrong({program("n2nq-broker"), "--elsewhere", "--serve", "redis", "--insecure-no-token", "--serve-set",
                 "append_fsync=often"});
  ASSERT_TRUE(wrong.wait_exit(20s));
  EXPECT_THAT(wrong.err(), HasSubstr("append_fsync=off, no, everysec or always"));
}

// A server knows of a stream before it can give messages of it: one receiver makes it, and others wait for that.
TEST_F(Served, OfAStreamIsJoinedByManyReceiversAtOnce) {
  kind_ = "rabbitmq";
  Process& broker = start({"--expect-receivers", "10", "--expect-senders", "1"});
  const auto over = [this](Fleet fleet) { return with(std::move(fleet), bus("rabbitmq", ";queue_type=stream")); };
  Process& first = stage_.start(over(receivers(5)));
  Process& second = stage_.start(over(receivers(5, {}, 6)));
  Process& sending = stage_.start(over(senders(1, {"--messages", "20", "--delay", "1ms"})));
  for (Process* each : {&sending, &first, &second, &broker}) {
    const auto exit = each->wait_exit(60s);
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->code, 0) << each->err();
  }
}

TEST_F(Served, IsNoClusterOfAKindThatFormsNone) {
  Process wrong({program("n2nq-broker"), "--elsewhere", "--serve", "redis", "--insecure-no-token", "--serve-listen",
                 "127.0.0.1:0,127.0.0.1:0"});
  ASSERT_TRUE(wrong.wait_exit(20s));
  EXPECT_THAT(wrong.err(), HasSubstr("servers of Redis are not started as a cluster; give one address"));
}

// Somebody on this computer who takes a port of the loopback address as soon as whoever has it lets it go, and listens
// to what comes.
class PortThief {
 public:
  explicit PortThief(uint16_t port) : thread_([this, port](const std::stop_token& stop) { steal(port, stop); }) {}
  ~PortThief() { thread_.request_stop(); }
  bool got_it() const { return got_it_; }
  std::string heard() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
    return heard_;
  }

 private:
  void steal(uint16_t port, const std::stop_token& stop) {
    sockaddr_in at = loopback(port);
    for (bool taken = false; !taken && !stop.stop_requested();) {
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      taken = ::connect(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
      ::close(fd);
    }
    const int fd = bind_loopback(port, &stop);
    if (fd < 0) return;
    ::listen(fd, 16);
    got_it_ = true;
    while (!stop.stop_requested()) {
      pollfd wait{.fd = fd, .events = POLLIN, .revents = 0};
      if (::poll(&wait, 1, 20) <= 0) continue;
      const int guest = ::accept(fd, nullptr, nullptr);
      pollfd word{.fd = guest, .events = POLLIN, .revents = 0};
      char bytes[4096];
      if (::poll(&word, 1, 500) > 0)
        if (const ssize_t n = ::recv(guest, bytes, sizeof bytes, 0); n > 0)
          heard_.append(bytes, static_cast<size_t>(n));
      ::close(guest);
    }
    ::close(fd);
  }

 public:
  // -1: it cannot be had; with `stop` it is tried until then.
  static int bind_loopback(uint16_t port, const std::stop_token* stop = nullptr) {
    const sockaddr_in at = loopback(port);
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    do {
      if (::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0) return fd;
    } while (stop != nullptr && !stop->stop_requested());
    ::close(fd);
    return -1;
  }

 private:
  static sockaddr_in loopback(uint16_t port) {
    return {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  }
  std::atomic<bool> got_it_ = false;
  std::string heard_;
  std::jthread thread_;
};

class ServedEach : public Served, public testing::WithParamInterface<const char*> {
 protected:
  ServedEach() { kind_ = GetParam(); }
  void expect_refused(const std::string& address) const {
    const std::string port = address.substr(address.rfind(':') + 1);
    Process stranger(
        kind_ == "rabbitmq"
            ? Options{"/usr/bin/amqp-publish", "--url", "amqp://n2nq:wrong@" + address, "-r", "x", "-b", "x"}
        : kind_ == "kafka"
            ? Options{"/usr/bin/python3", "-c",
                      "import socket, struct, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
                      "def ask(key, version, body):\n"
                      "  r = struct.pack('>hhih', key, version, 0, 1) + b'x' + body\n"
                      "  s.sendall(struct.pack('>i', len(r)) + r); s.settimeout(5)\n"
                      "  return s.recv(4096)\n"
                      "ask(17, 1, struct.pack('>h', 5) + b'PLAIN'); login = b'\\0n2nq\\0wrong'\n"
                      "print(ask(36, 0, struct.pack('>i', len(login)) + login))",
                      port}
        : kind_ == "relay"
            ? Options{"/usr/bin/python3", "-c",
                      "import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
                      "s.sendall(b'n2nq-relay/1 receiver x wrong\\n'); s.settimeout(5)\n"
                      "said = b''\n"
                      "while more := s.recv(4096): said += more\n"
                      "print(said.decode())",
                      port}
            : Options{"/usr/bin/python3", "-c",
                      "import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
                      "s.sendall(b'PING\\r\\n'); s.settimeout(5)\n"
                      "said = b''\n"
                      "while b'\\n-ERR' not in b'\\n' + said and b'NOAUTH' not in said:\n"
                      "  said += s.recv(4096)\n"
                      "print(said.decode())",
                      port});
    ASSERT_TRUE(stranger.wait_exit(20s));
    EXPECT_THAT(stranger.out() + stranger.err(),
                testing::AnyOf(HasSubstr("NOAUTH"), HasSubstr("ACCESS_REFUSED"), HasSubstr("Authorization Violation"),
                               HasSubstr("Authentication failed: Invalid username or password"),
                               HasSubstr("refused: the token is not that of this relay")));
  }
};

TEST_P(ServedEach, CarriesARunWithTheRunsTokenAndShowsItToNobody) {
  given_token_ = true;
  const std::string file = stage_.dir() / "token";
  std::ofstream(file) << kToken << "\n";
  fs::permissions(file, fs::perms::owner_read);
  SecretWatch watch({kToken});
  Process& broker = start({"--token-file", file});
  // Whoever comes without it is refused.
  expect_refused(server_.value("address", ""));
  Process& receiving = stage_.start(with_bus(receivers(2, {"--token-file", file})));
  Process& sending = stage_.start(with_bus(senders(2, {"--token-file", file, "--messages", "50", "--delay", "1ms"})));
  watch.look();
  for (Process* each : {&sending, &receiving, &broker}) {
    const auto exit = each->wait_exit(20s);
    ASSERT_TRUE(exit) << each->err();
    EXPECT_EQ(exit->code, 0) << each->out() << each->err();
  }
  EXPECT_THAT(receiving.out(), HasSubstr("\"received\":200"));
  EXPECT_THAT(watch.found(), IsEmpty());
  for (const auto& log : fs::directory_iterator(logs()))
    EXPECT_THAT(text_of(log.path()), testing::Not(HasSubstr(kToken))) << log.path();
}

// Its port is nobody's for as long as it takes to start: 3 s of Kafka.
TEST_P(ServedEach, SaysNothingToWhoeverTookItsPort) {
  const std::string file = stage_.dir() / "token";
  std::ofstream(file) << kToken << "\n";
  fs::permissions(file, fs::perms::owner_read);
  fs::create_directories(logs());
  uint16_t port = 0;
  {
    const ReservedPort free;
    port = free.number();
  }
  PortThief thief(port);
  Process broker({program("n2nq-broker"), "--elsewhere", "--serve", kind_, "--log-dir", logs(), "--listen",
                  stage_.address(), "--token-file", file, "--serve-listen", "127.0.0.1:" + std::to_string(port)});
  // The thief has it as soon as the broker lets it go; or the server is sooner, and all is well.
  const auto is_there = [](const std::string& line) { return line.find("\"ready\"") != std::string::npos; };
  for (const Deadline soon(20s); !thief.got_it() && !soon.passed();)
    if (broker.wait_line(is_there, Deadline::window(100ms))) break;
  const auto exit = broker.wait_exit(Deadline::window(2s));
  if (!exit) broker.signal(SIGTERM);
  EXPECT_TRUE(exit || broker.wait_exit(20s));
  EXPECT_EQ(thief.heard(), "");
  EXPECT_TRUE(thief.got_it() || kind_ != std::string("kafka")) << "nothing was shown";
}

TEST_P(ServedEach, IsGoneWithAllThatItStartedWhenItsGuardIsKilled) {
  Process& broker = start();
  EXPECT_EQ(parent_of(guard_), broker.pid());
  ::kill(guard_, SIGKILL);
  EXPECT_TRUE(broker.wait_err("has ended by itself with its guard", 10s)) << broker.err();
  broker.signal(SIGTERM);
  EXPECT_TRUE(broker.wait_exit(20s));
}

INSTANTIATE_TEST_SUITE_P(Servers, ServedEach,
                         testing::Values("redis", "nats", "jetstream", "rabbitmq", "kafka", "relay"));

class ServedCluster : public Served, public testing::WithParamInterface<const char*> {
 protected:
  ServedCluster() { kind_ = GetParam(); }
  bool speaks_nats() const { return kind_ == "nats" || kind_ == "jetstream"; }
};

// Its servers know each other by the run's token, which is shown to nobody. Of three two are killed, each once, and the
// rest is gone with the broker.
TEST_P(ServedCluster, IsFormedWithTheRunsTokenAndGoesOnWithoutThoseThatAreKilled) {
  std::string escaped;
  for (const char c : kToken) {
    char byte[4];
    std::snprintf(byte, sizeof byte, "%%%02X", static_cast<unsigned char>(c));
    escaped += byte;
  }
  SecretWatch watch({kToken, escaped});
  fs::create_directories(logs());
  Process broker(
      {program("n2nq-broker"), "--elsewhere", "--serve", kind_, "--controlled", "--control-timeout", "300s",
       "--log-dir", logs(), "--listen", stage_.address(), "--serve-listen", "127.0.0.1:0,127.0.0.1:0,127.0.0.1:0"},
      Process::Stdin::pipe);
  broker.send_line(Json{{"type", "hello"}, {"token", kToken}}.dump());
  const Json servers = await_json(broker, "ready", 120s)["servers"];
  ASSERT_EQ(servers.size(), 3u);
  watch.look();
  server_ = servers[2];
  know_server();
  for (const char* number : {"1", "2"}) {
    broker.send_line(R"({"type":"kill_server","server":")" + std::string(number) + "\"}");
    EXPECT_TRUE(says(broker, "server " + std::string(number) + " of 3 was killed, as it was asked for"));
    EXPECT_TRUE(wait_gone(servers[std::stoi(number) - 1].value("pid", 0), 10s));
  }
  // Nobody who took the port of a dead one would hear the password of workers that connect again.
  const std::string address = servers[0].value("address", "");
  const auto port = static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  int taken = 0;
  for (const Deadline soon(10s); taken >= 0 && !soon.passed();)
    if ((taken = PortThief::bind_loopback(port)) >= 0) ::close(taken);
  EXPECT_EQ(taken, -1);
  broker.send_line(R"({"type":"kill_server","server":"2"})");
  EXPECT_TRUE(says(broker, "no server was killed: server 2 has ended before"));
  broker.send_line(R"({"type":"kill_server","server":"4"})");
  EXPECT_TRUE(says(broker, "no server was killed: there is no server 4 of 3"));
  EXPECT_TRUE(fs::exists("/proc/" + std::to_string(pid_)));
  broker.send_line(R"({"type":"stop"})");
  EXPECT_TRUE(broker.wait_exit(30s));
  EXPECT_THAT(watch.found(), IsEmpty());
  for (const char* name : {"server.log", "server-2.log", "server-3.log"}) {
    const std::string log = text_of(logs() + "/" + name);
    EXPECT_TRUE(!speaks_nats() || log.find("Route connection created") != log.npos) << log;
    EXPECT_THAT(log, testing::AllOf(testing::Not(HasSubstr(kToken)), testing::Not(HasSubstr(escaped))));
  }
}

TEST_F(Served, ClusterTakesTheTokenOfAFileAndIsGoneWithTheBroker) {
  kind_ = "nats";
  given_token_ = true;
  const std::string file = stage_.dir() / "token";
  std::ofstream(file) << kToken << "\n";
  fs::permissions(file, fs::perms::owner_read);
  Process& broker = start({"--token-file", file, "--serve-listen", "127.0.0.1:0,127.0.0.1:0,127.0.0.1:0"});
  ASSERT_EQ(servers_.size(), 3u);
  broker.signal(SIGTERM);
  ASSERT_TRUE(broker.wait_exit(20s));
  for (const Json& server : servers_) EXPECT_TRUE(wait_gone(server.value("pid", 0), 10s));
}

INSTANTIATE_TEST_SUITE_P(Servers, ServedCluster, testing::Values("nats", "jetstream", "rabbitmq", "kafka"));

// Of a cluster on several computers there is a broker on each, with no queue.
TEST_F(Served, WaitsForTheOthersOfItsClusterAndTakesNoNonsense) {
  const auto keeper = [this](const char* address) {
    fs::create_directories(logs() + "/" + address);
    auto process = std::make_unique<Process>(
        Options{program("n2nq-broker"), "--elsewhere", "--serve", "nats", "--controlled", "--control-timeout", "300s",
                "--log-dir", logs() + "/" + address, "--serve-listen", address + std::string(":0"), "--serve-apart",
                address + std::string(":20000,20000-20100")},
        Process::Stdin::pipe);
    process->send_line(R"({"type":"hello","token":"x"})");
    return process;
  };
  const auto first = keeper("127.0.0.2"), second = keeper("127.0.0.3");
  Json members = Json::array();
  for (Process* each : {first.get(), second.get()}) {
    const Json said = await_json(*each, "sites");
    EXPECT_FALSE(said["one_first"]);
    ASSERT_EQ(said["sites"].size(), 1u);
    members.push_back(said["sites"][0]);
  }
  EXPECT_THAT(members[0]["address"].get<std::string>(), testing::StartsWith("127.0.0.2:"));
  EXPECT_THAT(members[0]["more_ports"][0].get<int>(), testing::AllOf(testing::Gt(20000), testing::Le(20100)));

  const auto tell = [](Process& to, const Json& all, const Json& cookie) {
    to.send_line(Json{{"type", "form_cluster"}, {"members", all}, {"cookie", cookie}}.dump());
  };
  first->send_line(R"({"type":"kill_server","server":"1"})");
  EXPECT_TRUE(says(*first, "no server was started for this run, or it is not ready"));
  Json odd = members;
  for (const auto& [key, value] : {std::pair<const char*, Json>{"name", "a\"b"},
                                   {"address", 7},
                                   {"address", "nowhere"},
                                   {"more_ports", Json::array()},
                                   {"more_ports", {70000}},
                                   {"name", "n2nq-server-other"}}) {
    odd[0] = members[0];
    odd[0][key] = value;
    tell(*first, odd, "c");
    EXPECT_NE(await_json(*first, "error")["text"], "") << odd;
  }
  for (const Json& none : {Json(), Json::array(), Json("a"), Json({1, 2})}) {
    tell(*first, none, "c");
    EXPECT_THAT(await_json(*first, "error")["text"], HasSubstr("form_cluster: members")) << none;
  }
  tell(*first, members, 7);
  EXPECT_THAT(await_json(*first, "error")["text"], HasSubstr("a cookie is expected"));
  tell(*first, {members[0], members[0]}, "c");
  EXPECT_THAT(await_json(*first, "error")["text"], HasSubstr("two members have one name"));

  tell(*first, members, "c");
  tell(*second, members, "c");
  const Json one = await_json(*first, "ready", 60s)["servers"][0], other = await_json(*second, "ready")["servers"][0];
  server_ = other;
  know_server();
  EXPECT_EQ(one["number"], 1);
  EXPECT_EQ(other["number"], 2);
  EXPECT_EQ(fs::path(other["log"].get<std::string>()).filename(), "server-2.log");
  tell(*first, members, "c");
  EXPECT_THAT(await_json(*first, "error")["text"], HasSubstr("the cluster is formed already"));
  first->send_line(R"({"type":"kill_server","server":"2"})");
  EXPECT_TRUE(says(*first, "no server was killed: server 2 is on another computer"));
  first->send_line(R"({"type":"kill_server","server":"leader","dead":[2]})");
  EXPECT_THAT(await_json(*first, "leader")["text"], HasSubstr("of NATS nobody leads"));
  first->send_line(R"({"type":"stop"})");
  EXPECT_EQ(await_json(*first, "summary")["exit_code"], 0);
  EXPECT_TRUE(first->wait_exit(20s));
  EXPECT_TRUE(wait_gone(one.value("pid", 0), 10s));
  EXPECT_TRUE(fs::exists("/proc/" + std::to_string(pid_)));
  second->signal(SIGKILL);
  EXPECT_TRUE(second->wait_exit(20s));
}

// What it says of itself has its limits in it.
TEST_F(Served, StartsANatsServerWithItsLimits) {
  kind_ = "nats";
  Process& broker = start({"--serve-set", "max_pending=2MiB"});
  EXPECT_EQ(server_["name"], "nats-server");
  const std::string address = server_.value("address", "");
  const std::string info =
      output_of({"/usr/bin/python3", "-c",
                 "import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
                 "print(s.recv(4096).decode())",
                 address.substr(address.rfind(':') + 1)});
  EXPECT_THAT(info, HasSubstr("\"version\":\"" + server_.value("version", "?") + "\""));
  EXPECT_THAT(info, HasSubstr("\"max_payload\":2093056,"));
  broker.signal(SIGTERM);
  ASSERT_TRUE(broker.wait_exit(20s));
  EXPECT_FALSE(fs::exists("/proc/" + std::to_string(pid_)));
  EXPECT_THAT(text_of(logs() + "/server.log"), HasSubstr("Server is ready"));
  for (const auto& [set, says] : {std::pair{"max_pending=1KiB", "is a size, 1MiB or more"},
                                  std::pair{"max_pending=much", "is a size, 1MiB or more"},
                                  std::pair{"append_fsync=no", "can be given max_pending=SIZE"}}) {
    Process wrong(
        {program("n2nq-broker"), "--elsewhere", "--serve", "nats", "--insecure-no-token", "--serve-set", set});
    ASSERT_TRUE(wrong.wait_exit(20s));
    EXPECT_THAT(wrong.err(), HasSubstr(says));
  }
}

// In its folder beside the logs, where it is on a disk.
TEST_F(Served, KeepsAStreamInFilesBesideItsLog) {
  kind_ = "jetstream";
  Process& broker = start();
  EXPECT_EQ(folder_.parent_path(), fs::path(logs()));
  EXPECT_TRUE(fs::exists(folder_ / "jetstream"));
  broker.signal(SIGTERM);
  ASSERT_TRUE(broker.wait_exit(20s));
  EXPECT_FALSE(fs::exists(folder_));
  Process wrong({program("n2nq-broker"), "--elsewhere", "--serve", "jetstream", "--insecure-no-token", "--serve-set",
                 "sync_interval=often"});
  ASSERT_TRUE(wrong.wait_exit(20s));
  EXPECT_THAT(wrong.err(), HasSubstr("is default, always or a duration above 0"));
}

TEST_F(Served, IsGoneWhenTheBrokerIsKilled) {
  Process& broker = start();
  broker.signal(SIGKILL);
  EXPECT_TRUE(broker.wait_exit(20s));
}

TEST_F(Served, IsGoneWhenWhoeverControlsTheBrokerIsKilled) {
  Process broker(
      {program("n2nq-broker"), "--elsewhere", "--serve", "redis", "--controlled", "--listen", stage_.address()},
      Process::Stdin::pipe);
  broker.send_line(R"({"type":"hello","token":"x"})");
  server_ = await_json(broker, "ready")["servers"][0];
  know_server();
  EXPECT_EQ(server_["log"], folder_.string() + "/server.log");
  broker.close_stdin();
  EXPECT_TRUE(broker.wait_exit(20s));
}

// By the server's own count: all that was pending with the dead one, and nothing else, comes to the other again.
TEST_F(Served, GivesWhatAKilledReceiverHasNotAcknowledgedToAnother) {
  Process& broker = start({"--mode", "load-balancer", "--expect-receivers", "2", "--drain-timeout", "10s"});
  const Options streams = bus("redis-streams", ";take_over=2s");
  Process& dying = stage_.start(with(receivers(1, {}, 1), streams));
  Process& other = stage_.start(with(receivers(1, {"--telemetry", "20ms"}, 2), streams));
  Process& sending = stage_.start(with(senders(2, {"--messages", "1500", "--delay", "1ms"}), streams));
  ASSERT_TRUE(await_telemetry(other, at_least("received", 100)));
  const std::string key = ask({"--raw", "KEYS", "*"}).substr(0, std::string("n2nq.0123456789abcdef").size());
  const auto pending_with_dying = [&] {
    int64_t pending = 0;
    std::istringstream lines(ask({"--raw", "XPENDING", key, "receivers", "-", "+", "100000", "1"}));
    for (std::string line; std::getline(lines, line);) pending += line.contains('-') ? 1 : 0;
    return pending;
  };
  // Its last read may be answered yet, or it may have been between two.
  int64_t pending = 0;
  for (const Deadline until = 1s; pending == 0 && !until.passed();) {
    dying.signal(SIGSTOP);
    for (const Deadline answered = 50ms; !answered.passed();) pending = pending_with_dying();
    if (pending == 0) dying.signal(SIGCONT);
  }
  ASSERT_GT(pending, 0);
  dying.signal(SIGKILL);
  for (Process* each : {&dying, &sending, &other, &broker}) ASSERT_TRUE(each->wait_exit(20s));
  const auto summary = await_json(other, "summary");
  EXPECT_EQ(summary["redelivered"], pending);
  EXPECT_EQ(summary["duplicates"], 0);
}

TEST_F(Served, IsMissedByWordsWhenItIsKilledInARun) {
  Process& broker = start();
  Process& receiving = stage_.start(with_bus(receivers(1)));
  Process& sending =
      stage_.start(with_bus(senders(1, {"--messages", "100000", "--delay", "1ms", "--telemetry", "20ms"})));
  EXPECT_TRUE(await_telemetry(sending, at_least("accepted", 1)));
  // Its end is known only after workers have ended for it.
  ::kill(guard_, SIGSTOP);
  ::kill(pid_, SIGKILL);
  for (Process* each : {&sending, &receiving, &broker}) {
    const auto exit = each->wait_exit(20s);
    if (each == &receiving) ::kill(guard_, SIGCONT);
    ASSERT_TRUE(exit) << each->err();
    if (each == &receiving) continue;  // it may have all that was accepted
    EXPECT_GT(exit->code, 0) << each->out();
  }
  EXPECT_THAT(broker.err(), HasSubstr("Redis, has ended by itself by signal 9 (Killed)"));
  EXPECT_THAT(broker.out(), HasSubstr("\"reason\":\"the server of this run, Redis, has ended by itself"));
  EXPECT_THAT(sending.err(), HasSubstr("the connection to the Redis server at"));
}

// It is not taken for the run's, whatever it answers.
TEST_F(Served, WhosePortIsTakenIsToldBeforeItIsStarted) {
  const RedisServer other;
  Process broker({program("n2nq-broker"), "--elsewhere", "--serve", "redis", "--insecure-no-token", "--listen",
                  stage_.address(), "--serve-listen", other.address()});
  const auto exit = broker.wait_exit(20s);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 3);
  EXPECT_THAT(broker.err(), HasSubstr(other.address()));
  EXPECT_EQ(other.calls("info"), 0);
}

// A server that detaches a child, hears no TERM and never answers.
class Unruly : public Served {
 protected:
  Process start_unruly(const std::string& script) const {
    const fs::path folder = stage_.dir() / "bin";
    fs::create_directory(folder);
    std::ofstream(folder / "redis-server") << "#!/bin/sh\n" << script;
    fs::permissions(folder / "redis-server", fs::perms(0755));
    return Process({"/usr/bin/env", "PATH=" + folder.string() + ":/usr/bin:/bin", program("n2nq-broker"), "--elsewhere",
                    "--serve", "redis", "--insecure-no-token", "--listen", stage_.address()});
  }
};

TEST_F(Unruly, IsEndedWithAllItsChildrenWhileItStarts) {
  Process broker = start_unruly("trap '' TERM\nsetsid sh -c 'trap \"\" TERM; sleep 300 & wait' &\nsleep 300\n");
  const Deadline deadline = 10s;
  size_t processes = 0;
  while ((processes = processes_left().size()) < 5 && !deadline.passed()) std::this_thread::sleep_for(10ms);
  EXPECT_GE(processes, 5u);
  broker.signal(SIGTERM);
  EXPECT_TRUE(broker.wait_exit(20s));
  EXPECT_THAT(processes_left(), IsEmpty());
}

TEST_F(Unruly, ThatEndsAtOnceIsToldWithItsLastWords) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(no such setting \377\n)", "no such setting"},
      {R"([error] <0.6.0> BOOT FAILED\n[error] <0.6.0> \nKernel pid terminated ({port_taken,21001})\n\n)",
       "Kernel pid terminated ({port_taken,21001})"},
      {R"([FTL] cannot bind\n[INF] it ends\n)", "[FTL] cannot bind"},
      {R"([1] ERROR Exiting (kafka.Kafka)\njava.net.BindException: Address in use\n  at Kafka.scala\n[2] INFO it ends\n)",
       "[1] ERROR Exiting (kafka.Kafka) java.net.BindException: Address in use"},
  };
  for (const auto& [log, words] : cases) {
    Process broker = start_unruly("printf '" + std::string(log) + "'; exit 1\n");
    const auto exit = broker.wait_exit(20s);
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->code, 3);
    EXPECT_THAT(broker.out(), HasSubstr("its log says: " + std::string(words)));
  }
}

TEST_F(Served, OfABrokerWhoseGuardIsStoppedIsGoneAllTheSame) {
  Process& broker = start();
  ::kill(guard_, SIGSTOP);
  broker.signal(SIGTERM);
  EXPECT_TRUE(broker.wait_exit(20s));
}

TEST_F(Served, ThatIsNotInstalledIsToldWithTheCommandToInstallIt) {
  Process broker({"/usr/bin/env", "PATH=/nowhere", program("n2nq-broker"), "--elsewhere", "--serve", "redis",
                  "--insecure-no-token", "--listen", stage_.address()});
  const auto exit = broker.wait_exit(20s);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 6);
  EXPECT_THAT(
      broker.err(),
      HasSubstr("redis-server is not installed where it is to run; install it there: sudo apt install redis-server"));
}

}  // namespace
}  // namespace n2nq::test
