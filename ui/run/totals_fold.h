// Where a card is low, what all services of its role add up to gives way to the list of them, behind a button in the
// list's line; a click brings it back, or folds it away where there is room. UI thread.
#pragma once

#include <QObject>
#include <QSettings>
#include <optional>

#include "app/plan/role.h"

class QPushButton;

namespace n2nq::ui {

class RoleAggregates;
class ServiceTable;

class TotalsFold : public QObject {
  Q_OBJECT

 public:
  struct Parts {
    RoleAggregates& totals;
    ServiceTable& table;
  };
  // `room`: the widget that holds both, one above the other.
  TotalsFold(Role role, const Parts& parts, QWidget& room, QSettings& settings);

  void set_shown(bool shown);  // with the table: before the first run there is neither

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void toggle();
  void fit();
  void say(bool open);

  Role role_;
  Parts parts_;
  QWidget& room_;
  QSettings& settings_;
  QPushButton* button_;
  std::optional<bool> wanted_;  // by a click; nothing: as there is room
  bool shown_ = true;
};

}  // namespace n2nq::ui
