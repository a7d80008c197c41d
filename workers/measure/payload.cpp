#include "workers/measure/payload.h"

#include <algorithm>

#include "broker/base/random.h"
#include "broker/base/units.h"

namespace n2nq::measure {
namespace {

// Deflate needs six bits for one of so many letters that are equally likely, and next to nothing for a run of dots.
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 ,";
constexpr size_t kLine = 128;
constexpr double kOfLetter = 0.77;  // of a byte, with what codes of letters and dots cost
constexpr double kOfLine = 0.025;

Payload with_percent(std::string_view word) {
  const auto percent = parse_whole(word);
  return {.kind = Payload::Kind::text,
          .percent = static_cast<uint32_t>(percent ? std::min<uint64_t>(*percent, 1000) : 0)};
}

}  // namespace

Result<Payload> parse_payload(std::string_view text) {
  if (const auto given = text.substr(std::min(text.find_first_not_of(' '), text.size())); given.starts_with("file ")) {
    auto bytes = read_bytes(given.substr(5));
    if (!bytes) return std::unexpected(bytes.error());
    return Payload{.kind = Payload::Kind::file, .file = std::move(*bytes)};
  }
  std::string plain = plain_quantity(text);
  if (plain == "random") return Payload{};
  if (plain == "repeated") return Payload{.kind = Payload::Kind::repeated};
  if (plain == "text") return Payload{.kind = Payload::Kind::text};
  if (plain.starts_with("text") && plain.ends_with('%')) {
    const std::string percent = plain_quantity(std::string_view(plain).substr(4, plain.size() - 5));
    const Payload payload = with_percent(percent);
    if (payload.percent >= kLeastPercent && payload.percent <= kMostPercent) return payload;
    return fail("'" + std::string(text.substr(0, 60)) + "' is out of range; text compresses to 5% to 75% of its size");
  }
  return fail("'" + std::string(text.substr(0, 60)) +
              "' is no content of messages; write random, repeated, text 30% or file NAME");
}

std::string exact_payload(const Payload& payload) {
  switch (payload.kind) {
    case Payload::Kind::random:
      break;
    case Payload::Kind::repeated:
      return "repeated";
    case Payload::Kind::text:
      return "text " + std::to_string(payload.percent) + "%";
    case Payload::Kind::file:
      return "file " + exact_file(payload.file);
  }
  return "random";
}

std::vector<uint8_t> content_of(const Payload& payload, size_t count, uint64_t seed) {
  std::vector<uint8_t> content(count, 'a');
  if (payload.kind == Payload::Kind::file) {
    const std::string& bytes = *payload.file.content;
    for (size_t at = 0; at < count; at++) content[at] = static_cast<uint8_t>(bytes[at % bytes.size()]);
    return content;
  }
  Random random(seed);
  if (payload.kind == Payload::Kind::random)
    for (uint8_t& letter : content) letter = static_cast<uint8_t>('a' + random.below(26));
  if (payload.kind != Payload::Kind::text) return content;
  const double part = std::clamp((payload.percent / 100.0 - kOfLine) / kOfLetter, 0.0, 1.0);
  const auto letters = static_cast<size_t>(part * kLine);
  for (size_t at = 0; at < count; at++)
    content[at] = at % kLine < letters ? static_cast<uint8_t>(kLetters[random.below(kLetters.size())]) : uint8_t{'.'};
  return content;
}

}  // namespace n2nq::measure
