// Figures over time as lanes beneath each other: one axis of time, one crosshair, one zoom; at the right of each what
// its lines are at the crosshair. Which there are, and in which order, is the user's choice. UI thread.
#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "ui/charts/axis_scale.h"

class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace n2nq::ui::theme {
class Label;
}

namespace n2nq::ui::charts {

class ChartCanvas;
class LaneHead;
class LaneValues;

class LaneStack : public QWidget {
  Q_OBJECT

 public:
  explicit LaneStack(const QString& which, QWidget* parent = nullptr);

  // By the ids of figures over time, from the top on; unknown ones are left out, and there is always one.
  std::vector<std::string> lanes() const;
  void set_lanes(const std::vector<std::string>& ids);
  QToolButton* chooser() const { return chooser_; }  // which lanes there are; lies where the owner puts it

  using QWidget::show;
  void show(std::vector<figures::Figure> figures);  // one for each of lanes()
  void set_replies(bool replies);
  void set_live(bool live);
  void highlight(const QStringList& series);
  void start_anew();  // figures of another run
  bool is_zoomed() const;
  void show_time(const std::optional<Span>& zoom);
  const std::optional<Span>& time_zoom() const { return zoom_; }
  void point_at(std::optional<double> x);
  std::optional<double> last_time() const;  // that is shown
  void answer_clicks();
  int64_t paints() const;

 Q_SIGNALS:
  void lanes_changed();
  void time_zoomed();
  void pointed_at(std::optional<double> x);
  void moment_chosen(const n2nq::figures::Figure& figure, double seconds);
  void figure_wanted(const std::string& id);  // at its full size

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Lane {
    std::string id;
    QWidget* row;
    LaneHead* head;
    ChartCanvas* canvas;
    LaneValues* values;
  };

  QString named(const QString& name) const;
  Lane make_lane(const std::string& id);
  void connect_canvas(ChartCanvas& canvas);
  void place_lanes();
  void name_lanes();
  void fill_chooser();
  void open_menu(const std::string& id, const QPoint& where);
  void set_wanted(const std::string& id, bool wanted);
  void move(const std::string& id, int by);
  void drag(const std::string& id, int global_y);
  void take_zoom(const ChartCanvas& from);
  void show_values();
  std::vector<ChartCanvas*> canvases() const;

  QString which_;
  QScrollArea* area_;
  QVBoxLayout* column_;
  QToolButton* chooser_;
  std::vector<Lane> lanes_;
  ChartCanvas* foot_;
  QWidget* foot_end_;     // as wide as the scroll bar above it
  theme::Label* moment_;  // of the crosshair
  std::optional<Span> zoom_, shown_time_;
  double shown_end_ = 0;  // that this was made for
  std::optional<double> pointed_;
  QStringList highlighted_;
  bool replies_ = false;
  bool live_ = false;
  bool answers_clicks_ = false;
};

}  // namespace n2nq::ui::charts
