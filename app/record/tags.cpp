#include "app/record/tags.h"

#include <algorithm>

#include "app/plan/filter_text.h"
#include "app/plan/plain_text.h"
#include "broker/base/join.h"

namespace n2nq::record {

Result<std::vector<std::string>> checked_tags(const std::vector<std::string>& tags) {
  std::vector<std::string> checked;
  for (const std::string& given : tags) {
    const std::string tag(plan::trimmed(given));
    if (tag.empty()) continue;
    if (tag.size() > kMostTagBytes)
      return fail("the tag \"" + tag.substr(0, 20) + "…\" is too long; a tag has at most " +
                  std::to_string(kMostTagBytes) + " bytes, and longer texts are notes");
    if (plan::has_controls(tag) || tag.find(',') != std::string::npos)
      return fail("a tag is one line without commas; separate several by commas");
    checked.push_back(tag);
  }
  std::ranges::sort(checked);
  const auto again = std::ranges::unique(checked);
  checked.erase(again.begin(), again.end());
  return checked;
}

Result<std::vector<std::string>> parse_tags(std::string_view text) {
  std::vector<std::string> tags;
  for (size_t from = 0; from <= text.size();) {
    const size_t comma = std::min(text.find(',', from), text.size());
    tags.emplace_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return checked_tags(tags);
}

std::string tags_text(const std::vector<std::string>& tags) {
  return join(tags, ", ");
}

}  // namespace n2nq::record
