#include "app/plan/receiver_scaling.h"

#include <optional>

#include "app/plan/exact_text.h"
#include "app/plan/filter_text.h"
#include "app/plan/text_list.h"
#include "broker/base/units.h"

namespace n2nq::plan {
namespace {

constexpr std::string_view kFrom = "from ";

std::unexpected<Error> no_scaling(std::string_view text, const std::string& why) {
  return fail("\"" + std::string(text) + "\" " + why +
              "; enter how many receivers there are at the begin, above how many waiting messages one comes, below how "
              "many one goes, and how often that is looked at, such as from 1 above 1000 below 10 every 2s");
}

// What stands behind the word, up to the next one.
std::optional<std::string> part_behind(std::string_view text, std::string_view word, std::string_view next) {
  const size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  text = text.substr(at + word.size());
  const size_t end = next.empty() ? std::string_view::npos : text.find(next);
  if (!next.empty() && end == std::string_view::npos) return std::nullopt;
  return plain_quantity(text.substr(0, end));
}

}  // namespace

std::string to_text(const ReceiverScaling& scaling) {
  if (!scaling.exists()) return std::string(kNoValues);
  return "from " + std::to_string(scaling.from) + " above " + std::to_string(scaling.above) + " below " +
         std::to_string(scaling.below) + " every " + exact_duration(scaling.every_ns);
}

Result<ReceiverScaling> parse_scaling(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text == kNoValues) return ReceiverScaling{};
  if (!text.starts_with(kFrom)) return no_scaling(text, "is not understood");
  const auto from = part_behind(text, kFrom, " above "), above = part_behind(text, " above ", " below ");
  const auto below = part_behind(text, " below ", " every "), every = part_behind(text, " every ", "");
  if (!from || !above || !below || !every) return no_scaling(text, "is not understood");
  const auto from_number = parse_whole(*from), above_number = parse_whole(*above), below_number = parse_whole(*below);
  const auto every_ns = parse_duration(*every);
  if (!from_number || !above_number || !below_number || !every_ns) return no_scaling(text, "is not understood");
  if (*from_number == 0 || *from_number > UINT32_MAX || *above_number > kMostWaiting)
    return no_scaling(text, "has a number that is out of range");
  if (*below_number >= *above_number) return no_scaling(text, "lets a receiver go where another is to come");
  if (*every_ns < kShortestLookNs || *every_ns > kLongestLookNs)
    return no_scaling(text, "looks too often or too seldom; each " + exact_duration(kShortestLookNs) + " to " +
                                exact_duration(kLongestLookNs));
  return ReceiverScaling{.from = static_cast<uint32_t>(*from_number),
                         .above = *above_number,
                         .below = *below_number,
                         .every_ns = *every_ns};
}

uint32_t next_count(const ReceiverScaling& scaling, uint32_t there, uint32_t receivers, double waiting) {
  if (waiting > static_cast<double>(scaling.above)) return there < receivers ? there + 1 : there;
  if (waiting < static_cast<double>(scaling.below)) return there > scaling.from ? there - 1 : there;
  return there;
}

}  // namespace n2nq::plan
