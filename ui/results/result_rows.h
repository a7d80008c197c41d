// The rows of the list of results: keys, the click on a star, and what is said while there are none. UI thread.
#pragma once

#include <QTableView>

namespace n2nq::results {

class ResultRows : public QTableView {
  Q_OBJECT

 public:
  explicit ResultRows(QWidget* parent = nullptr);
  void set_empty_text(const QString& text);

 Q_SIGNALS:
  void delete_wanted();
  void open_wanted();  // Enter, or a double click
  void copy_wanted();
  void star_wanted();                         // of what is selected
  void star_clicked(const QModelIndex& row);  // of this one
  void compare_wanted();
  void menu_wanted(const QPoint& global);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString empty_text_;
};

}  // namespace n2nq::results
