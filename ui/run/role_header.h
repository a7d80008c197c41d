// The head of a role's column: its name in the role's hue, what it is doing, and the button that starts or stops it.
// UI thread.
#pragma once

#include <QElapsedTimer>
#include <QPushButton>
#include <QWidget>

#include "app/run/run_session.h"

class QLabel;

namespace n2nq::ui {

const char* role_word(Role role);   // "senders", "queue", "receivers"
const char* role_title(Role role);  // "Senders"

class RoleHeader : public QWidget {
  Q_OBJECT

 public:
  explicit RoleHeader(Role role, QWidget* parent = nullptr);

  // Why it cannot be started now; empty: it can.
  void set_blocked(const QString& reason);
  void show_status(const run::RoleStatus& status);
  void add_button(QWidget* button);  // beside start and stop

 Q_SIGNALS:
  void start();
  void stop();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void on_pressed();
  void show_button();
  void paint_colors();

  Role role_;
  QLabel* icon_;
  QLabel* title_;
  QLabel* status_;
  QPushButton* button_;
  run::RolePhase phase_ = run::RolePhase::idle;
  QString blocked_;
  QElapsedTimer since_start_;  // of the button: the second press of a double click is not a stop
};

}  // namespace n2nq::ui
