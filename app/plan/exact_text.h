// Durations and sizes as text that reads back as the very same number, unlike the rounded forms for display: without
// blanks in files and commands, with them for people. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "broker/base/units.h"
#include "workers/measure/service_time.h"

namespace n2nq::plan {

std::string exact_duration(int64_t ns);                            // "20ms", "1.5s", "1234.567us"
std::string exact_size(uint64_t bytes);                            // the shorter: "50B", "1.5KiB", "16kB"
std::string exact_thousandths(int64_t thousandths);                // "2", "0.5"
std::string exact_size_range(const SizeRange& size);               // "50B", "10B..1KiB"
std::string exact_service_time(const measure::ServiceTime& time);  // "none", "fixed:5ms", "busy:5ms+10us/1KiB"

// Between two messages of a sender at a rate: 5 ms of "200/s"; nothing where the text is no rate.
std::optional<int64_t> delay_of_rate(std::string_view text);

// Any of these, or a text with some in it, as people read it: "20 ms", "1.5 µs", "10 B to 1 KiB", "fixed 5 ms".
std::string told(const std::string& exact);

}  // namespace n2nq::plan
