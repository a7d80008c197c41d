#include "broker/server/run_log.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "broker/base/clock.h"

namespace n2nq::server {

Result<RunLog> RunLog::open(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  RunLog log;
  log.path_ = directory + "/broker.log";
  log.file_.reset(std::fopen(log.path_.c_str(), "we"));
  if (!log.file_)
    return fail("cannot write " + log.path_ + ": " + std::strerror(errno) + "; choose another --log-dir", errno);
  return log;
}

void RunLog::write(const char* event, const std::string& text) {
  if (!file_) return;
  if (std::fprintf(file_.get(), "%s %s %s\n", utc_text(wall_ns()).c_str(), event, text.c_str()) < 0) report();
}

void RunLog::flush() {
  if (!file_ || std::fflush(file_.get()) == 0) return;
  report();
}

void RunLog::report() {
  if (reported_) return;
  reported_ = true;
  std::fprintf(stderr, "n2nq-broker: cannot write %s: %s; the run continues without a complete log, free some space\n",
               path_.c_str(), std::strerror(errno));
}

}  // namespace n2nq::server
