#include "app/plan/permissions.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "app/plan/plan_fields.h"
#include "app/plan/plan_file.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::plan {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::SizeIs;

struct PermissionsTest : testing::Test {
  PermissionsTest() {
    fs::create_directories(dir_ / "secret");
    std::ofstream(secret_) << "1.5\n2.5\n";
  }
  RunPlan plan(const std::vector<std::string>& sets) const {
    RunPlan plan;
    for (const std::string& set : sets) {
      const auto done = set_field(plan, set);
      EXPECT_TRUE(done) << done.error().text;
    }
    return plan;
  }
  RunPlan hostile() const {
    return plan({"bus.kind=redis-streams", "bus.address=10.0.0.5:6379", "senders.payload=file " + secret_});
  }
  std::vector<Reach> missing(const RunPlan& plan, const PlanOrigin& origin = {}) const {
    return Permissions().missing({&plan, 1}, origin);
  }

  const test::TempDir dir_;
  const std::string secret_ = fs::weakly_canonical(dir_ / "secret/id").string();
};

TEST_F(PermissionsTest, EveryFieldThatNamesAFileAndEveryDestinationIsKnown) {
  std::vector<std::string> reads, sends;
  for (const PlanField& field : plan_fields()) {
    if (field.reads != nullptr) reads.emplace_back(field.key);
    if (field.sends_to != nullptr) sends.emplace_back(field.key);
    // Whoever adds a field that takes a file has to say so.
    const bool file = field.form.find("FILE") != std::string_view::npos || field.form.starts_with("path");
    EXPECT_EQ(file, field.reads != nullptr) << field.key;
    if (field.key == "background") continue;  // random bytes, between the hosts that other fields name
    const bool place = field.form.find("HOST") != std::string_view::npos ||
                       field.form.find("name of a host") != std::string_view::npos ||
                       field.form.find("names") != std::string_view::npos;
    EXPECT_EQ(place, field.sends_to != nullptr) << field.key;
  }
  EXPECT_THAT(reads,
              testing::UnorderedElementsAre("bus.password_file", "bus.tls_ca", "bus.tls_certificate", "bus.tls_key",
                                            "queue.token_file", "senders.payload", "senders.shape"));
  EXPECT_THAT(
      sends, testing::UnorderedElementsAre("bus.address", "bus.hosts", "queue.host", "queue.listen", "receivers.attach",
                                           "receivers.hosts", "recorder.hosts", "senders.attach", "senders.hosts"));
}

TEST_F(PermissionsTest, WhatLeavesThisComputerIsNamed) {
  const std::vector<std::vector<std::string>> plans = {
      {"bus.kind=redis-streams", "bus.address=10.0.0.5:6379", "senders.payload=file " + secret_},
      {"bus.kind=redis-streams", "bus.address=10.0.0.5:6379", "senders.shape=recorded " + secret_},
      {"bus.kind=redis-streams", "bus.address=10.0.0.5:6379", "bus.password_file=" + secret_},
      {"bus.kind=redis-streams", "bus.address=10.0.0.5:6379", "bus.tls=true", "bus.tls_ca=" + secret_},
      {"bus.kind=http", "receivers.hosts=vm1", "bus.tls=true", "bus.tls_certificate=" + secret_},
      {"bus.kind=http", "receivers.hosts=vm1", "bus.tls=true", "bus.tls_key=" + secret_},
      {"senders.attach=10.0.0.5:7500", "queue.token_file=" + secret_},
      {"receivers.attach=10.0.0.5:7500", "queue.token_file=" + secret_},
      {"queue.listen=0.0.0.0:7400", "senders.payload=file " + secret_},
      {"queue.host=vm1", "senders.payload=file " + secret_},
      {"senders.hosts=vm1", "senders.payload=file " + secret_},
      {"bus.kind=nats", "bus.hosts=vm1", "senders.payload=file " + secret_}};
  for (const auto& sets : plans) {
    const auto found = missing(plan(sets));
    ASSERT_THAT(found, SizeIs(1)) << sets.back();
    EXPECT_EQ(found[0].file, secret_);
    EXPECT_TRUE(found[0].to == "vm1" || found[0].to.starts_with("10.0.0.5") || found[0].to == "0.0.0.0:7400");
    EXPECT_TRUE(sets.back().starts_with(found[0].key)) << found[0].key;
    EXPECT_EQ(to_text(found[0]), found[0].key + ": " + secret_ + " would be sent to " + found[0].to);
  }
}

// Whoever wrote the plan says where it goes, as of a file.
TEST_F(PermissionsTest, APasswordThatIsGivenAtTheStartIsNamedToo) {
  for (const char* set : {"bus.password_file=ask", "bus.user=bench"}) {
    const auto found = missing(plan({"bus.kind=redis-streams", "bus.address=10.0.0.5:6379", set}));
    ASSERT_THAT(found, SizeIs(1)) << set;
    EXPECT_EQ(to_text(found[0]), "bus.password_file: the password that you give would be sent to 10.0.0.5:6379");
  }
  EXPECT_THAT(missing(plan({"bus.kind=redis-streams", "bus.address=10.0.0.5:6379"})), SizeIs(0));
}

TEST_F(PermissionsTest, WhatStaysHereNeedsNone) {
  EXPECT_THAT(missing(plan({"senders.payload=file " + secret_})), IsEmpty());
  EXPECT_THAT(missing(plan({"bus.kind=redis-streams", "senders.payload=file " + secret_})), IsEmpty());
  EXPECT_THAT(missing(plan({"bus.kind=redis-streams", "bus.address=10.0.0.5:6379"})), IsEmpty());
  // What a file had in it came with the plan.
  const RunPlan with_content = plan_from_json(plan_to_json(hostile())).value();
  EXPECT_THAT(missing(with_content), IsEmpty());
}

TEST_F(PermissionsTest, TheUsersOwnWordsAreAllowed) {
  EXPECT_THAT(missing(hostile(), {.own_keys = {"senders.payload"}}), IsEmpty());
  EXPECT_THAT(missing(hostile(), {.own_keys = {"bus.address"}}), IsEmpty());
  EXPECT_THAT(missing(hostile(), {.own_keys = {"senders.count"}}), SizeIs(1));
}

// What was idle as it came, and what the user changed beside it, is not the user's word.
TEST_F(PermissionsTest, WhatTheUserHasSetIsWhatNoPlanCameWith) {
  RunPlan came = hostile();
  came.bus.kind = "n2nq";  // its address is idle
  EXPECT_THAT(missing(came), IsEmpty());
  RunPlan now = came;
  now.bus.kind = "redis-streams";
  const auto keys = keys_set_here({&now, 1}, {&came, 1});
  EXPECT_THAT(keys, testing::ElementsAre("bus.kind"));
  EXPECT_THAT(missing(now, {.own_keys = keys}), SizeIs(1));
  ASSERT_TRUE(set_field(now, "bus.address=10.0.0.6:6379"));
  EXPECT_THAT(missing(now, {.own_keys = keys_set_here({&now, 1}, {&came, 1})}), IsEmpty());
  // In one of two runs it is as it came.
  const std::vector<RunPlan> runs{now, came};
  EXPECT_THAT(keys_set_here(runs, {&came, 1}), IsEmpty());
}

TEST_F(PermissionsTest, ANameThatBeginsAsALoopbackAddressIsNone) {
  for (const char* listen : {"127.0.0.1.evil.example:7400", "127.evil.example:0", "localhost.evil.example:7400"})
    EXPECT_THAT(missing(plan({"queue.listen=" + std::string(listen), "senders.payload=file " + secret_})), SizeIs(1))
        << listen;
  for (const char* listen : {"127.0.0.1:0", "127.1.2.3:7400", "[::1]:7400", "localhost:7400"})
    EXPECT_THAT(missing(plan({"queue.listen=" + std::string(listen), "senders.payload=file " + secret_})), IsEmpty())
        << listen;
}

TEST_F(PermissionsTest, WhatLiesBesideThePlanCameWithIt) {
  EXPECT_THAT(missing(hostile(), {.file = dir_ / "secret/plan.json"}), IsEmpty());
  EXPECT_THAT(missing(hostile(), {.file = dir_ / "plan.json"}), IsEmpty()) << "below it";
  fs::create_directories(dir_ / "other");
  EXPECT_THAT(missing(hostile(), {.file = dir_ / "other/plan.json"}), SizeIs(1));
  EXPECT_THAT(missing(hostile(), {.file = "/plan.json"}), SizeIs(1));
  // A link beside the plan leads elsewhere.
  fs::create_symlink(secret_, dir_ / "other/harmless");
  const RunPlan linked = plan({"bus.kind=redis-streams", "bus.address=10.0.0.5:6379",
                               "senders.payload=file " + (dir_ / "other/harmless").string()});
  EXPECT_THAT(missing(linked, {.file = dir_ / "other/plan.json"}), SizeIs(1));
  EXPECT_EQ(missing(linked)[0].file, secret_);
  fs::create_directories(dir_ / ".ssh");
  std::ofstream(dir_ / ".ssh/id") << "key";
  const RunPlan hidden = plan(
      {"bus.kind=redis-streams", "bus.address=10.0.0.5:6379", "senders.payload=file " + (dir_ / ".ssh/id").string()});
  EXPECT_THAT(missing(hidden, {.file = dir_ / "plan.json"}), SizeIs(1));
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  ::setenv("HOME", dir_.path().c_str(), 1);
  EXPECT_THAT(missing(hostile(), {.file = dir_ / "plan.json"}), SizeIs(1)) << "all that the user has lies there";
  ::setenv("HOME", home.c_str(), 1);
}

TEST_F(PermissionsTest, WhatWasAllowedStaysSoForThatFileAndDestination) {
  const std::string path = dir_ / "allowed.json";
  const RunPlan first = hostile();
  RunPlan other = first;
  ASSERT_TRUE(set_field(other, "bus.address=10.0.0.6:6379"));
  Permissions permissions(path);
  ASSERT_TRUE(permissions.allow(permissions.missing({&first, 1})));
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  for (const Permissions& one : {permissions, Permissions(path)}) {
    EXPECT_THAT(one.missing({&first, 1}), IsEmpty());
    EXPECT_THAT(one.missing({&other, 1}), SizeIs(1));
  }
  // Two benches at a time: neither forgets what the other was allowed.
  Permissions second;
  second = Permissions(path);
  ASSERT_TRUE(permissions.allow(permissions.missing({&other, 1})));
  RunPlan third = first;
  ASSERT_TRUE(set_field(third, "bus.address=10.0.0.7:6379"));
  ASSERT_TRUE(second.allow(second.missing({&third, 1})));
  EXPECT_THAT(Permissions(path).missing({&other, 1}), IsEmpty());
  std::ofstream(path) << "nonsense";
  EXPECT_THAT(Permissions(path).missing({&first, 1}), SizeIs(1));
}

TEST_F(PermissionsTest, AFileMayBeAllowedForOneStart) {
  const RunPlan plan = hostile();
  Permissions permissions;
  permissions.allow_file(secret_);
  EXPECT_THAT(permissions.missing({&plan, 1}), IsEmpty());
}

TEST_F(PermissionsTest, APassedStartIsRememberedForItsResults) {
  const RunPlan plan = hostile();
  Permissions permissions;
  ASSERT_TRUE(permissions.keep({&plan, 1}, {.file = dir_ / "secret/plan.json"}));
  EXPECT_THAT(permissions.missing({&plan, 1}), IsEmpty());
  Permissions others;
  ASSERT_TRUE(others.keep({&plan, 1}, {}));
  EXPECT_THAT(others.missing({&plan, 1}), SizeIs(1)) << "what was missing stays so";
}

TEST_F(PermissionsTest, AResultReadsNoFile) {
  std::string json = R"({"senders": {"payload": "file )" + secret_ + R"("}})";
  EXPECT_TRUE(plan_from_json(json));
  const auto stored = stored_plan_from_json(json);
  ASSERT_FALSE(stored);
  EXPECT_THAT(stored.error().text, testing::HasSubstr(secret_ + " without its content"));
  EXPECT_TRUE(stored_plan_from_json(plan_to_json(*plan_from_json(json))));
}

}  // namespace
}  // namespace n2nq::plan
