#include "app/cli/commands.h"

#include <algorithm>

#include "app/cli/exit_code.h"
#include "app/cli/status_line.h"
#include "app/compare/side.h"
#include "app/figures/distribution_text.h"
#include "app/figures/figure_files.h"
#include "app/journal/interval_log.h"
#include "app/place/data_folder.h"
#include "app/plan/whole_file.h"
#include "app/record/record_json.h"
#include "app/store/store.h"

namespace n2nq::cli {
namespace {

using record::RunRecord;
using Outcome = Result<std::string>;  // what is written

Outcome written(const Result<void>& done, std::string what) {
  if (!done) return std::unexpected(done.error());
  return what;
}

// FILE.csv: FILE-rate.csv and so on.
Outcome write_csv(const RunRecord& record, const std::string& path) {
  const std::string prefix = path.substr(0, path.size() - std::string_view(".csv").size());
  const auto count = figures::write_figures_as(record, prefix);
  if (!count) return std::unexpected(count.error());
  return std::to_string(*count) + " figures written to " + prefix + "-*.csv";
}

Outcome write_percentiles(const RunRecord& record, const std::string& path) {
  const record::HistogramRecord* latency = record::find_histogram(record, record::first_latency(record.plan));
  if (latency == nullptr || latency->moments.count == 0)
    return fail(plan::asks_for_replies(record.plan) ? "there is no turnaround: no request was answered in this run"
                                                    : "there are no latencies: no messages were received in this run");
  return written(plan::write_whole_file(path, figures::distribution_text(record::to_histogram(*latency))),
                 "latencies, in microseconds, written to " + path);
}

Outcome copy_interval_log(const RunRecord& record, const std::string& path) {
  const auto log = journal::find_interval_log(record);
  if (!log) return std::unexpected(log.error());
  return written(plan::copy_whole(*log, path), "latencies of each second written to " + path);
}

Outcome write(const RunRecord& record, const std::string& notes, const std::string& path) {
  if (path.ends_with(".json"))
    return written(plan::write_whole_file(path, record::record_to_json(record, notes)), "result written to " + path);
  if (path.ends_with(".csv")) return write_csv(record, path);
  return path.ends_with(".hgrm") ? write_percentiles(record, path) : copy_interval_log(record, path);
}

}  // namespace

bool is_result_file(const std::string& path) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{".json", ".csv", ".hgrm", ".hlog"},
                             [&path](std::string_view ending) { return path.ends_with(ending); });
}

int run_result_export(const ExportCommand& command) {
  const auto ids = command.campaign ? Result<std::vector<int64_t>>() : compare::parse_results(command.results);
  if (!ids) return complain(BenchExit::usage, ids.error().text);
  if (ids->size() != 1 || command.logs)
    return complain(BenchExit::usage, command.file +
                                          " has one result, without its logs: give one number; several results "
                                          "or a campaign, with --logs, go into one file that ends in .n2nq");
  const auto folder = place::open_data_folder_to_read(place::data_folder_path(command.data_dir));
  if (!folder) return complain(BenchExit::local_trouble, folder.error().text);
  const auto store = store::ResultStore::open(folder->store());
  if (!store) return complain(BenchExit::local_trouble, store.error().text);
  const auto record = (*store)->load(ids->front());
  if (!record) return complain(BenchExit::usage, record.error().text);
  // Those of the run may lie elsewhere.
  for (const std::string& own : {folder->path, record->folder})
    if (!own.empty() && plan::lies_in(command.file, own))
      return complain(BenchExit::usage,
                      command.file + " is in " + own + ", where the bench stores its own files: choose another folder");
  const auto done = write(*record, (*store)->notes(record->id), command.file);
  if (!done)
    return complain(done.error().error_number != 0 ? BenchExit::local_trouble : BenchExit::usage, done.error().text);
  return static_cast<int>(print(*done + "\n") ? BenchExit::passed : BenchExit::local_trouble);
}

}  // namespace n2nq::cli
