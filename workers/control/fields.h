// How every message lists its fields: once, beside its members, for the line that is written and for the value that is
// read from one, in the order of the line. `T::fields(visit, row)`, with a T or const T, calls
//   visit(name, member)           always there; an optional without a value is null
//   visit.maybe(name, member)     may be left out: an optional is without a value, other members if a third argument is
//                                 false; what a line leaves out stays as it was made
//   visit.figure(name, member, known)  null unless known; what is null in a line stays as it was made
//   visit.count(name, member)     of messages: as maybe(), or "unlimited"
//   visit.object(name, list), visit.objects(name, rows, list)  with `list` in place of that of the type; objects may be
//                                 left out
// where `visit` is a LineWriter, a JsonReader or the reader of telemetry. Any thread.
#pragma once

#include <concepts>
#include <type_traits>

#include "broker/base/machine_facts.h"
#include "workers/measure/latency_summary.h"

namespace n2nq::control {

template <class Visit, class Row>
void list_fields(Visit& visit, Row& row) {
  if constexpr (std::same_as<std::remove_const_t<Row>, MachineFacts>)
    machine_fields(visit, row);
  else if constexpr (std::same_as<std::remove_const_t<Row>, measure::LatencySummary>)
    measure::latency_fields([&](const measure::LatencyField& field, auto& value) { visit(field.word, value); }, row);
  else
    Row::fields(visit, row);
}

}  // namespace n2nq::control
