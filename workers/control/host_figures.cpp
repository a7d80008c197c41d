#include "workers/control/host_figures.h"

namespace n2nq::control {

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

std::string_view to_text(RecordedOf of) {
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
    if (word == to_text(of)) return of;
  return std::nullopt;
}

std::string_view to_text(Merge merge) {
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

}  // namespace n2nq::control
