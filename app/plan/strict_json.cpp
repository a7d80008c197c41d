#include "app/plan/strict_json.h"

#include <algorithm>
#include <set>
#include <vector>

namespace n2nq::plan {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 16;

// Where a parser stopped, which has read so many bytes, the last of them being what it did not expect.
std::string place_of(std::string_view json, size_t bytes) {
  const auto before = json.substr(0, std::min(bytes == 0 ? 0 : bytes - 1, json.size()));
  const size_t line = before.rfind('\n');
  const size_t begin = line == std::string_view::npos ? 0 : line + 1;
  // Columns as editors count them: letters, not bytes.
  const auto column = std::count_if(before.begin() + static_cast<ptrdiff_t>(begin), before.end(),
                                    [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; });
  return "line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n')) + ", column " +
         std::to_string(1 + column);
}

std::string syntax_text(std::string_view json, std::string_view shape, const Json::parse_error& error) {
  if (json.find_first_not_of(" \t\r\n") == std::string_view::npos) return "the file is empty; " + std::string(shape);
  if (error.byte > json.size())
    return "it is not JSON: it ends at " + place_of(json, error.byte) +
           ", but a bracket, a brace or a quotation mark is still open; close it, or save it again";
  return "it is not JSON from " + place_of(json, error.byte) +
         " on; check there, and just before, for a missing or extra comma, colon, quotation mark or bracket";
}

// Refuses what the parser would take: a key given twice, of which one would silently win, bottomless nesting, and more
// values than memory should hold. From there on nothing is kept.
class Strictness {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    const auto level = static_cast<size_t>(depth);
    if (begins_a_value(event) && ++values_ > kMostValues)
      trouble_ = "it has more than " + std::to_string(kMostValues) + " values";
    if (depth > kDeepest) trouble_ = "it is nested too deeply";
    if (event == Json::parse_event_t::object_start && depth <= kDeepest) {
      keys_.resize(level + 1);
      keys_[level].clear();
    }
    if (event == Json::parse_event_t::key && depth <= kDeepest) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_[level - 1].insert(key).second) trouble_ = "\"" + key + "\" is given twice";
    }
    return trouble_.empty();
  }
  const std::string& trouble() const { return trouble_; }

 private:
  static bool begins_a_value(Json::parse_event_t event) {
    return event == Json::parse_event_t::value || event == Json::parse_event_t::object_start ||
           event == Json::parse_event_t::array_start;
  }

  size_t values_ = 0;
  std::vector<std::set<std::string>> keys_;
  std::string trouble_;
};

}  // namespace

Result<Json> parse_strictly(std::string_view text, std::string_view shape) {
  Strictness strictness;
  try {
    Json parsed = Json::parse(text, std::ref(strictness));
    if (!strictness.trouble().empty()) return fail(strictness.trouble());
    return parsed;
  } catch (const Json::parse_error& error) {
    return fail(syntax_text(text, shape, error));
  } catch (const Json::exception&) {
    return fail("it is not JSON: it contains a number that is too large to be read");
  }
}

}  // namespace n2nq::plan
