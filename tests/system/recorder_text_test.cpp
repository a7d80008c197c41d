// What the recorder makes of the files of /proc: known texts with known figures, and texts that are none.
#include <gmock/gmock.h>

#include "workers/recorder/busy_time.h"
#include "workers/recorder/proc_text.h"

namespace n2nq::recorder {
namespace {

using control::kHostColumns;
using control::kNoFigure;

HostValues nothing() {
  return control::no_values(control::RecordedOf::host);
}
int64_t figure(const HostValues& values, std::string_view name) {
  for (size_t i = 0; i < values.size(); i++)
    if (kHostColumns[i].name == name) return values[i];
  return -1;
}

TEST(ProcText, ProcessorTimeIsInNanosecondsOfAllCores) {
  HostValues values = nothing();
  EXPECT_EQ(read_cpu("cpu  10 2 30 400 5 6 7 8 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 5\n", 10'000'000, values), 2);
  EXPECT_EQ(figure(values, "cpu_user"), 120'000'000);
  EXPECT_EQ(figure(values, "cpu_system"), 430'000'000);
  EXPECT_EQ(figure(values, "cpu_idle"), 4'000'000'000);
  EXPECT_EQ(figure(values, "cpu_iowait"), 50'000'000);
  EXPECT_EQ(figure(values, "cpu_steal"), 80'000'000);
}

constexpr int64_t kMs = 1'000'000;

HostValues processor(int64_t user, int64_t system, int64_t interrupts, int64_t idle) {
  HostValues values = nothing();
  values[control::at(kHostColumns, "cpu_user")] = user;
  values[control::at(kHostColumns, "cpu_system")] = system;
  values[control::at(kHostColumns, "cpu_interrupts")] = interrupts;
  values[control::at(kHostColumns, "cpu_idle")] = idle;
  values[control::at(kHostColumns, "cpu_iowait")] = 0;
  values[control::at(kHostColumns, "cpu_steal")] = 0;
  return values;
}

// What runs in step with the ticks: the kernel calls two idle processors half busy as well, or busy ones idle.
TEST(BusyTime, IsWhatWasNotIdleInTheProportionsOfTheTicks) {
  BusyTime busy;
  HostValues values = processor(7, 8, 4, 9);
  busy.fit(1000 * kMs, 2, values);
  EXPECT_EQ(values, processor(7, 8, 4, 9)) << "from then on";
  values = processor(7 + 250 * kMs, 8 + 750 * kMs, 4 + 500 * kMs, 9 + 1900 * kMs);
  busy.fit(2000 * kMs, 2, values);
  EXPECT_EQ(values, processor(7 + 25 * kMs, 8 + 75 * kMs, 4 + 50 * kMs, 9 + 1900 * kMs));
  values = processor(7 + 250 * kMs, 8 + 750 * kMs, 4 + 500 * kMs, 9 + 3700 * kMs);
  busy.fit(3000 * kMs, 2, values);
  EXPECT_EQ(values, processor(7 + 25 * kMs, 8 + 275 * kMs, 4 + 50 * kMs, 9 + 3700 * kMs)) << "no tick saw it";
}

TEST(BusyTime, NeverFallsAndIsExactWhereTheTicksAre) {
  BusyTime busy;
  HostValues values = processor(0, 0, 0, 0);
  busy.fit(0, 2, values);
  values = processor(1500 * kMs, 500 * kMs, 0, 0);
  busy.fit(1000 * kMs, 2, values);
  EXPECT_EQ(values, processor(1500 * kMs, 500 * kMs, 0, 0));
  values = processor(1500 * kMs, 500 * kMs, 0, 30 * kMs);  // rounded up
  busy.fit(1010 * kMs, 2, values);
  EXPECT_EQ(values, processor(1500 * kMs, 500 * kMs, 0, 30 * kMs));
  values = processor(2480 * kMs, 500 * kMs, 0, 1020 * kMs);
  busy.fit(2000 * kMs, 2, values);
  EXPECT_EQ(values, processor(2480 * kMs, 500 * kMs, 0, 1020 * kMs)) << "what was too much is taken back";
}

TEST(BusyTime, LeavesWhatItCannotJudge) {
  BusyTime busy;
  HostValues none = nothing();
  busy.fit(0, 2, none);
  EXPECT_EQ(none, nothing());
  HostValues values = processor(1, 2, 0, 3);
  busy.fit(0, 0, values);
  busy.fit(1000 * kMs, 0, values);
  EXPECT_EQ(values, processor(1, 2, 0, 3)) << "of how many processors it is, is not said";
}

TEST(ProcText, MemoryInUseIsWhatIsNotAvailable) {
  HostValues values = nothing();
  read_memory("MemTotal:       1000 kB\nMemFree:  1 kB\nMemAvailable:    400 kB\n", values);
  EXPECT_EQ(figure(values, "memory_used"), 600 * 1024);
}

TEST(ProcText, WholeDisksAreAddedUpAndPartsOfThemAreNot) {
  constexpr std::string_view kText =
      "   7  0 loop0 1 0 8 0 1 0 8 0 0 0 0\n 253  0 vda 10 1 100 5 20 2 200 6 0 0 0\n"
      " 253  1 vda1 9 1 90 5 19 2 190 6 0 0 0\n   8  0 sda 1 0 2 0 3 0 4 0 0 0 0\n";
  HostValues values = nothing();
  EXPECT_TRUE(read_disks(kText, [](std::string_view name) { return name == "vda" || name == "sda"; }, values));
  EXPECT_EQ(figure(values, "disk_reads"), 11);
  EXPECT_EQ(figure(values, "disk_read"), 102 * 512);
  EXPECT_EQ(figure(values, "disk_writes"), 23);
  EXPECT_EQ(figure(values, "disk_written"), 204 * 512);
  HostValues none = nothing();
  EXPECT_FALSE(read_disks(kText, [](std::string_view) { return false; }, none));
  EXPECT_EQ(figure(none, "disk_reads"), kNoFigure);
}

TEST(ProcText, LoopbackIsAFigureOfItsOwn) {
  HostValues values = nothing();
  read_interfaces(
      "Inter-|   Receive  |  Transmit\n face |bytes packets\n    lo: 500 5 0 0 0 0 0 0 500 5 0 0 0 0 0 0\n"
      "  eth0:1000 10 0 3 0 0 0 0 2000 20 0 4 0 0 0 0\n eth1: 1 1 0 0 0 0 0 0 2 1 0 0 0 0 0 0\n",
      values);
  EXPECT_EQ(figure(values, "loopback"), 500);
  EXPECT_EQ(figure(values, "network_received"), 1001);
  EXPECT_EQ(figure(values, "network_sent"), 2002);
  EXPECT_EQ(figure(values, "network_received_packets"), 11);
  EXPECT_EQ(figure(values, "network_sent_packets"), 21);
  EXPECT_EQ(figure(values, "network_drops"), 7);
}

TEST(ProcText, RetransmissionsAreFoundByTheNameOfTheirColumn) {
  HostValues values = nothing();
  read_snmp("Ip: A\nIp: 1\nTcp: RtoAlgorithm MaxConn RetransSegs InErrs\nTcp: 1 -1 42 7\nUdp: X\nUdp: 1\n", values);
  EXPECT_EQ(figure(values, "tcp_retransmits"), 42);
}

TEST(ProcText, TheNameOfAProcessMayHoldAnything) {
  const auto stat = read_process_stat(
      "12 (a) b (c) S 7 1 1 0 -1 4194304 1 2 3 4 100 50 10 5 20 0 3 0 9 1000 25 18446744073709551615 1 1");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->parent, 7);
  EXPECT_EQ(stat->user_ticks, 110);
  EXPECT_EQ(stat->system_ticks, 55);
  EXPECT_EQ(stat->children_ticks, 15);
  EXPECT_EQ(stat->threads, 3);
  EXPECT_EQ(stat->rss_pages, 25);
}

TEST(ProcText, BytesAndSwitchesOfAProcess) {
  const auto io =
      read_process_io("rchar: 1\nwchar: 2\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 0\n");
  ASSERT_TRUE(io);
  EXPECT_EQ(io->read_bytes, 4096);
  EXPECT_EQ(io->written_bytes, 8192);
  EXPECT_EQ(read_context_switches("Name:\tx\nvoluntary_ctxt_switches:\t3\nnonvoluntary_ctxt_switches:\t4\n"), 7);
}

TEST(ProcText, EstablishedConnectionsAreCountedByTheEndThatHasThePort) {
  const PortConnections found = count_connections(
      "  sl  local_address rem_address   st\n   0: 0100007F:1CE8 00000000:0000 0A 0:0\n"
      "   1: 0100007F:1CE8 0100007F:9C40 01 0:0\n   2: 0100007F:9C40 0100007F:1CE8 01 0:0\n"
      "   3: 0100007F:1CE8 0100007F:9C41 06 0:0\n   3: 0100007F:1CE8 0100007F:9C40 01 0:0\n",
      7400);
  EXPECT_EQ(found.at_port, 1);
  EXPECT_EQ(found.to_port, 1);
}

// Whatever a file holds, and wherever it ends.
TEST(ProcText, TextThatIsNoneGivesNoFigure) {
  for (const std::string_view text : {"", "\n", "cpu", "cpu  ", "cpu x y z", "cpu -1 -2 -3 -4", "MemTotal:", "Tcp:",
                                      "Tcp: RetransSegs", "Tcp: RetransSegs\nTcp: x", "(", ")", "1 (x) S",
                                      "a\nb\n:", "read_bytes: \nwrite_bytes: x", "99999999999999999999999 0 vda 1"}) {
    HostValues values = nothing();
    read_cpu(text, 1, values);
    read_memory(text, values);
    read_disks(text, [](std::string_view) { return true; }, values);
    read_interfaces(text, values);
    read_snmp(text, values);
    EXPECT_EQ(values, nothing()) << text;
    EXPECT_FALSE(read_process_stat(text)) << text;
    EXPECT_FALSE(read_process_io(text)) << text;
    EXPECT_FALSE(read_context_switches(text)) << text;
    EXPECT_EQ(count_connections(text, 1).at_port, 0) << text;
  }
}

}  // namespace
}  // namespace n2nq::recorder
