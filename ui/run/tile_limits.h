// The limits of the plan on the tiles of the run: a figure beyond its limit is red, one that was beyond it or whose
// limit only warns amber, each in words; the menu of a tile opens its limit. UI thread.
#pragma once

#include <QObject>
#include <optional>
#include <span>
#include <vector>

#include "app/live/warnings.h"
#include "app/run/run_session.h"
#include "ui/run/run_tiles.h"

namespace n2nq::ui {

class LimitsField;

class TileLimits : public QObject {
  Q_OBJECT

 public:
  TileLimits(RunTiles& tiles, LimitsField& limits, QObject* parent = nullptr);

  void look_at(const run::RunSession& session);  // with the tiles
  // The limits that were passed, for figures that have no tile as well.
  static std::vector<live::LiveWarning> warnings_of(const run::RunSession& session);
  static bool is_of_limit(const live::LiveWarning& warning);

 private:
  void show_menu(RunFigure figure, const QPoint& at);

  RunTiles& tiles_;
  LimitsField& limits_;
};

}  // namespace n2nq::ui
