// A figure as a Qt chart: the one renderer, for screen, picture and file. Series and frame are kept from one figure to
// the next of the same kind, and only what changed is painted, which is what makes ten updates a second cheap. Areas
// and bars are Qt Charts' own; its lines would be painted whole each time. UI thread.
#pragma once

#include <QChart>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "app/figures/figure.h"
#include "ui/charts/axis_scale.h"
#include "ui/charts/chart_frame.h"
#include "ui/charts/look.h"

class QAreaSeries;
class QAbstractBarSeries;
class QValueAxis;

namespace n2nq::ui::charts {

class FrameItem;
class LineItem;
class MarkItem;
struct Line;
struct Mark;

class FigureChart : public QChart {
 public:
  // What the pointer is near to.
  struct Hit {
    QPointF pixel{};
    QString text{};  // lines: series, what it is, x, y
    QColor color{};
    bool operator==(const Hit&) const = default;
  };

  static constexpr qsizetype kMostBarCategories = 60;  // more of them are one line of steps

  explicit FigureChart(ChartLook look);

  void draw(const figures::Figure& figure);
  void set_look(ChartLook look);
  void set_highlighted(const QStringList& names);
  // Time goes on: the axis of time then ends at a round value and moves only now and then.
  void set_live(bool live);
  bool is_live() const { return live_; }

  const figures::Figure& figure() const { return figure_; }
  const ChartLook& look() const { return look_; }
  const Frame& frame() const { return frame_; }
  const std::vector<Line>& lines() const;
  const std::vector<Mark>& marks() const;               // what is not a line: intervals
  int64_t frames_made() const { return frames_made_; }  // since the start

  // Positions; nothing: all of it. Zoomed along x only, y follows what is in sight.
  void zoom(std::optional<Span> x, std::optional<Span> y);
  const std::optional<Span>& x_zoom() const { return x_zoom_; }
  const std::optional<Span>& y_zoom() const { return y_zoom_; }
  // For the figure, and of what was drawn of it before only a part was asked for.
  const Span& whole_x() const { return whole_x_; }

  std::optional<Hit> nearest(const QPointF& pixel) const;

 protected:
  void resizeEvent(QGraphicsSceneResizeEvent* event) override;

 private:
  enum class Kind { line, steps, category_steps, blocks, bars, boxes };
  struct Drawn {
    Kind kind = Kind::line;
    std::vector<QPointF> points{};  // positions of all points
    QPen pen{};                     // of lines
    QAreaSeries* area = nullptr;    // of blocks, owned by the chart; bars share bars_
  };

  Kind kind_of(const figures::Series& series) const;
  bool fits(const figures::Figure& figure) const;
  void rebuild();
  void add_series(const figures::Series& series);
  void add_bars();
  void set_pens();
  void arrange();
  FrameWish wish() const;
  void make_frame();
  Span y_in_sight(const Span& x) const;
  Span used_x() const;
  void fill_series();
  void fill_bars();
  void fill_marks();
  QList<QPointF> drawn_points(const Drawn& drawn) const;
  static bool is_line(Kind kind) { return kind != Kind::blocks && kind != Kind::bars && kind != Kind::boxes; }
  static bool stands_on_zero(Kind kind) { return kind == Kind::blocks || kind == Kind::bars; }
  bool is_faded(const figures::Series& series) const;
  QPointF anchor(size_t series, const QPointF& position) const;
  QString text_of(size_t series, size_t point) const;
  QString value_line(const figures::Series& series, size_t point) const;

  ChartLook look_;
  figures::Figure figure_;
  Frame frame_;
  std::optional<FrameWish> framed_;  // what frame_ was made for; nothing where it must be made again
  int64_t frames_made_ = 0;
  bool live_ = false;
  QStringList highlighted_;
  std::optional<Span> x_zoom_, y_zoom_;
  Span whole_x_;
  std::vector<Drawn> drawn_;
  QAbstractBarSeries* bars_ = nullptr;
  // Areas are placed on axes from 0 to 1 that never change: each change of an axis would cost them a new outline.
  QValueAxis *unit_x_, *unit_y_;
  QValueAxis *bars_x_, *bars_y_;
  FrameItem* below_;
  MarkItem* marks_;
  LineItem* lines_;
  FrameItem* above_;
};

}  // namespace n2nq::ui::charts
