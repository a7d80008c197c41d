// The figures of a run, live or stored: one at a time, or two side by side where the widget is wide. It pulls:
// refresh() asks for the figures that are in sight and no others. UI thread.
#pragma once

#include <QByteArray>
#include <QStringList>
#include <QWidget>
#include <array>
#include <cstdint>

#include "ui/charts/chart_panel.h"

class QSplitter;
class QToolButton;

namespace n2nq::ui::charts {

class ChartTabs : public QWidget {
  Q_OBJECT

 public:
  static constexpr double kNoEnd = 9e18;  // `to_x` of a source: up to now (fits 64 bits of ns)
  static constexpr int kWideFrom = 1600;  // pixels from which on there are two figures

  explicit ChartTabs(QWidget* parent = nullptr);

  // Figures of another run: starts again, without zoom and pause. The range is of time and only narrower than
  // [0, kNoEnd] for figures over time into which the user has zoomed.
  void set_source(FigureSource source);
  // The window's tick: builds and paints what is seen; nothing while paused, hidden or minimised.
  void refresh();

  // While a run goes on; from its end on its figures are drawn as those of any other run.
  void set_live(bool live);

  bool is_paused() const { return paused_; }
  void set_paused(bool paused);
  void show_figure(const std::string& id) { panels_[0]->show_figure(id); }  // in the first pane
  void highlight(const QStringList& series_or_categories);
  void highlight(const QString& series_or_category) { highlight(QStringList(series_or_category)); }

  // What the user chose: figures, table or chart, the splitter.
  QByteArray save_state() const;
  bool restore_state(const QByteArray& state);

  // For tests and benchmarks: since the start, of all figures.
  int64_t builds() const;
  int64_t paints() const;

 Q_SIGNALS:
  void paused_changed(bool paused);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_pause();

  std::array<ChartPanel*, 2> panels_;
  QSplitter* splitter_;
  QToolButton* pause_;
  bool paused_ = false;
};

}  // namespace n2nq::ui::charts
