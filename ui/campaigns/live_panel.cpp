#include "ui/campaigns/live_panel.h"

#include <QLabel>

#include "ui/charts/chart_tabs.h"
#include "ui/run/layout_fence.h"
#include "ui/run/live_figure.h"
#include "ui/services/role_aggregates.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;

constexpr int kTickMs = 100;
constexpr int kLeastCharts = 220;  // in height

}  // namespace

LivePanel::LivePanel(SessionOf session, QWidget* parent)
    : QWidget(parent),
      session_(std::move(session)),
      totals_(this),
      charts_(new charts::ChartTabs(this)),
      figures_(new LiveCharts(*charts_, session_)) {
  auto* totals = new QWidget(this);
  auto* row = theme::row_in(totals, 2 * kGrid);
  for (const auto& [role, widget] :
       {std::pair{tr("Senders"), totals_.senders()}, std::pair{tr("Receivers"), totals_.receivers()}}) {
    auto* head = new QLabel(role, totals);
    head->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(head, 0, Qt::AlignTop);
    row->addWidget(widget, 1, Qt::AlignTop);  // the shorter one does not spread out
  }
  auto* column = theme::column_in(this, kGrid / 2, {0, kGrid / 2, 0, 0});
  column->addWidget(new LayoutFence(totals, this));
  auto* charts = new LayoutFence(charts_, this);
  charts->setMinimumHeight(kLeastCharts);
  column->addWidget(charts, 1);
  clock_.setInterval(kTickMs);
  connect(&clock_, &QTimer::timeout, this, &LivePanel::look);
  connect(charts_, &charts::ChartTabs::moment_clicked, this, &LivePanel::find_slowest_at);
}

void LivePanel::follow(bool active, const QString& which) {
  if (which != shown_) {
    shown_ = which;
    figures_->start_anew();
  }
  if (active == clock_.isActive()) return;
  charts_->set_live(active);
  if (active) return clock_.start();
  clock_.stop();
  look();
}

void LivePanel::look() {
  const run::RunSession* session = session_();
  if (!isVisible() || window()->isMinimized() || session == nullptr) return;
  totals_.look_at(*session);
  charts_->refresh();
}

void LivePanel::find_slowest_at(const figures::Figure& figure, double second) {
  const run::RunSession* session = session_();
  if (session == nullptr) return;
  if (const auto places = slowest_places_at(*session, clock_.isActive(), figure, second))
    Q_EMIT slowest_wanted(*places);
}

void LivePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  look();
}

}  // namespace n2nq::ui

#include "moc_live_panel.cpp"
