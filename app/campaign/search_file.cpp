#include "app/campaign/search_file.h"

#include <array>

#include "app/plan/object_reader.h"

namespace n2nq::campaign {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;
using plan::read_list;
using plan::read_object;
using plan::read_text;
using plan::take_into;
template <class Value>
using Field = plan::ObjectMember<Value>;

// As it stands in the file, before it is known in which unit its values are.
struct SearchMembers {
  SearchSpec search{};
  Json from{};
  Json to{};
};

Result<void> read_precision_of(SearchMembers& form, const Json& json) {
  return take_into(form.search.precision, read_precision(json.is_string() ? json.get<std::string>() : json.dump()));
}

Result<void> keep(const Json& json, Json& to) {
  if (!json.is_string() && !json.is_number()) return fail("expected a number or text, not " + plan::quoted(json));
  to = json;
  return {};
}

Result<void> read_end(const Variable& variable, const Json& json, double& to) {
  if (json.is_null()) return fail("it is missing");
  return take_into(to, read_value(variable, json.is_string() ? json.get<std::string>() : json.dump()));
}

}  // namespace

Result<SearchSpec> read_search(const Json& json) {
  static constexpr std::array kFields{
      Field<SearchMembers>{
          "vary", [](SearchMembers& to, const Json& from) { return take_into(to.search.vary, read_text(from)); }},
      Field<SearchMembers>{"from", [](SearchMembers& to, const Json& from) { return keep(from, to.from); }},
      Field<SearchMembers>{"to", [](SearchMembers& to, const Json& from) { return keep(from, to.to); }},
      Field<SearchMembers>{
          "limits", [](SearchMembers& to, const Json& from) { return read_list(from, to.search.limits, read_text); }},
      Field<SearchMembers>{"precision", read_precision_of},
      Field<SearchMembers>{"confirm", [](SearchMembers& to, const Json& from) {
                             return take_into(to.search.confirm, plan::WholeForm<1, kMostConfirm>::take(from));
                           }}};
  SearchMembers form;
  if (auto read = read_object<SearchMembers>(json, kFields, form); !read)
    return fail((json.is_object() ? "." : "") + read.error().text);
  const auto variable = find_variable(form.search.vary);
  if (!variable) return fail(".vary: " + variable.error().text);
  if (auto read = read_end(*variable, form.from, form.search.from); !read) return fail(".from: " + read.error().text);
  if (auto read = read_end(*variable, form.to, form.search.to); !read) return fail(".to: " + read.error().text);
  return form.search;
}

Ordered search_object(const SearchSpec& search) {
  const auto variable = find_variable(search.vary);
  const auto end = [&](double value) -> Ordered {
    if (!variable) return value;
    const std::string text = exact_value(*variable, value);
    const bool number = variable->unit == Unit::rate_per_s || variable->unit == Unit::whole;
    return number ? Ordered::parse(text) : Ordered(text);
  };
  return {{"vary", search.vary},
          {"from", end(search.from)},
          {"to", end(search.to)},
          {"limits", search.limits},
          {"precision", precision_text(search.precision)},
          {"confirm", search.confirm}};
}

}  // namespace n2nq::campaign
