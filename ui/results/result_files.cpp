#include "ui/results/result_files.h"

#include "app/figures/distribution_text.h"
#include "app/figures/figure_files.h"
#include "app/journal/interval_log.h"
#include "app/plan/whole_file.h"
#include "app/record/record_json.h"
#include "app/record/run_command.h"
#include "ui/files/file_job.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

using theme::qt;
using theme::Status;

ResultFiles::ResultFiles(FileJob& writer, theme::MessageBar& message, QWidget* page)
    : QObject(page), export_(writer), message_(message), page_(page) {
  connect(&export_, &FileJob::done, this, [this](bool good, const QString& text) {
    good ? message_.say_written(text, written_) : message_.say(Status::bad, text);
  });
}

QFileDialog* ResultFiles::ask_where(const QString& title) {
  delete dialog_;
  dialog_ = theme::file_dialog(page_, title);
  dialog_->setAcceptMode(QFileDialog::AcceptSave);
  connect(dialog_, &QFileDialog::fileSelected, this, [this](const QString& chosen) { written_ = chosen; });
  return dialog_;
}

QFileDialog* ResultFiles::ask_for_file(const QString& title, const record::RunRecord& of, const char* kind,
                                       const char* suffix, const char* what) {
  QFileDialog* dialog = ask_where(title);
  dialog->setDefaultSuffix(suffix);
  dialog->setNameFilter(QStringLiteral("%1 (*.%2)").arg(kind, suffix));
  dialog->selectFile(qt(record::file_name_of(of.plan.name) + "-" + std::to_string(of.id) + what + "." + suffix));
  return dialog;
}

bool ResultFiles::may_write() {
  if (export_.busy()) message_.say(Status::bad, tr("A file is being written; wait until it is finished."));
  return !export_.busy();
}

void ResultFiles::write_figures_of(const record::RunRecord& of) {
  if (!may_write()) return;
  QFileDialog* dialog = ask_where(tr("Folder for the figures"));
  dialog->setAcceptMode(QFileDialog::AcceptOpen);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, [this, record = of](const QString& chosen) {
    if (export_.busy()) return;
    export_.start([record, folder = theme::utf8(chosen)](const std::stop_token&) -> Result<std::string> {
      const auto written = figures::write_figures(record, folder);
      if (!written) return std::unexpected(written.error());
      return std::to_string(*written) + " figures written to " + folder;
    });
  });
  dialog->open();  // modal to its window
}

void ResultFiles::copy_master_file_of(const record::RunRecord& of) {
  if (!may_write()) return;
  QFileDialog* dialog = ask_for_file(tr("Copy of all messages"), of, "CSV", "csv");
  connect(dialog, &QFileDialog::fileSelected, this, [this, from = of.master_file](const QString& chosen) {
    if (export_.busy()) return;
    message_.say_working(tr("Copying %1…").arg(qt(from)));
    export_.start([from, to = theme::utf8(chosen)](const std::stop_token& stop) -> Result<std::string> {
      const auto copied = plan::copy_whole(from, to, stop);
      if (!copied) return std::unexpected(copied.error());
      return "all messages written to " + to;
    });
  });
  dialog->open();
}

void ResultFiles::write_json_of(const record::RunRecord& of, const std::string& notes) {
  if (!may_write()) return;
  QFileDialog* dialog = ask_for_file(tr("Result as JSON"), of, "JSON", "json", "-result");
  connect(dialog, &QFileDialog::fileSelected, this, [this, record = of, notes](const QString& chosen) {
    if (export_.busy()) return;
    export_.start([record, notes, path = theme::utf8(chosen)](const std::stop_token&) -> Result<std::string> {
      const auto written = plan::write_whole_file(path, record::record_to_json(record, notes));
      if (!written) return std::unexpected(written.error());
      return "result written to " + path;
    });
  });
  dialog->open();
}

void ResultFiles::write_distribution_of(const record::RunRecord& of) {
  if (!may_write()) return;
  const record::HistogramRecord* latency = record::find_histogram(of, record::first_latency(of.plan));
  if (latency == nullptr || latency->moments.count == 0)
    return message_.say(Status::info, plan::asks_for_replies(of.plan)
                                          ? tr("There is no turnaround: no request was answered in this run.")
                                          : tr("There are no latencies: no messages were received in this run."));
  QFileDialog* dialog = ask_for_file(tr("Latencies for HdrHistogram"), of, "HdrHistogram", "hgrm");
  connect(dialog, &QFileDialog::fileSelected, this, [this, record = *latency](const QString& chosen) {
    if (export_.busy()) return;
    export_.start([record, path = theme::utf8(chosen)](const std::stop_token&) -> Result<std::string> {
      const auto written = plan::write_whole_file(path, figures::distribution_text(record::to_histogram(record)));
      if (!written) return std::unexpected(written.error());
      return "latencies, in microseconds, written to " + path;
    });
  });
  dialog->open();
}

void ResultFiles::copy_interval_log_of(const record::RunRecord& of) {
  if (!may_write()) return;
  const auto log = journal::find_interval_log(of);
  if (!log) return message_.say(Status::info, qt(log.error().text));
  QFileDialog* dialog = ask_for_file(tr("Latencies over time for HdrHistogram"), of, "HdrHistogram log", "hlog");
  connect(dialog, &QFileDialog::fileSelected, this, [this, from = *log](const QString& chosen) {
    if (export_.busy()) return;
    export_.start([from, to = theme::utf8(chosen)](const std::stop_token& stop) -> Result<std::string> {
      const auto copied = plan::copy_whole(from, to, stop);
      if (!copied) return std::unexpected(copied.error());
      return "latencies of each second written to " + to;
    });
  });
  dialog->open();
}

}  // namespace n2nq::ui

#include "moc_result_files.cpp"
