// What a user chose of the charts, from one start to the next.
#include <QDataStream>
#include <QIODevice>
#include <QSplitter>
#include <array>

#include "ui/charts/chart_tabs.h"
#include "ui/charts/figure_view.h"
#include "ui/charts/lane_stack.h"

namespace n2nq::ui::charts {
namespace {

constexpr quint32 kStateVersion = 3;

}  // namespace

QByteArray ChartTabs::save_state() const {
  QByteArray state;
  QDataStream stream(&state, QIODevice::WriteOnly);
  stream.setVersion(QDataStream::Qt_6_4);
  stream << kStateVersion << qint32(wanted_) << panels_[0]->view().is_as_on_screen();
  stream << qint32(panels_.size());
  for (ChartPanel* panel : panels_) stream << QByteArray(panel->chosen_figure()) << panel->view().shows_table();
  for (const QSplitter* splitter : {splitter_, rows_[0], rows_[1]}) stream << splitter->saveState();
  for (ChartPanel* panel : panels_) {
    QStringList lanes;
    for (const std::string& id : panel->lanes().lanes()) lanes.append(QString::fromStdString(id));
    stream << lanes;
  }
  return state;
}

bool ChartTabs::restore_state(const QByteArray& state) {
  QDataStream stream(state);
  stream.setVersion(QDataStream::Qt_6_4);
  quint32 version = 0;
  qint32 wanted = 0, count = 0;
  bool as_on_screen = false;
  stream >> version;
  if (version != kStateVersion) return false;
  stream >> wanted >> as_on_screen >> count;
  if (count < 1 || count > kMostPanels || wanted < 0 || wanted > kMostPanels) return false;
  std::array<QByteArray, kMostPanels> choices{};
  std::array<bool, kMostPanels> tables{};
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) stream >> choices[i] >> tables[i];
  std::array<QByteArray, 3> splitters;
  for (QByteArray& splitter : splitters) stream >> splitter;
  std::array<QStringList, kMostPanels> lanes;
  for (size_t i = 0; i < static_cast<size_t>(count) && !stream.atEnd(); ++i)
    stream >> lanes[i];  // states from before there were lanes have none
  if (stream.status() != QDataStream::Ok) return false;
  while (static_cast<qint32>(panels_.size()) < count) add_panel();
  seen_ = 0;
  set_wanted_panels(wanted);
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    panels_[i]->show_figure(choices[i].toStdString());
    panels_[i]->view().set_shows_table(tables[i]);
    panels_[i]->view().set_as_on_screen(as_on_screen);
    std::vector<std::string> ids;
    for (const QString& id : lanes[i]) ids.push_back(id.toStdString());
    panels_[i]->lanes().set_lanes(ids);
  }
  bool restored = splitter_->restoreState(splitters[0]);
  for (size_t row = 0; row < rows_.size(); ++row) restored = rows_[row]->restoreState(splitters[row + 1]) && restored;
  return restored;
}

}  // namespace n2nq::ui::charts
