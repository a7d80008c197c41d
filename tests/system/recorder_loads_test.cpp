// Two real recorders with a background load between them, in a network that has nothing else: what the one says that
// arrived is what the kernel carried, and nobody but the other gets in.
#include <dirent.h>
#include <poll.h>

#include <algorithm>
#include <fstream>

#include "tests/system/recorder_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kWord = "0123456789abcdef0123456789abcdef";

class RecorderLoads : public testing::Test {
 protected:
  void SetUp() override {
    if (!enter_own_network()) GTEST_SKIP() << "a network of its own takes root";
  }
  static Process start() {
    Process recorder({program("n2nq-recorder"), "--controlled", "--period", "60s"}, Process::Stdin::pipe);
    recorder.send_line(R"({"type":"hello","token":"any"})");
    await_json(recorder, "ready");
    return recorder;
  }
  static uint16_t sink(Process& recorder, const Json& more = Json::object()) {
    Json command{{"type", "sink"}, {"id", 7}, {"word", kWord}, {"for_ns", 500'000'000}, {"listen", "127.0.0.1"}};
    command.update(more);
    recorder.send_line(command.dump());
    const Json answer = await_json(recorder, "sinking");
    EXPECT_EQ(answer.at("id"), command.at("id"));
    return answer.at("port");
  }
  static void fill(Process& recorder, uint16_t port, int64_t for_ns, const char* word = kWord) {
    recorder.send_line(Json{
        {"type", "fill"}, {"id", 8}, {"to", "127.0.0.1:" + std::to_string(port)}, {"word", word}, {"for_ns", for_ns}}
                           .dump());
  }
  // All that this network has carried.
  static uint64_t carried() {
    std::ifstream file("/proc/thread-self/net/dev");
    for (std::string line; std::getline(file, line);)
      if (const size_t name = line.find("lo:"); name != std::string::npos) return std::stoull(line.substr(name + 3));
    ADD_FAILURE() << "no loopback";
    return 0;
  }
  static int connect(uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return fd;
    ::close(fd);
    return -1;
  }
  // It is closed from the other side, which has sent nothing.
  static bool is_dropped(int fd) {
    pollfd wanted{.fd = fd, .events = POLLIN, .revents = 0};
    char byte = 0;
    return ::poll(&wanted, 1, 10'000) == 1 && ::read(fd, &byte, 1) <= 0;
  }
  static size_t sockets_of(const Process& process) {
    size_t sockets = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(process.pid()) + "/fd")) {
      std::error_code gone;
      sockets += std::filesystem::read_symlink(entry.path(), gone).string().starts_with("socket:");
    }
    return sockets;
  }
};

TEST_F(RecorderLoads, ArriveAsTheKernelCarriesThem) {
  Process taking = start(), sending = start();
  const size_t sockets = sockets_of(taking);
  const uint16_t port = sink(taking);
  const uint64_t before = carried();
  fill(sending, port, 500'000'000);
  await_json(taking, "flowing");
  sending.send_line(R"({"type":"sample"})");
  await_json(sending, "record");  // it reads in between
  EXPECT_EQ(sending.out().find("\"filled\""), std::string::npos) << "it was still at it";
  const Json sunk = await_json(taking, "sunk"), filled = await_json(sending, "filled");
  const auto on_the_wire = static_cast<double>(carried() - before);
  EXPECT_EQ(sunk.at("trouble"), "");
  EXPECT_EQ(filled.at("trouble"), "");
  EXPECT_EQ(sunk.at("bytes"), filled.at("bytes")) << "each byte, and not the word";
  const double bytes = sunk.at("bytes").get<double>();
  EXPECT_GT(bytes, 1e6);
  EXPECT_GT(on_the_wire, bytes) << "with heads of packets";
  EXPECT_LT(on_the_wire, 1.1 * bytes) << "and nothing else";
  EXPECT_GE(sunk.at("duration_ns").get<int64_t>(), 450'000'000);
  EXPECT_EQ(connect(port), -1) << "nobody listens there any more";
  EXPECT_EQ(sockets_of(taking), sockets);
  EXPECT_EQ(sockets_of(sending), sockets);
}

TEST_F(RecorderLoads, TakeNobodyWithoutTheWord) {
  Process taking = start();
  const uint16_t port = sink(taking);
  const std::string word = kWord;
  for (const std::string& wrong :
       {std::string(32, 'x'), word.substr(0, 31) + "x", "x" + word, std::string("\0", 1) + word}) {
    const int fd = connect(port);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(::write(fd, wrong.data(), wrong.size()), static_cast<ssize_t>(wrong.size()));
    EXPECT_TRUE(is_dropped(fd)) << wrong;
    ::close(fd);
  }
  // Who says nothing keeps nobody out; the ninth takes the place of the first.
  std::vector<int> silent;
  for (int i = 0; i < 9; i++) silent.push_back(connect(port));
  EXPECT_TRUE(is_dropped(silent.front()));
  // A piece at a time is still the word.
  const int fd = connect(port);
  ASSERT_EQ(::write(fd, word.data(), 5), 5);
  taking.send_line(R"({"type":"sample"})");
  await_json(taking, "record");
  EXPECT_EQ(taking.out().find("\"flowing\""), std::string::npos);
  const std::string rest = word.substr(5) + "1234567";
  ASSERT_EQ(::write(fd, rest.data(), rest.size()), static_cast<ssize_t>(rest.size()));
  await_json(taking, "flowing");
  for (size_t i = 1; i < silent.size(); i++) EXPECT_TRUE(is_dropped(silent[i])) << i;
  EXPECT_EQ(connect(port), -1) << "one connection is all";
  ::close(fd);
  EXPECT_EQ(await_json(taking, "sunk").at("bytes"), 7);
  for (const int each : silent) ::close(each);
}

TEST_F(RecorderLoads, SayWhyTheyFail) {
  Process taking = start(), sending = start();
  const uint16_t port = sink(taking);
  fill(sending, port, 60'000'000'000, "another-word-as-long-as-that-one");
  EXPECT_THAT(await_json(sending, "filled").at("trouble"), HasSubstr("the connection was lost"));
  Process late = start();
  fill(late, port == 1 ? 2 : 1, 1'000'000);
  EXPECT_THAT(await_json(late, "filled").at("trouble"), HasSubstr("Connection refused"));
  late.send_line(R"({"type":"sink","id":9,"word":"x","for_ns":1,"listen":"127.0.0.1","ports":")" +
                 std::to_string(port) + "\"}");
  EXPECT_THAT(await_json(late, "sunk").at("trouble"), HasSubstr("another program is using it"));
  for (const char* wrong :
       {R"({"type":"sink","id":1,"for_ns":1})", R"({"type":"sink","id":1,"word":"","for_ns":1})",
        R"({"type":"sink","id":1,"word":"x","for_ns":0})", R"({"type":"fill","id":1,"word":"x","for_ns":1})"}) {
    late.send_line(wrong);
    EXPECT_THAT(await_json(late, "error").at("text"), HasSubstr("field")) << wrong;
  }
}

TEST_F(RecorderLoads, EndWithTheirRecorders) {
  for (const bool stopped : {true, false}) {
    Process taking = start(), sending = start();
    fill(sending, sink(taking, {{"for_ns", 60'000'000'000}}), 60'000'000'000);
    await_json(taking, "flowing");
    if (stopped)
      taking.send_line(R"({"type":"stop"})");
    else
      taking.signal(SIGKILL);
    if (stopped) {
      EXPECT_EQ(await_json(taking, "sunk").at("trouble"), "it was told to end");
      await_json(taking, "summary");
    }
    EXPECT_THAT(await_json(sending, "filled").at("trouble"), HasSubstr("the connection was lost"));
    EXPECT_TRUE(taking.wait_exit(Deadline(10s)));
    sending.close_stdin();
    EXPECT_TRUE(sending.wait_exit(Deadline(10s))) << "control is lost";
  }
}

// The bench is gone: what it had asked for does not go on.
TEST_F(RecorderLoads, EndWithTheirControl) {
  Process taking = start(), sending = start();
  fill(sending, sink(taking, {{"for_ns", 60'000'000'000}}), 60'000'000'000);
  await_json(taking, "flowing");
  sending.close_stdin();
  EXPECT_EQ(await_json(sending, "filled").at("trouble"), "it was told to end");
  EXPECT_TRUE(sending.wait_exit(Deadline(10s)));
  const Json sunk = await_json(taking, "sunk");
  EXPECT_THAT(sunk.at("trouble"), HasSubstr("the connection was lost"));
  EXPECT_GT(sunk.at("bytes"), 0);
}

}  // namespace
}  // namespace n2nq::test
