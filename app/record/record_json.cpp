#include "app/record/record_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "app/plan/plain_text.h"
#include "app/plan/plan_file.h"
#include "app/plan/strict_json.h"
#include "app/record/columns.h"
#include "app/record/final_record.h"
#include "app/record/host_json.h"
#include "app/record/journal_row.h"
#include "app/record/json_value.h"
#include "app/record/words.h"

namespace n2nq::record {
namespace {

using Ordered = nlohmann::ordered_json;

struct ObjectWriter {
  Ordered object = Ordered::object();

  template <class T>
  void operator()(const char* name, const T& value) {
    object[name] = as_json(value);
  }

 private:
  template <class T>
  static Ordered as_json(const T& value) {
    if constexpr (std::is_enum_v<T>)
      return std::string(word_of(value));
    else
      return value;
  }
  template <class T>
  static Ordered as_json(const std::optional<T>& value) {
    return value ? as_json(*value) : Ordered();
  }
};

template <class Row>
Ordered object_of(const Row& row) {
  ObjectWriter writer;
  columns(writer, row);
  return std::move(writer.object);
}

template <class Row>
Ordered array_of(const std::vector<Row>& rows) {
  Ordered array = Ordered::array();
  for (const Row& row : rows) array.push_back(object_of(row));
  return array;
}

Ordered array_of(const std::vector<HistogramRecord>& histograms) {
  Ordered array = Ordered::array();
  for (const HistogramRecord& histogram : histograms) {
    Ordered object{{"name", histogram.name}};
    object.update(object_of(histogram.moments));
    Ordered& buckets = object["buckets"] = Ordered::array();
    for (const auto& [index, count] : histogram.buckets) {
      buckets.push_back(index);
      buckets.push_back(count);
    }
    array.push_back(std::move(object));
  }
  return array;
}

// Takes the columns that the object has.
class ObjectReader {
 public:
  explicit ObjectReader(const nlohmann::json& object) : object_(object), good_(object.is_object()) {}

  template <class T>
  void operator()(const char* name, T& value) {
    if (!good_) return;
    const auto at = object_.find(name);
    if (at == object_.end()) return;
    good_ = take_value(*at, value);
    // Whoever prints it writes to a terminal.
    if constexpr (std::is_same_v<T, std::string>) value = plan::without_controls(std::move(value));
  }
  bool good() const { return good_; }

 private:
  const nlohmann::json& object_;
  bool good_;
};

// What the writer did not count yet is not known.
void forget_counts(control::Counts& counts) {
  for (const control::Counter& counter : control::kCounters) counts.*counter.member = control::kNotCounted;
}

template <class Row>
bool take_object(const nlohmann::json& object, Row& row) {
  if constexpr (std::derived_from<Row, control::Counts>) forget_counts(row);
  ObjectReader reader(object);
  columns(reader, row);
  return reader.good();
}

// A list that is not there is empty.
template <class Row>
bool take_rows(const nlohmann::json& object, const char* name, std::vector<Row>& rows) {
  const auto at = object.find(name);
  if (at == object.end()) return true;
  if (!at->is_array()) return false;
  for (const nlohmann::json& row : *at)
    if (!take_object(row, rows.emplace_back())) return false;
  return true;
}

bool take_histograms(const nlohmann::json& object, std::vector<HistogramRecord>& histograms) {
  const auto at = object.find("histograms");
  if (at == object.end()) return true;
  if (!at->is_array()) return false;
  for (const nlohmann::json& one : *at) {
    HistogramRecord& histogram = histograms.emplace_back();
    if (!take_object(one, histogram.moments) || !is_plausible(histogram.moments)) return false;
    const auto name = one.find("name");
    const auto buckets = one.find("buckets");
    if (name == one.end() || !take_value(*name, histogram.name)) return false;
    if (buckets == one.end() || !take_buckets(*buckets, histogram.buckets)) return false;
  }
  return true;
}

bool take_figures(const nlohmann::json& object, RunRecord& record) {
  const auto figures = object.find("figures");
  if (figures == object.end() || !figures->is_object()) return false;
  for (const control::LatencyRow& row : control::kLatencies) {
    const auto at = figures->find(row.name);
    if (at != figures->end() && !take_object(*at, record.latencies[row.latency])) return false;
  }
  return true;
}

// Times that can be subtracted from each other: from 1970 to 2200.
bool is_time(int64_t utc_ns) {
  return utc_ns >= 0 && utc_ns <= 7'258'118'400'000'000'000;
}
bool times_are_good(const RunRecord& record) {
  return is_time(record.started_utc_ns) && is_time(record.ended_utc_ns) &&
         (!record.began_utc_ns || is_time(*record.began_utc_ns)) &&
         std::ranges::all_of(record.notes, [](const RunNote& note) { return is_time(note.utc_ns); }) &&
         std::ranges::all_of(record.series, [](const live::SeriesPoint& point) {
           return is_time(point.start_ns) && is_time(point.width_ns);
         });
}

bool take_lists(const nlohmann::json& object, RunRecord& record, std::string& wrong) {
  lists([&](const NamedList& list, auto member) {
    if (wrong.empty() && !take_rows(object, list.name, record.*member)) wrong = list.name;
  });
  return wrong.empty();
}

// In its own order; of the rest nothing is kept.
std::string machine_of(const std::string& json) {
  const auto is_machine = [](int depth, Ordered::parse_event_t event, Ordered& parsed) {
    return event != Ordered::parse_event_t::key || depth != 1 || parsed == "machine";
  };
  return Ordered::parse(json, is_machine)["machine"].dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

Result<void> take_plan(const nlohmann::json& object, RunRecord& record) {
  const auto at = object.find("plan");
  if (at == object.end()) return fail("it has no plan");
  auto plan = plan::stored_plan_from_json(at->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  if (!plan) return fail("its plan: " + plan.error().text);
  record.plan = std::move(*plan);
  return {};
}

}  // namespace

Result<RunRecord> record_from_json(const std::string& json) {
  auto parsed = plan::parse_strictly(json, "a result is {\"run_id\": ..., \"plan\": {...}, ...}");
  if (!parsed) return std::unexpected(parsed.error());
  nlohmann::json& object = *parsed;
  if (!object.is_object()) return fail("it is not a JSON object");
  RunRecord record;
  // The columns that are JSON themselves; the machine in its own order.
  std::string machine;
  if (const auto at = object.find("machine"); at != object.end() && !at->is_null()) machine = machine_of(json);
  object["machine"] = machine;
  if (const auto at = object.find("bus_settings"); at != object.end() && !at->is_string())
    *at = at->is_object() ? at->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) : std::string();
  if (!take_object(object, record)) return fail("a value of the run has the wrong type");
  if (auto plan = take_plan(object, record); !plan) return std::unexpected(plan.error());
  if (!take_figures(object, record)) return fail("\"figures\" is not valid");
  if (!take_histograms(object, record.histograms)) return fail("\"histograms\" is not valid");
  std::string wrong;
  if (const auto hosts = object.find("hosts"); hosts != object.end() && !take_hosts(*hosts, record.hosts))
    return fail("\"hosts\" is not valid");
  if (!take_lists(object, record, wrong)) return fail("\"" + wrong + "\" is not valid");
  if (!times_are_good(record)) return fail("its times are impossible for a run");
  return record;
}

std::string record_to_json(const RunRecord& record, const std::string& user_notes) {
  Ordered object{{"id", record.id}};
  object.update(object_of(record));
  object["machine"] = Ordered::parse(record.machine_json, nullptr, false);
  if (object["machine"].is_discarded()) object["machine"] = nullptr;
  object["bus_settings"] = Ordered::parse(record.bus_settings, nullptr, false);
  if (object["bus_settings"].is_discarded()) object["bus_settings"] = nullptr;
  object["plan"] = Ordered::parse(plan::plan_to_json(record.plan), nullptr, false);
  object["user_notes"] = user_notes;
  for (const control::LatencyRow& row : control::kLatencies)
    if (has_latency(record, row)) object["figures"][row.name] = object_of(record.latencies[row.latency]);
  lists([&](const NamedList& list, auto member) {
    if (list.always || !(record.*member).empty()) object[list.name] = array_of(record.*member);
  });
  object["histograms"] = array_of(record.histograms);
  object["hosts"] = hosts_json(record);
  return object.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

}  // namespace n2nq::record
