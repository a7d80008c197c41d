#include "ui/charts/chart_tabs.h"

#include <QDataStream>
#include <QIODevice>
#include <QKeyEvent>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/figure_view.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

constexpr quint32 kStateVersion = 1;
constexpr int kSecondChoice = 1;  // beside the rate

}  // namespace

ChartTabs::ChartTabs(QWidget* parent)
    : QWidget(parent),
      panels_{new ChartPanel("Figure"), new ChartPanel("Second figure", "second figure")},
      splitter_(new QSplitter(Qt::Horizontal)),
      pause_(new QToolButton) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(theme::kGrid, 0, theme::kGrid, 0);
  column->addWidget(splitter_);
  splitter_->setAccessibleName("Figures");
  splitter_->setChildrenCollapsible(false);
  splitter_->setHandleWidth(theme::kGrid);
  for (ChartPanel* panel : panels_) splitter_->addWidget(panel);
  panels_[1]->choose(kSecondChoice);
  panels_[1]->hide();

  pause_->setCheckable(true);
  pause_->setAutoRaise(true);
  pause_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  pause_->setFocusPolicy(Qt::TabFocus);
  panels_[0]->view().set_trailing(pause_);
  connect(pause_, &QToolButton::toggled, this, &ChartTabs::set_paused);
  show_pause();
}

void ChartTabs::set_source(FigureSource source) {
  set_paused(false);
  for (ChartPanel* panel : panels_) panel->set_source(source);
}

void ChartTabs::refresh() {
  if (paused_) return;
  for (ChartPanel* panel : panels_) {
    if (panel->is_seen()) panel->pull();
  }
}

void ChartTabs::set_live(bool live) {
  for (ChartPanel* panel : panels_) panel->view().set_live(live);
}

void ChartTabs::set_paused(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  // While paused one may still zoom and change tabs, but time stands still.
  std::optional<double> now = panels_[0]->last_time();
  if (!now) now = panels_[1]->last_time();
  for (ChartPanel* panel : panels_) panel->hold_at(paused ? now : std::nullopt);
  show_pause();
  Q_EMIT paused_changed(paused_);
  refresh();
}

// Both texts take the same room, so that nothing moves.
void ChartTabs::show_pause() {
  pause_->setChecked(paused_);
  pause_->setIcon(paused_ ? theme::icon("pause", theme::color(theme::Status::warning)) : theme::icon("pause"));
  pause_->setText(paused_ ? "Paused" : "Pause");
  pause_->setAccessibleName(paused_ ? "Charts are paused" : "Pause charts");
  pause_->setToolTip(paused_ ? "Resume the charts (Space)" : "Freeze the charts; the run continues (Space)");
  const QFontMetrics metrics(pause_->font());
  pause_->setMinimumWidth(metrics.horizontalAdvance("Paused") + 16 + 3 * theme::kGrid);
}

void ChartTabs::highlight(const QStringList& series_or_categories) {
  for (ChartPanel* panel : panels_) panel->view().highlight(series_or_categories);
}

QByteArray ChartTabs::save_state() const {
  QByteArray state;
  QDataStream stream(&state, QIODevice::WriteOnly);
  stream.setVersion(QDataStream::Qt_6_4);
  stream << kStateVersion;
  for (ChartPanel* panel : panels_) stream << qint32(panel->choice()) << panel->view().shows_table();
  stream << splitter_->saveState();
  return state;
}

bool ChartTabs::restore_state(const QByteArray& state) {
  QDataStream stream(state);
  stream.setVersion(QDataStream::Qt_6_4);
  quint32 version = 0;
  stream >> version;
  if (version != kStateVersion) return false;
  std::array<qint32, 2> choices{};
  std::array<bool, 2> tables{};
  for (size_t i = 0; i < panels_.size(); ++i) stream >> choices[i] >> tables[i];
  QByteArray splitter;
  stream >> splitter;
  if (stream.status() != QDataStream::Ok) return false;
  for (size_t i = 0; i < panels_.size(); ++i) {
    panels_[i]->choose(choices[i]);
    panels_[i]->view().set_shows_table(tables[i]);
  }
  return splitter_->restoreState(splitter);
}

int64_t ChartTabs::builds() const {
  return panels_[0]->builds() + panels_[1]->builds();
}

int64_t ChartTabs::paints() const {
  return panels_[0]->view().paints() + panels_[1]->view().paints();
}

void ChartTabs::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) {
    set_paused(!paused_);
    return;
  }
  QWidget::keyPressEvent(event);
}

void ChartTabs::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) show_pause();
}

void ChartTabs::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  panels_[1]->setVisible(width() >= kWideFrom);
}

}  // namespace n2nq::ui::charts

#include "moc_chart_tabs.cpp"
