// One of the places of ChartTabs: a bar of tabs, and the figure chosen there. UI thread.
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <string>

#include "app/figures/figure.h"
#include "ui/charts/axis_scale.h"

class QTabBar;

namespace n2nq::ui::charts {

class FigureView;

using FigureSource = std::function<figures::Figure(const std::string& figure_id, double from_x, double to_x)>;

class ChartPanel : public QWidget {
  Q_OBJECT

 public:
  // `which`: what its tools are told apart by from those of another panel; empty where there is one.
  explicit ChartPanel(const QString& name, const QString& which = {}, QWidget* parent = nullptr);

  void set_source(FigureSource source);
  void start_anew();     // the source has other figures now: shown whole, at the next pull
  void pull();           // builds and shows the selected figure
  bool is_seen() const;  // on the screen, as far as Qt knows
  // From now on nothing later is asked for; nothing: up to now again.
  void hold_at(std::optional<double> x) { held_at_ = x; }
  std::optional<double> last_time() const;  // that is shown, if the figure is one over time

  int choice() const;
  void choose(int tab);
  void show_figure(const std::string& id);  // "rate"
  FigureView& view() { return *view_; }
  int64_t builds() const { return builds_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void name_tabs();
  void take_choice();

  FigureSource source_;
  QTabBar* tabs_;
  FigureView* view_;
  std::optional<double> held_at_;
  int64_t builds_ = 0;
};

}  // namespace n2nq::ui::charts
