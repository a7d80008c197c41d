// One of the places of ChartTabs, or the only one of a page: a bar of tabs, and the figure chosen there. Tabs that find
// no room are in a menu behind them. UI thread.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "ui/charts/axis_scale.h"

class QMenu;
class QTabBar;
class QTimer;
class QToolButton;

namespace n2nq::ui::charts {

class FigureView;
class LaneStack;

using FigureSource = std::function<figures::Figure(const std::string& figure_id, double from_x, double to_x)>;
using MomentSource = std::function<std::string(double x)>;  // a sentence on what happened then

// The figures of another run, to be drawn behind.
struct Baseline {
  std::string name{};  // "previous run", "run 12"
  std::vector<figures::Figure> figures{};
};

class ChartPanel : public QWidget {
  Q_OBJECT

 public:
  static constexpr const char* kLanes = "lanes";  // in the place of a figure's id: several over time
  // `which`: what its tools are told apart by from those of another panel; empty where there is one.
  explicit ChartPanel(const QString& name, const QString& which = {}, QWidget* parent = nullptr);

  void set_source(FigureSource source);
  void set_moments(MomentSource source);  // said under the lanes where the pointer rests
  void set_baseline(std::shared_ptr<const Baseline> baseline);
  void start_anew();               // the source has other figures now: shown whole, at the next pull
  void set_replies(bool replies);  // its tabs speak of requests and replies
  void pull();                     // builds and shows the selected figure
  bool is_seen() const;            // on the screen, as far as Qt knows
  // From now on nothing later is asked for; nothing: up to now again.
  void hold_at(std::optional<double> x) { held_at_ = x; }
  std::optional<double> last_time() const;  // that is shown, if the figure is one over time
  // Of figures over time; also of those that are chosen later.
  void show_time(const std::optional<Span>& zoom);
  const std::optional<Span>& time_zoom() const { return time_zoom_; }

  const char* chosen_figure() const;  // "rate"; kLanes
  void choose(int tab);
  void show_figure(const std::string& id);  // "rate"; kLanes
  bool shows_lanes() const;
  LaneStack& lanes() { return *lanes_; }
  void point_from_elsewhere(std::optional<double> x);  // the crosshair, of figures over time
  void set_live(bool live);
  void highlight(const QStringList& series_or_categories);
  int64_t paints() const;
  FigureView& view() { return *view_; }
  int64_t builds() const { return builds_; }

 Q_SIGNALS:
  void chosen();       // by the user or not: chosen_figure() is another one
  void time_zoomed();  // by the user: time_zoom() is another one
  void pointed_at(std::optional<double> x);
  // Somebody wants to know more of a moment of a figure over time: FigureView::moment_clicked.
  void moment_clicked(const n2nq::figures::Figure& figure, double seconds);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void connectNotify(const QMetaMethod& signal) override;

 private:
  void pull_lanes(double from, double to);
  void say_moment(std::optional<double> x);
  void forget_moment();
  figures::Figure figure(const std::string& id, double from, double to);
  void add_tabs(const QString& name, const QString& which);
  void fit_tabs();
  void set_tab_visible(int tab, bool visible);
  std::vector<int> tab_widths();
  void fill_more();
  void take_choice();
  void take_zoom();
  bool is_over_time() const;

  FigureSource source_;
  MomentSource moments_;
  QTimer* until_rest_;  // of the pointer
  std::optional<double> points_at_, rests_at_;
  std::shared_ptr<const Baseline> baseline_;
  QTabBar* tabs_;
  QToolButton* more_;
  FigureView* view_;
  LaneStack* lanes_;
  bool was_over_time_ = true;
  std::optional<Span> time_zoom_;
  std::optional<double> held_at_;
  int64_t builds_ = 0;
};

}  // namespace n2nq::ui::charts
