// What a report has of a campaign that is a search: how it came out, the values that were tried, and what it looked
// for. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/search.h"
#include "app/figures/metric.h"
#include "app/figures/record_tables.h"
#include "app/record/run_record.h"
#include "app/report/report.h"
#include "app/text/quantity.h"

namespace n2nq::report {

void add_search_outcome(Report& report, const campaign::Search& search);
// A row a value, the easiest first.
void add_probes(Report& report, const campaign::Search& search, const std::vector<record::RunRecord>& records);
void add_search_settings(Report& report, const campaign::Campaign& campaign, const campaign::Search& search);

// The columns of means over the runs of a point or a value: trimmed mean, p99, waiting where there is any, rate. "-"
// where no run has one.
class MeanColumns {
 public:
  MeanColumns(const figures::FirstLatency& latency, bool waiting);
  void add(std::vector<figures::TableColumn>& columns) const;
  // A row after the other; a cell for each is kept at its end.
  void add(figures::TableRow& row, const std::vector<const record::RunRecord*>& runs);
  // When all rows are there: the first of them stands at `at`.
  void put(std::vector<figures::TableColumn>& columns, std::vector<figures::TableRow>& rows, size_t at) const;

 private:
  struct Mean {
    std::string header;
    const figures::Metric* metric;
    text::Column figures;
  };
  std::vector<Mean> all_;
};

}  // namespace n2nq::report
