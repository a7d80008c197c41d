// A figure as a Qt chart: the one renderer, for screen, picture and file. Series and frame are kept from one figure to
// the next of the same kind, and only what changed is painted, which is what makes ten updates a second cheap. Areas
// and bars are Qt Charts' own; its lines would be painted whole each time. UI thread.
#pragma once

#include <QChart>
#include <QStringList>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "ui/charts/auto_scale.h"
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
class ValueItem;
struct Line;
struct Mark;
struct ValueText;

class FigureChart : public QChart {
 public:
  // What the pointer is near to: all that there is at that x.
  struct Row {
    QString name{};
    QString value{};
    QColor color{};
    QPointF pixel{};
    bool operator==(const Row&) const = default;
  };
  struct Hit {
    double x = 0;             // position
    QPointF pixel{};          // of the point that is nearest
    QString heading{};        // "5.60 s", "receiver 7, 120 messages"
    std::vector<Row> rows{};  // the highest first
    QString hint{};           // what can be done with it
    bool operator==(const Hit&) const = default;
    QString text() const;  // the heading, and a line for each: "p99 352.0 µs"
  };

  static constexpr qsizetype kMostBarCategories = 60;  // more of them are one line of steps

  explicit FigureChart(ChartLook look);

  void draw(const figures::Figure& figure);
  void set_look(ChartLook look);
  void set_highlighted(const QStringList& names);
  // Time goes on: the axis of time then ends at a round value and moves only now and then.
  void set_live(bool live);
  bool is_live() const { return live_; }
  void set_part(Part part);  // one of several that share the axis of time
  // By its name in the figure; holds for all figures of this id. Series that are drawn on demand begin hidden.
  void set_hidden(const QString& series, bool hidden);
  bool is_hidden(size_t series) const { return hidden_[series]; }
  void set_scale(ScaleChoice choice);
  ScaleChoice scale() const { return scale_; }
  // How it is drawn now, whoever chose it.
  bool is_logarithmic() const;

  const figures::Figure& figure() const { return figure_; }
  const ChartLook& look() const { return look_; }
  const Frame& frame() const { return frame_; }
  const std::vector<Line>& lines() const;
  const std::vector<Mark>& marks() const;               // what is not a line: intervals
  const std::vector<ValueText>& values() const;         // over bars
  int64_t frames_made() const { return frames_made_; }  // since the start

  // Positions; nothing: all of it. Zoomed along x only, y follows what is in sight.
  void zoom(std::optional<Span> x, std::optional<Span> y);
  const std::optional<Span>& x_zoom() const { return x_zoom_; }
  const std::optional<Span>& y_zoom() const { return y_zoom_; }
  // For the figure, and of what was drawn of it before only a part was asked for.
  const Span& whole_x() const { return whole_x_; }

  std::optional<Hit> nearest(const QPointF& pixel) const;
  // What there is at that position of x; nothing where it is not in sight.
  std::optional<Hit> at(double x) const;
  // The same of each series' point that stands for that moment: at most half way to its neighbour. May have no rows.
  Hit around(double x) const;
  // The highest point in sight; nothing: there is none. One that leads to a message is of what is drawn by itself.
  std::optional<Hit> highest(bool to_message) const;
  // The point beside it, to the right or left.
  std::optional<Hit> beside(const std::optional<Hit>& hit, int direction) const;
  // The entry of the legend there: a series.
  std::optional<size_t> legend_entry_at(const QPointF& pixel) const;

 protected:
  void resizeEvent(QGraphicsSceneResizeEvent* event) override;

 private:
  enum class Kind { line, steps, category_steps, blocks, bars, boxes, band, dots };
  struct Drawn {
    Kind kind = Kind::line;
    std::vector<QPointF> points{};  // positions of all points
    QPen pen{};                     // of lines
    QAreaSeries* area = nullptr;    // of blocks, owned by the chart; bars share bars_
  };

  Kind kind_of(const figures::Series& series) const;
  void find_hidden();
  void choose_scale();
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
  void fill_values();
  bool has_dots(size_t series) const;
  QList<QPointF> drawn_points(const Drawn& drawn) const;
  QList<double> gaps_in_pixels(const figures::Series& series) const;
  QList<QPointF> base_of(size_t band) const;
  QList<QPointF> in_pixels(QList<QPointF> positions) const;
  static bool is_line(Kind kind) { return kind != Kind::blocks && kind != Kind::bars && kind != Kind::boxes; }
  static bool stands_on_zero(Kind kind) { return kind == Kind::blocks || kind == Kind::bars; }
  bool is_faded(const figures::Series& series) const;
  QPointF anchor(size_t series, const QPointF& position) const;
  // At that position of x, within so many pixels of it.
  std::optional<Hit> hit_at(double x, double within, bool own = false) const;
  QString value_line(const figures::Series& series, size_t point) const;

  ChartLook look_;
  figures::Figure figure_;
  Frame frame_;
  std::optional<FrameWish> framed_;  // what frame_ was made for; nothing where it must be made again
  int64_t frames_made_ = 0;
  bool live_ = false;
  Part part_ = Part::whole;
  QStringList highlighted_;
  std::set<std::pair<std::string, std::string>> toggled_;  // id and series: hidden, or shown where it begins hidden
  std::vector<bool> hidden_;                               // by series
  ScaleChoice scale_ = ScaleChoice::automatic;
  bool given_x_log_ = false, given_y_log_ = false;  // by the figure
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
  FrameItem* landmarks_;
  ValueItem* values_;
  FrameItem* above_;
};

}  // namespace n2nq::ui::charts
