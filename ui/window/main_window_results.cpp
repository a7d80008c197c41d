// For the window: results that are run again, and archives that are taken in.
#include "app/record/machine.h"
#include "app/record/repeat.h"
#include "ui/campaigns/campaign_files.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/results/results_page.h"
#include "ui/run/run_page.h"
#include "ui/theme/theme.h"
#include "ui/window/archive_taker.h"
#include "ui/window/main_window.h"

namespace n2nq::ui {

void MainWindow::connect_archives() {
  archives_ = new ArchiveTaker(state_.folder(), this);
  connect(archives_, &ArchiveTaker::begun, this, [this](const QString& path) {
    if (shows_campaigns()) campaigns_page_->files().say_importing(path);
  });
  connect(archives_, &ArchiveTaker::trouble, this, [this](const QString& text) {
    if (campaigns_page_ != nullptr && (campaigns_page_->files().imports() || shows_campaigns()))
      campaigns_page_->files().say_not_imported(text);
    if (!shows_campaigns()) say(text);
  });
  connect(archives_, &ArchiveTaker::done, this, &MainWindow::show_imported);
}

void MainWindow::show_imported(const QString& text, const archive::Imported& imported) {
  results_page_->reload();
  take_offer_back();
  if (campaigns_page_ != nullptr && (campaigns_page_->files().imports() || shows_campaigns()))
    campaigns_page_->files().show_imported(text, imported);
  if (shows_campaigns()) return;
  theme::MessageBar::Choice show{.text = tr("Show result"),
                                 .help = tr("Goes to the first of them in the results list."),
                                 .chosen = [this, first = archive::first_of(imported)] {
                                   show_results();
                                   if (first) results_page_->choose(*first);
                                 }};
  if (imported.campaign && campaigns_page_ != nullptr)
    show = {.text = tr("Show campaign"),
            .help = tr("Goes to it in the campaigns list."),
            .chosen = [this, campaign = *imported.campaign] {
              show_campaigns();
              campaigns_page_->choose(campaign);
            }};
  notice(theme::Status::good, text, {show, {.text = tr("Close"), .help = tr("Closes this notice.")}});
}

void MainWindow::take_archive(const QString& path) {
  if (archives_ != nullptr) return archives_->take(path);
  say(tr("%1 was not imported: there is no results store.").arg(path));
}

// Exactly its plan; what cannot be as it was is said, and stands in the new run's log.
void MainWindow::run_again(const record::RunRecord& record) {
  if (busy())
    return say(tr("A run or a campaign is in progress; run \"%1\" again when it has finished.")
                   .arg(theme::qt(record.plan.name)));
  state_.editor().reset({.base = record.plan, .runs = {}});
  show_run();
  run_page_->start_all();
  if (!state_.sequence().active())
    return say(tr("The plan of result #%1 is on the Run page but cannot be started; the reason is shown there.")
                   .arg(record.id));
  std::vector<std::string> remarks = record::repeat_remarks(record, record::machine_json());
  QString text = theme::qt(record::repeat_text(record));
  for (const std::string& remark : remarks) text += QStringLiteral("; ") + theme::qt(remark);
  notice(theme::Status::info, text, {{.text = tr("Close"), .help = tr("Closes this notice.")}});
  remarks.insert(remarks.begin(), record::repeat_text(record));
  for (const std::string& remark : remarks) state_.sequence().session()->add_note(record::Severity::info, remark);
}

}  // namespace n2nq::ui
