#include "app/campaign/campaign_file.h"

#include <array>
#include <nlohmann/json.hpp>

#include "app/plan/filter_text.h"
#include "app/plan/object_reader.h"
#include "app/plan/plan_fields.h"
#include "app/plan/strict_json.h"
#include "app/plan/whole_file.h"
#include "broker/base/join.h"

namespace n2nq::campaign {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;
using plan::quoted;

constexpr uint64_t kVersion = 1;
constexpr std::string_view kShape = R"(a campaign is {"version": 1, "name": ..., "base": {...}, "axes": [...]})";

using RepeatForm = plan::WholeForm<1, kMostRepeats>;
using TriesForm = plan::WholeForm<1, kMostTries>;
using SeedForm = plan::WholeForm<0, UINT64_MAX>;
using PauseForm = plan::DurationForm<0, plan::kLongestDelay>;

template <class Enum, size_t kCount>
Result<Enum> read_word(const Json& value, const std::array<Enum, kCount>& known) {
  std::string names;
  for (const Enum word : known) {
    if (value == Json(to_text(word))) return word;
    add_part(names, ", ", to_text(word));
  }
  return fail(quoted(value) + " is not one of " + names);
}

using plan::read_list;
using plan::read_object;
using plan::read_text;
using plan::take_into;
template <class Value>
using Field = plan::ObjectMember<Value>;

// One value that all fields take: {"fields": ["senders.count", "receivers.count"], "values": [1, 10]}.
Result<AxisValue> value_of_fields(const std::vector<std::string>& fields, const Json& json) {
  AxisValue value;
  for (const std::string& key : fields) {
    const plan::PlanField* field = plan::find_field(key);
    if (field == nullptr)
      return fail("\"" + key + "\" is not a plan field; did you mean " + std::string(plan::nearest_key(key)) + "?");
    plan::RunPlan scratch;
    if (auto set = field->set(scratch, json); !set) return std::unexpected(set.error());
    value.set.push_back({.key = key, .value = plan::given_text(*field, scratch)});
  }
  value.label = json.is_string() ? json.get<std::string>() : value.set.front().value;
  return value;
}

Result<AxisValue> value_with_label(const Json& json) {
  static constexpr std::array kFields{
      Field<AxisValue>{"label",
                       [](AxisValue& value, const Json& from) { return take_into(value.label, read_text(from)); }},
      Field<AxisValue>{"set", [](AxisValue& value, const Json& from) {
                         return take_into(value.set, plan::overrides_from_json(from.dump()));
                       }}};
  AxisValue value;
  if (auto read = read_object<AxisValue>(json, kFields, value); !read) return std::unexpected(read.error());
  if (value.label.empty()) return fail("label: it is missing");
  return value;
}

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

// Its form; whether it can be made is for problem_of().
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

// As it stands in the file, before it is known which form its values have.
struct AxisMembers {
  std::string name{};
  std::vector<std::string> fields{};
  Json values = Json::array();
};

Result<Axis> read_axis(const Json& json) {
  static constexpr std::array kFields{
      Field<AxisMembers>{"name",
                         [](AxisMembers& axis, const Json& from) { return take_into(axis.name, read_text(from)); }},
      Field<AxisMembers>{
          "field",
          [](AxisMembers& axis, const Json& from) { return take_into(axis.fields.emplace_back(), read_text(from)); }},
      Field<AxisMembers>{"fields",
                         [](AxisMembers& axis, const Json& from) { return read_list(from, axis.fields, read_text); }},
      Field<AxisMembers>{"values", [](AxisMembers& axis, const Json& from) -> Result<void> {
                           if (!from.is_array()) return fail(quoted(from) + " is not a list; expected [...]");
                           axis.values = from;
                           return {};
                         }}};
  AxisMembers form;
  if (auto read = read_object<AxisMembers>(json, kFields, form); !read) return std::unexpected(read.error());
  Axis axis{.name = form.name};
  if (axis.name.empty() && form.fields.size() == 1) axis.name = form.fields.front();
  for (const Json& one : form.values) {
    auto value = form.fields.empty() ? value_with_label(one) : value_of_fields(form.fields, one);
    if (!value) return fail("values[" + std::to_string(axis.values.size()) + "]: " + value.error().text);
    axis.values.push_back(std::move(*value));
  }
  return axis;
}

template <class Value>
Result<Value> read_parsed(const Json& json, Result<Value> (*parse)(std::string_view text)) {
  const auto text = read_text(json);
  return text ? parse(*text) : std::unexpected(text.error());
}

Result<FigureSpec> read_figure(const Json& json) {
  static constexpr std::array kFields{
      Field<FigureSpec>{"id", [](FigureSpec& to, const Json& from) { return take_into(to.id, read_text(from)); }},
      Field<FigureSpec>{"title", [](FigureSpec& to, const Json& from) { return take_into(to.title, read_text(from)); }},
      Field<FigureSpec>{"x", [](FigureSpec& to, const Json& from) { return take_into(to.x, read_text(from)); }},
      Field<FigureSpec>{"curves",
                        [](FigureSpec& to, const Json& from) { return take_into(to.curves, read_text(from)); }},
      Field<FigureSpec>{"metric",
                        [](FigureSpec& to, const Json& from) { return take_into(to.metric, read_text(from)); }},
      Field<FigureSpec>{"kind",
                        [](FigureSpec& to, const Json& from) {
                          return take_into(
                              to.kind,
                              read_word(from, std::array{FigureKind::means, FigureKind::percentiles, FigureKind::cdf,
                                                         FigureKind::boxes, FigureKind::raincloud, FigureKind::runs}));
                        }},
      Field<FigureSpec>{"scale", [](FigureSpec& to, const Json& from) { return take_into(to.scale, read_text(from)); }},
      Field<FigureSpec>{"whiskers",
                        [](FigureSpec& to, const Json& from) {
                          return take_into(to.whiskers, read_parsed(from, compare::parse_whiskers));
                        }},
      Field<FigureSpec>{"without",
                        [](FigureSpec& to, const Json& from) {
                          return take_into(to.without, read_parsed(from, compare::parse_without));
                        }},
      Field<FigureSpec>{"logarithmic",
                        [](FigureSpec& to, const Json& from) -> Result<void> {
                          if (!from.is_boolean()) return fail("expected true or false");
                          to.logarithmic = from.get<bool>();
                          return {};
                        }},
      Field<FigureSpec>{"axis",
                        [](FigureSpec& to, const Json& from) {
                          return take_into(to.part, read_parsed(from, compare::parse_axis_part));
                        }},
      Field<FigureSpec>{
          "repeats",
          [](FigureSpec& to, const Json& from) { return take_into(to.repeats, read_parsed(from, parse_repeats)); }},
      Field<FigureSpec>{"where", [](FigureSpec& to, const Json& from) { return plan::read_labels(from, to.where); }}};
  FigureSpec figure;
  if (auto read = read_object<FigureSpec>(json, kFields, figure); !read) return std::unexpected(read.error());
  return figure;
}

Result<Selection> read_exception(const Json& json) {
  Selection labels;
  if (auto read = plan::read_labels(json, labels); !read) return std::unexpected(read.error());
  return labels;
}

Result<void> read_stop(Campaign& campaign, const Json& json) {
  static constexpr std::array kFields{
      Field<StopRules>{"failure", [](StopRules& to,
                                     const Json& from) { return take_into(to.failure, plan::TruthForm::take(from)); }},
      Field<StopRules>{
          "overload",
          [](StopRules& to, const Json& from) { return take_into(to.overload, plan::TruthForm::take(from)); }},
      Field<StopRules>{"limit", [](StopRules& to, const Json& from) { return take_into(to.limit, read_text(from)); }}};
  return read_object<StopRules>(json, kFields, campaign.stop);
}

constexpr std::array kExternalFields{Field<ExternalHosts>{"senders",
                                                          [](ExternalHosts& to, const Json& from) {
                                                            return take_into(to.senders, plan::HostsForm::take(from));
                                                          }},
                                     Field<ExternalHosts>{"receivers", [](ExternalHosts& to, const Json& from) {
                                                            return take_into(to.receivers, plan::HostsForm::take(from));
                                                          }}};

// "senders=vm2, vm4, receivers=vm3"
Result<Json> external_members(const std::string& text) {
  Json members = Json::object();
  std::string fleet;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    std::string host = text.substr(begin, end - begin);
    if (const size_t equals = host.find('='); equals != std::string::npos) {
      fleet = plan::trimmed(host.substr(0, equals));
      host.erase(0, equals + 1);
    }
    if (fleet.empty())
      return fail(plan::quoted(Json(host)) +
                  " stands before the name of a fleet; enter hosts like vm2, vm3 or senders=vm2, " + "receivers=vm3");
    members[fleet].push_back(host);
    begin = end + 1;
  }
  return members;
}

// A list by itself is that of the senders, and so of both fleets.
Result<ExternalHosts> read_external(const Json& json) {
  ExternalHosts hosts;
  Json members = json;
  if (json.is_string() && json.get_ref<const std::string&>().contains('=')) {
    auto read = external_members(json.get<std::string>());
    if (!read) return std::unexpected(read.error());
    members = std::move(*read);
  } else if (!json.is_object()) {
    if (auto read = take_into(hosts.senders, plan::HostsForm::take(json)); !read) return std::unexpected(read.error());
    return hosts;
  }
  if (auto read = read_object<ExternalHosts>(members, kExternalFields, hosts); !read)
    return std::unexpected(read.error());
  return hosts;
}

Result<void> read_version(Campaign&, const Json& json) {
  if (json == Json(kVersion)) return {};
  return fail(quoted(json) + " is not supported; this n2nq-bench reads 1");
}

constexpr std::array kCampaignFields{
    Field<Campaign>{"version", read_version},
    Field<Campaign>{"name", [](Campaign& to, const Json& from) { return take_into(to.name, read_text(from)); }},
    Field<Campaign>{"description",
                    [](Campaign& to, const Json& from) { return take_into(to.description, read_text(from)); }},
    Field<Campaign>{
        "base", [](Campaign& to, const Json& from) { return take_into(to.base, plan::plan_from_json(from.dump())); }},
    Field<Campaign>{"axes", [](Campaign& to, const Json& from) { return read_list(from, to.axes, read_axis); }},
    Field<Campaign>{"search",
                    [](Campaign& to, const Json& from) { return take_into(to.search.emplace(), read_search(from)); }},
    Field<Campaign>{"combine",
                    [](Campaign& to, const Json& from) {
                      return take_into(to.combine, read_word(from, std::array{Combine::grid, Combine::paired}));
                    }},
    Field<Campaign>{"except",
                    [](Campaign& to, const Json& from) { return read_list(from, to.except, read_exception); }},
    Field<Campaign>{"repeats",
                    [](Campaign& to, const Json& from) { return take_into(to.repeats, RepeatForm::take(from)); }},
    Field<Campaign>{"order",
                    [](Campaign& to, const Json& from) {
                      return take_into(
                          to.order, read_word(from, std::array{Order::sequential, Order::interleaved, Order::random}));
                    }},
    Field<Campaign>{"seed", [](Campaign& to, const Json& from) { return take_into(to.seed, SeedForm::take(from)); }},
    Field<Campaign>{"pause",
                    [](Campaign& to, const Json& from) { return take_into(to.pause_ns, PauseForm::take(from)); }},
    Field<Campaign>{"every",
                    [](Campaign& to, const Json& from) {
                      const auto text = read_text(from);
                      return text ? take_into(to.every.emplace(), parse_start_times(*text))
                                  : Result<void>(std::unexpected(text.error()));
                    }},
    Field<Campaign>{"tries", [](Campaign& to, const Json& from) { return take_into(to.tries, TriesForm::take(from)); }},
    Field<Campaign>{"stop", read_stop},
    Field<Campaign>{"external",
                    [](Campaign& to, const Json& from) { return take_into(to.external, read_external(from)); }},
    Field<Campaign>{"figures", [](Campaign& to, const Json& from) { return read_list(from, to.figures, read_figure); }},
};

Ordered external_object(const ExternalHosts& hosts) {
  if (hosts.receivers.empty()) return hosts.senders;
  return {{"senders", hosts.senders}, {"receivers", hosts.receivers}};
}

Ordered axis_object(const Axis& axis) {
  Ordered values = Ordered::array();
  for (const AxisValue& value : axis.values)
    values.push_back({{"label", value.label}, {"set", Ordered::parse(plan::overrides_to_json(value.set))}});
  return {{"name", axis.name}, {"values", values}};
}

Ordered figure_object(const FigureSpec& figure) {
  Ordered object{{"id", figure.id}, {"title", figure.title}};
  if (figure.kind != FigureKind::means) object["kind"] = to_text(figure.kind);
  if (!figure.x.empty()) object["x"] = figure.x;
  if (!figure.curves.empty()) object["curves"] = figure.curves;
  if (!figure.where.empty()) object["where"] = figure.where;
  object["metric"] = figure.metric;
  if (!figure.scale.empty()) object["scale"] = figure.scale;
  if (figure.whiskers != compare::kTukey) object["whiskers"] = to_text(figure.whiskers);
  if (figure.without.any()) object["without"] = to_text(figure.without);
  if (figure.logarithmic) object["logarithmic"] = *figure.logarithmic;
  if (figure.part.any()) object["axis"] = to_text(figure.part);
  if (!figure.repeats.empty()) object["repeats"] = to_text(figure.repeats, kBetweenRepeats);
  return object;
}

template <class Value>
Ordered list_of(const std::vector<Value>& values, Ordered (*write)(const Value& value)) {
  Ordered list = Ordered::array();
  for (const Value& value : values) list.push_back(write(value));
  return list;
}

}  // namespace

Result<Campaign> parse_campaign(std::string_view json) {
  const auto parsed = plan::parse_strictly(json, kShape);
  if (!parsed) return std::unexpected(parsed.error());
  if (!parsed->is_object()) return fail("it is not a campaign; " + std::string(kShape));
  if (!parsed->contains("version")) return fail("version: it is missing; this n2nq-bench writes 1");
  if (!parsed->contains("axes") && !parsed->contains("search"))
    return fail("axes: missing, as in a plan (which n2nq-bench run runs); " + std::string(kShape));
  Campaign campaign;
  if (auto read = read_object<Campaign>(*parsed, kCampaignFields, campaign); !read)
    return std::unexpected(read.error());
  return campaign;
}

Result<ExternalHosts> parse_external_hosts(const std::string& text) {
  return read_external(Json(text));
}

Result<Campaign> parse_whole_campaign(std::string_view json) {
  auto campaign = parse_campaign(json);
  if (!campaign) return campaign;
  if (auto problem = problem_of(*campaign)) return fail(std::move(*problem));
  return campaign;
}

std::string to_json(const Campaign& campaign) {
  Ordered object{{"version", kVersion}, {"name", campaign.name}};
  if (!campaign.description.empty()) object["description"] = campaign.description;
  object["base"] = Ordered::parse(plan::plan_to_json(campaign.base));
  if (campaign.search) object["search"] = search_object(*campaign.search);
  object["axes"] = list_of(campaign.axes, axis_object);
  object["combine"] = to_text(campaign.combine);
  if (!campaign.except.empty()) object["except"] = campaign.except;
  object["repeats"] = campaign.repeats;
  object["order"] = to_text(campaign.order);
  object["seed"] = campaign.seed;
  object["pause"] = PauseForm::show(campaign.pause_ns);
  if (campaign.every) object["every"] = to_text(*campaign.every);
  object["tries"] = campaign.tries;
  object["stop"] = {
      {"failure", campaign.stop.failure}, {"overload", campaign.stop.overload}, {"limit", campaign.stop.limit}};
  object["external"] = external_object(campaign.external);
  object["figures"] = list_of(campaign.figures, figure_object);
  return object.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

Result<Campaign> read_campaign_file(const std::string& path) {
  const auto text = plan::read_whole_file(path);
  if (!text) return std::unexpected(text.error());
  auto campaign = parse_campaign(*text);
  if (!campaign) return fail(path + ": " + campaign.error().text);
  return campaign;
}

Result<void> write_campaign_file(const std::string& path, const Campaign& campaign) {
  return plan::write_whole_file(path, to_json(campaign));
}

}  // namespace n2nq::campaign
