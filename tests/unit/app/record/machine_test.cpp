#include "app/record/machine.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/figures/record_tables.h"
#include "app/plan/filter_text.h"

namespace n2nq::record {
namespace {

TEST(Machine, SaysWhatAResultDependsOn) {
  const auto machine = nlohmann::json::parse(machine_json(), nullptr, false);
  ASSERT_TRUE(machine.is_object());
  for (const char* key : {"processor", "kernel", "governor", "congestion_control", "tcp_slow_start_after_idle",
                          "tcp_receive_buffers", "clocksource", "bench", "qt", "compiler"})
    EXPECT_FALSE(machine.value(key, "").empty()) << key;
  EXPECT_GT(machine.value("cores", 0), 0);
  EXPECT_GT(machine.value("memory_bytes", uint64_t{0}), 0u);
  EXPECT_EQ(machine["bench"], N2NQ_VERSION);
}

// Results are handed on: by the id itself a computer could be followed everywhere.
TEST(Machine, KeepsNoMachineIdAsItIs) {
  const MachineFacts facts{.processor = "Z80", .machine_id = "0123456789abcdef0123456789abcdef", .boot_id = "b"};
  const MachineFacts kept = as_kept(facts);
  EXPECT_NE(kept.machine_id, facts.machine_id);
  EXPECT_EQ(kept.machine_id.size(), 32u);
  EXPECT_EQ(kept, as_kept(facts)) << "the same computer is known again";
  EXPECT_EQ(kept.boot_id, "b");
  EXPECT_EQ(as_kept({}), MachineFacts{});
}

TEST(Machine, SaysWhetherItIsAVirtualOneOrAContainer) {
  EXPECT_EQ(virtualisation_text({.vendor = "Dell Inc."}), "none");
  EXPECT_EQ(virtualisation_text({.hypervisor = true}), "virtual machine");
  EXPECT_EQ(virtualisation_text({.hypervisor = true, .vendor = "QEMU"}), "virtual machine (QEMU)");
  EXPECT_EQ(virtualisation_text({.vendor = "Dell Inc.", .container = "podman"}), "container (podman)");
  EXPECT_EQ(virtualisation_text({.hypervisor = true, .vendor = "QEMU", .container = "docker"}),
            "container (docker) in a virtual machine (QEMU)");
}

std::vector<std::vector<std::string>> rows_about(const RunRecord& record, const std::string& what) {
  std::vector<std::vector<std::string>> found;
  for (const figures::TableRow& row : figures::machine_rows(record))
    if (row.cells[1] == what) found.push_back(row.cells);
  return found;
}

// A table with the workstation's facts under the hosts' names, or with the hosts' alone, would not do.
TEST(Machine, TablesSayWhoseFactsTheyAre) {
  using Cells = std::vector<std::vector<std::string>>;
  RunRecord record;
  record.plan.queue.host = "vm1";
  record.machine_json = R"({"processor":"6502","cores":1,"bench":"1.0"})";
  record.machines = {{.place = "vm1", .facts = {.processor = "Z80", .cores = 8, .load_1_min = 0.5}},
                     {.place = "vm2", .facts = {.cores = 4}}};
  EXPECT_EQ(rows_about(record, "processor"), (Cells{{"vm1 (the queue's)", "processor", "Z80"},
                                                    {"vm2", "processor", "not known"},
                                                    {"the bench's", "processor", "6502"}}));
  EXPECT_EQ(rows_about(record, "bench"), (Cells{{"the bench's", "bench", "1.0"}}));
  record.machines.push_back({.place = kThisPlace, .facts = {.processor = "6502", .cores = 1}});
  EXPECT_EQ(rows_about(record, "cores").back(), (std::vector<std::string>{kThisPlace, "cores", "1"}));
  EXPECT_EQ(rows_about(record, "cores").size(), 3u) << "not twice of one computer";
  record.machines.clear();
  EXPECT_EQ(rows_about(record, "cores"), (Cells{{"the bench's", "cores", "1"}})) << "as an older result has it";
}

TEST(RecordTables, TellTheSocketOptionsOfProcessesThoseAlikeTogether) {
  using Cells = std::vector<std::vector<std::string>>;
  RunRecord record;
  record.machines.push_back({.place = kThisPlace, .facts = {.processor = "6502"}});
  record.processes = {{.name = "queue", .role = Role::broker, .place = kThisPlace},
                      {.name = "senders 1-2", .role = Role::sender, .place = kThisPlace},
                      {.name = "senders 3-4", .role = Role::sender, .place = kThisPlace},
                      {.name = "receivers", .role = Role::receiver, .place = kThisPlace}};
  EXPECT_TRUE(rows_about(record, "connections of senders 1-2, senders 3-4").empty()) << "of an older result";
  for (size_t i : {1, 2}) {
    record.processes[i].nodelay = false;
    record.processes[i].send_buffer_bytes = 87'040;
  }
  const std::string computer = std::string(kThisPlace) + " (the queue's)";
  EXPECT_EQ(rows_about(record, "connections of senders 1-2, senders 3-4"),
            (Cells{{computer, "connections of senders 1-2, senders 3-4",
                    "TCP_NODELAY off, send buffer 85.0 KiB, receive buffer -, congestion control -"}}));
  EXPECT_EQ(rows_about(record, "connections of receivers"), (Cells{{computer, "connections of receivers", "-"}}));
  EXPECT_TRUE(rows_about(record, "connections of queue").empty());
}

// Filters stay in a plan while requests are off, and change nothing then.
TEST(RecordTables, NameNoFilterThatNobodyAskedWith) {
  RunRecord record;
  record.plan.queue.requests.filters = plan::parse_filters("1:senders=1").value();
  EXPECT_TRUE(figures::setting_rows(record).empty());
  record.plan.queue.requests.on = true;
  EXPECT_EQ(figures::setting_rows(record).size(), 2u) << "requests, and their filters";
}

TEST(Machine, AHostMayBeCalledAsWhatIsAttachedIs) {
  RunRecord record;
  record.plan.receivers.fleet.attach = "127.0.0.1:7500";
  EXPECT_TRUE(is_on_host(record, {.role = Role::sender, .place = "attached at 127.0.0.1:7500"}));
  EXPECT_FALSE(is_on_host(record, {.role = Role::sender, .place = kThisPlace}));
  EXPECT_FALSE(is_on_host(record, {.role = Role::sender}));
  EXPECT_FALSE(is_on_host(record, {.role = Role::receiver, .place = "lab"}));
}

}  // namespace
}  // namespace n2nq::record
