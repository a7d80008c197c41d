// A process that does a known thing, from the kernel through the real recorder to what is shown of it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <unistd.h>

#include "app/live/host_figures.h"
#include "broker/base/clock.h"
#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
#include "tests/system/planted.h"
#include "workers/control/messages.h"

namespace n2nq::run {
namespace {

using namespace std::chrono_literals;
using live::RecordedOf;

constexpr int64_t kWritten = 10 << 20;
constexpr int kTurns = 40;

int64_t own_processor_ns() {
  return read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

// As much work as rest, and ten megabytes; says how much work that was.
int64_t work_and_write(const std::string& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  ::unlink(path.c_str());
  const std::string piece(kWritten / kTurns, 'x');
  const int64_t before_ns = own_processor_ns();
  for (int64_t turn = 1; turn <= kTurns; turn++) {
    if (::write(file, piece.data(), piece.size()) != static_cast<ssize_t>(piece.size())) return -1;
    while (own_processor_ns() < before_ns + turn * 5 * kMs) continue;
    ::poll(nullptr, 0, 5);
  }
  const int64_t worked_ns = own_processor_ns() - before_ns;
  ::close(file);
  return worked_ns;
}

class RecorderTruth : public testing::Test {
 protected:
  // The next line, as it goes into the figures.
  control::Recorded take() {
    const auto is_record = [](const std::string& line) { return line.find("\"record\"") != std::string::npos; };
    const auto line = recorder_.wait_line(is_record, 20s);
    const auto message = control::parse_message(line.value_or(""));
    if (!message) throw std::runtime_error("no reading: " + message.error().text);
    figures_.take("here", std::get<control::Recorded>(*message));
    return std::get<control::Recorded>(*message);
  }

  test::TempDir dir_;
  live::HostFigures figures_;
  test::Process recorder_{{N2NQ_BUILT_BIN_DIR "/n2nq-recorder", "--controlled", "--period", "100ms"},
                          test::Process::Stdin::pipe};
};

TEST_F(RecorderTruth, WhatAProcessWorkedAndWroteIsShownWithinFivePercent) {
  const std::string path = test::file_on_disk((dir_ / "written").string(), N2NQ_BUILT_BIN_DIR);
  test::Planted planted([&path] { return work_and_write(path); });
  figures_.add("here");
  recorder_.send_line(R"({"type":"hello","token":"any"})");
  recorder_.send_line(R"({"type":"watch","processes":[{"name":"worker","pid":)" + std::to_string(planted.pid()) +
                      R"(,"program":""}],"port":0})");
  control::Recorded line = take();
  while (line.processes.empty()) line = take();
  figures_.begin("here", line.time_ns);
  const auto worked_ns = static_cast<double>(planted.act());
  const int64_t done_ns = now_ns();
  while (take().time_ns < done_ns) continue;
  const live::HostHistory shown = figures_.histories().at(0);
  const live::HostSeries* cpu = live::find_series(shown, RecordedOf::process, "worker", "cpu");
  const live::HostSeries* written = live::find_series(shown, RecordedOf::process, "worker", "disk_written");
  ASSERT_TRUE(cpu != nullptr && written != nullptr && cpu->value && written->value);
  EXPECT_NEAR(*cpu->value, worked_ns, 0.05 * worked_ns);
  EXPECT_NEAR(*written->value, double{kWritten}, 0.05 * kWritten);
  // And over time, in cores and bytes a second.
  double core_ns = 0, bytes = 0;
  for (size_t slot = 0; slot < shown.start_ns.size(); slot++) {
    core_ns += cpu->values.at(slot) * static_cast<double>(shown.width_ns[slot]);
    bytes += written->values.at(slot) * static_cast<double>(shown.width_ns[slot]) / 1e9;
  }
  EXPECT_NEAR(core_ns, worked_ns, 0.05 * worked_ns);
  EXPECT_NEAR(bytes, double{kWritten}, 0.05 * kWritten);
}

}  // namespace
}  // namespace n2nq::run
