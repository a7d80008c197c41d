// Writes histograms as an HdrHistogram log (text format 1.3, V2 compressed payload), which existing plotters open.
// One thread; slow (compresses): keep it off the path that measures. Open from create() until close() or destruction.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "broker/base/result.h"
#include "workers/measure/histogram.h"

namespace n2nq::measure {

class HlogWriter {
 public:
  // Replaces the file and writes the header. Intervals are dated from start_wall_ns (nanoseconds since 1970).
  static Result<HlogWriter> create(const std::string& path, int64_t start_wall_ns, std::string_view comment = "");

  // One line: the interval from start_ns (since the start given above) on. A tag groups lines into one series; letters
  // that the format forbids in it become '_'. The format knows no negative values: they follow on a line of their own,
  // as magnitudes, tagged "<tag>-negative".
  Result<void> interval(std::string_view tag, int64_t start_ns, int64_t length_ns, const Histogram& histogram);

  // Writes what is left and says whether all of it reached the file.
  Result<void> close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  HlogWriter(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}
  Result<void> write(std::string_view text);
  std::unexpected<Error> failed(int error_number) const;

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

// The payload of one line: values (or the magnitudes of the negative ones) as base64 of a compressed V2 histogram.
enum class Sign { positive, negative };
std::string encode_histogram(const Histogram& histogram, Sign sign = Sign::positive);

}  // namespace n2nq::measure
