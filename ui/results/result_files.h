// What is written of a result to files of the user's choice: asks where, writes on another thread, says how it went.
// UI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <string>

#include "app/record/run_record.h"

class QFileDialog;

namespace n2nq::ui {
class FileJob;
}
namespace n2nq::ui::theme {
class MessageBar;
}

namespace n2nq::ui {

class ResultFiles : public QObject {
  Q_OBJECT

 public:
  ResultFiles(FileJob& writer, theme::MessageBar& message, QWidget* page);

  void write_figures_of(const record::RunRecord& of);
  void copy_master_file_of(const record::RunRecord& of);
  void write_json_of(const record::RunRecord& of, const std::string& notes);
  void write_distribution_of(const record::RunRecord& of);
  void copy_interval_log_of(const record::RunRecord& of);

 private:
  QFileDialog* ask_where(const QString& title);
  // For a file that ends in `suffix`, with the plan's name and the result's number for its name.
  QFileDialog* ask_for_file(const QString& title, const record::RunRecord& of, const char* kind, const char* suffix,
                            const char* what = "");
  bool may_write();

  FileJob& export_;
  theme::MessageBar& message_;
  QWidget* page_;
  QPointer<QFileDialog> dialog_;
  QString written_;  // path of what was written last
};

}  // namespace n2nq::ui
