// Writes each service's message log, off the path that measures: one thread drains the queues, formats and writes.
// Files are opened once; a file that cannot be written is reported once and its lines are counted, and the run goes on.
// Threads: open(), close() the owner's; begin(), set_end() any. States: open (before BEGIN), begun, closed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "broker/base/result.h"
#include "workers/log/log_file.h"
#include "workers/log/log_format.h"
#include "workers/log/log_queue.h"

namespace n2nq::log {

enum class LogLevel { full, summary, off };  // summary: header and end line only

struct LogOptions {
  std::string folder{};  // made if it is missing
  LogLevel level = LogLevel::full;
  LogRole role = LogRole::receiver;
  std::string program{};                // "n2nq-receiver"
  std::string version{};                // N2NQ_VERSION
  std::vector<std::string> services{};  // the file of slot k is <folder>/<services[k]>.log
  std::chrono::milliseconds flush_every{250};
  // From the writer's thread, once a file: names the path and what to do.
  std::function<void(std::string text)> on_error{};
};

struct LogTotals {
  uint64_t written = 0;      // message lines that the system took
  uint64_t not_written = 0;  // message lines lost to write errors
  bool operator==(const LogTotals&) const = default;
};

class LogWriter {
 public:
  // Replaces old files. `queues`, one an event loop, outlive the writer and get their wake-up from it; at level off,
  // and at summary, push nothing. The error says which folder or file and what to do.
  static Result<std::unique_ptr<LogWriter>> open(LogOptions options, std::vector<LogQueue*> queues);
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // The run has begun: the headers can be written. Before the first push of a record.
  void begin(const LogRun& run);
  // The figures of the `# end` line of one service, "received=50 lost=0" for example. Before close().
  void set_end(size_t slot, std::string figures);
  // After the last push: takes everything that is in the queues, writes the end lines, joins the thread.
  LogTotals close();

  bool wants_messages() const { return options_.level == LogLevel::full; }
  std::string path(size_t slot) const;
  // Live, for the telemetry. Any thread.
  uint64_t not_written() const { return not_written_.load(std::memory_order_relaxed); }

 private:
  LogWriter(LogOptions options, std::vector<LogQueue*> queues);
  Result<void> open_files();
  void run();
  bool drain_queues();
  void take(const LogRecord& record, const LogPayload& payload);
  void write_headers();
  void ensure_header(LogFile& file);
  void append_pieces(LogFile& file, std::span<const uint8_t> content);
  void list_dirty(size_t slot);
  void flush_dirty();
  void write_ends();
  void report(LogFile& file);

  LogOptions options_;
  std::vector<LogQueue*> queues_;
  LogWake wake_;

  std::mutex shared_mutex_;        // guards the next two
  std::optional<LogRun> run_;      // since begin()
  std::vector<std::string> ends_;  // one a slot
  std::atomic<bool> begun_ = false;
  std::atomic<bool> closing_ = false;
  std::atomic<uint64_t> not_written_ = 0;

  // The writer thread's own, and close()'s after it has joined.
  std::vector<LogFile> files_;
  std::vector<size_t> dirty_;
  bool headers_written_ = false;
  LogTotals totals_;
  std::thread thread_;
};

}  // namespace n2nq::log
