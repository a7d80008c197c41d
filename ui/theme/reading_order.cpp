#include "ui/theme/reading_order.h"

#include <QGridLayout>
#include <QLayout>
#include <QSet>
#include <QWidget>
#include <algorithm>
#include <tuple>
#include <vector>

#include "ui/theme/lower_edge.h"

namespace n2nq::ui::theme {
namespace {

class Reading {
 public:
  std::vector<QWidget*> order;

  void read(QWidget& widget) {
    order.push_back(&widget);
    QSet<const QWidget*> laid_out;
    if (const QLayout* layout = widget.layout()) read(*layout, laid_out);
    std::vector<QWidget*> others;
    for (QObject* child : widget.children())
      if (auto* one = qobject_cast<QWidget*>(child); one != nullptr && !one->isWindow() && !laid_out.contains(one))
        others.push_back(one);
    const auto place = [](const QWidget* one) {
      return std::tuple(one->property(kLiesOver).toBool(), one->y(), one->x());
    };
    std::ranges::stable_sort(others, {}, place);
    for (QWidget* other : others)
      if (other->isVisible()) read(*other);
  }

 private:
  void read(const QLayout& layout, QSet<const QWidget*>& laid_out) {
    for (QLayoutItem* item : items_of(layout)) {
      if (QWidget* widget = item->widget()) {
        laid_out += widget;
        if (widget->isVisible()) read(*widget);
      } else if (const QLayout* inner = item->layout()) {
        read(*inner, laid_out);
      }
    }
  }

  static std::vector<QLayoutItem*> items_of(const QLayout& layout) {
    std::vector<QLayoutItem*> items;
    for (int i = 0; i < layout.count(); i++) items.push_back(layout.itemAt(i));
    const auto* grid = qobject_cast<const QGridLayout*>(&layout);
    if (grid == nullptr) return items;
    std::vector<std::tuple<int, int, int>> places;  // row, column, item
    for (int i = 0; i < layout.count(); i++) {
      int row = 0, column = 0, rows = 0, columns = 0;
      grid->getItemPosition(i, &row, &column, &rows, &columns);
      places.emplace_back(row, column, i);
    }
    std::ranges::sort(places);
    std::ranges::transform(places, items.begin(), [&](const auto& at) { return layout.itemAt(std::get<2>(at)); });
    return items;
  }
};

}  // namespace

bool takes_tab(const QWidget& widget) {
  return widget.isVisible() && widget.isEnabled() && widget.focusProxy() == nullptr &&
         (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus;
}

QWidget* tab_stop_beside(QWidget& window, const QWidget& from, bool next) {
  Reading reading;
  reading.read(window);
  auto& order = reading.order;
  if (!next) std::ranges::reverse(order);
  const auto at = std::ranges::find(order, &from);
  if (at == order.end()) return nullptr;
  std::ranges::rotate(order, at);
  const auto found = std::find_if(order.begin() + 1, order.end(), [](const QWidget* one) { return takes_tab(*one); });
  return found == order.end() ? nullptr : *found;
}

}  // namespace n2nq::ui::theme
