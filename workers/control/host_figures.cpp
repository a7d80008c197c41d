#include "workers/control/host_figures.h"

#include <utility>

namespace n2nq::control {
namespace {

constexpr std::pair<RecordedOf, std::string_view> kRecordedOf[] = {
    {RecordedOf::host, "host"}, {RecordedOf::process, "process"}, {RecordedOf::connections, "connections"}};

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

std::string_view to_text(RecordedOf of) {
  for (const auto& [known, word] : kRecordedOf)
    if (known == of) return word;
  return "?";
}

std::optional<RecordedOf> recorded_of(std::string_view word) {
  for (const auto& [of, known] : kRecordedOf)
    if (known == word) return of;
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
