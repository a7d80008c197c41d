// Plans of others that name files of this computer: nothing leaves it unless the user says so.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <mutex>

#include "tests/headless/bench_process.h"
#include "tests/helpers/fake_server.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// That of a stranger: takes down all it hears, and lets each client go on as Redis would.
class Listener final : public FakeServer {
 public:
  Listener() { start(); }
  ~Listener() override { stop(); }
  std::string heard() const {
    const std::lock_guard lock(mutex_);
    return heard_;
  }

 private:
  void on_bytes(Client& client) override {
    const std::lock_guard lock(mutex_);
    heard_ += client.in;
    client.in.clear();
    client.out += "+OK\r\n";
  }
  mutable std::mutex mutex_;
  std::string heard_;
};

struct PlansOfOthers : testing::Test {
  PlansOfOthers() {
    fs::create_directories(place / "home");
    std::ofstream(secret) << "s3cret-of-mine";
    fs::create_directories(place / "download");
  }
  ~PlansOfOthers() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  Json base(const std::string& payload) const {
    return {{"bus", {{"kind", "redis-pubsub"}, {"address", stranger.address()}}},
            {"senders", {{"count", 1}, {"messages", 3}, {"size", "100B"}, {"payload", payload}}},
            {"join_timeout", "2s"}};
  }
  std::string write(const Json& file) const {
    const std::string path = place / "download/given.json";
    std::ofstream(path) << file.dump();
    return path;
  }
  std::string plan(const Json& base) const { return write({{"version", 1}, {"base", base}}); }
  std::string hostile() const { return plan(base("file " + secret)); }
  void expect_refused(const std::vector<std::string>& arguments) const {
    const BenchEnded ended = place.run(arguments);
    EXPECT_EQ(ended.exit, Exit{.code = 2}) << ended.err;
    EXPECT_THAT(ended.err, AllOf(HasSubstr(secret + " would be sent to " + stranger.address()),
                                 HasSubstr("add --allow " + secret)));
    EXPECT_EQ(stranger.heard(), "");
  }
  // It was begun, and failed as such a server does not answer as it should.
  void expect_begun(const std::vector<std::string>& arguments) const {
    const BenchEnded ended = place.run(arguments);
    EXPECT_NE(ended.exit, Exit{.code = 2}) << ended.err;
    EXPECT_NE(stranger.heard(), "");
  }

  BenchPlace place;
  const std::string secret = fs::weakly_canonical(place / "home").string() + "/id";
  Listener stranger;
};

TEST_F(PlansOfOthers, SendNoFileOfTheUserUnlessThatIsAllowed) {
  expect_refused({"run", hostile()});
  expect_begun({"run", hostile(), "--allow", secret});
}

TEST_F(PlansOfOthers, OnceAllowedStayAllowed) {
  expect_begun({"run", hostile(), "--allow", secret});
  expect_begun({"run", hostile()});
}

TEST_F(PlansOfOthers, SendWhatTheUserNamedHimself) {
  const std::string harmless = plan(base("random"));
  expect_begun({"run", harmless, "--set", "senders.payload=file " + secret});
}

TEST_F(PlansOfOthers, MaySendWhatCameBesideThem) {
  const std::string beside = fs::weakly_canonical(place / "download").string() + "/content.bin";
  std::ofstream(beside) << "content";
  expect_begun({"run", plan(base("file " + beside))});
}

TEST_F(PlansOfOthers, LeaveTheirFolderByNoLink) {
  const std::string link = (place / "download/content.bin").string();
  fs::create_symlink(secret, link);
  expect_refused({"run", plan(base("file " + link))});
}

TEST_F(PlansOfOthers, DoSoInNoRunOfSeveral) {
  expect_refused(
      {"run", write({{"version", 1},
                     {"base", base("random")},
                     {"runs", {{{"senders", {{"count", 1}}}}, {{"senders", {{"payload", "file " + secret}}}}}}})});
}

TEST_F(PlansOfOthers, SendNoPasswordAndNoTimes) {
  Json with_password = base("random");
  with_password["bus"]["password_file"] = secret;
  expect_refused({"run", plan(with_password)});
  std::ofstream(secret) << "0.5\n1.5\n";
  Json with_times = base("random");
  with_times["senders"]["shape"] = "recorded " + secret;
  expect_refused({"run", plan(with_times)});
}

TEST_F(PlansOfOthers, AreNoSaferAsCampaignsAndSearches) {
  const Json campaign = {{"version", 1},
                         {"name", "given"},
                         {"base", base("random")},
                         {"axes", {{{"field", "senders.payload"}, {"values", {"random", "file " + secret}}}}}};
  expect_refused({"campaign", write(campaign)});
  expect_refused({"search", hostile(), "--from", "100", "--to", "1000", "--limit", "p99 <= 5ms"});
  expect_begun({"campaign", write(campaign), "--allow", secret});
}

TEST_F(PlansOfOthers, AreNoSaferAsResults) {
  place.run({"run", place.plan({{"senders", {{"messages", 1}}}})});
  const auto change = [this](const std::string& made) { return place.stored("UPDATE results SET plan = " + made); };
  change("json_set(plan, '$.bus', json('" + base("random")["bus"].dump() + "'), '$.queue.token_file', '" + secret +
         "')");
  expect_refused({"run", "--result", "1"});
  expect_begun({"run", "--result", "1", "--allow", secret});
  change("json_set(plan, '$.senders.payload', 'file " + secret + "')");
  const BenchEnded ended = place.run({"run", "--result", "1", "--allow", secret});
  EXPECT_EQ(ended.exit, Exit{.code = 2});
  EXPECT_THAT(ended.err, HasSubstr(secret + " without its content"));
}

TEST_F(PlansOfOthers, ReadNothingOfTheSystemWhateverIsAllowed) {
  const std::string pipe = place / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("/proc/self/environ", place / "download/link");
  for (const std::string& file :
       {std::string("/proc/self/environ"), std::string(place / "download/link"), pipe, std::string("/dev/zero")}) {
    const BenchEnded ended = place.run({"run", plan(base("file " + file)), "--allow", file});
    EXPECT_EQ(ended.exit, Exit{.code = 2}) << file;
    EXPECT_THAT(ended.err, AllOf(HasSubstr(file + " cannot be read: "), Not(HasSubstr("--allow")))) << file;
    Json with_password = base("random");
    with_password["bus"]["password_file"] = file;
    const BenchEnded login = place.run({"run", plan(with_password), "--allow", file});
    EXPECT_NE(login.exit, Exit{.code = 0}) << file;
    EXPECT_THAT(login.err + login.out, HasSubstr("cannot read the password file " + file)) << file;
  }
  EXPECT_EQ(stranger.heard(), "");
}

}  // namespace
}  // namespace n2nq::test
