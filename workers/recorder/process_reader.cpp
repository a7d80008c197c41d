#include "workers/recorder/process_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <memory>
#include <set>
#include <utility>

#include "broker/base/clock.h"
#include "workers/recorder/host_reader.h"

namespace n2nq::recorder {
namespace {

using control::at;
using control::kNoFigure;
using control::kProcessColumns;
using control::RecordedOf;

std::optional<pid_t> pid_of(const char* name) {
  const std::string_view text(name);
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return pid;
}

// As many files are open as may be.
bool is_exhausted(int error) {
  return error == EMFILE || error == ENFILE;
}

// `take` gets the number that each entry is called by.
template <class Take>
void each_numbered(const std::string& folder, const Take& take) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries.get()))
    if (const auto number = pid_of(entry->d_name)) take(*number);
}

}  // namespace

Parents read_parents(ReadBuffer& buffer) {
  Parents parents;
  each_numbered("/proc", [&](pid_t pid) {
    KeptFile stat("/proc/" + std::to_string(pid) + "/stat", true);
    if (const auto found = read_process_stat(stat.read(buffer)))
      parents.emplace(static_cast<pid_t>(found->parent), pid);
  });
  return parents;
}

ProcessFiles::ProcessFiles(pid_t pid)
    : pid_(pid),
      folder_("/proc/" + std::to_string(pid)),
      tick_ns_(1'000'000'000 / ::sysconf(_SC_CLK_TCK)),
      page_bytes_(::sysconf(_SC_PAGESIZE)),
      stat_(folder_ + "/stat", true),
      io_(folder_ + "/io", true),
      descriptors_(::open((folder_ + "/fd").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
      descriptors_error_(descriptors_.valid() ? 0 : errno) {
  if (::clock_getcpuclockid(pid_, &clock_) != 0) clock_ = 0;
}

std::optional<HostValues> ProcessFiles::read(ReadBuffer& buffer, bool all) {
  const auto stat = read_process_stat(stat_.read(buffer));
  if (!stat) return std::nullopt;
  HostValues values = control::no_values(RecordedOf::process);
  timespec cpu{};
  if (clock_ != 0 && ::clock_gettime(clock_, &cpu) == 0)
    values[at(kProcessColumns, "cpu")] =
        int64_t{cpu.tv_sec} * 1'000'000'000 + cpu.tv_nsec + stat->children_ticks * tick_ns_;
  values[at(kProcessColumns, "cpu_user")] = stat->user_ticks * tick_ns_;
  values[at(kProcessColumns, "cpu_system")] = stat->system_ticks * tick_ns_;
  values[at(kProcessColumns, "memory")] = stat->rss_pages * page_bytes_;
  inherited_ns_ = stat->children_ticks * tick_ns_;
  started_ns_ = (stat->start_ticks + 1) * tick_ns_;  // at the latest
  if (!all) return values;
  const auto io = read_process_io(io_.read(buffer));
  io_error_ = io_.error();
  if (io) {
    values[at(kProcessColumns, "disk_read")] = io->read_bytes;
    values[at(kProcessColumns, "disk_written")] = io->written_bytes;
  }
  if (stat->threads != threads_known_) {
    find_threads();
    threads_known_ = stat->threads;
  }
  values[at(kProcessColumns, "context_switches")] = read_switches(buffer);
  read_descriptors(values);
  return values;
}

void ProcessFiles::find_threads() {
  threads_error_ = 0;
  each_numbered(folder_ + "/task", [this](pid_t thread) {
    if (threads_.contains(thread)) return;
    Thread found{.status = KeptFile(folder_ + "/task/" + std::to_string(thread) + "/status", true)};
    if (found.status.error() == 0)
      threads_.emplace(thread, std::move(found));
    else if (is_exhausted(found.status.error()))
      threads_error_ = found.status.error();
  });
}

// What a thread did between its last reading and its end is nowhere.
int64_t ProcessFiles::read_switches(ReadBuffer& buffer) {
  int64_t sum = 0;
  thread_ended_ = false;
  for (auto at = threads_.begin(); at != threads_.end();) {
    Thread& thread = at->second;
    if (const auto switches = read_context_switches(thread.status.read(buffer))) {
      thread.switches = *switches;
      sum += *switches;
      ++at;
    } else {
      switches_of_ended_ += thread.switches;
      at = threads_.erase(at);
      thread_ended_ = true;
      threads_known_ = 0;  // another may have come in its place
    }
  }
  return threads_.empty() || thread_ended_ || threads_error_ != 0 ? kNoFigure : sum + switches_of_ended_;
}

void ProcessFiles::read_descriptors(HostValues& into) {
  if (!descriptors_.valid()) return;
  struct stat status{};
  // From Linux 6.2 on the size of that folder is their number.
  if (::fstat(descriptors_.get(), &status) == 0 && status.st_size > 0) {
    counted_ = status.st_size;
  } else if (count_again_in_-- <= 0) {
    constexpr int64_t kForOneReading = 500;
    counted_ = count_entries();
    count_again_in_ = counted_ / kForOneReading;
  }
  into[at(kProcessColumns, "descriptors")] = counted_;
}

int64_t ProcessFiles::count_entries() {
  int64_t count = 0;
  each_numbered(folder_ + "/fd", [&count](pid_t) { count++; });
  return count;
}

ProcessReader::ProcessReader(std::string name, pid_t pid)
    : name_(std::move(name)),
      pid_(pid),
      gone_(kProcessColumns.size(), 0),
      said_(control::no_values(RecordedOf::process)) {
  members_.push_back({.pid = pid, .files = ProcessFiles(pid)});
}

std::vector<pid_t> ProcessReader::pids() const {
  std::vector<pid_t> pids;
  for (const Member& member : members_) pids.push_back(member.pid);
  return pids;
}

void ProcessReader::take_parents(const Parents& parents) {
  std::set<pid_t> known, seen{pid_};
  for (const Member& member : members_) known.insert(member.pid);
  for (std::vector<pid_t> todo{pid_}; !todo.empty();) {
    const auto [first, last] = parents.equal_range(todo.back());
    todo.pop_back();
    for (auto child = first; child != last; ++child) {
      if (!seen.insert(child->second).second) continue;
      todo.push_back(child->second);
      if (!known.contains(child->second))
        members_.push_back({.pid = child->second, .files = ProcessFiles(child->second)});
    }
  }
}

// What is not known this time is as it was.
void ProcessReader::take(Member& member, const HostValues& values) const {
  if (member.last.empty()) {
    member.last = control::no_values(RecordedOf::process);
    member.base = HostValues(values.size(), 0);
    member.inherited_ns = member.files.inherited_ns();
    member.whole = member.pid == pid_ || (read_ns_ != 0 && member.files.started_ns() >= read_ns_);
  }
  for (size_t i = 0; i < values.size(); i++) {
    if (values[i] == kNoFigure) continue;
    if (member.last[i] == kNoFigure && !member.whole) member.base[i] = values[i];
    member.last[i] = values[i];
  }
}

// False: the process itself has ended. One that was waited for in between is not there any more, and what it did is in
// its parent from then on: so all are read again.
bool ProcessReader::read_members(ReadBuffer& buffer, bool all, std::vector<Member>& ended) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < members_.size();) {
      const auto values = members_[i].files.read(buffer, all);
      if (values) {
        take(members_[i], *values);
        if (i == 0) own_ = *values;
        i++;
        continue;
      }
      if (i == 0) return false;
      if (!members_[i].last.empty()) ended.push_back(std::move(members_[i]));
      members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(i));
      again = !ended.empty();
    }
  }
  return true;
}

// Whoever waits for a process inherits all that it ever did, but for its context switches.
void ProcessReader::bury(const std::vector<Member>& ended) {
  int64_t inherited_ns = 0;
  for (Member& member : members_)
    inherited_ns += member.files.inherited_ns() - std::exchange(member.inherited_ns, member.files.inherited_ns());
  const int64_t rounding_ns = 2'000'000'000 / ::sysconf(_SC_CLK_TCK);
  for (const Member& member : ended) {
    const auto known = [](int64_t value) { return value == kNoFigure ? 0 : value; };
    const int64_t needed_ns =
        known(member.last[at(kProcessColumns, "cpu_user")]) + known(member.last[at(kProcessColumns, "cpu_system")]);
    const bool inherited = inherited_ns + rounding_ns >= needed_ns;
    if (inherited) inherited_ns -= needed_ns;
    for (size_t i = 0; i < gone_.size(); i++) {
      if (member.last[i] == kNoFigure) continue;
      const bool passed_on = inherited && i != at(kProcessColumns, "context_switches");
      gone_[i] += (passed_on ? 0 : member.last[i]) - member.base[i];
    }
  }
}

std::optional<HostValues> ProcessReader::read(ReadBuffer& buffer, bool all) {
  std::vector<Member> ended;
  if (!read_members(buffer, all, ended)) return std::nullopt;
  bury(ended);
  read_ns_ = read_clock_ns(CLOCK_BOOTTIME);
  HostValues sum = control::no_values(RecordedOf::process);
  for (size_t i = 0; i < sum.size(); i++) {
    if (own_[i] == kNoFigure) continue;  // what it has started is not what it did
    const bool counter = kProcessColumns[i].counter;
    sum[i] = counter ? gone_[i] : 0;
    for (const Member& member : members_)
      if (member.last[i] != kNoFigure) sum[i] += member.last[i] - (counter ? member.base[i] : 0);
    if (!counter) continue;
    // Rounding, and who passed nothing on, are no steps back.
    gone_[i] += std::max<int64_t>(0, said_[i] == kNoFigure ? 0 : said_[i] - sum[i]);
    sum[i] = said_[i] = std::max(sum[i], said_[i]);
  }
  return sum;
}

void ProcessReader::add_lacking(std::vector<control::Lacking>& lacking) const {
  const ProcessFiles& files = members_.front().files;
  const std::string folder = "/proc/" + std::to_string(pid_);
  const auto add = [&](std::vector<std::string> series, const char* file, int error) {
    if (error == EACCES || error == EPERM || error == ENOENT || is_exhausted(error))
      lacking.push_back({.of = RecordedOf::process,
                         .subject = name_,
                         .series = std::move(series),
                         .why = why_unreadable(folder + file, error)});
  };
  if (is_exhausted(files.stat_error())) {
    std::vector<std::string> every;
    for (const control::HostColumn& column : kProcessColumns) every.emplace_back(column.name);
    return add(std::move(every), "/stat", files.stat_error());
  }
  add({"disk_read", "disk_written"}, "/io", files.io_error());
  add({"context_switches"}, "/task", files.threads_error());
  add({"descriptors"}, "/fd", files.descriptors_error());
  if (files.thread_ended())
    lacking.push_back(
        {.of = RecordedOf::process,
         .subject = name_,
         .series = {"context_switches"},
         .why = "a thread has ended, and how often it was switched since the reading before is not known"});
}

}  // namespace n2nq::recorder
