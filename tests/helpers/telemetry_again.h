// A line of telemetry that was read, written again from what was read of it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workers/control/line_writer.h"
#include "workers/control/telemetry.h"

namespace n2nq::control {

// Exactly as TelemetryBuilder writes it.
inline std::string written_again(const Telemetry& telemetry, bool request_reply) {
  const auto columns = columns_of(telemetry.role, request_reply);
  std::string line(kTelemetryBegin);
  LineWriter writer(line, LineWriter::Reals::shortest);
  Telemetry::fields(writer, telemetry);
  writer.object("totals", [&](LineWriter& object) {
    for (const auto& [name, value] : columns.subspan(2))
      object.figure(name, telemetry.totals.*value, telemetry.totals.*value != kNoFigure);
  });
  ProcessFigures::fields(writer, telemetry.process);
  const auto histogram = [&line](LineWriter& object, const HistogramDelta& delta) {
    HistogramMoments::fields(object, delta.moments);
    object.begin("buckets");
    line += '[';
    for (const auto& [index, count] : delta.buckets) line += std::to_string(index) + "," + std::to_string(count) + ",";
    if (line.back() == ',') line.pop_back();
    line += ']';
  };
  const auto slots = [&](std::string_view name, const std::optional<SlotList>& told) {
    if (!told) return;
    std::vector<uint64_t> numbers;
    for (const auto& one : *told) numbers.insert(numbers.end(), {static_cast<uint64_t>(one.slot), one.count});
    writer(name, numbers);
  };
  slots("slots", telemetry.slots);
  if (telemetry.slot_times) {
    std::vector<uint64_t> times;
    for (const auto& one : *telemetry.slots)
      times.insert(times.end(), {static_cast<uint64_t>(one.first_us), static_cast<uint64_t>(one.last_us)});
    writer("slot_times", times);
  }
  slots("reply_slots", telemetry.reply_slots);
  if (!telemetry.histograms.empty())
    writer.object("histograms", [&](LineWriter& object) {
      for (const HistogramDelta& delta : telemetry.histograms)
        object.object(delta.name, [&](LineWriter& inner) { histogram(inner, delta); });
    });
  writer.object("services", [&](LineWriter& object) {
    for (const auto& [name, value] : columns) {
      std::vector<std::optional<int64_t>> figures;
      for (const ServiceRow& row : telemetry.services)
        figures.push_back(row.*value == kNoFigure ? std::nullopt : std::optional(row.*value));
      object(name, figures);
    }
  });
  writer("waiting", telemetry.waiting);
  line.push_back('}');
  return line;
}

// Whether the line holds what was read from it, number by number, as another reader of JSON sees it.
inline bool holds(const std::string& line, const Telemetry& telemetry) {
  const auto tree_of = [](const std::string& text) {
    nlohmann::json tree = nlohmann::json::parse(text, nullptr, false);
    if (tree.is_discarded()) return tree;
    for (const char* real : {"messages_per_s", "bytes_per_s"}) tree[real] = tree[real].get<double>();
    if (tree.contains("histograms"))
      for (auto& histogram : tree["histograms"])
        for (const char* real : {"sum", "sum_squares"}) histogram[real] = histogram[real].get<double>();
    return tree;
  };
  const nlohmann::json tree = tree_of(line);
  return !tree.is_discarded() && tree == tree_of(written_again(telemetry, tree["totals"].contains("replies")));
}

}  // namespace n2nq::control
