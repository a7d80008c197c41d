#include "app/campaign/campaign_form.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/campaign/axes_figures.h"
#include "app/campaign/campaign_file.h"
#include "app/plan/bus_fit.h"
#include "app/plan/exact_text.h"
#include "app/plan/field_forms.h"
#include "app/plan/filter_text.h"
#include "app/plan/plan_fields.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::campaign {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;
using plan::trimmed;

std::string quoted_if(const std::string& text, std::string_view marks) {
  const bool plain = !text.empty() && text == trimmed(text) && text.find_first_of(marks) == std::string::npos;
  return plain ? text : Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Where `mark` stands outside of quotes; the end where it does not.
size_t find_outside(std::string_view text, char mark) {
  bool inside = false;
  for (size_t at = 0; at < text.size(); at++) {
    if (inside && text[at] == '\\')
      at++;
    else if (text[at] == '"')
      inside = !inside;
    else if (!inside && text[at] == mark)
      return at;
  }
  return text.size();
}

std::vector<std::string_view> parts_of(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  if (trimmed(text).empty()) return parts;
  while (true) {
    const size_t end = find_outside(text, mark);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

Result<std::string> unquoted(std::string_view part) {
  if (!part.starts_with('"')) return std::string(part);
  const Json value = Json::parse(part, nullptr, false);
  if (!value.is_string()) return fail("the quotes around " + std::string(part) + " are unbalanced");
  return value.get<std::string>();
}

// One value for all fields, as the file's short form has it.
Result<AxisValue> value_of_fields(const std::vector<std::string_view>& fields, const std::string& label) {
  AxisValue value{.label = label};
  for (const std::string_view key : fields) {
    const plan::PlanField* field = plan::find_field(key);
    if (field == nullptr)
      return fail("\"" + std::string(key) + "\" is not a plan field; did you mean " +
                  std::string(plan::nearest_key(key)) + "?");
    plan::RunPlan scratch;
    if (auto set = plan::set_field(scratch, std::string(key) + "=" + label); !set) return std::unexpected(set.error());
    value.set.push_back({.key = std::string(key), .value = plan::given_text(*field, scratch)});
  }
  return value;
}

Result<AxisValue> value_with_label(std::string_view text, const plan::RunPlan& base) {
  const size_t colon = find_outside(text, ':');
  if (colon == text.size())
    return fail("\"" + std::string(text) +
                "\" has no name; enter NAME: KEY=VALUE, such as pinned: queue.requests=true, or choose a field");
  auto label = unquoted(trimmed(text.substr(0, colon)));
  if (!label) return std::unexpected(label.error());
  auto set = plan::parse_runs(text.substr(colon + 1), base);
  if (!set) return std::unexpected(set.error());
  AxisValue value{.label = std::move(*label)};
  if (!set->empty()) value.set = std::move(set->front());
  return value;
}

constexpr std::string_view kBusField = "bus.kind";

// "000", as of a thousand that was written with a comma in it.
bool is_cut_number(std::string_view part) {
  return part.size() == 3 && part.front() == '0' && part.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Result<Axis> axis_of(const AxisForm& form, const plan::RunPlan& base) {
  const auto fields = parts_of(form.fields, ',');
  Axis axis{.name = std::string(trimmed(form.name))};
  if (axis.name.empty() && !fields.empty()) axis.name = fields.front();
  for (const std::string_view part : parts_of(form.values, fields.empty() ? '|' : ',')) {
    Result<AxisValue> value = fail("");
    if (fields.empty()) {
      value = value_with_label(part, base);
    } else {
      auto label = unquoted(part);
      if (!label) return std::unexpected(label.error());
      if (is_cut_number(*label) && !axis.values.empty())
        return fail("\"" + axis.values.back().label + "," + *label +
                    "\" is two values, as it contains a comma; enter " + axis.values.back().label + *label);
      value = value_of_fields(fields, *label);
      // Where "20 ms" is 20ms it is called so too: points are found, and put in order, by their names.
      if (const auto plain = value_of_fields(fields, plain_quantity(*label));
          value && plain && plain->set == value->set)
        value = plain;
    }
    if (!value) return std::unexpected(value.error());
    axis.values.push_back(std::move(*value));
  }
  return axis;
}

namespace {

// The fields that every value gives its label to; none where it is otherwise.
std::vector<std::string_view> common_fields(const Axis& axis) {
  std::vector<std::string_view> fields;
  if (axis.values.empty()) return fields;
  for (const plan::Override& change : axis.values.front().set) fields.push_back(change.key);
  if (fields.empty()) return fields;
  for (const AxisValue& value : axis.values)
    if (const auto same = value_of_fields(fields, value.label); !same || *same != value) return {};
  return fields;
}

AxisForm form_of_axis(const Axis& axis) {
  AxisForm form{.name = axis.name};
  const auto fields = common_fields(axis);
  for (const std::string_view key : fields) add_part(form.fields, ", ", key);
  for (const AxisValue& value : axis.values) {
    if (!form.values.empty()) form.values += fields.empty() ? " | " : ", ";
    form.values += fields.empty() ? quoted_if(value.label, ":|\"\\") + ": " + plan::to_text({value.set})
                                  : quoted_if(value.label, ",\"\\");
  }
  return form;
}

Result<int64_t> pause_of(const std::string& text) {
  if (trimmed(text).empty()) return 0;
  return plan::DurationForm<0, plan::kLongestDelay>::take(Json(std::string(trimmed(text))));
}

Result<void> take_count(const char* name, const std::string& text, uint32_t most, uint32_t& to) {
  const auto number = parse_whole(plain_quantity(text));
  if (!number || *number < 1 || *number > most)
    return fail(std::string(name) + ": \"" + text + "\" is not valid; expected 1 to " + std::to_string(most));
  to = static_cast<uint32_t>(*number);
  return {};
}

// Instead of axes and what goes with them.
Result<void> take_search(const CampaignForm& form, Campaign& campaign) {
  auto search = search_of(form.search, campaign.base);
  if (!search) return std::unexpected(search.error());
  const Campaign plain;
  campaign.search = std::move(*search);
  campaign.combine = plain.combine;
  campaign.except.clear();
  campaign.order = plain.order;
  campaign.stop = {.failure = campaign.stop.failure};
  campaign.figures.clear();
  return {};
}

// A value that was removed, or has another name now, is left out no more; the others of the combination are.
void forget_what_is_gone(Campaign& campaign) {
  for (Selection& left_out : campaign.except)
    for (auto& [name, labels] : left_out)
      std::erase_if(labels, [&](const std::string& label) {
        return problem_of(campaign, Selection{{name, {label}}}).has_value();
      });
  std::erase_if(campaign.except, [](const Selection& left_out) {
    return std::ranges::any_of(left_out, [](const auto& named) { return named.second.empty(); });
  });
}

Result<void> take_axes(const CampaignForm& form, Campaign& campaign) {
  for (size_t i = 0; i < form.axes.size(); i++) {
    auto axis = axis_of(form.axes[i], campaign.base);
    const std::string place = "axis " + std::to_string(i + 1) + ": ";
    if (!axis) return fail(place + axis.error().text);
    if (axis->name.empty()) return fail(place + "it needs a name, or a field");
    if (axis->values.empty())
      return fail(place + "it has no values; enter them separated by commas, such as 1, 10, 100");
    campaign.axes.push_back(std::move(*axis));
  }
  forget_what_is_gone(campaign);
  campaign.stop.limit = trimmed(form.limit);
  if (auto taken = take_count("repeats", form.repeats, kMostRepeats, campaign.repeats); !taken) return taken;
  if (!form.figures_for.empty()) campaign.figures = figures_of_axes(campaign, form.figures_for);
  return {};
}

bool start_servers(const TwoBuses& buses) {
  return std::ranges::none_of(buses, [](const std::string& kind) { return bus::find_bus(kind)->server.empty(); });
}

// What the slower of them takes until it is as fast as it will be.
int64_t warm_up_for(const TwoBuses& buses) {
  int64_t longest_ns = 0;
  for (const std::string& kind : buses) longest_ns = std::max(longest_ns, bus::find_bus(kind)->warms_up_ns);
  return longest_ns;
}

}  // namespace

CampaignForm form_of(const Campaign& campaign) {
  CampaignForm form{.rest = campaign,
                    .repeats = std::to_string(campaign.repeats),
                    .tries = std::to_string(campaign.tries),
                    .pause = plan::exact_duration(campaign.pause_ns),
                    .every = campaign.every ? to_text(*campaign.every) : "",
                    .limit = campaign.stop.limit,
                    .external_senders = join(campaign.external.senders, ", "),
                    .external_receivers = join(campaign.external.receivers, ", ")};
  if (campaign.search) {
    form.search = form_of(*campaign.search);
    form.figures_for = "trimmed";  // of the axes that it may be given instead
  }
  form.rest.search.reset();
  for (const Axis& axis : campaign.axes) form.axes.push_back(form_of_axis(axis));
  form.rest.axes.clear();
  form.rest.repeats = 1;
  form.rest.tries = 1;
  form.rest.pause_ns = 0;
  form.rest.every.reset();
  form.rest.stop.limit.clear();
  form.rest.external = {};
  return form;
}

Result<Campaign> campaign_of(const CampaignForm& form) {
  Campaign campaign = form.rest;
  campaign.axes.clear();
  if (auto taken = form.search.on ? take_search(form, campaign) : take_axes(form, campaign); !taken)
    return std::unexpected(taken.error());
  if (auto taken = take_count("tries", form.tries, kMostTries, campaign.tries); !taken)
    return std::unexpected(taken.error());
  const auto pause = pause_of(form.pause);
  if (!pause) return fail("pause: " + pause.error().text);
  campaign.pause_ns = static_cast<int64_t>(*pause);
  if (!trimmed(form.every).empty()) {
    const auto every = parse_start_times(form.every);
    if (!every) return fail("start times: " + every.error().text);
    campaign.every = *every;
  }
  for (const auto& [text, hosts] : {std::pair(&form.external_senders, &campaign.external.senders),
                                    std::pair(&form.external_receivers, &campaign.external.receivers)}) {
    auto names = plan::HostsForm::take(std::string(trimmed(*text)));
    if (!names) return fail("external hosts: " + names.error().text);
    *hosts = std::move(*names);
  }
  return campaign;
}

CampaignForm form_of_plan(const plan::RunPlan& plan) {
  CampaignForm form{.figures_for = "p99"};
  form.rest.base = plan;
  form.repeats = "3";
  form.axes.push_back({.name = "services", .fields = "senders.count, receivers.count", .values = "1, 10"});
  form.rest.name = made_name(form);
  return form;
}

std::string made_name(const CampaignForm& form) {
  const std::string& plan = form.rest.base.name;
  const auto buses = std::ranges::find_if(form.axes, [](const AxisForm& axis) {
    return trimmed(axis.fields) == kBusField && !trimmed(axis.values).empty();
  });
  if (buses == form.axes.end()) return plan;
  const auto kinds = parts_of(buses->values, ',');
  std::string titles;
  for (const std::string_view& kind : kinds) {
    const bus::BusTraits* traits = bus::find_bus(kind);
    add_part(titles, &kind == &kinds.back() ? " and " : ", ", traits != nullptr ? traits->title : kind);
  }
  return plan == plan::RunPlan().name ? titles : plan + " over " + titles;
}

TwoBuses buses_for(const plan::RunPlan& plan) {
  const std::string one = plan.bus.kind == plan::BusPlan().kind ? "kafka" : plan.bus.kind;
  return {one, one == "kafka" ? "rabbitmq" : "kafka"};
}

TwoBuses buses_with(std::span<const std::string> servers) {
  TwoBuses buses;
  size_t found = 0;
  for (const char* kind : {"kafka", "rabbitmq", "redis-streams", "nats", "n2nq", "websocket"}) {
    const std::string_view server = bus::find_bus(kind)->server;
    const bool there = server.empty() || std::ranges::find(servers, server) != servers.end();
    if (there && found < buses.size()) buses[found++] = kind;
  }
  return buses;
}

CampaignForm form_of_buses(const plan::RunPlan& plan, const TwoBuses& buses) {
  const auto& [one, other] = buses;
  CampaignForm form{.repeats = "5", .figures_for = "p99"};
  form.rest.order = Order::interleaved;
  plan::RunPlan& base = form.rest.base = plan;
  base.bus = {};
  for (const std::string& kind : {other, one}) plan::BusChoice().choose(base, kind);
  const int64_t warms_up_ns = std::max(base.warmup_ns, warm_up_for(buses));
  if (plan::planned_duration_ns(base).value_or(0) > 2 * warms_up_ns) base.warmup_ns = warms_up_ns;
  form.axes.push_back({.name = "bus", .fields = std::string(kBusField), .values = one + ", " + other});
  form.rest.name = made_name(form);
  return form;
}

std::string note_of_buses(const plan::RunPlan& plan, const TwoBuses& buses) {
  const plan::RunPlan base = form_of_buses(plan, buses).rest.base;
  std::vector<std::string> notes;
  std::vector<std::string_view> aside;
  for (const plan::PlanField& field : plan::plan_fields())
    if (field.key != "bus.kind" && field.key != "warmup" && plan::text_of(field, plan) != plan::text_of(field, base))
      aside.push_back(field.name);
  if (!aside.empty())
    notes.push_back("Not taken over from the plan: " + join(aside, ", ") + ". Both buses have default settings" +
                    (start_servers(buses) ? ", and servers that the bench starts" : ""));
  if (const int64_t warms_up_ns = warm_up_for(buses); base.warmup_ns < warms_up_ns)
    notes.push_back("Its runs have no time for a warm-up of " + text::rough_duration(warms_up_ns) +
                    ", and will be doubtful: give the plan a duration of more than " +
                    text::rough_duration(2 * warms_up_ns));
  return join(notes, ". ") + (notes.empty() ? "" : ".");
}

std::string to_json(const CampaignForm& form) {
  Ordered axes = Ordered::array();
  for (const AxisForm& axis : form.axes)
    axes.push_back({{"name", axis.name}, {"fields", axis.fields}, {"values", axis.values}});
  const Ordered object{{"campaign", Ordered::parse(to_json(form.rest))},
                       {"axes", axes},
                       {"search", to_object(form.search)},
                       {"repeats", form.repeats},
                       {"tries", form.tries},
                       {"pause", form.pause},
                       {"every", form.every},
                       {"limit", form.limit},
                       {"external", form.external_senders},
                       {"external_receivers", form.external_receivers},
                       {"figures_for", form.figures_for}};
  return object.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

Result<CampaignForm> parse_form(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object() || !object.contains("campaign")) return fail("it is not a draft campaign");
  auto rest = parse_campaign(object["campaign"].dump());
  if (!rest) return std::unexpected(rest.error());
  const auto text = [](const Json& from, const char* name) {
    const auto found = from.find(name);
    return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  CampaignForm form{.rest = std::move(*rest),
                    .repeats = text(object, "repeats"),
                    .tries = text(object, "tries"),
                    .pause = text(object, "pause"),
                    .every = text(object, "every"),
                    .limit = text(object, "limit"),
                    .external_senders = text(object, "external"),
                    .external_receivers = text(object, "external_receivers"),
                    .figures_for = text(object, "figures_for")};
  if (const auto search = object.find("search"); search != object.end()) form.search = parse_search_form(*search);
  if (const auto axes = object.find("axes"); axes != object.end() && axes->is_array())
    for (const Json& axis : *axes)
      if (axis.is_object())
        form.axes.push_back(
            {.name = text(axis, "name"), .fields = text(axis, "fields"), .values = text(axis, "values")});
  return form;
}

}  // namespace n2nq::campaign
