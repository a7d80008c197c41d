// What can be done with the selected result: the row of buttons, and what they are worth at the moment. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "app/record/run_record.h"

class QAction;
class QMenu;
class QPushButton;

namespace n2nq::ui {
class ArchiveChoice;
}

namespace n2nq::ui {

class ResultActions : public QWidget {
  Q_OBJECT

 public:
  explicit ResultActions(QWidget* parent = nullptr);

  // Null: none is chosen. Why nothing can be written, if so. The record outlives what is shown of it.
  void show_record(const record::RunRecord* record, const QString& read_only);
  // How many results an archive would hold, and what their files took.
  void show_choice(size_t results, uint64_t file_bytes);
  void set_selected(size_t results);  // how many are

  QSize minimumSizeHint() const override;  // with the icons alone of what is less often pressed

 Q_SIGNALS:
  void open_log(n2nq::Role role, uint32_t service);
  void open_folder();
  void load_plan();
  void run_again();
  void report_wanted();
  void about_to_export();  // show_choice() says of what
  void export_archive(bool logs);
  void export_figures();
  void export_master_file();
  void export_record();
  void export_distribution();
  void export_interval_log();
  void copy_command();
  void compare_wanted();
  void delete_wanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void measure();
  void fold();
  QPushButton* add_button(const char* icon, const QString& text, const QString& help);
  void build_export_menu();
  void fill_logs();
  void add_logs(Role role, const QString& title, uint32_t services);
  void add_logs(QMenu& menu, Role role, uint32_t first, uint32_t last);
  void add_log(QMenu& menu, Role role, uint32_t service, const QString& text);

  const record::RunRecord* record_ = nullptr;
  std::vector<QPushButton*> buttons_;
  std::vector<QPushButton*> folding_;  // of these
  int full_width_ = 0, folded_width_ = 0;
  QPushButton* log_;
  QPushButton* folder_;
  QPushButton* plan_;
  QPushButton* again_;
  QPushButton* report_;
  QPushButton* export_;
  QPushButton* command_;
  QPushButton* compare_;
  QPushButton* delete_;
  QMenu* logs_;
  QAction* master_ = nullptr;
  ArchiveChoice* archive_ = nullptr;
  size_t selected_ = 0;
};

}  // namespace n2nq::ui
