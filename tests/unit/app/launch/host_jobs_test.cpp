// What hosts say, read: listings, clocks, programs.
#include "app/launch/host_jobs.h"

#include <gmock/gmock.h>

#include <QCoreApplication>
#include <fstream>

#include "app/launch/programs.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::launch {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A host whose command writes on and on, and is not to be ended.
TEST(ScriptRun, GivesUpAHostThatSaysMoreThanAnyAnswerHas) {
  auto wire = std::make_shared<remote::Wire>(std::make_shared<remote::Wake>());
  std::vector<ScriptEnd> ends;
  ScriptRun script(std::make_unique<remote::Exec>(wire), {}, [&ends](const ScriptEnd& end) { ends.push_back(end); });
  const QByteArray piece(1 << 16, 'x');
  int64_t taken = 0;
  for (int turn = 0; turn < 1000; turn++) {
    if (wire->room() >= piece.size()) {
      wire->put_out(piece.constData(), piece.size());
      taken += piece.size();
    }
    QCoreApplication::processEvents();
  }
  ASSERT_THAT(ends, SizeIs(1));
  EXPECT_EQ(ends[0].exit_code, -1);
  EXPECT_THAT(ends[0].complaint, HasSubstr("more than 8 MiB"));
  EXPECT_TRUE(ends[0].output.isEmpty());
  EXPECT_LE(taken, ScriptRun::kMostOutput + 4 * remote::Wire::kMostWaiting) << "the rest stays where it is";
  wire->put_end({.begun = true, .exit_code = 0});
  QCoreApplication::processEvents();
  EXPECT_THAT(ends, SizeIs(1));
}

TEST(FolderListing, IsReadOfCoreutilsAndOfBusybox) {
  const auto entries = entries_of(
      "total 12\n"
      "-rw-r--r-- 1 0 0 5 Nov 20 23:01 broker.log\n"
      "drwxr-xr-x    2 64011    64011         4096 Nov 20  2025 a folder  with blanks\n");
  ASSERT_TRUE(entries) << entries.error().text;
  ASSERT_THAT(*entries, SizeIs(2));
  EXPECT_EQ((*entries)[0].name, "broker.log");
  EXPECT_EQ((*entries)[0].size, 5);
  EXPECT_EQ((*entries)[1].name, "a folder  with blanks");
  EXPECT_TRUE((*entries)[1].folder);
  EXPECT_EQ((*entries)[1].size, 0);
}

TEST(FolderListing, OfAnotherFormIsAnError) {
  EXPECT_FALSE(entries_of("-rw-r--r-- strange\n"));
  EXPECT_THAT(*entries_of(""), IsEmpty());
}

TEST(ClockOfAHost, IsReadFromChrony) {
  const ClockState state = clock_of(
      "chrony\n0A4D0001,10.77.0.1,3,1700000000.5,-0.000012,0.000003,0.00002,-1.5,0.01,0.2,0.000400,0.000050,64.2,"
      "Normal\n");
  EXPECT_EQ(state.source, "chrony");
  EXPECT_EQ(state.synchronised, true);
  EXPECT_EQ(state.offset_ns, -12'000);
  EXPECT_EQ(state.bound_ns, 262'000);
  EXPECT_THAT(state.text, HasSubstr("chrony: synchronised"));
}

TEST(ClockOfAHost, ThatIsNotSynchronisedIsSaid) {
  const ClockState state = clock_of("chrony\n7F7F0101,,0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,1.0,1.0,0.0,Not synchronised\n");
  EXPECT_EQ(state.synchronised, false);
}

TEST(ClockOfAHost, IsReadFromSystemd) {
  EXPECT_EQ(clock_of("timedatectl\nyes\n").synchronised, true);
  EXPECT_EQ(clock_of("timedatectl\nno\n").synchronised, false);
}

TEST(ClockOfAHost, ThatNobodyKnowsIsNotMadeUp) {
  const ClockState state = clock_of("none\n");
  EXPECT_EQ(state.synchronised, std::nullopt);
  EXPECT_EQ(state.offset_ns, std::nullopt);
  EXPECT_THAT(state.text, HasSubstr("unknown"));
}

TEST(ProgramsToBringThere, AreMissedByName) {
  const test::TempDir dir;
  const auto programs = read_programs(dir.path().string());
  ASSERT_FALSE(programs);
  EXPECT_THAT(programs.error().text, HasSubstr("n2nq-broker, cannot be read"));
}

TEST(ProgramsToBringThere, MustBePrograms) {
  const test::TempDir dir;
  std::ofstream(dir / "n2nq-broker") << "#!/bin/sh\n";
  const auto programs = read_programs(dir.path().string());
  ASSERT_FALSE(programs);
  EXPECT_THAT(programs.error().text, HasSubstr("is not a program for a known machine type"));
}

}  // namespace
}  // namespace n2nq::launch
