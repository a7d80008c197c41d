// Message logs as the workers write them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "workers/log/log_format.h"

namespace n2nq::journal::test {

class LogText {
 public:
  // `origin_utc_ns`: BEGIN; kAbsent: it never came.
  explicit LogText(log::LogRole role, int64_t origin_utc_ns = log::kAbsent) : role_(role) {
    const int64_t origin_ns = origin_utc_ns == log::kAbsent ? log::kAbsent : 0;  // of the clock that messages are of
    const log::LogRun run{.run_id = "c0ffee",
                          .origin_monotonic_ns = origin_ns,
                          .origin_utc_ns = origin_utc_ns,
                          .clock_note = "same clock"};
    append_header(text_, {.program = "n2nq", .version = "1", .service = "s", .role = role}, &run);
    append_title(text_, role);
  }
  LogText& message(uint64_t index, uint32_t sender, uint32_t flags = 0, const std::string& content = "content") {
    const int64_t at = static_cast<int64_t>(index) * 1000;
    const bool fresh = (flags & (log::kLogDuplicate | log::kLogCorrupt)) == 0;
    append_fields(text_, role_,
                  {.sender = sender,
                   .index = index,
                   .payload_bytes = static_cast<uint32_t>(content.size()),
                   .flags = flags,
                   .intended_ns = log::kAbsent,
                   .sent_ns = at,
                   .received_ns = at + 7,
                   .latency_ns = fresh ? 7 : log::kAbsent});
    log::append_content(text_, std::span(reinterpret_cast<const uint8_t*>(content.data()), content.size()));
    text_.push_back('\n');
    return *this;
  }
  LogText& raw(const std::string& text) {
    text_ += text;
    return *this;
  }
  std::string text() const { return text_; }
  std::string with_end(uint64_t lines) const {
    std::string text = text_;
    log::append_end(text, "", lines, 0);
    return text;
  }

 private:
  log::LogRole role_;
  std::string text_;
};

}  // namespace n2nq::journal::test
