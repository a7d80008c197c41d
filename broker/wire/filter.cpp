#include "broker/wire/filter.h"

#include <algorithm>

#include "broker/base/assert.h"
#include "broker/base/units.h"
#include "broker/wire/bytes.h"

namespace n2nq::wire {
namespace {

constexpr uint8_t kSenders = 1;
constexpr uint8_t kSize = 2;
constexpr uint8_t kIndex = 4;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Result<uint32_t> parse_sender(std::string_view text, uint32_t self) {
  if (text == "self") return self;
  auto number = parse_whole(text);
  if (!number || *number == 0 || *number > std::numeric_limits<uint32_t>::max())
    return fail("filter: '" + std::string(text) + "' is not a sender number; write senders=1..5,9 or senders=self");
  return static_cast<uint32_t>(*number);
}

Result<Filter::Range> parse_sender_range(std::string_view text, uint32_t self) {
  const size_t dots = text.find("..");
  const size_t dash = dots == std::string_view::npos ? text.find('-') : dots;
  auto first = parse_sender(text.substr(0, dash), self);
  if (!first) return std::unexpected(first.error());
  if (dash == std::string_view::npos) return Filter::Range{.first = *first, .last = *first};
  auto last = parse_sender(text.substr(dash + (dots == std::string_view::npos ? 1 : 2)), self);
  if (!last) return std::unexpected(last.error());
  if (*first > *last)
    return fail("filter: '" + std::string(text) + "' is in the wrong order; enter the smaller number first");
  return Filter::Range{.first = *first, .last = *last};
}

Result<std::vector<Filter::Range>> parse_senders(std::string_view text, uint32_t self) {
  std::vector<Filter::Range> ranges;
  if (text == "none") return ranges;
  for (const std::string_view part : split(text, ',')) {
    auto range = parse_sender_range(part, self);
    if (!range) return std::unexpected(range.error());
    ranges.push_back(*range);
  }
  return ranges;
}

Result<Filter::Bounds> parse_index(std::string_view text) {
  const size_t dots = text.find("..");
  auto min = parse_whole(text.substr(0, dots));
  if (!min) return fail("filter: " + min.error().text + "; write index=1..100");
  auto max = dots == std::string_view::npos ? min : parse_whole(text.substr(dots + 2));
  if (!max) return fail("filter: " + max.error().text + "; write index=1..100");
  if (*min > *max) return fail("filter: index " + std::string(text) + " is in the wrong order");
  return Filter::Bounds{.min = *min, .max = *max};
}

}  // namespace

size_t encoded_size(const Filter& filter) {
  if (filter.everything()) return 0;
  return kFilterFixedBytes + 8 * (filter.senders ? filter.senders->size() : 0);
}

void encode(const Filter& filter, uint8_t* out) {
  if (filter.everything()) return;
  N2NQ_ASSERT(!filter.senders || filter.senders->size() <= kMaxFilterRanges);
  std::fill_n(out, kFilterFixedBytes, uint8_t{0});
  out[0] =
      static_cast<uint8_t>((filter.senders ? kSenders : 0) | (filter.size ? kSize : 0) | (filter.index ? kIndex : 0));
  if (filter.size) {
    constexpr uint64_t kLargest = std::numeric_limits<uint32_t>::max();
    put<uint32_t>(out + 4, static_cast<uint32_t>(std::min(filter.size->min, kLargest)));
    put<uint32_t>(out + 8, static_cast<uint32_t>(std::min(filter.size->max, kLargest)));
  }
  if (filter.index) {
    put<uint64_t>(out + 16, filter.index->min);
    put<uint64_t>(out + 24, filter.index->max);
  }
  if (!filter.senders) return;
  put<uint16_t>(out + 2, static_cast<uint16_t>(filter.senders->size()));
  uint8_t* at = out + kFilterFixedBytes;
  for (const auto& range : *filter.senders) {
    put<uint32_t>(at, range.first);
    put<uint32_t>(at + 4, range.last);
    at += 8;
  }
}

Result<Filter> decode_filter(std::span<const uint8_t> bytes) {
  Filter filter;
  if (bytes.empty()) return filter;
  if (bytes.size() < kFilterFixedBytes) return fail("filter is cut short");
  const uint8_t given = bytes[0];
  const size_t n = get<uint16_t>(&bytes[2]);
  if ((given & ~(kSenders | kSize | kIndex)) != 0) return fail("filter gives unknown fields");
  if (bytes[1] != 0 || get<uint32_t>(&bytes[12]) != 0) return fail("filter has reserved bytes set");
  if (n > kMaxFilterRanges || bytes.size() != kFilterFixedBytes + 8 * n) return fail("filter has a wrong length");
  const Filter::Bounds size{.min = get<uint32_t>(&bytes[4]), .max = get<uint32_t>(&bytes[8])};
  const Filter::Bounds index{.min = get<uint64_t>(&bytes[16]), .max = get<uint64_t>(&bytes[24])};
  if (size.min > size.max || index.min > index.max) return fail("filter has a range that is in the wrong order");
  if (given & kSize)
    filter.size = size;
  else if (size.max != 0)
    return fail("filter has a size that is not given");
  if (given & kIndex)
    filter.index = index;
  else if (index.max != 0)
    return fail("filter has an index that is not given");
  if (!(given & kSenders)) return n == 0 ? Result<Filter>(filter) : fail("filter has senders that are not given");
  filter.senders.emplace();
  for (size_t i = 0; i < n; i++) {
    const uint8_t* at = &bytes[kFilterFixedBytes + 8 * i];
    const Filter::Range range{.first = get<uint32_t>(at), .last = get<uint32_t>(at + 4)};
    if (range.first > range.last) return fail("filter has a range of senders that is in the wrong order");
    if (i > 0 && range.first <= filter.senders->back().last) return fail("filter has senders out of order");
    filter.senders->push_back(range);
  }
  if (filter.senders) normalise(*filter.senders);
  return filter;
}

Result<Filter> parse_filter(std::string_view text, uint32_t self) {
  Filter filter;
  if (text.empty()) return filter;
  for (const std::string_view part : split(text, ';')) {
    const size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
    if (value.empty() || (key != "senders" && key != "size" && key != "index"))
      return fail("filter: '" + std::string(part) + "' is not one of senders=…, size=…, index=…");
    if ((key == "senders" && filter.senders) || (key == "size" && filter.size) || (key == "index" && filter.index))
      return fail("filter: " + std::string(key) + " is given twice");
    if (key == "senders") {
      auto senders = parse_senders(value, self);
      if (!senders) return std::unexpected(senders.error());
      filter.senders = std::move(*senders);
    } else if (key == "size") {
      auto size = parse_size_range(value);
      if (!size) return fail("filter: " + size.error().text);
      if (size->max > std::numeric_limits<uint32_t>::max()) return fail("filter: sizes end at 4GiB");
      filter.size = Filter::Bounds{.min = size->min, .max = size->max};
    } else {
      auto index = parse_index(value);
      if (!index) return std::unexpected(index.error());
      filter.index = *index;
    }
  }
  if (filter.senders) normalise(*filter.senders);
  if (filter.senders && filter.senders->size() > kMaxFilterRanges)
    return fail("filter: more than 1024 separate ranges of senders");
  return filter;
}

std::string to_text(const Filter& filter) {
  std::string out;
  if (filter.senders) {
    out = "senders=";
    if (filter.senders->empty()) out += "none";
    for (const auto& range : *filter.senders) {
      if (&range != &filter.senders->front()) out += ',';
      out += std::to_string(range.first);
      if (range.last != range.first) out += ".." + std::to_string(range.last);
    }
  }
  auto bounds = [&out](const char* key, const Filter::Bounds& value, const char* unit) {
    if (!out.empty()) out += ';';
    out += std::string(key) + "=" + std::to_string(value.min) + unit + ".." + std::to_string(value.max) + unit;
  };
  if (filter.size) bounds("size", *filter.size, "B");
  if (filter.index) bounds("index", *filter.index, "");
  return out;
}

}  // namespace n2nq::wire
