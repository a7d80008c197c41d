// The text of a filter, taken apart.
#include <algorithm>

#include "app/logs/line_filter.h"
#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::logs {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

// Parts between commas; a comma in quotes separates nothing.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t from = 0;
  bool quoted = false;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '"') quoted = !quoted;
    if (at < text.size() && (quoted || text[at] != ',')) continue;
    const std::string_view part = trimmed(text.substr(from, at - from));
    if (!part.empty()) parts.push_back(part);
    from = at + 1;
  }
  return parts;
}

struct Relation {
  std::string_view name;
  Comparison comparison;
  std::string_view value;
};

// "NAME OP VALUE", where NAME is a single word.
std::optional<Relation> relation_of(std::string_view part) {
  static constexpr std::pair<std::string_view, Comparison> kSigns[] = {
      {"!=", Comparison::unequal}, {"<=", Comparison::less_equal}, {">=", Comparison::greater_equal},
      {"==", Comparison::equal},   {"=", Comparison::equal},       {"<", Comparison::less},
      {">", Comparison::greater}};
  const size_t at = part.find_first_of("=<>!");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view name = trimmed(part.substr(0, at));
  const bool word =
      !name.empty() && std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  if (!word) return std::nullopt;
  for (const auto& [sign, comparison] : kSigns) {
    if (part.substr(at).starts_with(sign)) {
      return Relation{.name = name, .comparison = comparison, .value = trimmed(part.substr(at + sign.size()))};
    }
  }
  return std::nullopt;
}

std::string without_unit(const std::string& column) {
  for (const std::string_view unit : {"_ns", "_bytes"}) {
    if (column.ends_with(unit)) return column.substr(0, column.size() - unit.size());
  }
  return column;
}

std::string choices(const LogLayout& layout) {
  return join(layout.columns(), ", ") + (layout.column("intended_ns") ? ", lateness_ns" : "");
}

// By its name, with or without the unit, or by a beginning that fits only one.
Result<size_t> column_named(std::string_view name, const LogLayout& layout) {
  const auto& columns = layout.columns();
  std::vector<size_t> fitting;
  for (size_t at = 0; at < columns.size(); ++at) {
    if (columns[at] == name || without_unit(columns[at]) == name) return at;
    if (columns[at].starts_with(name)) fitting.push_back(at);
  }
  if (fitting.size() == 1) return fitting[0];
  const bool scheduled = layout.column("intended_ns") && layout.column("sent_ns");
  if (fitting.empty() && scheduled && std::string_view("lateness_ns").starts_with(name)) return kLateness;
  return fail((fitting.empty() ? "there is no column \"" : "several columns begin with \"") + std::string(name) +
              "\"; there are " + choices(layout) + "; put text that looks like a condition in quotes");
}

Result<int64_t> number_with_unit(std::string_view column, std::string_view value) {
  if (const auto bare = whole_number(value)) return *bare;
  if (column.ends_with("_ns")) {
    const bool negative = value.starts_with('-');
    const auto duration = parse_duration(trimmed(negative ? value.substr(1) : value));
    if (duration) return negative ? -*duration : *duration;
    return fail(std::string(column) + " expects a number of ns or a time such as 250us or 1.5ms, not \"" +
                std::string(value) + "\"");
  }
  if (column.ends_with("_bytes")) {
    if (const auto size = parse_size(value)) return static_cast<int64_t>(std::min<uint64_t>(*size, INT64_MAX));
    return fail(std::string(column) + " expects a size such as 50B or 4KiB, not \"" + std::string(value) + "\"");
  }
  return fail(std::string(column) + " expects a whole number, not \"" + std::string(value) + "\"");
}

std::string without_blanks(std::string_view value) {
  std::string text(value);
  std::erase(text, ' ');
  return text;
}

Result<Condition> condition_of(const Relation& relation, size_t column, std::string_view name) {
  Condition condition{.column = column, .comparison = relation.comparison};
  const bool equality = relation.comparison == Comparison::equal || relation.comparison == Comparison::unequal;
  if (relation.value.empty())
    return fail(std::string(name) + " has nothing to compare with: enter a value after the operator");
  if (name == "flags") {
    if (!equality)
      return fail(
          "flags can be = or != a word: again, duplicate, corrupt, reordered, cut, reply, late, further, or - for "
          "none");
    condition.word = relation.value;
    return condition;
  }
  if (relation.value == "-" && equality) return condition;
  const auto number = number_with_unit(name, without_blanks(relation.value));
  if (!number) return std::unexpected(number.error());
  condition.number = *number;
  return condition;
}

Result<void> add_text(LineFilter& filter, std::string_view part) {
  if (part.size() >= 2 && part.front() == '"' && part.back() == '"') part = part.substr(1, part.size() - 2);
  if (part.empty()) return fail("there is nothing between the quotes");
  filter.texts.push_back({.text = std::string(part), .expression = false, .match_case = false});
  return {};
}

}  // namespace

Result<LineFilter> parse_filter(std::string_view text, const LogLayout& layout) {
  LineFilter filter;
  for (const std::string_view part : parts_of(text)) {
    const auto relation = layout.has_columns() ? relation_of(part) : std::nullopt;
    if (!relation) {
      if (auto added = add_text(filter, part); !added) return std::unexpected(added.error());
      continue;
    }
    const auto column = column_named(relation->name, layout);
    if (!column) return std::unexpected(column.error());
    const std::string name = *column == kLateness ? "lateness_ns" : layout.columns()[*column];
    if (name == "content" && relation->comparison == Comparison::equal) {
      if (auto added = add_text(filter, relation->value); !added) return std::unexpected(added.error());
      continue;
    }
    if (name == "content") return fail("content can only be compared by = with text it contains");
    auto condition = condition_of(*relation, *column, name);
    if (!condition) return std::unexpected(condition.error());
    filter.conditions.push_back(std::move(*condition));
  }
  return filter;
}

}  // namespace n2nq::logs
