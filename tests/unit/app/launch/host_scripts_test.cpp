// What the scripts leave on a host and what they remove, in a folder of this computer.
#include "app/launch/host_scripts.h"

#include <gmock/gmock.h>
#include <sys/utsname.h>

#include <QCryptographicHash>
#include <fstream>

#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::launch {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class HostScripts : public testing::Test {
 protected:
  // Written to so many days ago, and an hour.
  static void age(const fs::path& path, int days) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(24 * days + 1));
  }
  fs::path folder(const std::string& name, int days, std::optional<int> file_days = {}) const {
    const fs::path path = work_ / name;
    fs::create_directories(path / "below");
    if (!file_days) fs::remove(path / "below");
    if (file_days) {
      std::ofstream(path / "below/sender-1.log") << "1\n";
      age(path / "below/sender-1.log", *file_days);
      age(path / "below", days);
    }
    age(path, days);
    return path;
  }
  static std::string run(std::string_view script, const std::vector<std::string>& arguments,
                         const std::string& input = "") {
    test::Process process(shell(script, arguments), test::Process::Stdin::pipe);
    if (!input.empty()) process.send_line(input);
    process.close_stdin();
    const auto exit = process.wait_exit(test::Deadline(30s));
    EXPECT_TRUE(exit && *exit == (test::Exit{.code = 0})) << process.err();
    return process.out();
  }
  std::string probe() const {
    utsname name{};
    ::uname(&name);
    return run(scripts::kProbe, {work_.string(), name.machine, "word"});
  }

  test::TempDir dir_;
  fs::path work_ = dir_.path() / "work";
};

TEST_F(HostScripts, OpeningRemovesRunsThatNothingWasWrittenToFor30Days) {
  const fs::path old = folder("runs/20260901T000000Z-3f2a-5f3a09c1", 31, 31);
  const fs::path young = folder("runs/20260902T000000Z-3f2a-5f3a09c1", 29, 29);
  const fs::path fresh = folder("runs/20261120T122505Z-3f2a-5f3a09c1", 0, 0);
  const fs::path goes_on = folder("runs/20260903T000000Z-3f2a-5f3a09c1", 40, 1);
  const fs::path foreign = folder("runs/my results", 90, 90);
  EXPECT_THAT(probe(), testing::HasSubstr("folder="));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young / "below/sender-1.log"));
  EXPECT_TRUE(fs::exists(fresh / "below/sender-1.log"));
  EXPECT_TRUE(fs::exists(goes_on / "below/sender-1.log")) << "files of a run may be younger than its folder";
  EXPECT_TRUE(fs::exists(foreign / "below/sender-1.log")) << "that is no run of a bench";
}

TEST_F(HostScripts, OpeningRemovesEmptyRunsOfTwoDays) {
  const fs::path old = folder("runs/20261117T000000Z-3f2a-5f3a09c1", 2);
  const fs::path young = folder("runs/20261119T000000Z-3f2a-5f3a09c1", 1);
  const fs::path full = folder("runs/20261117T000001Z-3f2a-5f3a09c1", 2, 2);
  probe();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(full / "below/sender-1.log"));
}

TEST_F(HostScripts, AFolderWithProgramsOfItsOwnIsRidOfOldRunsToo) {
  const fs::path old = folder("runs/20260901T000000Z-3f2a-5f3a09c1", 31, 31);
  const fs::path fresh = folder("runs/20261120T122505Z-3f2a-5f3a09c1", 0, 0);
  std::ofstream(work_ / "n2nq-broker") << "#!/bin/sh\n";
  fs::permissions(work_ / "n2nq-broker", fs::perms(0755));
  EXPECT_THAT(probe(), testing::HasSubstr("placed=yes"));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(HostScripts, AnUploadRemovesProgramsThatNobodyUsedFor30Days) {
  const fs::path old = folder("cache/0123456789abcdef", 31, 31);
  const fs::path young = folder("cache/1123456789abcdef", 29, 29);
  fs::create_directories(work_);
  const std::string program = "#!/bin/sh";
  const std::string hash =
      QCryptographicHash::hash(QByteArray::fromStdString(program + "\n"), QCryptographicHash::Sha256)
          .toHex()
          .left(16)
          .toStdString();
  run(scripts::kUpload, {work_.string(), "n2nq-sender", hash, std::to_string(program.size() + 1), "word"}, program);
  EXPECT_TRUE(fs::exists(work_ / "cache" / hash / "n2nq-sender"));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young / "below/sender-1.log"));
}

TEST_F(HostScripts, AProgramThatIsThereIsKeptFromBeingRemoved) {
  const std::string hash = QCryptographicHash::hash("1\n", QCryptographicHash::Sha256).toHex().left(16).toStdString();
  const fs::path used = folder("cache/" + hash, 40);
  std::ofstream(used / "n2nq-sender") << "1\n";
  age(used, 40);
  utsname name{};
  ::uname(&name);
  EXPECT_THAT(run(scripts::kProbe, {work_.string(), name.machine, "word", hash + ":n2nq-sender"}),
              testing::HasSubstr("have=n2nq-sender"));
  EXPECT_LT(fs::file_time_type::clock::now() - fs::last_write_time(used), 1h * 24);
}

TEST_F(HostScripts, TheFolderOfARunAndWhatIsWrittenThereAreItsOwnersAlone) {
  fs::create_directories(work_ / "runs");
  const fs::path folder = work_ / "runs/20261120T122505Z-3f2a-5f3a09c1";
  EXPECT_EQ(run(scripts::kMakeFolder, {folder.string()}, "keep"), std::string(kAnswer) + "made\n");
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  run(scripts::kStart, {work_.string(), "/bin/sh", "-c", ": >" + (folder / "sender-1.log").string()});
  EXPECT_EQ(fs::status(folder / "sender-1.log").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(HostScripts, LeftRunsAreThoseOfBenchesAndSayWhoStillWrites) {
  folder("runs/20261120T122505Z-3f2a-5f3a09c1", 0, 0);
  const fs::path busy = folder("runs/20261121T122505Z-77aa-5f3a09c1", 0, 0);
  folder("runs/my results", 0, 0);
  fs::create_directory_symlink("/", work_ / "runs/20261122T122505Z-77aa-5f3a09c1");
  test::Process worker({"/bin/sh", "-c", "echo up; read line", "worker", "--log-dir", busy.string()},
                       test::Process::Stdin::pipe);
  ASSERT_EQ(worker.next_line(test::Deadline(20s)), "up");
  EXPECT_EQ(run(scripts::kLeftRuns, {work_.string()}),
            std::string(kAnswer) + "over 20261120T122505Z-3f2a-5f3a09c1\nruns 20261121T122505Z-77aa-5f3a09c1\n");
  worker.close_stdin();
  ASSERT_TRUE(worker.wait_exit(test::Deadline(20s)));
  EXPECT_THAT(run(scripts::kLeftRuns, {work_.string()}), testing::HasSubstr("over 20261121T122505Z-77aa-5f3a09c1"));
}

}  // namespace
}  // namespace n2nq::launch
