#include "app/figures/figure_files.h"

#include "app/figures/figures.h"
#include "app/plan/whole_file.h"
#include "app/record/run_command.h"

namespace n2nq::figures {

Result<size_t> write_figures_as(const record::RunRecord& record, const std::string& prefix) {
  size_t written = 0;
  for (const Figure& figure : figures_of(record)) {
    if (figure.empty()) continue;
    if (auto done = plan::write_whole_file(prefix + "-" + figure.id + ".csv", figure_csv(figure)); !done)
      return std::unexpected(done.error());
    written++;
  }
  if (written == 0) return fail("no figures: nothing was measured in this run");
  return written;
}

Result<size_t> write_figures(const record::RunRecord& record, const std::string& folder) {
  return write_figures_as(record,
                          folder + "/" + record::file_name_of(record.plan.name) + "-" + std::to_string(record.id));
}

}  // namespace n2nq::figures
