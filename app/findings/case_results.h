// The results of a campaign as findings look at them: of each point its labels and one figure of each run that counts.
// Pure; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/analysis/contrast.h"
#include "app/campaign/campaign.h"
#include "app/campaign/points.h"
#include "app/findings/finding.h"
#include "app/findings/measure.h"
#include "app/record/run_record.h"

namespace n2nq::findings {

using Labels = std::map<std::string, std::string>;  // axis -> label

Labels labels_of(const campaign::Campaign& campaign, const campaign::Point& point);

struct Cell {
  uint32_t point = 0;  // its number
  Labels labels{};
  std::vector<const record::RunRecord*> runs{};  // that count
  std::vector<double> values{};                  // of these, where they have the figure
  bool external_here = false;
  bool complete() const;  // enough runs for a statement
};

class CaseResults {
 public:
  CaseResults(const campaign::Campaign& campaign, const std::vector<campaign::Point>& points,
              const std::vector<record::RunRecord>& records, const Measure& measure);

  // In the order of the points; empty where an axis or a label is not of this campaign.
  std::vector<const Cell*> select(const Where& where) const;
  // For both; what `more` names comes instead of what `where` has of it.
  std::vector<const Cell*> select(const Where& where, const Where& more) const;
  const std::vector<Cell>& all() const { return cells_; }

  // The labels of an axis in its order, that `where` leaves.
  std::vector<std::string> labels(const std::string& axis, const Where& where = {}) const;
  // Where it stands on its axis: its number, duration or size, else its place.
  double position(const std::string& axis, const std::string& label) const;
  const Measure& measure() const { return measure_; }

 private:
  const campaign::Campaign& campaign_;
  Measure measure_;
  std::vector<Cell> cells_;
};

// Cells that have the same labels but for the axes that are named, by these labels.
using ByLabels = std::map<Labels, std::vector<const Cell*>>;
ByLabels apart_from(const std::vector<const Cell*>& cells, const Where& axes);

// Of two sides, at one place that both have.
struct SidePair {
  std::vector<const Cell*> a{}, b{};
};
std::vector<SidePair> pairs_of(const CaseResults& results, const Where& where, const Where& a, const Where& b);

bool all_complete(const std::vector<const Cell*>& cells);
// The cells' runs with the weight that is given shared out among them.
void add_groups(std::vector<analysis::Group>& groups, const std::vector<const Cell*>& cells, double weight);
// The means of the first less those of the second.
std::vector<analysis::Group> less(std::vector<analysis::Group> groups, const std::vector<analysis::Group>& others);
// "broadcaster, external", "10 to 40 services".
std::string text_of(const CaseResults& results, const Where& where);

}  // namespace n2nq::findings
