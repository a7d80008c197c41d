// What all services of a role add up to, above their table: delay and rate of the senders; mean, trimmed mean,
// percentiles, rate and losses of the receivers. Shows what it is given, all latencies in one unit. UI thread.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "app/live/live_figures.h"
#include "ui/services/service_columns.h"
#include "ui/services/steady_scale.h"

class QGridLayout;
class QLabel;

namespace n2nq::ui {

class FigureLabel;

namespace theme {
class ContextMenu;
}

class RoleAggregates : public QWidget {
  Q_OBJECT

 public:
  explicit RoleAggregates(Role role, QWidget* parent = nullptr);

  // The totals of the role; of the receivers also the latency since BEGIN. The bound is how far a latency may be off
  // where sender and receiver have different clocks; nothing: they have one.
  void show_figures(const live::ServiceFigures& totals, const measure::LatencySummary& latency = {},
                    std::optional<uint64_t> clock_bound_ns = {});
  // Before the first telemetry, the bound of clocks that differ is not known yet.
  void set_clocks_differ(bool differ) { clocks_differ_ = differ; }
  void clear();
  // Which of its figures the run has.
  void set_told(const ToldFigures& told);
  void set_intended(bool intended);  // the latencies that it is given are from that send
  void set_over(Over over);  // what the rate it is given is taken over; means are of all messages so far in either case

  QString as_tsv() const;

 protected:
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  struct Given {
    const live::ServiceFigures& totals;
    const measure::LatencySummary& latency;
  };
  enum class Kind { latency, delay, rate, count, bytes, trouble };
  struct Spec {
    const char* caption;  // in its accessible name
    const char* help;
    Kind kind;
    std::optional<double> (*value)(const Given&);
    const char* shown = nullptr;        // where the caption alone does not say what it is taken over
    const char* whole_shown = nullptr;  // of what is another figure after the run
    const char* whole_help = nullptr;
    Needs needs = Needs::nothing;
  };
  struct Shown {
    const Spec* spec;
    FigureLabel* label;
    QLabel* caption;
    SteadyScale scale;
    double largest = 0;
    std::optional<double> value{};
  };
  static std::vector<Spec> specs_of(Role role);
  void add(const Spec& spec, QGridLayout& grid);
  const char* help_of(const Spec& spec) const;
  const char* caption_of(const Spec& spec) const;
  void show_values();
  void look_at_latencies();
  const text::Scale& scale_of(const Shown& shown) const;
  void show_one(Shown& shown);
  void say_clock(Shown& shown) const;
  QString clock_tip() const;
  std::string text_of(const Shown& shown) const;
  std::string widest_of(const Shown& shown) const;
  void copy() const;

  Role role_;
  ToldFigures told_;
  theme::ContextMenu* menu_;
  std::vector<Spec> specs_;
  std::vector<Shown> shown_;
  SteadyScale latency_scale_{SteadyScale::Of::duration};  // of all latencies, which are there to be compared
  Over over_ = Over::last_look;
  bool intended_ = false;
  std::optional<uint64_t> clock_bound_ns_;
  bool clocks_differ_ = false;
  bool put_off_ = false;  // values are not shown yet: it is hidden
  bool coarse_ = false;   // the bound is more than the median
};

}  // namespace n2nq::ui
