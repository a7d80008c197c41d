// Which columns a table of services shows, and how wide they are: by the widest text that may come, never by the texts
// that are there, so that nothing moves while figures change; what the view has beyond that is shared out evenly.
// Trends are shown where the figures leave room for them, and what responses or replies have come to where a run has
// those. UI thread.
#pragma once

#include <QObject>
#include <QStringList>
#include <string>
#include <vector>

#include "ui/services/told_figures.h"

class QMenu;
class QTableView;

namespace n2nq::ui {

class ServiceModel;

class ShownColumns : public QObject {
  Q_OBJECT

 public:
  ShownColumns(QTableView& view, const ServiceModel& model, QObject* parent = nullptr);

  // After a look: makes room for values that outgrew their column.
  void fit();
  void fit_anew();  // font, number of services or columns changed

  QStringList keys() const;                // of those that a person may choose; "-confirmed": one that was declined
  void set_keys(const QStringList& keys);  // unknown ones are passed over; none: as it was made
  void set_told(const ToldFigures& told);
  // A tick for each column that can be chosen.
  void fill(QMenu& menu);

 Q_SIGNALS:
  void changed();  // by a person

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool is_wanted(int column) const;
  void show_wanted();
  void choose(int column, bool shown);
  int width_of(int column) const;
  std::string widest(int column) const;
  void spread();

  QTableView& view_;
  const ServiceModel& model_;
  std::vector<bool> chosen_;  // by column; of those that come by themselves: that it was not declined
  ToldFigures told_;
  std::vector<std::string> widest_;  // by column: what its width was made for
};

}  // namespace n2nq::ui
