#include "app/journal/master_file.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/journal/message_log.h"
#include "app/record/run_folder.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"
#include "broker/base/new_file.h"
#include "workers/control/service_set.h"

namespace n2nq::journal {
namespace {

constexpr size_t kFlushBytes = 256 << 10;
constexpr std::string_view kHeader =
    "role,service,sender,index,size_bytes,intended_ns,sent_ns,received_ns,latency_ns,flags\r\n";

// Rows on their way into the file.
class MasterRows {
 public:
  explicit MasterRows(NewFile file) : file_(std::move(file)) {}

  std::string& buffer() { return buffer_; }
  Result<void> flush_if_full() { return buffer_.size() < kFlushBytes ? Result<void>() : flush(); }
  Result<uint64_t> finish() {
    auto done = flush();
    if (done) done = file_.finish();
    if (!done) return std::unexpected(done.error());
    return bytes_;
  }

 private:
  Result<void> flush() {
    bytes_ += buffer_.size();
    auto done = file_.write(buffer_);
    buffer_.clear();
    return done;
  }

  NewFile file_;
  std::string buffer_;
  uint64_t bytes_ = 0;
};

// "-" is nothing in CSV; several flags are one cell.
void append_cell(std::string& out, std::string_view text) {
  out.push_back(',');
  if (text == "-") return;
  const bool quoted = text.find(',') != std::string_view::npos;
  if (quoted) out.push_back('"');
  out.append(text);
  if (quoted) out.push_back('"');
}

void append_row(std::string& out, std::string_view start, const MessageLine& line) {
  out.append(start);
  for (const std::string_view cell : {line.sender, line.index, line.size_bytes, line.intended_ns, line.sent_ns,
                                      line.received_ns, line.latency_ns, line.flags})
    append_cell(out, cell);
  out.append("\r\n");
}

Result<void> append_log(const MessageLogFile& file, MasterRows& out, MasterFile& master, const std::stop_token& stop) {
  auto log = MessageLog::open(file, stop);
  if (!log) return std::unexpected(log.error());
  const std::string start = to_text(file.role) + "," + std::to_string(file.service);
  MessageLine line;
  for (;;) {
    const auto more = log->next(line);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    append_row(out.buffer(), start, line);
    master.rows++;
    if (auto done = out.flush_if_full(); !done) return done;
  }
  master.broken_lines += log->broken_lines();
  const auto& end = log->end();
  if (end) master.lines_not_written += end->figure("lines_not_written").value_or(0);
  if (!end) master.unended.push_back(file);
  if (!end || !end->has_all_lines()) out.buffer().append(start).append(",,,,,,,,unended\r\n");
  return {};
}

void append_absent(std::string& out, Role role) {
  out.append(to_text(role)).append(",,,,,,,,,absent\r\n");
}

bool by_hand(const record::RunRecord& record, Role role) {
  return !plan::attached_at(record.plan, role).empty();
}

// On another host, from which its logs could not be fetched, or which keeps none.
bool left_there(const record::RunRecord& record, Role role) {
  return std::ranges::any_of(record.processes, [&](const record::ProcessRecord& process) {
    return process.role == role && record::is_on_host(record, process) && process.log_dir != record.folder;
  });
}

// Those hosts on which processes of the role ran to their end, and kept no log.
std::string hosts_without_logs(const record::RunRecord& record, Role role) {
  std::vector<std::string> names;
  for (const record::ProcessRecord& process : record.processes)
    if (process.role == role && record::is_on_host(record, process) && process.exit_code && process.log_dir.empty() &&
        std::ranges::find(names, process.place) == names.end())
      names.push_back(process.place);
  return join(names, ", ");
}

// Workers that somebody started by hand keep their logs where they were told to.
std::vector<Role> roles_elsewhere(const record::RunRecord& record) {
  const auto logs = message_logs(record.folder);
  std::vector<Role> roles;
  for (const Role role : {Role::sender, Role::receiver}) {
    const bool here = logs && std::ranges::find(*logs, role, &MessageLogFile::role) != logs->end();
    if ((by_hand(record, role) && !here) || left_there(record, role)) roles.push_back(role);
  }
  return roles;
}

void note_absent(record::RunRecord& record, Role role) {
  const std::string bare = hosts_without_logs(record, role);
  if (!by_hand(record, role) && !bare.empty())
    return record::add_note(record, record::Severity::warning,
                            "the master file lacks some lines of the " + to_text(role) + "s: on " + bare +
                                " they write no logs, as there is no shell");
  if (!by_hand(record, role))
    return record::add_note(
        record, record::Severity::warning,
        "the master file lacks some lines of the " + to_text(role) + "s: some of their logs were left where they ran");
  std::string text = "the master file has no lines of the " + to_text(role) + "s: they were started by hand";
  const auto process = std::ranges::find(record.processes, role, &record::ProcessRecord::role);
  if (process != record.processes.end() && !process->place.empty())
    text += " (" + process->place + (process->log_dir.empty() ? "" : ", logs in " + process->log_dir) + ")";
  record::add_note(record, record::Severity::warning, text + ", and their logs are not in " + record.folder);
}

// Those of one role in one note, however many there are.
void note_unended(record::RunRecord& record, const MasterFile& master, Role role) {
  control::ServiceSet services;
  for (const MessageLogFile& log : master.unended) {
    if (log.role != role) continue;
    if (!services.ranges.empty() && services.ranges.back().last + 1 == log.service)
      services.ranges.back().last = log.service;
    else
      services.ranges.push_back({.first = log.service, .last = log.service});
  }
  if (services.ranges.empty()) return;
  const bool one = services.ranges.size() == 1 && services.ranges[0].first == services.ranges[0].last;
  record::add_note(
      record, record::Severity::warning,
      (one ? "the log of " : "the logs of ") + to_text(role) + (one ? " " : "s ") + control::to_text(services) +
          (one ? " has no last line (# end)" : " have no last line (# end)") +
          ", as their process was killed or is still writing: messages not yet written are missing there and in "
          "the master file, where a row with the flag unended takes their place");
}

void note_lines_not_written(record::RunRecord& record, uint64_t lines) {
  if (lines == 0) return;
  record::add_note(
      record, record::Severity::warning,
      text::count(static_cast<int64_t>(lines)) + (lines == 1 ? " message is" : " messages are") +
          " missing from the logs and the master file, as the disk could not take the lines; the services counted "
          "them");
}

}  // namespace

void add_master_file(record::RunRecord& record, std::stop_token stop) {
  if (record.folder.empty() || !record.began_utc_ns || record.plan.log != plan::LogLevel::full) return;
  const std::vector<Role> absent = roles_elsewhere(record);
  const auto master = write_master_file(record.folder, stop, absent);
  if (!master) {
    const std::string why = stop.stop_requested()
                                ? "saving was cut short; the logs have the lines of all messages, in " + record.folder
                                : master.error().text;
    return record::add_note(record, record::Severity::warning, "no master file: " + why);
  }
  record.master_file = master->path;
  for (const Role role : absent) note_absent(record, role);
  for (const Role role : {Role::sender, Role::receiver}) note_unended(record, *master, role);
  note_lines_not_written(record, master->lines_not_written);
  if (master->broken_lines == 0) return;
  record::add_note(record, record::Severity::warning,
                   text::count(static_cast<int64_t>(master->broken_lines)) +
                       (master->broken_lines == 1 ? " broken line" : " broken lines") +
                       " in the logs, left by a killed worker; not in the master file");
}

Result<MasterFile> write_master_file(const std::string& folder, std::stop_token stop, const std::vector<Role>& absent) {
  const auto logs = message_logs(folder);
  if (!logs) return std::unexpected(logs.error());
  MasterFile master{.path = folder + "/" + record::kMasterName};
  auto file = NewFile::create(
      master.path, {.mode = 0644, .advice = "the logs hold everything, so free some space and export again"});
  if (!file) return std::unexpected(file.error());
  MasterRows out(std::move(*file));
  out.buffer() = kHeader;
  for (const MessageLogFile& log : *logs) {
    if (auto done = append_log(log, out, master, stop); !done) return std::unexpected(done.error());
  }
  for (const Role role : absent) append_absent(out.buffer(), role);
  const auto bytes = out.finish();
  if (!bytes) return std::unexpected(bytes.error());
  master.bytes = *bytes;
  return master;
}

}  // namespace n2nq::journal
