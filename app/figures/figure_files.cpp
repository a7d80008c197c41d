#include "app/figures/figure_files.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "app/figures/csv.h"
#include "app/figures/figures.h"
#include "app/figures/host_tables.h"
#include "app/plan/whole_file.h"
#include "app/record/run_command.h"
#include "app/record/words.h"

namespace n2nq::figures {

namespace {

// What happened and when, beside the figures; no file where nothing did, not even that of another run.
Result<void> write_events(const record::RunRecord& record, const std::string& prefix) {
  const std::string path = prefix + "-events.csv";
  const auto is_event = [](const record::RunNote& note) { return note.kind != record::EventKind::none; };
  if (std::ranges::none_of(record.notes, is_event)) {
    std::error_code error;
    std::filesystem::remove(path, error);
    return error ? Result<void>(fail(path + ": it cannot be removed: " + error.message())) : Result<void>();
  }
  std::string text = csv_line({"time [ns]", "kind", "severity", "text"});
  for (const record::RunNote& note : record.notes)
    if (is_event(note))
      text +=
          csv_line({note.since_begin_ns ? std::to_string(*note.since_begin_ns) : "",
                    std::string(record::word_of(note.kind)), std::string(record::word_of(note.severity)), note.text});
  return plan::write_whole_file(path, text);
}

}  // namespace

Result<size_t> write_figures_as(const record::RunRecord& record, const std::string& prefix) {
  std::vector<Figure> figures = figures_of(record);
  std::erase_if(figures, &Figure::empty);
  if (figures.empty() && record.hosts.empty()) return fail("no figures: nothing was measured in this run");
  for (const Figure& figure : figures)
    if (auto done = plan::write_whole_file(prefix + "-" + figure.id + ".csv", figure_csv(figure)); !done)
      return std::unexpected(done.error());
  if (auto done = write_events(record, prefix); !done) return std::unexpected(done.error());
  if (record.hosts.empty()) return figures.size();
  if (auto done = plan::write_whole_file(prefix + "-host-series.csv", host_csv(record)); !done)
    return std::unexpected(done.error());
  return figures.size() + 1;
}

Result<size_t> write_figures(const record::RunRecord& record, const std::string& folder) {
  return write_figures_as(record,
                          folder + "/" + record::file_name_of(record.plan.name) + "-" + std::to_string(record.id));
}

}  // namespace n2nq::figures
