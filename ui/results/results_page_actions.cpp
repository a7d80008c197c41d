// What is done with the results that are chosen.
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <algorithm>

#include "app/record/run_command.h"
#include "ui/files/handing_on.h"
#include "ui/results/log_places.h"
#include "ui/results/result_actions.h"
#include "ui/results/result_files.h"
#include "ui/results/result_list.h"
#include "ui/results/results_page.h"
#include "ui/services/slowest_wish.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/open_outside.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

using theme::qt;
using theme::Status;

void ResultsPage::connect_actions() {
  connect(actions_, &ResultActions::open_log, this, &ResultsPage::request_log);
  connect(actions_, &ResultActions::open_folder, this, &ResultsPage::open_folder);
  connect(actions_, &ResultActions::load_plan, this, [this] {
    if (record_) Q_EMIT load_plan(record_->plan);
  });
  connect(actions_, &ResultActions::export_figures, this, [this] {
    if (record_) files_->write_figures_of(*record_);
  });
  connect(actions_, &ResultActions::export_master_file, this, [this] {
    if (record_) files_->copy_master_file_of(*record_);
  });
  connect(actions_, &ResultActions::export_record, this, [this] {
    if (record_) files_->write_json_of(*record_, store_.notes(record_->id));
  });
  connect(actions_, &ResultActions::export_distribution, this, [this] {
    if (record_) files_->write_distribution_of(*record_);
  });
  connect(actions_, &ResultActions::export_interval_log, this, [this] {
    if (record_) files_->copy_interval_log_of(*record_);
  });
  connect(actions_, &ResultActions::compare_wanted, this, &ResultsPage::compare_chosen);
  connect(actions_, &ResultActions::copy_command, this, &ResultsPage::copy_command);
  connect(actions_, &ResultActions::delete_wanted, this, &ResultsPage::remove_chosen);
  connect_handing_on();
}

void ResultsPage::request_log(Role role, uint32_t service) {
  if (!record_) return;
  const QString path = log_path(*record_, role, service);
  if (path.isEmpty()) return complain(no_log_text(*record_, role, service));
  Q_EMIT open_log(path, log_title(*record_, role, service));
}

void ResultsPage::request_slowest(Role role, uint32_t service) {
  if (!record_) return;
  const QString path = log_path(*record_, role, service);
  if (path.isEmpty()) return complain(no_log_text(*record_, role, service));
  Q_EMIT open_slowest(path, log_title(*record_, role, service));
}

void ResultsPage::find_slowest() {
  find_slowest(logs::SlowestAim{});
}

void ResultsPage::find_slowest_at(const figures::Figure& figure, double second) {
  if (const auto aim = aim_at(figure, second)) find_slowest(*aim);
}

void ResultsPage::find_slowest(const logs::SlowestAim& aim) {
  if (!record_) return complain(tr("Select a result to find its slowest message."));
  logs::SlowestWish wish = slowest_wish_of(*record_);
  wish.aim = aim;
  Q_EMIT slowest_wanted(wish);
}

void ResultsPage::open_folder() {
  if (!record_) return;
  const QString folder = qt(record_->folder);
  if (!QFileInfo(folder).isDir()) return complain(tr("The folder %1 no longer exists.").arg(folder));
  const QString trouble = theme::open_outside(folder);
  if (!trouble.isEmpty()) complain(trouble);
}

void ResultsPage::copy_command() {
  if (!record_) return;
  QApplication::clipboard()->setText(qt(record::run_command(record_->plan)));
  message_->say(Status::good, tr("Copied; paste into a shell to run \"%1\" again.").arg(qt(record_->plan.name)));
}

void ResultsPage::connect_handing_on() {
  const auto what = [this] {
    return HandedOn{.results = chosen(), .campaign = {}, .name = record_ ? record_->plan.name : std::string()};
  };
  connect(actions_, &ResultActions::run_again, this, [this] {
    if (record_) Q_EMIT run_again(*record_);
  });
  connect(actions_, &ResultActions::report_wanted, this, [this, what] { handing_on_->report(what()); });
  connect(actions_, &ResultActions::export_archive, this,
          [this, what](bool logs) { handing_on_->archive(what(), logs); });
  connect(actions_, &ResultActions::about_to_export, this, [this] {
    uint64_t bytes = 0;
    const auto results = chosen();
    for (const int64_t id : results)
      if (const store::ResultRow* row = list_->row_of(id); row != nullptr) bytes += row->file_bytes;
    actions_->show_choice(results.size(), bytes);
  });
}

// In the order of their numbers, that reports do not depend on how they were picked.
std::vector<int64_t> ResultsPage::chosen() const {
  std::vector<int64_t> results = list_->selection();
  if (results.empty() && record_) results.push_back(record_->id);
  std::ranges::sort(results);
  return results;
}

}  // namespace n2nq::ui
