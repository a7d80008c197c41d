#include "workers/measure/from_file.h"

#include <charconv>
#include <optional>

#include "broker/base/plain_file.h"
#include "broker/base/random.h"
#include "broker/base/units.h"
#include "workers/measure/load_shape.h"

namespace n2nq::measure {
namespace {

constexpr size_t kLargestTimesFile = 64u << 20;  // of which no more than the times is kept
constexpr size_t kFingerprint = 8;
constexpr int kPackedBase = 36;
constexpr std::string_view kBase64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string_view without_blanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\"");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\"") + 1 - begin);
}

std::string mebibytes(size_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

struct Read {
  std::string content{};
  std::string real{};  // the file's path without links
};

Result<Read> read_file(const std::string& path, size_t most) {
  if (path.empty()) return fail("no file is given; write its name behind it");
  const auto file = open_plain_file(path);
  auto content = file ? read_some_of(file->file, most) : std::unexpected(file.error());
  if (!content)
    return fail(path + " cannot be read: " + content.error().text + "; check the name of the file",
                content.error().error_number);
  if (content->size() > most) return fail(path + " is larger than " + mebibytes(most) + "; use a part of it");
  return Read{.content = std::move(*content), .real = file->path};
}

std::string fingerprint_of(std::string_view content) {
  uint64_t hash = mix64(content.size());
  for (const char letter : content) hash = (hash ^ static_cast<uint8_t>(letter)) * 0x100000001b3;
  return id_text(mix64(hash)).substr(0, kFingerprint);
}

struct Named {
  std::string path{};
  std::string fingerprint{};
};

Named parse_named(std::string_view text) {
  text = without_blanks(text);
  const size_t mark = text.rfind(" #");
  if (mark == std::string_view::npos || text.size() - mark != kFingerprint + 2) return {.path = std::string(text)};
  return {.path = std::string(without_blanks(text.substr(0, mark))), .fingerprint = std::string(text.substr(mark + 2))};
}

template <class Content>
Result<FromFile<Content>> checked(Result<FromFile<Content>> file, const Named& named, std::string real) {
  if (!file) return file;
  file->read_from = std::move(real);
  if (named.fingerprint.empty() || file->fingerprint == named.fingerprint) return file;
  return fail(named.path + " has changed: its content is not that of #" + named.fingerprint +
              " any more; remove that to use the file as it is");
}

std::optional<int64_t> time_of(std::string_view word) {
  std::string plain = plain_quantity(word);
  if (plain.empty()) return std::nullopt;
  if (plain.find_first_not_of("0123456789.") == std::string::npos) {
    // Digits beyond the nanosecond say nothing.
    if (const size_t point = plain.find('.'); point != std::string::npos && plain.size() - point > 10)
      plain.resize(point + 10);
    plain += 's';
  }
  const auto ns = parse_duration(plain);
  return ns ? std::optional(*ns) : std::nullopt;
}

std::string cut(std::string_view text) {
  return "'" + std::string(text.substr(0, 60)) + "'";
}

// Ascending and not for ever.
Result<void> take_time(std::vector<int64_t>& times, int64_t time_ns) {
  if (!times.empty() && time_ns < times.back()) return fail("is before the one above; times are in order");
  if (time_ns < 0 || time_ns >= kLongestShapeNs)
    return fail("is beyond 168 h; times are since the start of the load, the first one near 0");
  times.push_back(time_ns);
  return {};
}

Result<std::vector<int64_t>> unpack_times(std::string_view packed) {
  std::vector<int64_t> times;
  const char* at = packed.data();
  const char* const end = at + packed.size();
  int64_t time_ns = 0;
  while (at < end) {
    int64_t more = 0;
    const auto [next, error] = std::from_chars(at, end, more, kPackedBase);
    const bool good = error == std::errc() && more >= 0 && !__builtin_add_overflow(time_ns, more, &time_ns) &&
                      (next == end || (*next == ',' && next + 1 < end));
    if (!good || !take_time(times, time_ns)) return fail("the recorded times are damaged");
    at = next == end ? end : next + 1;
  }
  return times;
}

}  // namespace

Result<std::vector<int64_t>> parse_times(std::string_view text) {
  std::vector<int64_t> times;
  bool head = true;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    number++;
    line = without_blanks(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::string_view word = without_blanks(line.substr(0, line.find_first_of(",;\t")));
    const auto time_ns = time_of(word);
    const std::string place = "line " + std::to_string(number) + ": " + cut(word) + " ";
    if (!time_ns && !std::exchange(head, false))
      return fail(place + "is not a time; write seconds since the start, or a duration such as 20ms");
    if (!time_ns) continue;
    head = false;
    if (auto taken = take_time(times, *time_ns); !taken) return fail(place + taken.error().text);
  }
  if (times.empty()) return fail("there are no times in it; write one a line, in seconds since the start");
  return times;
}

std::string pack_times(const std::vector<int64_t>& times) {
  std::string packed;
  int64_t before_ns = 0;
  for (const int64_t time_ns : times) {
    char text[16];
    const auto end = std::to_chars(text, text + sizeof text, time_ns - before_ns, kPackedBase).ptr;
    if (!packed.empty()) packed += ',';
    packed.append(text, end);
    before_ns = time_ns;
  }
  return packed;
}

Result<RecordedTimes> times_from(std::string path, std::string_view packed) {
  if (packed.size() > kMostFromFile)
    return fail(path + " has too many times: as a plan keeps them they take more than " + mebibytes(kMostFromFile) +
                "; use a part of it");
  auto times = unpack_times(packed);
  if (!times) return fail(path + ": " + times.error().text);
  if (times->empty()) return fail(path + ": there are no times in it");
  return RecordedTimes{.path = std::move(path),
                       .content = std::make_shared<const std::vector<int64_t>>(std::move(*times)),
                       .fingerprint = fingerprint_of(packed)};
}

Result<RecordedBytes> bytes_from(std::string path, std::string bytes) {
  if (bytes.empty()) return fail(path + " is empty; choose a file with content");
  if (bytes.size() > kMostFromFile)
    return fail(path + " is larger than " + mebibytes(kMostFromFile) + "; use a part of it");
  std::string fingerprint = fingerprint_of(bytes);
  return RecordedBytes{.path = std::move(path),
                       .content = std::make_shared<const std::string>(std::move(bytes)),
                       .fingerprint = std::move(fingerprint)};
}

Result<RecordedTimes> read_times(std::string_view named) {
  const Named name = parse_named(named);
  auto read = read_file(name.path, kLargestTimesFile);
  if (!read) return std::unexpected(read.error());
  const auto times = parse_times(read->content);
  if (!times) return fail(name.path + ": " + times.error().text);
  return checked(times_from(name.path, pack_times(*times)), name, std::move(read->real));
}

Result<RecordedBytes> read_bytes(std::string_view named) {
  const Named name = parse_named(named);
  auto read = read_file(name.path, kMostFromFile);
  if (!read) return std::unexpected(read.error());
  return checked(bytes_from(name.path, std::move(read->content)), name, std::move(read->real));
}

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t have = std::min<size_t>(bytes.size() - i, 3);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; k++) group = group << 8 | (k < have ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; k++) text += k <= have ? kBase64Letters[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

Result<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return fail("it is not base64");
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  while (text.ends_with('=')) text.remove_suffix(1);
  uint32_t group = 0;
  int bits = 0;
  for (const char letter : text) {
    const size_t value = kBase64Letters.find(letter);
    if (value == std::string_view::npos) return fail("it is not base64");
    group = group << 6 | static_cast<uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 0xFF);
  }
  return bytes;
}

}  // namespace n2nq::measure
