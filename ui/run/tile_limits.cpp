#include "ui/run/tile_limits.h"

#include <QMenu>
#include <algorithm>

#include "app/figures/limit_text.h"
#include "ui/run/limits_field.h"
#include "ui/theme/theme.h"
#include "ui/theme/tile.h"

namespace n2nq::ui {
namespace {

using theme::TileState;

const std::string kLimitWarning = "limit ";

QString state_text(const run::LimitState& state) {
  const QString limit = theme::qt(figures::limit_value_text(state.limit));
  if (state.beyond)
    return state.limit.at_most ? TileLimits::tr("above %1").arg(limit) : TileLimits::tr("below %1").arg(limit);
  return state.limit.at_most ? TileLimits::tr("was above %1").arg(limit) : TileLimits::tr("was below %1").arg(limit);
}

}  // namespace

TileLimits::TileLimits(RunTiles& tiles, LimitsField& limits, QObject* parent)
    : QObject(parent), tiles_(tiles), limits_(limits) {
  for (const RunFigure figure : kRunFigures)
    connect(&tiles_.tile(figure), &QWidget::customContextMenuRequested, this,
            [this, figure](const QPoint& at) { show_menu(figure, at); });
}

void TileLimits::show_menu(RunFigure figure, const QPoint& at) {
  theme::Tile& tile = tiles_.tile(figure);
  auto* menu = new QMenu(&tile);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Limits…"), this, [this, figure] {
    limits_.open_editor(tiles_.tile(figure), std::string(metric_of(figure, tiles_.replies())));
  });
  menu->popup(tile.mapToGlobal(at));
}

void TileLimits::look_at(const run::RunSession& session) {
  if (session.limits().empty()) return;
  for (const RunFigure figure : kRunFigures) {
    const run::LimitState* worst = nullptr;
    for (const run::LimitState& state : session.limits())
      if (state.limit.metric == metric_of(figure, tiles_.replies()) && state.passed &&
          (worst == nullptr || state.beyond))
        worst = &state;
    if (worst == nullptr) continue;
    const bool bad = worst->beyond && worst->limit.action != plan::LimitAction::warns;
    tiles_.tile(figure).set_state(bad ? TileState::bad : TileState::warning, state_text(*worst));
  }
}

std::vector<live::LiveWarning> TileLimits::warnings_of(const run::RunSession& session) {
  std::vector<live::LiveWarning> warnings;
  for (const run::LimitState& state : session.limits()) {
    if (!state.passed) continue;
    const bool senders = state.limit.metric == "sent-rate";
    warnings.push_back({.id = kLimitWarning + plan::to_text(state.limit),
                        .role = senders ? Role::sender : Role::receiver,
                        .text = "limit exceeded: " + figures::passed_when_text(*state.passed)});
  }
  return warnings;
}

bool TileLimits::is_of_limit(const live::LiveWarning& warning) {
  return warning.id.starts_with(kLimitWarning);
}

}  // namespace n2nq::ui

#include "moc_tile_limits.cpp"
