#include "tests/bench/process_meter.h"

#include <elf.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace n2nq::bench {
namespace {

const std::string kTracing = "/sys/kernel/tracing";

std::vector<pid_t> threads_of(pid_t pid) {
  std::vector<pid_t> threads;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone))
    threads.push_back(std::stoi(entry.path().filename().string()));
  return threads;
}

// Tracefs in a mount namespace of our own, so that the machine stays as it was.
Result<void> show_tracefs() {
  if (std::filesystem::exists(kTracing + "/events")) return {};
  if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("none", kTracing.c_str(), "tracefs", 0, nullptr) != 0)
    return fail(std::string("cannot mount tracefs (it needs root): ") + std::strerror(errno), errno);
  return {};
}

template <class T>
Result<T> read_number(const std::string& path) {
  std::ifstream file(path);
  T value{};
  if (!(file >> value)) return fail("cannot read " + path);
  return value;
}

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <class T>
const T* at(const std::string& image, uint64_t offset, uint64_t index = 0) {
  offset += index * sizeof(T);
  return offset + sizeof(T) <= image.size() ? reinterpret_cast<const T*>(image.data() + offset) : nullptr;
}

// File offset of a virtual address.
uint64_t file_offset(const std::string& image, const Elf64_Ehdr& elf, uint64_t address) {
  for (unsigned i = 0; i < elf.e_phnum; i++) {
    const auto* segment = at<Elf64_Phdr>(image, elf.e_phoff, i);
    if (segment == nullptr || segment->p_type != PT_LOAD) continue;
    if (address >= segment->p_vaddr && address < segment->p_vaddr + segment->p_filesz)
      return address - segment->p_vaddr + segment->p_offset;
  }
  return 0;
}

// File offsets of the functions of these names in a 64-bit ELF executable with a symbol table.
std::set<uint64_t> function_offsets(const std::string& image, const std::set<std::string_view>& names) {
  std::set<uint64_t> offsets;
  const auto* elf = at<Elf64_Ehdr>(image, 0);
  if (elf == nullptr || std::memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0) return offsets;
  for (unsigned s = 0; s < elf->e_shnum; s++) {
    const auto* section = at<Elf64_Shdr>(image, elf->e_shoff, s);
    if (section == nullptr || section->sh_type != SHT_SYMTAB) continue;
    const auto* strings = at<Elf64_Shdr>(image, elf->e_shoff, section->sh_link);
    for (uint64_t i = 0; i < section->sh_size / sizeof(Elf64_Sym); i++) {
      const auto* symbol = at<Elf64_Sym>(image, section->sh_offset, i);
      if (symbol == nullptr || strings == nullptr || symbol->st_shndx == SHN_UNDEF) continue;
      const uint64_t name = strings->sh_offset + symbol->st_name;
      if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && name < image.size() && names.contains(image.data() + name))
        offsets.insert(file_offset(image, *elf, symbol->st_value));
    }
  }
  offsets.erase(0);
  return offsets;
}

}  // namespace

Result<ProcessMeter> ProcessMeter::watch(pid_t pid) {
  ProcessMeter meter;
  meter.pid_ = pid;
  if (const int error = ::clock_getcpuclockid(pid, &meter.clock_); error != 0)
    return fail("cannot read the CPU time of process " + std::to_string(pid) + ": " + std::strerror(error), error);
  return meter;
}

Result<void> ProcessMeter::open_counter(Counter counter, perf_event_attr& attributes) {
  attributes.size = sizeof attributes;
  attributes.inherit = 1;
  for (const pid_t thread : threads_of(pid_)) {
    const long fd = ::syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0) return fail(std::string("cannot open a perf counter: ") + std::strerror(errno), errno);
    counters_[counter].emplace_back(static_cast<int>(fd));
  }
  return {};
}

Result<void> ProcessMeter::count_system_call(Counter counter, const char* call) {
  auto id = read_number<uint64_t>(kTracing + "/events/syscalls/sys_enter_" + call + "/id");
  if (!id) return std::unexpected(id.error());
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_TRACEPOINT;
  attributes.config = *id;
  return open_counter(counter, attributes);
}

Result<void> ProcessMeter::count_allocations() {
  auto type = read_number<uint32_t>("/sys/bus/event_source/devices/uprobe/type");
  if (!type) return std::unexpected(type.error());
  const std::string program = std::filesystem::read_symlink("/proc/" + std::to_string(pid_) + "/exe").string();
  const auto offsets =
      function_offsets(slurp(program), {"malloc", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign"});
  if (offsets.empty()) return fail(program + " is not static, or stripped: its allocations cannot be counted");
  for (const uint64_t offset : offsets) {
    perf_event_attr attributes{};
    attributes.type = *type;
    attributes.uprobe_path = reinterpret_cast<uint64_t>(program.c_str());
    attributes.probe_offset = offset;
    if (auto opened = open_counter(allocate, attributes); !opened) return opened;
  }
  return {};
}

Result<void> ProcessMeter::count_calls() {
  if (auto shown = show_tracefs(); !shown) return shown;
  const std::pair<Counter, std::vector<const char*>> groups[] = {
      {write, {"write", "writev", "sendto", "sendmsg", "sendmmsg"}},
      {read, {"read", "readv", "recvfrom", "recvmsg"}},
      {wait, {"epoll_wait", "epoll_pwait", "epoll_pwait2"}},
      {epoll_ctl, {"epoll_ctl"}},
  };
  for (const auto& [counter, calls] : groups)
    for (const char* call : calls)
      if (auto counted = count_system_call(counter, call); !counted) return counted;
  counts_calls_ = true;
  counts_allocations_ = count_allocations().has_value();
  return {};
}

uint64_t ProcessMeter::sum(Counter counter) const {
  uint64_t total = 0;
  for (const Fd& fd : counters_[counter]) {
    uint64_t value = 0;
    if (::read(fd.get(), &value, sizeof value) == sizeof value) total += value;
  }
  return total;
}

Usage ProcessMeter::usage() const {
  Usage usage;
  timespec cpu{};
  ::clock_gettime(clock_, &cpu);
  usage.cpu_ns = cpu.tv_sec * 1'000'000'000 + cpu.tv_nsec;
  for (const pid_t thread : threads_of(pid_)) {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(thread) + "/status");
    const std::string field = "voluntary_ctxt_switches:";
    for (std::string line; std::getline(status, line);)
      if (line.starts_with(field)) usage.sleeps += std::stoull(line.substr(field.size()));
  }
  if (!counts_calls_) return usage;
  usage.calls = {
      .writes = sum(write), .reads = sum(read), .waits = sum(wait), .epoll_ctls = sum(epoll_ctl), .allocations = {}};
  if (counts_allocations_) usage.calls->allocations = sum(allocate);
  return usage;
}

}  // namespace n2nq::bench
