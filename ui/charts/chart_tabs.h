// The figures of a run, live or stored: one to four side by side or in two rows, as many as the user wants or as the
// widget has room for. It pulls: refresh() asks for the figures that are in sight and no others. Those over time share
// the crosshair and the part of the time that is looked at. UI thread.
#pragma once

#include <QByteArray>
#include <QStringList>
#include <QWidget>
#include <array>
#include <cstdint>
#include <memory>

#include "ui/charts/chart_panel.h"

class QMenu;
class QSplitter;
class QToolButton;

namespace n2nq::ui::charts {

class ChartTabs : public QWidget {
  Q_OBJECT

 public:
  static constexpr double kNoEnd = 9e18;  // `to_x` of a source: up to now (fits 64 bits of ns)
  static constexpr int kWideFrom = 1200;  // pixels from which on there are two figures, where nobody chose a number
  static constexpr int kMostPanels = 4;

  explicit ChartTabs(QWidget* parent = nullptr);

  // Figures of another run: starts again, without zoom and pause. The range is of time and only narrower than
  // [0, kNoEnd] for figures over time into which the user has zoomed.
  void set_source(FigureSource source);
  void set_moments(MomentSource source);
  // The window's tick: builds and paints what is seen; nothing while paused, hidden or minimised.
  void refresh();

  // While a run goes on; from its end on its figures are drawn as those of any other run.
  void set_live(bool live);

  // Of requests and replies: tabs speak of turnaround.
  void set_replies(bool replies);

  bool is_paused() const { return paused_; }
  void set_paused(bool paused);
  void show_figure(const std::string& id) { panels_[0]->show_figure(id); }  // in the first pane
  void highlight(const QStringList& series_or_categories);
  void highlight(const QString& series_or_category) { highlight(QStringList(series_or_category)); }

  // 0: as many as find room.
  int wanted_panels() const { return wanted_; }
  void set_wanted_panels(int count);
  int seen_panels() const { return seen_; }

  // What the charts can have behind them: the user chooses in their menus. One of the same name is replaced.
  void offer_baseline(Baseline baseline);
  void choose_baseline(const std::string& name);  // of what was offered; empty: none
  const std::string& baseline() const { return baseline_; }

  // What the user chose: figures, table or chart, how many panels and their sizes, the look of pictures.
  QByteArray save_state() const;
  bool restore_state(const QByteArray& state);

  // For tests and benchmarks: since the start, of all figures.
  int64_t builds() const;
  int64_t paints() const;

 Q_SIGNALS:
  void paused_changed(bool paused);
  void moment_clicked(const n2nq::figures::Figure& figure, double seconds);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void connectNotify(const QMetaMethod& signal) override;

 private:
  void add_rows();
  void add_pause();
  void add_count();
  void add_panel();
  void arrange();
  void tell_newcomers();
  void show_pause();
  void fill_count();
  void fill_baselines(QMenu& menu);
  void share_time(const ChartPanel& from);
  void show_baseline();

  std::vector<ChartPanel*> panels_;  // made when they are first seen
  std::vector<QWidget*> cards_;      // that each is on
  std::array<QSplitter*, 2> rows_{};
  QSplitter* splitter_;
  QToolButton* pause_;
  QToolButton* count_;
  FigureSource source_;
  MomentSource moments_;
  std::vector<std::shared_ptr<const Baseline>> offered_;
  std::string baseline_;
  QStringList highlighted_;
  int wanted_ = 0;
  int seen_ = 0;
  bool live_ = false;
  bool is_second_tick_ = false;
  bool replies_ = false;
  bool paused_ = false;
};

}  // namespace n2nq::ui::charts
