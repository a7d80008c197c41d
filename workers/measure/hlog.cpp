#include "workers/measure/hlog.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include "broker/base/assert.h"
#include "workers/measure/clock.h"
#include "workers/measure/from_file.h"

namespace n2nq::measure {
namespace {

constexpr uint32_t kCookie = 0x1c849303 | 0x10;
constexpr uint32_t kCompressedCookie = 0x1c849304 | 0x10;

class Bytes {
 public:
  void u32(uint32_t value) { big_endian(value, 4); }
  void u64(uint64_t value) { big_endian(value, 8); }

  // ZigZag LEB128 as HdrHistogram has it: nine bytes at most, the ninth with all its eight bits.
  void zigzag(int64_t value) {
    uint64_t rest = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
    for (int i = 0; i < 8; i++) {
      if (rest < 0x80) return data.push_back(static_cast<uint8_t>(rest));
      data.push_back(static_cast<uint8_t>(rest | 0x80));
      rest >>= 7;
    }
    data.push_back(static_cast<uint8_t>(rest));
  }

  std::vector<uint8_t> data;

 private:
  void big_endian(uint64_t value, int bytes) {
    while (bytes-- > 0) data.push_back(static_cast<uint8_t>(value >> (8 * bytes)));
  }
};

// Counts from index 0 on; a run of empty counters is its length, negated.
Bytes encoded_counts(const Histogram& histogram, Sign sign) {
  std::vector<Bucket> buckets;
  histogram.for_each([&](const Bucket& bucket) {
    if ((bucket.index < 0) == (sign == Sign::negative)) buckets.push_back(bucket);
  });
  if (sign == Sign::negative) {
    for (Bucket& bucket : buckets) bucket.index = -(bucket.index + 1);
    std::ranges::reverse(buckets);
  }
  Bytes counts;
  int32_t next = 0;
  for (const Bucket& bucket : buckets) {
    const int32_t empty = bucket.index - next;
    if (empty > 0) counts.zigzag(empty == 1 ? 0 : -empty);
    counts.zigzag(static_cast<int64_t>(bucket.count));
    next = bucket.index + 1;
  }
  return counts;
}

std::vector<uint8_t> encoded_v2(const Histogram& histogram, Sign sign) {
  const Bytes counts = encoded_counts(histogram, sign);
  Bytes out;
  out.u32(kCookie);
  out.u32(static_cast<uint32_t>(counts.data.size()));
  out.u32(0);  // normalizing index offset
  out.u32(3);  // significant digits
  out.u64(1);  // lowest discernible value
  out.u64(Histogram::Layout::kHighest);
  out.u64(std::bit_cast<uint64_t>(1.0));  // integer to double conversion ratio
  out.data.insert(out.data.end(), counts.data.begin(), counts.data.end());
  return out.data;
}

std::string allowed_tag(std::string_view tag) {
  std::string allowed(tag);
  std::ranges::replace_if(allowed, [](unsigned char c) { return c <= ' ' || c == ',' || c == '"' || c == 0x7f; }, '_');
  return allowed;
}

std::string without_line_breaks(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

template <class... Numbers>
std::string printed(const char* format, Numbers... numbers) {
  char text[160];
  const int length = std::snprintf(text, sizeof text, format, numbers...);
  N2NQ_ASSERT(length >= 0 && static_cast<size_t>(length) < sizeof text);
  return text;
}

double seconds(int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

// The format's third field is in milliseconds, by the convention of its readers for nanosecond histograms.
std::string line(std::string_view tag, int64_t start_ns, int64_t length_ns, double max_ns, const std::string& payload) {
  std::string text = tag.empty() ? "" : "Tag=" + allowed_tag(tag) + ",";
  text += printed("%.3f,%.3f,%.6f,", seconds(start_ns), seconds(length_ns), max_ns / 1e6);
  return text + payload + "\n";
}

}  // namespace

std::string encode_histogram(const Histogram& histogram, Sign sign) {
  const std::vector<uint8_t> plain = encoded_v2(histogram, sign);
  uLongf length = compressBound(plain.size());
  std::vector<uint8_t> packed(length);
  const int result = compress2(packed.data(), &length, plain.data(), plain.size(), Z_DEFAULT_COMPRESSION);
  N2NQ_ASSERT(result == Z_OK);
  Bytes out;
  out.u32(kCompressedCookie);
  out.u32(static_cast<uint32_t>(length));
  out.data.insert(out.data.end(), packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(length));
  return base64({reinterpret_cast<const char*>(out.data.data()), out.data.size()});
}

Result<HlogWriter> HlogWriter::create(const std::string& path, int64_t start_wall_ns, std::string_view comment) {
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) {
    return fail("cannot write the histogram log " + path + ": " + std::strerror(errno) +
                    "; choose a folder that can be written to",
                errno);
  }
  HlogWriter writer(path, file);
  std::string text;
  if (!comment.empty()) text += "#[" + without_line_breaks(comment) + "]\n";
  text += "#[Histogram log format version 1.3]\n";
  text +=
      printed("#[StartTime: %.3f (seconds since epoch), ", seconds(start_wall_ns)) + utc_text(start_wall_ns) + "]\n";
  text += printed("#[BaseTime: %.3f (seconds since epoch)]\n", seconds(start_wall_ns));
  text += "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";
  if (auto written = writer.write(text); !written) return std::unexpected(written.error());
  return writer;
}

Result<void> HlogWriter::interval(std::string_view tag, int64_t start_ns, int64_t length_ns,
                                  const Histogram& histogram) {
  const Moments& exact = histogram.moments();
  const auto max_ns = exact.count == 0 ? 0.0 : static_cast<double>(std::max<int64_t>(exact.max_ns, 0));
  std::string text = line(tag, start_ns, length_ns, max_ns, encode_histogram(histogram));
  if (histogram.has_negatives()) {
    const std::string negative_tag = tag.empty() ? "negative" : std::string(tag) + "-negative";
    text += line(negative_tag, start_ns, length_ns, -static_cast<double>(exact.min_ns),
                 encode_histogram(histogram, Sign::negative));
  }
  return write(text);
}

Result<void> HlogWriter::close() {
  if (!file_) return {};
  if (std::fclose(file_.release()) != 0) return failed(errno);
  return {};
}

Result<void> HlogWriter::write(std::string_view text) {
  N2NQ_ASSERT(file_ != nullptr);
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) return failed(errno);
  return {};
}

std::unexpected<Error> HlogWriter::failed(int error_number) const {
  return fail(
      "the histogram log " + path_ + " is incomplete: " + std::strerror(error_number) + "; free some space there",
      error_number);
}

}  // namespace n2nq::measure
