// Of the window: results that are run again, and archives that are taken in.
#include "app/results/machine.h"
#include "app/results/repeat.h"
#include "ui/results/results_page.h"
#include "ui/run/run_page.h"
#include "ui/theme/theme.h"
#include "ui/window/archive_taker.h"
#include "ui/window/main_window.h"

namespace n2nq::window {

void MainWindow::connect_archives() {
  archives_ = new ArchiveTaker(state_.folder(), this);
  connect(archives_, &ArchiveTaker::done, this, [this](bool good, const QString& text, qint64 result) {
    if (!good) return say(text);
    results_page_->reload();
    notice(theme::Status::good, text,
           {{.text = tr("Show result"),
             .help = tr("Goes to the first of them in the list of results."),
             .chosen =
                 [this, result] {
                   show_results();
                   if (result != 0) results_page_->choose(result);
                 }},
            {.text = tr("Close"), .help = tr("Closes this notice.")}});
  });
}

void MainWindow::take_archive(const QString& path) {
  if (archives_ != nullptr) return archives_->take(path);
  say(tr("%1 was not imported: there is no store of results to take it.").arg(path));
}

// Exactly its plan; what cannot be as it was is said, and stands in the new run's log.
void MainWindow::run_again(const results::RunRecord& record) {
  if (busy())
    return say(
        tr("A run or a campaign is under way; run \"%1\" again when it is over.").arg(theme::qt(record.plan.name)));
  state_.editor().reset({.base = record.plan, .runs = {}});
  show_run();
  run_page_->start_all();
  if (!state_.sequence().active())
    return say(tr("The plan of result #%1 is on the Run page, and cannot be started as it is: the reason stands there.")
                   .arg(record.id));
  std::vector<std::string> remarks = results::repeat_remarks(record, results::machine_json());
  QString text = theme::qt(results::repeat_text(record));
  for (const std::string& remark : remarks) text += QStringLiteral("; ") + theme::qt(remark);
  notice(theme::Status::info, text, {{.text = tr("Close"), .help = tr("Closes this notice.")}});
  remarks.insert(remarks.begin(), results::repeat_text(record));
  for (const std::string& remark : remarks) state_.sequence().session()->add_note(results::Severity::info, remark);
}

}  // namespace n2nq::window
