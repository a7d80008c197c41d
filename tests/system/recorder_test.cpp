// The real recorder against planted truths: what a process says of itself, what a socket says of itself.
#include <fcntl.h>
#include <linux/filter.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <sstream>
#include <thread>

#include "tests/system/recorder_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

int64_t own_cpu_ns() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_usec * 1000; };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

TEST_F(Recorder, FindsAProcessThatBurnsHalfACore) {
  // By its own account: ten milliseconds of work, and as long for the others.
  Planted burner([] {
    const int64_t before = own_cpu_ns();
    for (int i = 1; i <= 30; i++) {
      while (own_cpu_ns() < before + i * 10'000'000) continue;
      ::poll(nullptr, 0, 10);
    }
    return own_cpu_ns() - before;
  });
  start(one("burner", burner.pid()));
  const int64_t burnt_ns = burner.act();
  const Json after = sample();
  const auto cpu = [](const Json& line) { return line.at("processes").at(0).at("cpu_ns").get<int64_t>(); };
  EXPECT_NEAR(static_cast<double>(cpu(after) - cpu(watched_)), static_cast<double>(burnt_ns),
              0.05 * static_cast<double>(burnt_ns));
  const Json& host = after.at("host");
  const int64_t busy = host.at("cpu_user_ns").get<int64_t>() + host.at("cpu_system_ns").get<int64_t>() -
                       watched_["host"]["cpu_user_ns"].get<int64_t>() -
                       watched_["host"]["cpu_system_ns"].get<int64_t>();
  EXPECT_GT(busy, burnt_ns / 2) << "the host's own account has it, too";
}

TEST_F(Recorder, CountsWhatAProcessHasStartedWithIt) {
  Planted parent([] {
    const pid_t child = ::fork();
    if (child == 0) {
      while (own_cpu_ns() < 200'000'000) continue;
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    return int64_t{200'000'000};
  });
  start(one("parent", parent.pid()));
  parent.act();
  const Json after = sample();
  EXPECT_GE(after.at("processes").at(0).at("cpu_ns").get<int64_t>() -
                watched_.at("processes").at(0).at("cpu_ns").get<int64_t>(),
            180'000'000);
}

// A child burns 200 ms and stays; then it is killed, and its parent burns 100 ms.
void count_a_child_to_its_end(const std::function<Json(const Json&)>& rewatch, const std::function<Json()>& sample,
                              Planted& parent) {
  const auto cpu = [](const Json& line) { return line.at("processes").at(0).at("cpu_ns").get<int64_t>(); };
  const int64_t before = cpu(sample());
  ASSERT_EQ(parent.act(), 0);
  const Json with_child = rewatch(one("parent", parent.pid()));
  EXPECT_NEAR(static_cast<double>(cpu(with_child) - before), 200e6, 50e6) << "of a child that is still there";
  EXPECT_NEAR(static_cast<double>(cpu(sample()) - cpu(with_child)), 0, 20e6);
  ASSERT_EQ(parent.act(), 0);
  const int64_t after = cpu(sample());
  EXPECT_NEAR(static_cast<double>(after - cpu(with_child)), 100e6, 50e6) << "whoever inherits what the child did";
}

void burn(int64_t ns) {
  const int64_t until = own_cpu_ns() + ns;
  while (own_cpu_ns() < until) continue;
}

// Its first deed starts the child, its second kills it.
int64_t start_or_end_a_child(bool wait_for_it) {
  static pid_t child = 0;
  if (child == 0) {
    int burnt[2];
    if (::pipe2(burnt, O_CLOEXEC) != 0) return 1;
    if (!wait_for_it) ::signal(SIGCHLD, SIG_IGN);
    child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      burn(200'000'000);
      ::close(burnt[1]);
      for (;;) ::pause();
    }
    ::close(burnt[1]);
    char nothing = 0;
    return ::read(burnt[0], &nothing, 1);
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);  // without SIGCHLD: until it is gone
  burn(100'000'000);
  return 0;
}

TEST_F(Recorder, AChildThatStaysIsCountedAndWhatItDidOutlivesIt) {
  for (const bool wait_for_it : {true, false}) {
    Planted parent([wait_for_it] { return start_or_end_a_child(wait_for_it); });
    start(one("parent", parent.pid()));
    // Whoever is new is looked at with all that is started since.
    const auto rewatch = [&](const Json& processes) {
      Json more = processes;
      more.push_back({{"name", "me"}, {"pid", ::getpid()}, {"program", ""}});
      tell({{"type", "watch"}, {"processes", more}});
      return next();
    };
    count_a_child_to_its_end(rewatch, [this] { return sample(); }, parent);
  }
}

// Its first deed starts a thread, its second starts another in the place of that one.
int64_t start_or_replace_a_thread() {
  static std::atomic<bool> over{false};
  static std::thread first;
  if (!first.joinable()) {
    first = std::thread([] { over.wait(false); });
    return 0;
  }
  over = true;
  over.notify_all();
  first.join();
  static std::atomic<int> turns{0};
  std::thread([] {
    for (;; turns++) ::poll(nullptr, 0, 1);
  }).detach();
  while (turns < 50) ::poll(nullptr, 0, 1);
  return 0;
}

TEST_F(Recorder, CountsTheSwitchesOfAThreadThatTakesThePlaceOfAnother) {
  Planted process(start_or_replace_a_thread);
  start(one("process", process.pid()));
  const auto switches = [](const Json& line) {
    return line.at("processes").at(0).at("context_switches").get<int64_t>();
  };
  ASSERT_EQ(process.act(), 0);
  const int64_t before = switches(sample());
  ASSERT_EQ(process.act(), 0);
  const Json meanwhile = sample();  // the first is gone
  EXPECT_TRUE(meanwhile.at("processes").at(0).at("context_switches").is_null()) << meanwhile;
  EXPECT_THAT(reasons_of(meanwhile, "process"), testing::Contains(HasSubstr("a thread has ended")));
  EXPECT_GT(switches(sample()), before + 30);
}

TEST_F(Recorder, FindsTenMegabytesThatWereWrittenInPieces) {
  constexpr int64_t kPiece = 1 << 20;
  const TempDir dir;
  const std::string file =
      file_on_disk((dir / "written").string(), program("n2nq-recorder").substr(0, program("n2nq-recorder").rfind('/')));
  Planted writer([&file] {
    const int fd = ::open(file.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    const std::string piece(kPiece, 'x');
    int64_t written = 0;
    for (int i = 0; i < 10; i++) {
      written += ::write(fd, piece.data(), piece.size());
      ::fsync(fd);
    }
    ::close(fd);
    ::unlink(file.c_str());
    return written;
  });
  start(one("writer", writer.pid()));
  const int64_t written = writer.act();
  ASSERT_EQ(written, 10 * kPiece);
  const Json after = sample();
  const auto bytes = [](const Json& line) {
    return line.at("processes").at(0).at("disk_written_bytes").get<int64_t>();
  };
  EXPECT_NEAR(static_cast<double>(bytes(after) - bytes(watched_)), static_cast<double>(written),
              0.05 * static_cast<double>(written));
}

TEST_F(Recorder, SaysOfConnectionsWhatTheirSocketsSay) {
  const Connection connection;
  start(one("me", ::getpid()), connection.port);
  const Json line = sample();
  ASSERT_EQ(line.at("connections").size(), 2u) << line;
  for (const Json& side : line.at("connections")) {
    const tcp_info info = Connection::info(side.at("name") == "queue" ? connection.server : connection.client);
    EXPECT_EQ(side.at("connections"), 1);
    EXPECT_EQ(side.at("rtt_ns"), int64_t{info.tcpi_rtt} * 1000);
    EXPECT_EQ(side.at("cwnd_segments"), info.tcpi_snd_cwnd);
    EXPECT_EQ(side.at("retransmits"), info.tcpi_total_retrans);
    EXPECT_EQ(side.at("rtt_deviation_ns"), int64_t{info.tcpi_rttvar} * 1000);
    EXPECT_EQ(side.at("unacknowledged_segments"), info.tcpi_unacked);
    EXPECT_EQ(side.at("pacing_rate_bytes_per_s"), info.tcpi_pacing_rate);
    const uint32_t threshold = info.tcpi_snd_ssthresh;
    EXPECT_EQ(side.at("threshold_segments"), threshold == INT32_MAX ? Json() : Json(threshold));
  }
}

// "cubic ... rtt:0.04/0.02 ... cwnd:10 ssthresh:7 ... retrans:0/3": of the socket at this port, whatever its other end.
std::map<std::string, std::string> said_by_ss(uint16_t port) {
  std::istringstream words(output_of({"/usr/bin/ss", "-tinH", "sport", "=", ":" + std::to_string(port)}));
  std::map<std::string, std::string> said;
  for (std::string word; words >> word;)
    if (const size_t colon = word.find(':'); colon != std::string::npos)
      said[word.substr(0, colon)] = word.substr(colon + 1);
  return said;
}

// Of what comes to it one packet in ten is lost.
void lose_packets(int socket) {
  std::array<sock_filter, 4> code{
      {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(SKF_AD_OFF + SKF_AD_RANDOM)),
       BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, UINT32_MAX / 10, 1, 0), BPF_STMT(BPF_RET | BPF_K, 0),
       BPF_STMT(BPF_RET | BPF_K, UINT32_MAX)}};
  const sock_fprog filter{.len = code.size(), .filter = code.data()};
  ASSERT_EQ(::setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter), 0);
}

TEST_F(Recorder, SaysOfConnectionsThatLoseDataWhatSsSays) {
  const Connection connection;
  for (const int end : {connection.client, connection.server}) lose_packets(end);
  start(one("me", ::getpid()), connection.port);
  const std::string data(1 << 20, 'x');
  const auto pass = [&data](int from, int to) {
    std::thread reader([&] {
      std::string taken(data.size(), ' ');
      EXPECT_EQ(::recv(to, taken.data(), taken.size(), MSG_WAITALL), std::ssize(taken));
    });
    EXPECT_EQ(::send(from, data.data(), data.size(), 0), std::ssize(data));
    reader.join();
    const Deadline deadline(20s);
    while (Connection::info(from).tcpi_unacked > 0 && !deadline.passed()) ::poll(nullptr, 0, 5);
  };
  sockaddr_in address{};
  socklen_t length = sizeof address;
  ASSERT_EQ(::getsockname(connection.client, reinterpret_cast<sockaddr*>(&address), &length), 0);
  std::map<std::string, int64_t> retransmits;
  for (int turn = 0; turn < 3; turn++) {
    pass(connection.client, connection.server);
    pass(connection.server, connection.client);
    const Json line = sample();
    ASSERT_EQ(line.at("connections").size(), 2u) << line;
    for (const Json& side : line.at("connections")) {
      auto ss = said_by_ss(side.at("name") == "queue" ? connection.port : ntohs(address.sin_port));
      const std::string rtt = ss["rtt"], again = ss["retrans"];
      EXPECT_EQ(side.at("cwnd_segments"), std::stoi(ss["cwnd"]));
      EXPECT_EQ(side.at("threshold_segments"), ss.contains("ssthresh") ? Json(std::stoi(ss["ssthresh"])) : Json());
      EXPECT_EQ(side.at("retransmits"), again.empty() ? 0 : std::stoi(again.substr(again.find('/') + 1)));
      EXPECT_NEAR(side.at("rtt_ns"), std::stod(rtt) * 1e6, 1000);
      EXPECT_NEAR(side.at("rtt_deviation_ns"), std::stod(rtt.substr(rtt.find('/') + 1)) * 1e6, 1000);
      retransmits[side.at("name")] = side.at("retransmits");
    }
  }
  for (const auto& [side, count] : retransmits) EXPECT_GT(count, 0) << side << ": nothing was lost, nothing is shown";
}

// Over another bus: those of the processes, whatever their ports, but the queue's.
TEST_F(Recorder, ConnectionsAreOfTheSideWhoseProcessHasThem) {
  const Connection connection;
  const int queue = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::listen(queue, 1), 0);
  const auto address_of = [](int fd) {
    sockaddr_in address{};
    socklen_t length = sizeof address;
    EXPECT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length), 0);
    return address;
  };
  const auto connect_to = [&](int listener) {
    const int end = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = address_of(listener);
    EXPECT_EQ(::connect(end, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return end;
  };
  Planted sender([&] {
    for (const int fd : {connection.client, connection.server}) ::close(fd);  // those of the test itself
    connect_to(queue);
    return int64_t{Connection::info(connect_to(connection.listener)).tcpi_snd_cwnd};
  });
  Planted elsewhere([] { return int64_t{::unshare(CLONE_NEWNET)}; });
  const bool has_own_network = elsewhere.act() == 0;
  const Json processes = Json::array({{{"name", "senders"}, {"pid", sender.pid()}, {"side", "senders"}},
                                      {{"name", "receivers"}, {"pid", elsewhere.pid()}, {"side", "receivers"}}});
  start(processes, ntohs(address_of(queue).sin_port));
  const int64_t window = sender.act();
  const Json line = sample();
  const auto is_senders = [](const Json& side) { return side.at("name") == "senders"; };
  const auto senders = std::ranges::find_if(line.at("connections"), is_senders);
  ASSERT_NE(senders, line.at("connections").end()) << line;
  EXPECT_EQ(senders->at("connections"), 1) << "neither to the queue's port nor of the test itself";
  EXPECT_EQ(senders->at("cwnd_segments"), window);
  ::close(queue);
  if (!has_own_network) GTEST_SKIP() << "a network of its own takes root";
  for (const Json& side : line.at("connections"))
    if (side.at("name") == "receivers") {
      EXPECT_TRUE(side.at("connections").is_null()) << line;
    }
  EXPECT_THAT(reasons_of(line, "connections"), testing::ElementsAre(HasSubstr("has a network of its own")));
}

TEST_F(Recorder, WhatItIsAskedForIsOfThatMomentHoweverManyConnectionsThereAre) {
  constexpr int kConnections = 1100;  // each has both ends here
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = files.rlim_max;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
  const Connection first;
  sockaddr_in address{};
  socklen_t length = sizeof address;
  ASSERT_EQ(::getsockname(first.listener, reinterpret_cast<sockaddr*>(&address), &length), 0);
  std::vector<int> ends;
  for (int i = 1; i < kConnections; i++) {
    const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const int server = ::accept4(first.listener, nullptr, nullptr, SOCK_CLOEXEC);
    ASSERT_GE(server, 0);
    ends.insert(ends.end(), {client, server});
  }
  start(one("me", ::getpid()), first.port);
  const auto counted = [](const Json& line) { return line.at("connections").at(0).at("connections"); };
  EXPECT_EQ(counted(watched_), kConnections);
  for (int i = 0; i < 200; i++) ::close(ends[static_cast<size_t>(i)]);
  EXPECT_EQ(counted(sample()), kConnections - 100);
  for (size_t i = 200; i < ends.size(); i++) ::close(ends[i]);
}

TEST_F(Recorder, AProcessThatIsNotThereOrIsAnotherOneIsMissingWithASentence) {
  Planted other([] { return int64_t{0}; });
  Json processes = one("queue", other.pid(), "n2nq-broker");
  processes.push_back({{"name", "senders"}, {"pid", INT32_MAX}, {"program", "n2nq-sender"}});
  start(processes);
  EXPECT_TRUE(watched_.at("processes").empty());
  const auto reasons = reasons_of(watched_, "process");
  ASSERT_EQ(reasons.size(), 2u) << watched_;
  EXPECT_THAT(reasons[0], HasSubstr("is not n2nq-broker"));
  EXPECT_THAT(reasons[1], HasSubstr("hides it from the recorder"));
}

TEST_F(Recorder, EndsWithItsInputAfterALastReading) {
  Process& recorder = start(one("me", ::getpid()));
  recorder.close_stdin();
  EXPECT_EQ(recorder.wait_exit(20s), Exit{.code = 0});
  const auto lines = recorder.out_lines();
  ASSERT_GE(lines.size(), 2u);
  EXPECT_TRUE(is_type(lines[lines.size() - 2], "record"));
  EXPECT_TRUE(is_type(lines.back(), "summary"));
  EXPECT_THAT(lines.back(), HasSubstr("control lost"));
}

TEST_F(Recorder, AWrongCommandIsAnsweredAndEndsNothing) {
  start(one("me", ::getpid()));
  for (const char* wrong :
       {R"({"type":"watch","processes":7})", R"({"type":"watch","processes":[{"name":"x","pid":0}]})",
        R"({"type":"watch","processes":[7]})", R"({"type":"watch","processes":[],"port":70000})",
        R"({"type":"pause"})"}) {
    process_->send_line(wrong);
    EXPECT_TRUE(await_json(*process_, "error").contains("text")) << wrong;
  }
  EXPECT_EQ(sample().at("processes").size(), 1u);
}

}  // namespace
}  // namespace n2nq::test
