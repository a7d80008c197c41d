#include "tests/gui/campaign_picture.h"

#include <QTableView>
#include <algorithm>

#include "app/campaign/campaign_reader.h"
#include "app/findings/findings_reader.h"
#include "tests/gui/widgets.h"
#include "ui/charts/figure_view.h"

namespace n2nq::test {
namespace {

std::vector<const figures::Figure*> visible_figures() {
  std::vector<const figures::Figure*> figures;
  for (QWidget* widget : QApplication::allWidgets())
    if (const auto* view = qobject_cast<ui::charts::FigureView*>(widget); view != nullptr && view->isVisible())
      figures.push_back(&view->figure());
  return figures;
}

}  // namespace

double drawn_ns() {
  double last = 0;
  for (const figures::Figure* figure : visible_figures()) {
    if (figure->x.quantity != figures::Quantity::time_ns) continue;
    for (const figures::Series& series : figure->series)
      if (!series.points.empty()) last = std::max(last, series.points.back().x);
  }
  return last;
}

bool draws_points() {
  return std::ranges::any_of(visible_figures(), [](const figures::Figure* figure) { return !figure->empty(); });
}

int runs_in_table() {
  const auto* table = qobject_cast<QTableView*>(named("Points"));
  if (table == nullptr) return 0;
  const QAbstractItemModel& model = *table->model();
  int runs = 0;
  for (int column = 0; column < model.columnCount(); column++) {
    if (!model.headerData(column, Qt::Horizontal).toString().startsWith("Repeat ")) continue;
    for (int row = 0; row < model.rowCount(); row++) {
      const QString text = model.index(row, column).data().toString();
      if (!text.isEmpty() && !text.startsWith("running") && !text.startsWith("to ")) runs++;
    }
  }
  return runs;
}

LookAnew::LookAnew(const QWidget& window) {
  connect(window.findChild<campaign::CampaignReader*>(), &campaign::CampaignReader::looked, this, [this] {
    looked_ = true;
    drawn_ = judged_ = false;
  });
  connect(window.findChild<campaign::CampaignReader*>(), &campaign::CampaignReader::drawn, this,
          [this] { drawn_ = true; });
  connect(window.findChild<findings::FindingsReader*>(), &findings::FindingsReader::judged, this,
          [this] { judged_ = true; });
}

}  // namespace n2nq::test
