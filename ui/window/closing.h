// Closes the window while a run or a campaign is in progress: asks first, stops it, and closes once all is saved. A
// quit from outside is not asked about. UI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <vector>

#include "ui/theme/message_bar.h"

namespace n2nq::ui {

class BenchState;
class NoticeStack;

class Closing : public QObject {
  Q_OBJECT

 public:
  Closing(BenchState& state, NoticeStack& notices, QWidget* window);

  // False: not yet, and the user is being asked, or told what it waits for.
  bool may_close();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void ask();
  void stop_and_close();
  void close_when_saved();
  void stop_current();  // run or campaign
  bool current_is_stopping();
  bool saving();
  void on_finished();
  void close_bar();
  void say(theme::Status status, const QString& text, const std::vector<theme::MessageBar::Choice>& choices);
  theme::MessageBar::Choice stay_open(const QString& help);

  BenchState& state_;
  NoticeStack& notices_;
  QWidget* window_;
  QPointer<theme::MessageBar> bar_;
  bool soon_ = false;  // as soon as all is saved
};

}  // namespace n2nq::ui
