// The record of a run's end as its journal has it: in parts, of which a full disk may have kept the first ones only.
// Any thread.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/record/run_record.h"

namespace n2nq::record {

// What an hour-long value for each of 2^63 messages would make, and more, is not a figure of ours.
bool is_plausible(const control::HistogramMoments& moments);

// Of what a run has left on other hosts: it is written into the journal before that, and again after it.
enum class Fetch { over, to_come };

class FinalRecord {
 public:
  static bool is_part(const nlohmann::json& line);
  // All of the part or, where it is damaged, nothing of it: then false.
  bool take(const nlohmann::json& line);
  // What there is takes the place of what the seconds before have said.
  void apply(RunRecord& record) const;
  // Nothing: the end of the run is not known.
  std::optional<Fetch> fetch() const;

 private:
  std::optional<bool> take_list(const std::string& name, const nlohmann::json& value);  // nothing: it is no list
  bool take_run(const nlohmann::json& line, const nlohmann::json& value);
  bool take_plan(const nlohmann::json& value);
  bool take_histogram(const nlohmann::json& value);
  bool take_host(const nlohmann::json& value);
  bool take_figures(const nlohmann::json& value);

  std::optional<RunRecord> run_{};  // its own columns and the totals
  std::optional<plan::RunPlan> plan_{};
  RunRecord lists_{};              // its lists, as far as they came
  std::set<std::string> begun_{};  // those of them whose first part came, by what journals call them
  std::vector<HistogramRecord> histograms_{};
  std::vector<live::HostHistory> hosts_{};
  std::map<Latency, measure::LatencySummary> figures_{};
  Fetch fetch_ = Fetch::over;
  bool whole_ = false;
  std::shared_ptr<const FinalRecord> before_{};  // a whole one; it stands unless this one is whole too
};

}  // namespace n2nq::record
