// What must be known of the computer that a process runs on to judge what it measured there. A value, and how it is
// read from the kernel; any thread. Reading opens a dozen small files: once at the start of a process, never while it
// measures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace n2nq {

// What cannot be told is empty, or 0.
struct MachineFacts {
  std::string processor{};
  uint32_t cores = 0;  // that the process may use
  uint64_t memory_bytes = 0;
  std::string kernel{};  // "Linux 6.1.0-18-amd64 x86_64"
  std::string governor{};
  std::string congestion_control{};
  // Of TCP, as the kernel has them: whether a connection that was idle begins slowly again ("1"), whether small writes
  // are held back while others are on their way, and the least, the usual and the largest buffers, in bytes.
  std::string tcp_slow_start_after_idle{};
  std::string tcp_autocorking{};
  std::string tcp_receive_buffers{};
  std::string tcp_send_buffers{};
  std::string clocksource{};
  std::string
      virtualisation{};  // "none", "virtual machine (QEMU)", "container (docker)", "container in a virtual machine"
  std::optional<double> load_1_min{}, load_5_min{}, load_15_min{};
  std::string machine_id{};  // of the installation: the same after a restart
  std::string boot_id{};     // of the running kernel: equal exactly for processes on one computer, containers included
  bool operator==(const MachineFacts&) const = default;
};

MachineFacts read_machine_facts();
// False also where it cannot be told.
inline bool is_one_computer(const MachineFacts& one, const MachineFacts& other) {
  return !one.boot_id.empty() && one.boot_id == other.boot_id;
}

// What the kernel says that decides whether this is a virtual machine or a container, for tests.
struct VirtualisationSigns {
  bool hypervisor = false;  // the processor says so
  std::string vendor{};     // of the computer, by its firmware
  std::string container{};  // its kind; empty: none
};
std::string virtualisation_text(const VirtualisationSigns& signs);

// One that older programs do not tell; behind all others, as journals have them by their place.
template <class Visit, class Fact>
void later_fact(Visit& visit, const char* name, Fact& fact) {
  if constexpr (requires { visit.maybe(name, fact, true); })
    visit.maybe(name, fact, true);
  else
    visit(name, fact);
}

// `visit(name, member)` for each fact in order, of a MachineFacts or a const one: one list behind every form of it.
template <class Visit, class Facts>
void machine_fields(Visit& visit, Facts& facts) {
  visit("processor", facts.processor);
  visit("cores", facts.cores);
  visit("memory_bytes", facts.memory_bytes);
  visit("kernel", facts.kernel);
  visit("governor", facts.governor);
  visit("congestion_control", facts.congestion_control);
  visit("clocksource", facts.clocksource);
  visit("virtualisation", facts.virtualisation);
  visit("load_1_min", facts.load_1_min);
  visit("load_5_min", facts.load_5_min);
  visit("load_15_min", facts.load_15_min);
  visit("machine_id", facts.machine_id);
  visit("boot_id", facts.boot_id);
  later_fact(visit, "tcp_slow_start_after_idle", facts.tcp_slow_start_after_idle);
  later_fact(visit, "tcp_autocorking", facts.tcp_autocorking);
  later_fact(visit, "tcp_receive_buffers", facts.tcp_receive_buffers);
  later_fact(visit, "tcp_send_buffers", facts.tcp_send_buffers);
}

}  // namespace n2nq
