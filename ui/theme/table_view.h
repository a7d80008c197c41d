// A table to read, to choose rows in and to copy from: its header reaches as far as it does, columns are as wide as
// their texts, Ctrl+C copies the chosen rows, and where it is empty it says what to do. UI thread.
#pragma once

#include <QKeySequence>
#include <QTableView>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "ui/theme/theme.h"

namespace n2nq::ui::theme {

class TableView : public QTableView {
  Q_OBJECT

 public:
  // Of a column: as wide as its widest text, within so many average characters.
  struct Width {
    int least = 0;
    int most = 80;
    bool icon = false;        // with room for one
    bool figures = false;     // in the font of figures
    const char* sample = "";  // with room for this
  };

  explicit TableView(const QString& name, QWidget* parent = nullptr);

  // Shown while there are no rows.
  void set_empty_text(const QString& text, Qt::Alignment alignment = Qt::AlignCenter);
  static void paint_empty_text(QTableView& table, const QString& text, Qt::Alignment alignment = Qt::AlignCenter);
  // From now on columns are fitted: now, when the look changes, and at fit_columns(), which looks at the first rows
  // only.
  void set_widths(std::function<Width(int column)> width);
  void fit_columns();
  // While the table has the focus a key is the table's, whatever the window's menus say, and a field's while one is
  // open in it; held, it counts once. Without an action it is the view's again.
  void on_key(const QList<QKeySequence>& keys, const std::function<void()>& action);

  std::vector<size_t> chosen_rows() const;  // in their order; the current one where none is selected
  std::optional<size_t> current_row() const;
  void choose_row(size_t row);
  QString as_tsv() const;  // the selected rows, else all, under their header

 Q_SIGNALS:
  void menu_wanted(const QPoint& global);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  virtual void take_theme();

 private:
  std::function<void()> action_of(const QKeyEvent& event) const;

  QString empty_text_;
  Qt::Alignment empty_alignment_ = Qt::AlignCenter;
  std::function<Width(int)> width_;
  std::map<QKeySequence, std::function<void()>> actions_;
};

}  // namespace n2nq::ui::theme
