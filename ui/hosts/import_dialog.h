// Asks which of the hosts that a file has are to come into the list, and shows what would be taken of each. Nothing is
// taken before that is accepted. UI thread.
#pragma once

#include <QDialog>
#include <string>
#include <vector>

#include "app/hosts/import_choice.h"

class QLabel;
class QPushButton;

namespace n2nq::ui::theme {
class TableView;
}

namespace n2nq::ui {

class ImportModel;

class ImportDialog : public QDialog {
  Q_OBJECT

 public:
  static constexpr int kWidest = 960;

  // `notes`: what was passed over in the file.
  ImportDialog(const QString& path, hosts::ImportChoice choice, const std::vector<std::string>& notes, QWidget* parent);

  std::vector<hosts::Host> chosen() const { return choice_.chosen(); }

 private:
  void build(const std::vector<std::string>& notes);
  void toggle();
  void choose_all(bool on);
  void show_choice();

  hosts::ImportChoice choice_;
  ImportModel* model_;
  theme::TableView* table_;
  QPushButton* take_;
};

}  // namespace n2nq::ui
