#include "workers/recorder/proc_text.h"

#include <array>
#include <charconv>
#include <unordered_set>

namespace n2nq::recorder {
namespace {

using control::at;
using control::kHostColumns;
using control::kNoFigure;

constexpr int64_t kSectorBytes = 512;  // of /proc/diskstats, whatever the disk has

std::string_view next_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view next_word(std::string_view& line) {
  const size_t begin = std::min(line.find_first_not_of(" \t:"), line.size());
  const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::optional<int64_t> number_in(std::string_view word, int base = 10) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (error != std::errc() || end != word.data() + word.size() || value < 0) return std::nullopt;
  return value;
}

// As many numbers as there are; the rest is 0.
template <size_t N>
size_t numbers_in(std::string_view line, std::array<int64_t, N>& numbers) {
  size_t found = 0;
  while (found < N) {
    const auto value = number_in(next_word(line));
    if (!value) break;
    numbers[found++] = *value;
  }
  return found;
}

// "write_bytes: 12", "MemTotal:  34 kB"
std::optional<int64_t> value_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (!line.starts_with(key) || line.size() == key.size() || line[key.size()] != ':') continue;
    line.remove_prefix(key.size() + 1);
    return number_in(next_word(line));
  }
  return std::nullopt;
}

void add(int64_t& sum, int64_t amount) {
  sum = (sum == kNoFigure ? 0 : sum) + amount;
}

}  // namespace

int64_t read_cpu(std::string_view text, int64_t tick_ns, HostValues& into, bool with_nice) {
  std::string_view line = next_line(text);
  if (next_word(line) != "cpu") return 0;
  std::array<int64_t, 8> ticks{};  // user nice system idle iowait irq softirq steal
  if (numbers_in(line, ticks) < 4) return 0;
  into[at(kHostColumns, "cpu_user")] = (ticks[0] + (with_nice ? ticks[1] : 0)) * tick_ns;
  into[at(kHostColumns, "cpu_system")] = (ticks[2] + ticks[5] + ticks[6]) * tick_ns;
  into[at(kHostColumns, "cpu_interrupts")] = (ticks[5] + ticks[6]) * tick_ns;
  into[at(kHostColumns, "cpu_idle")] = ticks[3] * tick_ns;
  into[at(kHostColumns, "cpu_iowait")] = ticks[4] * tick_ns;
  into[at(kHostColumns, "cpu_steal")] = ticks[7] * tick_ns;
  int64_t processors = 0;
  while (text.starts_with("cpu")) {
    next_line(text);
    processors++;
  }
  return processors;
}

void read_memory(std::string_view text, HostValues& into) {
  const auto total = value_of(text, "MemTotal");
  const auto available = value_of(text, "MemAvailable");
  if (total && available && *total >= *available) into[at(kHostColumns, "memory_used")] = (*total - *available) * 1024;
}

bool read_disks(std::string_view text, const std::function<bool(std::string_view)>& is_disk, HostValues& into) {
  bool any = false;
  while (!text.empty()) {
    std::string_view line = next_line(text);
    next_word(line);
    next_word(line);
    const std::string_view name = next_word(line);
    std::array<int64_t, 7> figures{};  // reads, merged, sectors, ms, writes, merged, sectors
    if (name.empty() || numbers_in(line, figures) < figures.size() || !is_disk(name)) continue;
    any = true;
    add(into[at(kHostColumns, "disk_reads")], figures[0]);
    add(into[at(kHostColumns, "disk_read")], figures[2] * kSectorBytes);
    add(into[at(kHostColumns, "disk_writes")], figures[4]);
    add(into[at(kHostColumns, "disk_written")], figures[6] * kSectorBytes);
  }
  return any;
}

void read_interfaces(std::string_view text, HostValues& into) {
  next_line(text);
  next_line(text);
  while (!text.empty()) {
    std::string_view line = next_line(text);
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string_view head = line.substr(0, colon);
    const std::string_view name = next_word(head);
    std::array<int64_t, 12>
        figures{};  // received: bytes packets errs drop ...; from 8 on sent: bytes packets errs drop
    if (numbers_in(line.substr(colon + 1), figures) < figures.size()) continue;
    if (name == "lo") {
      add(into[at(kHostColumns, "loopback")], figures[8]);
      continue;
    }
    add(into[at(kHostColumns, "network_received")], figures[0]);
    add(into[at(kHostColumns, "network_received_packets")], figures[1]);
    add(into[at(kHostColumns, "network_sent")], figures[8]);
    add(into[at(kHostColumns, "network_sent_packets")], figures[9]);
    add(into[at(kHostColumns, "network_drops")], figures[3] + figures[11]);
  }
}

// A line of names and one of values.
void read_snmp(std::string_view text, HostValues& into) {
  while (!text.empty()) {
    std::string_view names = next_line(text);
    if (!names.starts_with("Tcp:")) continue;
    std::string_view values = next_line(text);
    for (std::string_view name = next_word(names); !name.empty(); name = next_word(names)) {
      const std::string_view value = next_word(values);
      if (name != "RetransSegs") continue;
      if (const auto segments = number_in(value)) into[at(kHostColumns, "tcp_retransmits")] = *segments;
    }
    return;
  }
}

// The name in parentheses may hold anything.
std::optional<ProcessStat> read_process_stat(std::string_view text) {
  const size_t end_of_name = text.rfind(')');
  if (end_of_name == std::string_view::npos) return std::nullopt;
  text.remove_prefix(end_of_name + 1);
  next_word(text);                          // its state
  constexpr size_t kFirst = 4, kLast = 24;  // fields of proc(5) from the parent to the memory
  std::array<int64_t, kLast + 1> fields{};
  for (size_t i = kFirst; i <= kLast; i++) {
    const std::string_view word = next_word(text);
    if (word.empty()) return std::nullopt;
    fields[i] = number_in(word).value_or(0);  // some are -1
  }
  return ProcessStat{.parent = fields[4],
                     .user_ticks = fields[14] + fields[16],
                     .system_ticks = fields[15] + fields[17],
                     .children_ticks = fields[16] + fields[17],
                     .threads = fields[20],
                     .start_ticks = fields[22],
                     .rss_pages = fields[24]};
}

std::optional<ProcessIo> read_process_io(std::string_view text) {
  const auto read = value_of(text, "read_bytes");
  const auto written = value_of(text, "write_bytes");
  if (!read || !written) return std::nullopt;
  return ProcessIo{.read_bytes = *read, .written_bytes = *written};
}

std::optional<int64_t> read_context_switches(std::string_view text) {
  const auto voluntary = value_of(text, "voluntary_ctxt_switches");
  const auto others = value_of(text, "nonvoluntary_ctxt_switches");
  if (!voluntary || !others) return std::nullopt;
  return *voluntary + *others;
}

int64_t count_names(std::string_view text, std::string_view begin, std::string_view but) {
  int64_t count = 0;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const size_t at = line.find(" @");
    const std::string_view name = at == std::string_view::npos ? "" : line.substr(at + 2);
    if (name.starts_with(begin) && name != but) count++;
  }
  return count;
}

PortConnections count_connections(std::string_view text, uint16_t port) {
  constexpr std::string_view kEstablishedState = "01";
  const auto port_of = [](std::string_view address) {
    const size_t colon = address.rfind(':');
    return colon == std::string_view::npos ? std::nullopt : number_in(address.substr(colon + 1), 16);
  };
  PortConnections found;
  // A table that changes while it is read, piece by piece, may tell of a connection twice.
  std::unordered_set<std::string_view> seen;
  next_line(text);
  while (!text.empty()) {
    std::string_view line = next_line(text);
    next_word(line);
    const std::string_view local = next_word(line), remote = next_word(line), state = next_word(line);
    const bool at_port = port_of(local) == port;
    if (state != kEstablishedState || (!at_port && port_of(remote) != port)) continue;
    if (!seen.emplace(local.data(), remote.data() + remote.size()).second) continue;
    (at_port ? found.at_port : found.to_port)++;
  }
  return found;
}

}  // namespace n2nq::recorder
