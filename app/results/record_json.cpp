#include "app/results/record_json.h"

#include <nlohmann/json.hpp>
#include <type_traits>

#include "app/plan/plan_file.h"
#include "app/results/columns.h"
#include "app/results/words.h"

namespace n2nq::results {
namespace {

using Json = nlohmann::ordered_json;

struct ObjectWriter {
  Json object = Json::object();

  template <class T>
  void operator()(const char* name, const T& value) {
    object[name] = as_json(value);
  }

 private:
  template <class T>
  static Json as_json(const T& value) {
    if constexpr (std::is_enum_v<T>)
      return std::string(word_of(value));
    else
      return value;
  }
  template <class T>
  static Json as_json(const std::optional<T>& value) {
    return value ? as_json(*value) : Json();
  }
};

template <class Row>
Json object_of(const Row& row) {
  ObjectWriter writer;
  columns(writer, row);
  return std::move(writer.object);
}

template <class Row>
Json array_of(const std::vector<Row>& rows) {
  Json array = Json::array();
  for (const Row& row : rows) array.push_back(object_of(row));
  return array;
}

Json array_of(const std::vector<HistogramRecord>& histograms) {
  Json array = Json::array();
  for (const HistogramRecord& histogram : histograms) {
    Json object{{"name", histogram.name}};
    object.update(object_of(histogram.moments));
    Json& buckets = object["buckets"] = Json::array();
    for (const auto& [index, count] : histogram.buckets) {
      buckets.push_back(index);
      buckets.push_back(count);
    }
    array.push_back(std::move(object));
  }
  return array;
}

}  // namespace

std::string record_to_json(const RunRecord& record, const std::string& user_notes) {
  Json object{{"id", record.id}};
  object.update(object_of(record));
  object["machine"] = Json::parse(record.machine_json, nullptr, false);
  if (object["machine"].is_discarded()) object["machine"] = nullptr;
  object["plan"] = Json::parse(plan::plan_to_json(record.plan), nullptr, false);
  object["user_notes"] = user_notes;
  for (const NamedLatency& latency : kLatencies)
    if (latency.is_in(record)) object["figures"][latency.name] = object_of(record.*latency.member);
  object["processes"] = array_of(record.processes);
  object["requests"] = array_of(record.requests);
  object["services"] = array_of(record.services);
  object["layers"] = array_of(record.layers);
  object["paths"] = array_of(record.paths);
  object["bandwidths"] = array_of(record.bandwidths);
  object["losses"] = array_of(record.losses);
  object["run_log"] = array_of(record.notes);
  object["series"] = array_of(record.series);
  if (!record.waiting_batches.empty()) object["waiting"] = array_of(record.waiting_batches);
  object["histograms"] = array_of(record.histograms);
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace n2nq::results
