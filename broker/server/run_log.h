// The broker's log file: start settings, joins, leaves, refusals, losses, totals; one line an event, nothing per
// message. Thread: the broker's. A disk that takes no more is reported once; the run goes on.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "broker/base/result.h"

namespace n2nq::server {

class RunLog {
 public:
  RunLog() = default;  // writes nothing
  static Result<RunLog> open(const std::string& directory);

  // "<UTC time> <event> <text>"
  void write(const char* event, const std::string& text);
  // Written lines reach the file; at the end and ten times a second.
  void flush();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void report();

  std::unique_ptr<std::FILE, Close> file_;
  std::string path_;
  bool reported_ = false;
};

}  // namespace n2nq::server
