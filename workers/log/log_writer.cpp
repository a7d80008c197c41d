#include "workers/log/log_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "broker/base/assert.h"

namespace n2nq::log {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kDrainBytes = 256 * 1024;  // of one queue before the next gets its turn
constexpr size_t kContentPiece = 4 * 1024;

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return {};
  return fail("cannot create the log folder " + folder + ": " + error.message() + "; choose another with --log-dir",
              error.value());
}

std::string write_advice(int error) {
  if (error == ENOSPC || error == EDQUOT)
    return "the disk is full; free some space, or write less (--log summary; in a plan log=summary)";
  return std::string(std::strerror(error)) + "; choose another folder with --log-dir";
}

}  // namespace

Result<std::unique_ptr<LogWriter>> LogWriter::open(LogOptions options, std::vector<LogQueue*> queues) {
  std::unique_ptr<LogWriter> writer(new LogWriter(std::move(options), std::move(queues)));
  if (writer->options_.level == LogLevel::off) return writer;
  if (auto opened = writer->open_files(); !opened) return std::unexpected(opened.error());
  for (auto* queue : writer->queues_) queue->set_wake(&writer->wake_);
  writer->thread_ = std::thread([raw = writer.get()] { raw->run(); });
  return writer;
}

LogWriter::LogWriter(LogOptions options, std::vector<LogQueue*> queues)
    : options_(std::move(options)), queues_(std::move(queues)), ends_(options_.services.size()) {}

LogWriter::~LogWriter() {
  close();
}

std::string LogWriter::path(size_t slot) const {
  return (std::filesystem::path(options_.folder) / (options_.services[slot] + ".log")).string();
}

Result<void> LogWriter::open_files() {
  if (auto made = make_folder(options_.folder); !made) return made;
  files_.reserve(options_.services.size());
  for (size_t slot = 0; slot < options_.services.size(); slot++) {
    auto file = LogFile::open(path(slot));
    if (!file) return std::unexpected(file.error());
    files_.push_back(std::move(*file));
  }
  return {};
}

void LogWriter::begin(const LogRun& run) {
  {
    const std::lock_guard lock(shared_mutex_);
    run_ = run;
  }
  begun_.store(true, std::memory_order_release);
  wake_.notify();
}

void LogWriter::set_end(size_t slot, std::string figures) {
  const std::lock_guard lock(shared_mutex_);
  ends_[slot] = std::move(figures);
}

LogTotals LogWriter::close() {
  if (thread_.joinable()) {
    closing_.store(true, std::memory_order_release);
    wake_.notify();
    thread_.join();
    for (auto* queue : queues_) queue->set_wake(nullptr);
  }
  return totals_;
}

void LogWriter::run() {
  auto flush_at = Clock::now() + options_.flush_every;
  while (true) {
    // Read before the queues are: what was pushed before close() is in them then.
    const bool last_round = closing_.load(std::memory_order_acquire);
    if (begun_.load(std::memory_order_acquire)) write_headers();
    const bool more = drain_queues();
    if (Clock::now() >= flush_at) {
      flush_dirty();
      flush_at = Clock::now() + options_.flush_every;
    }
    if (more) continue;
    if (last_round) break;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(flush_at - Clock::now());
    wake_.wait(static_cast<int>(std::max<int64_t>(left.count(), 1)));
  }
  write_ends();
}

bool LogWriter::drain_queues() {
  bool more = false;
  for (auto* queue : queues_) {
    const size_t bytes = queue->drain(
        kDrainBytes, [this](const LogRecord& record, const LogPayload& payload) { take(record, payload); });
    more = more || bytes >= kDrainBytes;
  }
  return more;
}

void LogWriter::take(const LogRecord& record, const LogPayload& payload) {
  N2NQ_ASSERT(record.service_slot < files_.size());
  if (!wants_messages()) return;
  LogFile& file = files_[record.service_slot];
  ensure_header(file);
  if (!file.failed()) {
    append_fields(file.buffer(), options_.role, record);
    append_pieces(file, payload.first);
    append_pieces(file, payload.second);
    if (payload.first.size() + payload.second.size() < record.payload_bytes) append_rest(file.buffer(), record);
    file.buffer().push_back('\n');
  }
  file.count_line();
  file.settle();
  if (file.failed())
    report(file);
  else
    list_dirty(record.service_slot);
}

void LogWriter::append_pieces(LogFile& file, std::span<const uint8_t> content) {
  while (!content.empty()) {
    const size_t piece = std::min(content.size(), kContentPiece);
    append_content(file.buffer(), content.first(piece));
    content = content.subspan(piece);
    if (!content.empty()) file.settle();
  }
}

void LogWriter::list_dirty(size_t slot) {
  LogFile& file = files_[slot];
  if (file.listed || !file.dirty()) return;
  file.listed = true;
  dirty_.push_back(slot);
}

void LogWriter::write_headers() {
  if (headers_written_) return;
  headers_written_ = true;
  for (size_t slot = 0; slot < files_.size(); slot++) {
    ensure_header(files_[slot]);
    list_dirty(slot);
  }
}

void LogWriter::ensure_header(LogFile& file) {
  if (file.headed) return;
  file.headed = true;
  const auto slot = static_cast<size_t>(&file - files_.data());
  const LogHeader header{.program = options_.program,
                         .version = options_.version,
                         .service = options_.services[slot],
                         .role = options_.role};
  const std::lock_guard lock(shared_mutex_);
  append_header(file.buffer(), header, run_ ? &*run_ : nullptr);
  append_title(file.buffer(), options_.role);
}

void LogWriter::flush_dirty() {
  for (const size_t slot : dirty_) {
    files_[slot].flush();
    files_[slot].listed = false;
    report(files_[slot]);
  }
  dirty_.clear();
  uint64_t not_written = 0;
  for (const auto& file : files_) not_written += file.lines_not_written();
  not_written_.store(not_written, std::memory_order_relaxed);
}

void LogWriter::write_ends() {
  flush_dirty();
  for (size_t slot = 0; slot < files_.size(); slot++) {
    LogFile& file = files_[slot];
    ensure_header(file);
    file.flush();
    std::string end;
    {
      const std::lock_guard lock(shared_mutex_);
      append_end(end, ends_[slot], file.lines_written(), file.lines_not_written());
    }
    file.write_last(end);
    report(file);
    totals_.written += file.lines_written();
    totals_.not_written += file.lines_not_written();
  }
  not_written_.store(totals_.not_written, std::memory_order_relaxed);
}

void LogWriter::report(LogFile& file) {
  if (!file.failed() || file.reported) return;
  file.reported = true;
  if (!options_.on_error) return;
  options_.on_error("cannot write the log file " + file.path() + ": " + write_advice(file.error_number()) +
                    "; the run continues, further lines of this file are counted but not written");
}

}  // namespace n2nq::log
