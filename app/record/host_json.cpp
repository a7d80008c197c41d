#include "app/record/host_json.h"

#include <algorithm>
#include <cmath>

#include "app/plan/plain_text.h"
#include "app/record/json_value.h"
#include "broker/base/machine_json.h"

namespace n2nq::record {
namespace {

using Ordered = nlohmann::ordered_json;
using live::HostHistory;
using live::HostSeries;
using live::RecordedOf;

constexpr size_t kMostHosts = 1000;
constexpr size_t kMostSeries = 10'000;

// As many digits as a reading is good for.
Ordered values_json(const std::vector<double>& values) {
  Ordered array = Ordered::array();
  for (const double value : values) {
    if (std::isnan(value))
      array.push_back(nullptr);
    else if (std::abs(value) >= 1e6)
      array.push_back(std::round(value));
    else
      array.push_back(std::round(value * 1e6) / 1e6);
  }
  return array;
}

Ordered series_json(const HostSeries& series) {
  const control::HostColumn* column = live::column_of(series);
  Ordered object{{"of", control::to_text(series.of)},
                 {"subject", series.subject},
                 {"name", series.name},
                 {"unit", column == nullptr ? "" : column->unit}};
  const bool counter = column != nullptr && column->counter;
  const auto mean = control::to_text(column == nullptr ? control::Merge::mean : column->merge);
  object[counter ? "total" : std::string(mean)] = series.value ? Ordered(*series.value) : Ordered(nullptr);
  if (counter) object["total_unit"] = column->total;
  if (!series.value) object["why"] = series.why;
  object["values"] = values_json(series.values);
  return object;
}

bool take_times(const nlohmann::json& object, const char* name, std::vector<int64_t>& times) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array() || found->size() > live::kMostStoredSlots) return false;
  for (const nlohmann::json& one : *found)
    if (!take_value(one, times.emplace_back()) || times.back() < 0 || times.back() > live::kLatestSlotNs) return false;
  return true;
}

bool take_text(const nlohmann::json& object, const char* name, std::string& text) {
  const auto found = object.find(name);
  if (found == object.end()) return true;
  if (!take_value(*found, text)) return false;
  text = plan::without_controls(std::move(text));
  return true;
}

bool take_of(const nlohmann::json& object, RecordedOf& of) {
  std::string word;
  if (!take_text(object, "of", word)) return false;
  const auto found = control::recorded_of(word);
  of = found.value_or(of);
  return found.has_value();
}

bool take_series(const nlohmann::json& object, size_t slots, HostSeries& series) {
  if (!object.is_object() || !take_of(object, series.of) || !take_text(object, "subject", series.subject) ||
      !take_text(object, "name", series.name) || !take_text(object, "why", series.why))
    return false;
  for (const char* name : {"total", "mean", "least", "largest"})
    if (const auto found = object.find(name); found != object.end() && !take_value(*found, series.value)) return false;
  const auto values = object.find("values");
  if (values == object.end()) return true;
  if (!values->is_array() || (!values->empty() && values->size() != slots)) return false;
  for (const nlohmann::json& one : *values) {
    std::optional<double> value;
    if (!take_value(one, value)) return false;
    series.values.push_back(value.value_or(live::kNoReading));
  }
  return true;
}

bool take_host(const nlohmann::json& object, HostHistory& host) {
  if (!object.is_object() || !take_text(object, "name", host.place)) return false;
  if (!take_times(object, "start_ns", host.start_ns) || !take_times(object, "width_ns", host.width_ns)) return false;
  if (host.start_ns.size() != host.width_ns.size()) return false;
  if (const auto awake = object.find("awake"); awake != object.end() && !awake->is_null())
    if (!take_text(object, "awake", host.awake)) return false;
  const auto all = object.find("series");
  if (all == object.end() || !all->is_array() || all->size() > kMostSeries) return false;
  for (const nlohmann::json& one : *all) {
    HostSeries series;
    if (!take_series(one, host.start_ns.size(), series)) return false;
    if (live::column_of(series) != nullptr) host.series.push_back(std::move(series));
  }
  return true;
}

}  // namespace

Ordered host_json(const HostHistory& host) {
  Ordered object{{"name", host.place},
                 {"facts", nullptr},
                 {"awake", host.awake.empty() ? Ordered() : Ordered(host.awake)},
                 {"start_ns", host.start_ns},
                 {"width_ns", host.width_ns}};
  Ordered& series = object["series"] = Ordered::array();
  for (const HostSeries& one : host.series) series.push_back(series_json(one));
  return object;
}

Ordered hosts_json(const RunRecord& record) {
  Ordered array = Ordered::array();
  for (const HostHistory& host : record.hosts) {
    array.push_back(host_json(host));
    const MachineFacts* facts = facts_of(record, host.place);
    if (facts == nullptr) continue;
    array.back()["facts"] = Ordered::object();
    put_machine(array.back()["facts"], *facts);
  }
  return array;
}

bool take_hosts(const nlohmann::json& array, std::vector<HostHistory>& hosts) {
  if (!array.is_array() || array.size() > kMostHosts) return false;
  return std::ranges::all_of(array, [&](const nlohmann::json& one) { return take_host(one, hosts.emplace_back()); });
}

}  // namespace n2nq::record
