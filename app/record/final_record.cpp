#include "app/record/final_record.h"

#include <cmath>
#include <utility>

#include "app/plan/plan_file.h"
#include "app/record/host_json.h"
#include "app/record/journal_row.h"

namespace n2nq::record {
namespace {

using Json = nlohmann::json;

const Json* member(const Json& object, const char* name) {
  const auto at = object.is_object() ? object.find(name) : object.end();
  return at == object.end() ? nullptr : &*at;
}

// A list comes in several lines; each says how many rows there were before it.
template <class Row>
bool take_rows(const Json& value, std::vector<Row>& list, bool begun) {
  const Json* from = member(value, "from");
  const Json* rows = member(value, "rows");
  if (from == nullptr || !from->is_number_unsigned() || rows == nullptr || !rows->is_array()) return false;
  std::vector<Row> taken;
  for (const Json& row : *rows)
    if (!from_journal_row(row, taken.emplace_back())) return false;
  if (from->get<uint64_t>() == 0) list.clear();
  if ((!begun && from->get<uint64_t>() > 0) || list.size() != from->get<uint64_t>()) return false;
  list.insert(list.end(), std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
  return true;
}

}  // namespace

bool is_plausible(const control::HistogramMoments& moments) {
  return std::abs(moments.sum) < 1e32 && moments.sum_squares >= 0 && moments.sum_squares < 1e37;
}

bool FinalRecord::is_part(const Json& line) {
  return line.is_object() && line.contains("final");
}

bool FinalRecord::take(const Json& line) {
  const Json* what = member(line, "final");
  const Json* value = member(line, "value");
  if (what == nullptr || !what->is_string() || value == nullptr) return false;
  const auto& name = what->get_ref<const std::string&>();
  if (name == "run") return take_run(line, *value);
  if (name == "plan") return take_plan(*value);
  if (name == "figures") return take_figures(*value);
  if (name == "histogram") return take_histogram(*value);
  if (name == "host") return take_host(*value);
  if (const auto taken = take_list(name, *value)) return *taken;
  whole_ = name == "end";
  return whole_;
}

std::optional<bool> FinalRecord::take_list(const std::string& name, const Json& value) {
  std::optional<bool> taken;
  lists([&](const NamedList& list, auto member) {
    if (name == list.in_journal) taken = take_rows(value, lists_.*member, begun_.contains(name));
  });
  if (taken.value_or(false)) begun_.insert(name);
  return taken;
}

bool FinalRecord::take_run(const Json& line, const Json& value) {
  RunRecord run;
  if (!from_journal_row(value, run)) return false;
  if (whole_) {
    auto before = std::make_shared<FinalRecord>(std::move(*this));
    *this = FinalRecord();
    before_ = std::move(before);
  }
  run_ = std::move(run);
  const Json* fetched = member(line, "fetched");
  fetch_ = fetched != nullptr && *fetched == false ? Fetch::to_come : Fetch::over;
  return true;
}

bool FinalRecord::take_plan(const Json& value) {
  auto plan = plan::stored_plan_from_json(value.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!plan) return false;
  plan_ = std::move(*plan);
  return true;
}

bool FinalRecord::take_histogram(const Json& value) {
  HistogramRecord histogram;
  const Json* name = member(value, "name");
  const Json* moments = member(value, "moments");
  const Json* buckets = member(value, "buckets");
  if (name == nullptr || !name->is_string() || moments == nullptr || buckets == nullptr) return false;
  histogram.name = name->get<std::string>();
  if (!from_journal_row(*moments, histogram.moments) || !is_plausible(histogram.moments)) return false;
  if (!take_buckets(*buckets, histogram.buckets)) return false;
  histograms_.push_back(std::move(histogram));
  return true;
}

bool FinalRecord::take_host(const Json& value) {
  std::vector<live::HostHistory> one;
  if (!take_hosts(Json::array({value}), one)) return false;
  hosts_.push_back(std::move(one.front()));
  return true;
}

bool FinalRecord::take_figures(const Json& value) {
  std::map<Latency, measure::LatencySummary> figures;
  for (const control::LatencyRow& row : control::kLatencies) {
    const Json* given = member(value, row.name);
    if (given == nullptr && !row.always) continue;
    if (given == nullptr || !from_journal_row(*given, figures[row.latency])) return false;
  }
  figures_ = std::move(figures);
  return true;
}

std::optional<Fetch> FinalRecord::fetch() const {
  if (!whole_ && before_) return before_->fetch();
  return run_ ? std::optional(fetch_) : std::nullopt;
}

void FinalRecord::apply(RunRecord& record) const {
  if (!whole_ && before_) return before_->apply(record);
  if (!run_) return;
  // Its rows, its plan and its place are not among the columns of a run.
  RunRecord end = *run_;
  end.folder = record.folder;
  end.campaign = record.campaign;
  end.master_file.clear();
  end.plan = plan_.value_or(record.plan);
  lists([&](const NamedList& list, auto member) {
    end.*member = begun_.contains(list.in_journal) ? lists_.*member : record.*member;
  });
  end.histograms = record.histograms;
  for (const HistogramRecord& histogram : histograms_) {
    std::erase_if(end.histograms, [&](const HistogramRecord& one) { return one.name == histogram.name; });
    end.histograms.push_back(histogram);
  }
  end.hosts = hosts_.empty() ? record.hosts : hosts_;
  end.latencies = record.latencies;
  for (const auto& [latency, figures] : figures_) end.latencies[latency] = figures;
  if (!whole_)
    end.notes.push_back({.utc_ns = end.ended_utc_ns,
                         .severity = Severity::warning,
                         .text = "the disk had no space for all final figures; those of services, charts and "
                                 "percentiles may be a second older than the totals"});
  record = std::move(end);
}

}  // namespace n2nq::record
