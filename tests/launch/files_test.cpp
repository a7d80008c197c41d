// What a link does with files, ports and clocks of its host.
#include <filesystem>
#include <fstream>
#include <random>

#include "broker/net/resolve.h"
#include "tests/launch/link_rig.h"

namespace n2nq::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Files : public LabTest {
 protected:
  void SetUp() override {
    LabTest::SetUp();
    if (IsSkipped()) return;
    link_ = link_to(host("vm1"));
    told_ = std::make_unique<Told>(*link_);
    ASSERT_TRUE(told_->open()) << told_->all();
    Outcome made;
    const Job job = link_->make_run_folder("run-1", made.done());
    ASSERT_TRUE(made.wait());
    ASSERT_TRUE(made.ok) << made.text;
    folder_ = link_->run_folder("run-1");
  }
  void write(const std::string& name, const std::string& text, std::ios::openmode mode = std::ios::trunc) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary | mode) << text;
  }
  static std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::unique_ptr<HostLink> link_;
  std::unique_ptr<Told> told_;
  std::string folder_;
};

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; i++) text += "message " + std::to_string(i) + " from 3 to 9\n";
  return text;
}

TEST_F(Files, AFolderThatNobodyWaitsForAnyMoreIsNotLeftThere) {
  Outcome made;
  Job job = link_->make_run_folder("run-9", made.done());
  const std::string folder = link_->run_folder("run-9");
  // No event loop runs here: it is made, and the link has not heard of it.
  for (const test::Deadline deadline(std::chrono::seconds(10)); !std::filesystem::exists(folder);)
    ASSERT_FALSE(deadline.passed());
  job.reset();
  EXPECT_TRUE(QTest::qWaitFor([&] { return !std::filesystem::exists(folder); }, kPatienceMs));
  EXPECT_EQ(made.times, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_)) << "the one that was waited for";
}

TEST_F(Files, AreFetchedWholeAndTravelCompressed) {
  const std::string text = lines(100'000);
  write("receiver-1.log", text);
  Outcome fetched;
  std::vector<FetchProgress> progress;
  const auto local = lab_->folder() / "fetched.log";
  const Job job = link_->fetch(
      folder_ + "/receiver-1.log", local.string(), [&](const FetchProgress& at) { progress.push_back(at); },
      fetched.done());
  ASSERT_TRUE(fetched.wait());
  ASSERT_TRUE(fetched.ok) << fetched.text;
  EXPECT_TRUE(read(local) == text);
  ASSERT_GT(progress.size(), 2u);
  EXPECT_EQ(progress.back().bytes, static_cast<int64_t>(text.size()));
  EXPECT_EQ(progress.back().of_bytes, static_cast<int64_t>(text.size()));
  EXPECT_LT(progress.back().wire_bytes, static_cast<int64_t>(text.size() / 4));
  EXPECT_EQ(fetched.times, 1);
}

TEST_F(Files, ThatDoNotCompressOrAreEmptyComeAsTheyAre) {
  std::mt19937 random(1);
  std::string noise(1'500'000, 0);
  for (char& c : noise) c = static_cast<char>(random());
  for (const std::string& text : {noise, std::string()}) {
    write("file", text);
    Outcome fetched;
    const Job job = link_->fetch(folder_ + "/file", (lab_->folder() / "f").string(), {}, fetched.done());
    ASSERT_TRUE(fetched.wait());
    ASSERT_TRUE(fetched.ok) << fetched.text;
    EXPECT_TRUE(read(lab_->folder() / "f") == text);
  }
}

TEST_F(Files, ThatAreNotThereAreSaidToBeMissing) {
  Outcome fetched;
  const auto local = lab_->folder() / "none";
  const Job job = link_->fetch(folder_ + "/none.log", local.string(), {}, fetched.done());
  ASSERT_TRUE(fetched.wait());
  EXPECT_FALSE(fetched.ok);
  EXPECT_THAT(fetched.text, HasSubstr("none.log does not exist"));
  EXPECT_FALSE(std::filesystem::exists(local));
}

TEST_F(Files, AFetchThatIsCancelledLeavesNothing) {
  write("big.log", lines(200'000));
  Outcome fetched;
  const auto local = lab_->folder() / "partly";
  bool some = false;
  Job job = link_->fetch(
      folder_ + "/big.log", local.string(),
      [&](const FetchProgress&) {
        some = true;
        job.reset();
      },
      fetched.done());
  ASSERT_TRUE(told_->wait([&] { return some; }));
  EXPECT_EQ(job, nullptr);
  expect_clean("vm1");
  EXPECT_EQ(fetched.times, 0);
  EXPECT_FALSE(std::filesystem::exists(local));
}

TEST_F(Files, AreFollowedWhileTheyGrow) {
  std::string come;
  int pieces = 0;
  const Job job = link_->tail(
      folder_ + "/sender-1.log", 0,
      [&](const TailPiece& piece) {
        EXPECT_EQ(piece.offset, static_cast<int64_t>(come.size()));
        come += piece.bytes.toStdString();
        pieces++;
      },
      [](const Error& error) { ADD_FAILURE() << error.text; });
  ASSERT_TRUE(told_->wait([&] { return pieces > 0; })) << "a file that is not there yet has no bytes";
  write("sender-1.log", "one\n");
  ASSERT_TRUE(told_->wait([&] { return come == "one\n"; })) << come;
  write("sender-1.log", "two\n", std::ios::app);
  ASSERT_TRUE(told_->wait([&] { return come == "one\ntwo\n"; })) << come;
}

TEST_F(Files, AFollowedFileTakesABoundedShareOfTheLink) {
  write("sender-1.log", lines(200'000));
  int64_t come = 0;
  const auto begin = std::chrono::steady_clock::now();
  const Job job = link_->tail(
      folder_ + "/sender-1.log", 0, [&](const TailPiece& piece) { come += piece.bytes.size(); },
      [](const Error& error) { ADD_FAILURE() << error.text; });
  ASSERT_TRUE(told_->wait([&] { return come > 200'000; }));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LE(static_cast<double>(come), 262'144 * seconds + 65'536);
}

TEST_F(Files, ARunFolderIsListedAndRemoved) {
  write("broker.log", "12345");
  write("a name with blanks", "1");
  std::vector<FolderEntry> entries;
  bool listed = false;
  const Job job = link_->list(folder_, [&](const Result<std::vector<FolderEntry>>& result) {
    listed = true;
    if (result) entries = *result;
  });
  ASSERT_TRUE(told_->wait([&] { return listed; }));
  ASSERT_THAT(entries, testing::SizeIs(2));
  EXPECT_EQ(entries[0].name, "a name with blanks");
  EXPECT_EQ(entries[1].name, "broker.log");
  EXPECT_EQ(entries[1].size, 5);
  Outcome removed;
  const Job removal = link_->remove_run_folder("run-1", removed.done());
  ASSERT_TRUE(removed.wait());
  EXPECT_TRUE(removed.ok) << removed.text;
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(Files, AFreePortOfTheRangeIsFound) {
  std::optional<Result<uint16_t>> found;
  Job job = link_->find_port("10.78.0.11", {.first = 7400, .last = 7403},
                             [&](const Result<uint16_t>& port) { found = port; });
  ASSERT_TRUE(told_->wait([&] { return found.has_value(); }));
  ASSERT_TRUE(*found) << found->error().text;
  EXPECT_GE(**found, 7400);
  EXPECT_LE(**found, 7403);
  found.reset();
  job = link_->find_port("10.78.0.11", {}, [&](const Result<uint16_t>& port) { found = port; });
  ASSERT_TRUE(told_->wait([&] { return found.has_value(); }));
  ASSERT_TRUE(*found) << found->error().text;
  EXPECT_GT(**found, 0);
  expect_clean("vm1");
}

TEST_F(Files, AnAddressThatIsNotTheHostsHasNoFreePort) {
  std::optional<Result<uint16_t>> found;
  const Job job = link_->find_port("10.99.0.1", {}, [&](const Result<uint16_t>& port) { found = port; });
  ASSERT_TRUE(told_->wait([&] { return found.has_value(); }));
  ASSERT_FALSE(*found);
  EXPECT_THAT(found->error().text, HasSubstr("no port is free at 10.99.0.1"));
  EXPECT_THAT(found->error().text, HasSubstr("10.99.0.1:0"));
}

TEST_F(Files, TheStateOfTheClockIsAskedFor) {
  std::optional<Result<ClockState>> state;
  const Job job = link_->clock_state([&](const Result<ClockState>& said) { state = said; });
  ASSERT_TRUE(told_->wait([&] { return state.has_value(); }));
  ASSERT_TRUE(*state) << state->error().text;
  EXPECT_THAT((*state)->text, testing::Not(IsEmpty()));
}

TEST_F(Files, NothingCanBeAskedOfALinkThatIsNotOpen) {
  link_->close();
  Outcome fetched, made;
  const Job job = link_->fetch(folder_ + "/x", (lab_->folder() / "x").string(), {}, fetched.done());
  const Job other = link_->make_run_folder("run-2", made.done());
  EXPECT_EQ(fetched.times + made.times, 0) << "from the event loop, never from within the call";
  ASSERT_TRUE(fetched.wait() && made.wait());
  EXPECT_EQ(fetched.text, "the link is not open");
  EXPECT_THAT(made.text, HasSubstr("the link is not open"));
  auto process = link_->launch({.role = Role::broker});
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->text, "n2nq-broker cannot be started on vm1: the link is not open");
}

TEST_F(Files, WhatIsUnderWayOutlivesTheLinkAndEnds) {
  write("big.log", lines(200'000));
  Outcome fetched;
  bool some = false;
  const Job job = link_->fetch(
      folder_ + "/big.log", (lab_->folder() / "partly").string(), [&](const FetchProgress&) { some = true; },
      fetched.done());
  auto process = link_->launch({.role = Role::broker, .arguments = {"--controlled", "--listen", "127.0.0.1:0"}});
  Heard heard(*process);
  ASSERT_TRUE(heard.wait_started());
  ASSERT_TRUE(QTest::qWaitFor([&] { return some; }, kPatienceMs));
  link_.reset();
  ASSERT_TRUE(heard.wait_end());
  EXPECT_EQ(heard.end->text, "the link to vm1 was lost: it was closed");
  ASSERT_TRUE(fetched.wait());
  EXPECT_FALSE(fetched.ok);
  EXPECT_FALSE(std::filesystem::exists(lab_->folder() / "partly"));
  process->kill();
  expect_clean("vm1");
}

}  // namespace
}  // namespace n2nq::launch
