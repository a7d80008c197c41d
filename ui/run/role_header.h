// The head of a role's card: its name in the role's hue, what it is doing, and the button that starts or stops it.
// UI thread.
#pragma once

#include <QElapsedTimer>
#include <QPushButton>
#include <QWidget>

#include "app/figures/figure.h"
#include "app/run/run_session.h"

namespace n2nq::ui::theme {
class Chip;
class Label;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

const char* role_word(Role role);                    // "senders", "queue", "receivers"
const char* role_title(Role role);                   // "Senders"
const char* role_title(Role role, plan::Mode mode);  // "Requesters" in request-reply mode
figures::Hue hue_of(Role role);

class RoleHeader : public QWidget {
  Q_OBJECT

 public:
  explicit RoleHeader(Role role, QWidget* parent = nullptr);

  // Why it cannot be started now; empty: it can.
  void set_blocked(const QString& reason);
  // `services`: how many there are, which is said while they run; 0: nothing to count.
  void show_status(const run::RoleStatus& status, uint32_t services = 0);
  // Requesters and repliers, in that mode; what scripts find the card by stays.
  void show_mode(plan::Mode mode);
  void add_button(QWidget* button);  // beside start and stop

 Q_SIGNALS:
  void start();
  void stop();

 private:
  void on_pressed();
  void show_button();

  Role role_;
  theme::Label* title_;
  theme::Chip* status_;
  QPushButton* button_;
  run::RolePhase phase_ = run::RolePhase::idle;
  QString blocked_;
  QElapsedTimer since_start_;  // of the button: the second press of a double click is not a stop
};

}  // namespace n2nq::ui
