#include "workers/control/host_figures.h"

#include "workers/control/json_fields.h"

namespace n2nq::control {
namespace {

OrderedJson values_json(RecordedOf of, const HostValues& values) {
  OrderedJson object = OrderedJson::object();
  const auto columns = columns_of(of);
  for (size_t i = 0; i < columns.size(); i++)
    if (columns[i].on_line)
      object[std::string(columns[i].field)] = values[i] == kNoFigure ? OrderedJson(nullptr) : OrderedJson(values[i]);
  return object;
}

OrderedJson subjects_json(RecordedOf of, const std::vector<RecordedSubject>& subjects) {
  OrderedJson array = OrderedJson::array();
  for (const RecordedSubject& subject : subjects) {
    OrderedJson object{{"name", subject.name}};
    object.update(values_json(of, subject.values));
    array.push_back(std::move(object));
  }
  return array;
}

}  // namespace

std::span<const HostColumn> columns_of(RecordedOf of) {
  switch (of) {
    case RecordedOf::host:
      return kHostColumns;
    case RecordedOf::process:
      return kProcessColumns;
    case RecordedOf::connections:
      return kConnectionColumns;
  }
  return {};
}

std::string_view word_of(RecordedOf of) {
  switch (of) {
    case RecordedOf::host:
      return "host";
    case RecordedOf::process:
      return "process";
    case RecordedOf::connections:
      return "connections";
  }
  return "?";
}

std::optional<RecordedOf> recorded_of(std::string_view word) {
  for (const RecordedOf of : {RecordedOf::host, RecordedOf::process, RecordedOf::connections})
    if (word == word_of(of)) return of;
  return std::nullopt;
}

std::string_view word_of(Merge merge) {
  switch (merge) {
    case Merge::mean:
      return "mean";
    case Merge::least:
      return "least";
    case Merge::largest:
      return "largest";
  }
  return "?";
}

std::string to_line(const Recorded& recorded) {
  OrderedJson object{{"type", "record"},
                     {"sequence", recorded.sequence},
                     {"time_ns", recorded.time_ns},
                     {"merged", recorded.merged},
                     {"host", values_json(RecordedOf::host, recorded.host)},
                     {"processes", subjects_json(RecordedOf::process, recorded.processes)},
                     {"connections", subjects_json(RecordedOf::connections, recorded.connections)},
                     {"lacking", OrderedJson::array()}};
  for (const Lacking& one : recorded.lacking)
    object["lacking"].push_back(
        {{"of", word_of(one.of)}, {"name", one.subject}, {"series", one.series}, {"why", one.why}});
  return to_line(object);
}

std::string to_line(const RecorderSummary& summary) {
  return to_line(OrderedJson{{"type", "summary"},
                             {"role", "recorder"},
                             {"services", summary.outcome.services},
                             {"exit_code", summary.outcome.exit_code},
                             {"verdict", summary.outcome.verdict},
                             {"reason", summary.outcome.reason},
                             {"cpu_ns", summary.outcome.cpu_ns},
                             {"peak_rss_bytes", summary.outcome.peak_rss_bytes},
                             {"readings", summary.readings}});
}

}  // namespace n2nq::control
