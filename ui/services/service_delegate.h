// Paints a cell of the table of services: two questions to the model a cell and look, no layouting. Between two looks a
// cell shows the same, however often and in whatever parts it is painted. UI thread.
#pragma once

#include <QHash>
#include <QIcon>
#include <QStyledItemDelegate>

#include "ui/services/service_columns.h"

namespace n2nq::ui {

class ServiceModel;

class ServiceDelegate : public QStyledItemDelegate {
 public:
  explicit ServiceDelegate(const ServiceModel& model, QObject* parent = nullptr);

  // How wide a column is for a text of this width in its cells, by the font of the view.
  static int width_for(Role role, const ColumnSpec& spec, const QFontMetrics& metrics, int text_width);
  static QFont marked(QFont font);  // of figures that stand out
  static int row_height(const QFontMetrics& metrics);
  void take_theme();  // again after a change of palette or font

  // A look begins: what cells show is asked again, of each that is in sight; whether it is something else than before.
  void begin_look();
  bool look_at(const QModelIndex& index);
  void forget();  // rows stand elsewhere now

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  struct Cell {
    QString text{};
    int mark = 0;
    bool operator==(const Cell&) const = default;
  };
  using Place = std::pair<int, int>;  // row, column
  Cell ask(const QModelIndex& index) const;
  const Cell& cell_at(const QModelIndex& index) const;
  void paint_cell(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
  QColor text_color(const QStyleOptionViewItem& option) const;
  static void paint_figure(QPainter& painter, const QRect& cell, const QRect& seen, const QString& text);
  void paint_name(QPainter& painter, QRect& cell, const QStyleOptionViewItem& option, const Cell& shown) const;
  void paint_mark(QPainter& painter, const QRect& cell, const QStyleOptionViewItem& option,
                  const ColumnSpec& spec) const;

  const ServiceModel& model_;
  struct Icons {
    QIcon log;
    QIcon trouble;
  };
  Icons plain_;
  Icons selected_;
  QColor bad_;
  QColor warning_;
  QColor muted_;
  QColor hue_;
  mutable QHash<Place, Cell> shown_;
  QHash<Place, Cell> shown_before_;  // by the look before
};

}  // namespace n2nq::ui
