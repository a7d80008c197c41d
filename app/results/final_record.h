// The record of a run's end as its journal has it: in parts, of which a full disk may have kept the first ones only.
// Any thread.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/results/run_record.h"

namespace n2nq::results {

// What an hour-long value for each of 2^63 messages would make, and more, is not a figure of ours.
bool is_plausible(const control::HistogramMoments& moments);

class FinalRecord {
 public:
  static bool is_part(const nlohmann::json& line);
  // All of the part or, where it is damaged, nothing of it: then false.
  bool take(const nlohmann::json& line);
  // What there is takes the place of what the seconds before have said.
  void apply(RunRecord& record) const;

 private:
  bool take_run(const nlohmann::json& value);
  bool take_plan(const nlohmann::json& value);
  bool take_histogram(const nlohmann::json& value);
  bool take_figures(const nlohmann::json& value);

  std::optional<RunRecord> run_{};  // its own columns and the totals
  std::optional<plan::RunPlan> plan_{};
  std::optional<std::vector<ProcessRecord>> processes_{};
  std::optional<std::vector<MachineRecord>> machines_{};
  std::optional<std::vector<LossRecord>> losses_{};
  std::optional<std::vector<LayerRecord>> layers_{};
  std::optional<std::vector<HopRecord>> paths_{};
  std::optional<std::vector<BandwidthRecord>> bandwidths_{};
  std::optional<std::vector<RunNote>> notes_{};
  std::optional<std::vector<RequestRecord>> requests_{};
  std::optional<std::vector<live::ServiceFigures>> services_{};
  std::optional<std::vector<live::SeriesPoint>> series_{};
  std::optional<std::vector<live::WaitingBatch>> waiting_batches_{};
  std::vector<HistogramRecord> histograms_{};
  std::map<std::string, control::LatencyFigures> figures_{};
  bool whole_ = false;
};

}  // namespace n2nq::results
