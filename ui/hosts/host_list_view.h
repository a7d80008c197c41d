// The table of hosts, with what to do where it is empty. UI thread.
#pragma once

#include <QTableView>
#include <vector>

#include "ui/hosts/host_model.h"

namespace n2nq::hosts {

class HostListView : public QTableView {
  Q_OBJECT

 public:
  explicit HostListView(HostModel* model, QWidget* parent = nullptr);

  std::vector<size_t> chosen() const;  // rows, in the order of the list
  std::optional<size_t> current() const;
  void choose(size_t row);
  void fit_columns();

 Q_SIGNALS:
  void current_changed();
  void remove_wanted();
  void edit_wanted();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void take_theme();
  QString selected_as_tsv() const;

  HostModel* model_;
};

}  // namespace n2nq::hosts
