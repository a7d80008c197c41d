#include "ui/charts/chart_speech.h"

#include <QAccessibleTextInterface>
#include <QAccessibleWidget>
#include <QStringList>
#include <algorithm>

#include "app/figures/figure_notes.h"
#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_canvas.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

// Read only: neither cursor nor selection.
class ChartSpeech : public QAccessibleWidget, public QAccessibleTextInterface {
 public:
  explicit ChartSpeech(ChartCanvas* canvas) : QAccessibleWidget(canvas, QAccessible::Chart) {}

  QString text(QAccessible::Text kind) const override {
    if (kind == QAccessible::Description) return caption_of(figure());
    if (kind == QAccessible::Value) return table();
    return QAccessibleWidget::text(kind);
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::TextInterface) return static_cast<QAccessibleTextInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }

  void selection(int, int* start, int* end) const override { *start = *end = 0; }
  int selectionCount() const override { return 0; }
  void addSelection(int, int) override {}
  void removeSelection(int) override {}
  void setSelection(int, int, int) override {}
  int cursorPosition() const override { return 0; }
  void setCursorPosition(int) override {}
  QString text(int start, int end) const override { return table().mid(start, end - start); }
  int characterCount() const override { return static_cast<int>(table().size()); }
  QRect characterRect(int) const override { return rect(); }
  int offsetAtPoint(const QPoint&) const override { return 0; }
  void scrollToSubstring(int, int) override {}
  QString attributes(int, int* start, int* end) const override {
    *start = 0;
    *end = characterCount();
    return {};
  }

 private:
  const figures::Figure& figure() const { return static_cast<ChartCanvas*>(widget())->chart().figure(); }
  QString table() const { return table_text(figure()); }
};

QAccessibleInterface* speech_of(const QString&, QObject* object) {
  auto* canvas = qobject_cast<ChartCanvas*>(object);
  return canvas == nullptr ? nullptr : new ChartSpeech(canvas);
}

QString reach_of(const figures::Figure& figure, const figures::Series& series) {
  const auto [low, high] = std::ranges::minmax(series.points, {}, &figures::Point::y);
  const QString values = low.y == high.y ? value_text(figure.y, low.y) : range_text(figure.y, low.y, high.y);
  return series.name.empty() ? values : theme::qt(series.name) + ' ' + values;
}

}  // namespace

QString caption_of(const figures::Figure& figure) {
  if (figure.empty()) return theme::qt(figure.empty_text);
  QStringList parts;
  for (const figures::Series& series : figure.series)
    if (!series.points.empty()) parts.append(reach_of(figure, series));
  for (const figures::Landmark& landmark : figure.landmarks)
    parts.append(QString("%1 at %2").arg(theme::qt(landmark.label), value_text(figure.x, landmark.x)));
  for (const figures::Stretch& stretch : figure.stretches)
    parts.append(QString("%1 from %2").arg(theme::qt(stretch.label), value_text(figure.x, stretch.from)));
  for (const figures::Limit& limit : figure.limits) parts.append("limit " + theme::qt(limit.label));
  QString caption = parts.join(", ");
  if (const QString notes = theme::qt(figures::notes_text(figure)); !notes.isEmpty()) caption += "; " + notes;
  return caption;
}

QString table_text(const figures::Figure& figure) {
  const figures::FigureTable table = figures::shown_table(figure);
  QStringList lines;
  const auto add = [&](const std::vector<std::string>& fields) {
    QStringList line;
    for (const std::string& field : fields) line.append(theme::qt(field));
    lines.append(line.join('\t'));
  };
  add(table.header);
  for (const auto& row : table.rows) add(row);
  return lines.join('\n');
}

void make_charts_speak() {
  static const bool once = [] {
    QAccessible::installFactory(speech_of);
    return true;
  }();
  (void)once;
}

}  // namespace n2nq::ui::charts
