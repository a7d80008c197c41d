#include "ui/files/handing_on.h"

#include <utility>

#include "app/archive/archive_export.h"
#include "app/plan/whole_file.h"
#include "app/record/run_command.h"
#include "ui/files/file_job.h"
#include "ui/report/report_job.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

using theme::qt;
using theme::Status;
using theme::utf8;

namespace {

// "quick-12", "quick-12-and-2-more", "sizes-campaign-3"
std::string file_name(const HandedOn& what) {
  const std::string name = record::file_name_of(what.name);
  if (what.campaign) return name + "-campaign-" + std::to_string(*what.campaign);
  const std::string first = name + "-" + std::to_string(what.results.front());
  return what.results.size() == 1 ? first : first + "-and-" + std::to_string(what.results.size() - 1) + "-more";
}

}  // namespace

HandingOn::HandingOn(std::string store, theme::MessageBar* message, QWidget* page)
    : QObject(page),
      store_(std::move(store)),
      message_(message),
      page_(page),
      report_(new ReportJob(this)),
      archive_(new FileJob(this)) {
  const auto say = [this](bool good, const QString& text) {
    good ? message_->say_written(text, written_) : message_->say(Status::bad, text);
  };
  connect(report_, &ReportJob::done, this, say);
  connect(archive_, &FileJob::done, this, say);
}

HandingOn::~HandingOn() = default;

QFileDialog* HandingOn::ask_where(const QString& title, const QString& suffix, const QString& filter,
                                  const std::string& name) {
  delete dialog_;
  dialog_ = theme::file_dialog(page_, title);
  dialog_->setAcceptMode(QFileDialog::AcceptSave);
  dialog_->setDefaultSuffix(suffix);
  dialog_->setNameFilter(filter);
  dialog_->selectFile(qt(name + "." + utf8(suffix)));
  return dialog_;
}

bool HandingOn::busy() const {
  const bool is = report_->busy() || archive_->busy();
  if (is) message_->say(Status::bad, tr("A file is being written; wait until it is finished."));
  return is;
}

void HandingOn::report(const HandedOn& what) {
  if (what.empty() || busy()) return;
  QFileDialog* dialog =
      ask_where(tr("Report"), QStringLiteral("html"), tr("Reports (*.html *.pdf)"), "report-" + file_name(what));
  connect(dialog, &QFileDialog::fileSelected, this, [this, what](const QString& chosen) {
    if (busy()) return;
    if (!chosen.endsWith(u".html") && !chosen.endsWith(u".pdf"))
      return message_->say(Status::bad, tr("Choose a name that ends in %1 or %2.").arg("*.html", "*.pdf"));
    message_->say_working(tr("Writing the report to %1…").arg(chosen));
    written_ = chosen;
    report_->start(store_, {.results = what.results, .campaign = what.campaign}, utf8(chosen));
  });
  dialog->open();  // modal to its window
}

void HandingOn::archive(const HandedOn& what, bool logs) {
  if (what.empty() || busy()) return;
  QFileDialog* dialog =
      ask_where(tr("Archive of results"), QStringLiteral("n2nq"), tr("Archives of results (*.n2nq)"), file_name(what));
  connect(dialog, &QFileDialog::fileSelected, this, [this, what, logs](const QString& chosen) {
    if (busy()) return;
    message_->say_working(tr("Writing the archive %1…").arg(chosen));
    written_ = chosen;
    archive_->start(
        [store = store_, what, logs, path = utf8(chosen)](const std::stop_token& stop) -> Result<std::string> {
          const auto exported = archive::export_archive(
              store, {.results = what.results, .campaign = what.campaign, .logs = logs}, path, stop);
          if (!exported) return std::unexpected(exported.error());
          return archive::to_text(*exported, path);
        });
  });
  dialog->open();
}

void HandingOn::table(const HandedOn& what, std::function<std::string()> make) {
  if (what.empty() || busy()) return;
  QFileDialog* dialog =
      ask_where(tr("Table of points and runs"), QStringLiteral("csv"), tr("Tables (*.csv)"), file_name(what));
  connect(dialog, &QFileDialog::fileSelected, this, [this, make](const QString& chosen) {
    if (busy()) return;
    message_->say_working(tr("Writing the table %1…").arg(chosen));
    written_ = chosen;
    archive_->start([make, path = utf8(chosen)](const std::stop_token&) -> Result<std::string> {
      if (auto written = plan::write_whole_file(path, make()); !written) return std::unexpected(written.error());
      return utf8(tr("Table written to %1.").arg(qt(path)));
    });
  });
  dialog->open();
}

}  // namespace n2nq::ui

#include "moc_handing_on.cpp"
