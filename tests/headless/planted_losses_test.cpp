// Losses and copies that this test plants: a stranger takes messages of a run away, gives some back and sends others
// once more, and a proxy cuts the connection of a receiver. Counts are exact to the message, whether receivers are one
// process or two. Over buses whose receivers share the messages. What the stranger does, foreign clients do.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <regex>

#include "tests/headless/foreign_bus.h"
#include "tests/helpers/delaying_proxy.h"

namespace n2nq::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Somebody who shares the messages of the only run at a server.
struct Stranger {
  virtual ~Stranger() = default;
  virtual uint16_t port() const = 0;
  virtual void steal(int messages) = 0;      // takes them and says that it has
  virtual void give_back(int messages) = 0;  // takes them and does not
  virtual void send_twice(int messages) = 0;
};

template <class Server>
Server& the_shared(std::string_view kind) {
  return dynamic_cast<Server&>(shared_server(kind));
}

class RedisStranger final : public Stranger {
 public:
  uint16_t port() const override { return server_.port(); }
  void steal(int messages) override {
    for (int i = 0; i < messages; i++) server_.ask({"XACK", key(), group(), take()});
  }
  void give_back(int messages) override {
    for (int i = 0; i < messages; i++) take();
  }
  void send_twice(int messages) override {
    server_.ask({"EVAL",
                 "for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[1])) do "
                 "redis.call('XADD', KEYS[1], '*', unpack(entry[2])) end",
                 "1", key(), std::to_string(messages)});
  }

 private:
  std::string key() {
    return server_.ask({"EVAL",
                        "for _, key in ipairs(redis.call('KEYS', 'n2nq.*')) do "
                        "if redis.call('TYPE', key).ok == 'stream' then return key end end",
                        "0"});
  }
  std::string group() {
    return server_.ask({"EVAL", "return redis.call('XINFO', 'GROUPS', KEYS[1])[1][2]", "1", key()});
  }
  std::string take() {
    const std::string said = server_.ask(
        {"XREADGROUP", "GROUP", group(), "stranger", "COUNT", "1", "BLOCK", "10000", "STREAMS", key(), ">"});
    std::smatch id;
    EXPECT_TRUE(std::regex_search(said, id, std::regex("[0-9]{10,}-[0-9]+"))) << said;
    return id.str();
  }

  RedisServer& server_ = the_shared<RedisServer>("redis");
};

class RabbitStranger final : public Stranger {
 public:
  uint16_t port() const override { return server_.port(); }
  void steal(int messages) override { consume(messages, "cat > /dev/null"); }
  void give_back(int messages) override {
    for (int i = 0; i < messages; i++) consume(1, "false");
  }
  void send_twice(int messages) override {
    const TempDir dir;
    consume(messages, "cat > " + dir.path().string() + "/$$");
    for (const auto& file : std::filesystem::directory_iterator(dir.path()))
      for (int copy = 0; copy < 2; copy++)
        output_of({"/bin/sh", "-c",
                   "/usr/bin/amqp-publish --url amqp://" + server_.address() + " -r " + queue() + " < " +
                       file.path().string()});
  }

 private:
  std::string queue() {
    const std::string queues = server_.queues("messages");
    return queues.substr(0, queues.find(' '));
  }
  // What the command refuses goes back when the connection is closed.
  void consume(int messages, const std::string& command) {
    const std::string count = std::to_string(messages);
    output_of({"/bin/sh", "-c",
               "/usr/bin/amqp-consume --url amqp://" + server_.address() + " -q " + queue() + " -c " + count + " -p " +
                   count + " -- /bin/sh -c '" + command + "' || true"});
  }

  RabbitServer& server_ = the_shared<RabbitServer>("rabbitmq");
};

class JetStreamStranger final : public Stranger {
 public:
  uint16_t port() const override { return server_.port(); }
  void steal(int messages) override { take(messages, "+ACK", 0); }
  void give_back(int messages) override { take(messages, "-NAK", 0); }
  // In place of each that it takes, two.
  void send_twice(int messages) override { take(messages, "+ACK", 2); }

 private:
  void take(int messages, const std::string& answer, int copies) {
    const Json stream =
        server_.ask("jsz?streams=true&consumers=true&config=true")["account_details"][0]["stream_detail"][0];
    const std::string subject = stream["config"]["subjects"][0];
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(server_.port());
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    const auto say = [fd](const std::string& text) {
      EXPECT_EQ(::send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
    };
    std::string in;
    const auto until = [&](size_t bytes) {
      while (in.size() < bytes) {
        std::string more(65536, '\0');
        const ssize_t n = ::recv(fd, more.data(), more.size(), 0);
        if (n <= 0) return false;
        in.append(more, 0, static_cast<size_t>(n));
      }
      return true;
    };
    say("CONNECT {\"verbose\":false}\r\nSUB taken 1\r\n");
    const auto ask_for_one = [&] {
      const std::string wish = "{\"batch\":1,\"expires\":10000000000}";
      say("PUB $JS.API.CONSUMER.MSG.NEXT." + stream["name"].get<std::string>() + "." +
          stream["consumer_detail"][0]["name"].get<std::string>() + " taken " + std::to_string(wish.size()) + "\r\n" +
          wish + "\r\n");
    };
    ask_for_one();
    for (int taken = 0; taken < messages;) {
      size_t end = 0;
      while ((end = in.find("\r\n")) == std::string::npos)
        if (!until(in.size() + 1)) return ADD_FAILURE() << "the server closed: " << in, void();
      const std::string line = in.substr(0, end);
      in.erase(0, end + 2);
      if (line == "PING") say("PONG\r\n");
      if (!line.starts_with("MSG ")) continue;
      std::istringstream words(line);
      std::string msg, taken_as, id, reply, size;
      words >> msg >> taken_as >> id >> reply >> size;
      if (size.empty()) {  // no message: it says that it gave none
        ask_for_one();
        continue;
      }
      const size_t bytes = std::stoul(size);
      if (!until(bytes + 2)) return ADD_FAILURE() << "the server closed", void();
      const std::string payload = in.substr(0, bytes);
      in.erase(0, bytes + 2);
      for (int copy = 0; copy < copies; copy++)
        say("PUB " + subject + " " + std::to_string(bytes) + "\r\n" + payload + "\r\n");
      say("PUB " + reply + " 4\r\n" + answer + "\r\n");
      if (++taken < messages) ask_for_one();
    }
    say("PING\r\n");
    while (in.find("PONG") == std::string::npos && until(in.size() + 1)) {
    }
    ::close(fd);
  }

  JetStreamServer& server_ = the_shared<JetStreamServer>("jetstream");
};

class KafkaStranger final : public Stranger {
 public:
  explicit KafkaStranger(const std::string& advertised)
      : own_(advertised.empty() ? nullptr
                                : std::make_unique<KafkaServer>("advertised.listeners=PLAINTEXT://" + advertised)),
        server_(own_ ? *own_ : the_shared<KafkaServer>("kafka")) {}
  uint16_t port() const override { return server_.port(); }
  void steal(int messages) override { kcat("-c " + std::to_string(messages) + as_one_of_the_group()); }
  // It is killed with what it has, of which it has told the server nothing; or ends by itself as nobody reads its pipe.
  void give_back(int messages) override {
    const TempDir dir;
    const std::string pipe = (dir / "taken").string();
    output_of({"/bin/sh", "-c",
               "mkfifo " + pipe + " && { " +
                   command("-u -f 'one\\n' -X session.timeout.ms=1000 -X auto.commit.interval.ms=600000" +
                           as_one_of_the_group()) +
                   " > " + pipe + " & } && timeout 60 head -n " + std::to_string(messages) + " " + pipe + " > " + pipe +
                   ".had; kill -KILL $! 2>/dev/null; test $(wc -l < " + pipe + ".had) -eq " +
                   std::to_string(messages)});
  }
  void send_twice(int messages) override {
    const TempDir dir;
    const std::string topic = this->topic();
    for (int i = 0; i < messages; i++) {
      const std::string file = (dir / std::to_string(i)).string();
      kcat("-C -e -p 0 -t " + topic + " -o " + std::to_string(i) + " -c 1 -D '' -f %s > " + file);
      kcat("-P -p 0 -t " + topic + " " + file);
    }
  }

 private:
  std::string topic() {
    const std::string all = kcat("-L -J");
    const size_t at = all.find("n2nq.");
    if (at == std::string::npos) throw std::runtime_error("no topic of a run: " + all);
    return all.substr(at, all.find('"', at) - at);
  }
  std::string as_one_of_the_group() {
    const std::string topic = this->topic();
    return " -X auto.offset.reset=earliest -X heartbeat.interval.ms=100 -G " + topic + ".receivers " + topic;
  }
  std::string command(const std::string& arguments) { return "kcat -q -b " + server_.address() + " " + arguments; }
  std::string kcat(const std::string& arguments) {
    return output_of({"/bin/sh", "-c", "timeout 60 " + command(arguments)});
  }

  std::unique_ptr<KafkaServer> own_;
  KafkaServer& server_;
};

// `advertised`: where clients are to come to, if not to the server itself.
template <class Kind>
std::unique_ptr<Stranger> make(const std::string& advertised) {
  if constexpr (std::is_constructible_v<Kind, std::string>) {
    return std::make_unique<Kind>(advertised);
  } else {
    return std::make_unique<Kind>();
  }
}

struct SharedBus {
  const char* kind;
  std::unique_ptr<Stranger> (*make)(const std::string& advertised);
  Json settings;
  bool says_again = true;  // which message it gives once more
};

struct PlantedLosses : ForeignBus, testing::WithParamInterface<SharedBus> {
  static constexpr int kSent = 3000, kSize = 500;
  // 2 senders for 6 s, in which a stranger on a busy computer comes to what it does; 2 receivers in so many processes.
  Json plan(const std::string& address, int processes) const {
    Json plan = base(address, GetParam().kind);
    plan["queue"] = {{"mode", "load-balancer"}};
    plan["senders"] = {{"count", 2}, {"messages", kSent / 2}, {"delay", "4ms"}, {"size", std::to_string(kSize) + "B"}};
    plan["receivers"] = {{"count", 2}, {"processes", processes}};
    plan["bus"].update(GetParam().settings);
    return plan;
  }
  static std::string at(uint16_t port) { return "127.0.0.1:" + std::to_string(port); }
  void expect_again(const Json& run, int messages) const {
    if (GetParam().says_again) {
      EXPECT_GE(run["redelivered"], messages);
    } else {
      EXPECT_TRUE(run["redelivered"].is_null());
    }
  }
  static void expect_no_doubt_of_copies(const Json& run) {
    for (const Json& one : run["warnings"])
      EXPECT_THAT(one["id"], testing::Not(testing::AnyOf("again", "surplus"))) << one;
    EXPECT_EQ(run["surplus"], 0);
  }
  // Each message that came, by the logs.
  static size_t distinct_in_logs(const Json& run) {
    std::set<std::pair<uint32_t, uint64_t>> all;
    for (const auto& [number, log] : read_logs(run["folder"], "receiver"))
      for (const auto& row : log.rows) all.emplace(row.sender, row.index);
    return all.size();
  }
};

TEST_P(PlantedLosses, AreCountedToTheMessage) {
  const auto stranger = GetParam().make({});
  for (const int processes : {1, 2}) {
    SCOPED_TRACE(std::to_string(processes) + " processes");
    const Json run = run_with(plan(at(stranger->port()), processes), [&] {
      stranger->steal(3);
      stranger->send_twice(3);
      stranger->give_back(2);
    });
    EXPECT_EQ(run["verdict"], "failed");
    EXPECT_THAT(run["reason"].get<std::string>(),
                AllOf(HasSubstr("3 deliveries lost"), HasSubstr("3 messages arrived in duplicate")));
    EXPECT_EQ(run["accepted"], kSent);
    EXPECT_EQ(run["expected"], kSent) << run;
    EXPECT_EQ(run["received"], kSent - 3);
    EXPECT_EQ(run["received"], distinct_in_logs(run));
    EXPECT_EQ(run["lost"], 3);
    EXPECT_EQ(run["duplicates"], 3);
    expect_again(run, 2);
    expect_no_doubt_of_copies(run);
  }
}

TEST_P(PlantedLosses, AreNoneOfWhatComesAgain) {
  const auto stranger = GetParam().make({});
  for (const int processes : {1, 2}) {
    SCOPED_TRACE(std::to_string(processes) + " processes");
    const Json run = run_with(plan(at(stranger->port()), processes), [&] { stranger->give_back(5); });
    EXPECT_EQ(run["verdict"], "passed") << run["reason"];
    EXPECT_EQ(run["expected"], kSent);
    EXPECT_EQ(run["received"], kSent);
    EXPECT_EQ(run["received"], distinct_in_logs(run));
    EXPECT_EQ(run["lost"], 0);
    EXPECT_EQ(run["duplicates"], 0);
    expect_again(run, 5);
    expect_no_doubt_of_copies(run);
  }
}

// What was under way to it comes to the other.
TEST_P(PlantedLosses, AreNoneOfWhatComesAgainWhenAConnectionWasCut) {
  DelayingProxy proxy(0, std::chrono::milliseconds(20));
  const auto stranger = GetParam().make(proxy.address());
  proxy.lead_to(stranger->port());
  for (const int processes : {1, 2}) {
    SCOPED_TRACE(std::to_string(processes) + " processes");
    const Json run = run_with(plan(proxy.address(), processes), [&] { proxy.cut_a_receiver(kSize); });
    EXPECT_EQ(run["sent"], kSent) << run["reason"];
    EXPECT_EQ(run["accepted"], kSent);
    EXPECT_EQ(run["lost"], 0) << run["reason"];
    EXPECT_EQ(run["received"], kSent);
    EXPECT_EQ(run["received"], distinct_in_logs(run));
    expect_again(run, 1);
    EXPECT_EQ(run["duplicates"], 0);
    expect_no_doubt_of_copies(run);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Buses, PlantedLosses,
    testing::Values(SharedBus{"redis-streams", make<RedisStranger>, {{"quiet", "300ms"}, {"take_over", "1s"}}},
                    SharedBus{"rabbitmq", make<RabbitStranger>, {{"quiet", "300ms"}}},
                    SharedBus{"jetstream", make<JetStreamStranger>, {{"quiet", "300ms"}, {"take_over", "1s"}}},
                    SharedBus{
                        "kafka",
                        make<KafkaStranger>,
                        {{"quiet", "2s"}, {"session_timeout", "1s"}, {"commit_interval", "300ms"}, {"partitions", "4"}},
                        false}),
    [](const auto& one) {
      std::string name = one.param.kind;
      std::ranges::replace(name, '-', '_');
      return name;
    });

}  // namespace
}  // namespace n2nq::test
