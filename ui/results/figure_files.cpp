#include "ui/results/figure_files.h"

#include "app/results/figures.h"
#include "app/results/run_command.h"
#include "ui/files/file_job.h"

namespace n2nq::results {

Result<size_t> write_figures(const RunRecord& record, const std::string& folder) {
  const std::string prefix = folder + "/" + file_name_of(record.plan.name) + "-" + std::to_string(record.id) + "-";
  size_t written = 0;
  for (const Figure& figure : figures_of(record)) {
    if (figure.empty()) continue;
    if (auto done = files::write_text(prefix + figure.id + ".csv", figure_csv(figure)); !done)
      return std::unexpected(done.error());
    written++;
  }
  if (written == 0) return fail("there are no figures: nothing was measured in this run");
  return written;
}

}  // namespace n2nq::results
