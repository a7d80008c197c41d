// Finds the slowest message of many logs on a thread of its own, says how far it is and can be cancelled, and opens the
// log at that message. UI thread.
#pragma once

#include <QObject>
#include <QPointer>

#include "app/logs/slowest_search.h"
#include "app/threads/job.h"

namespace n2nq::ui::theme {
class MessageBar;
}

namespace n2nq::ui {

class NoticeStack;

class SlowestFinder : public QObject {
  Q_OBJECT

 public:
  SlowestFinder(NoticeStack& notices, QWidget* window);
  ~SlowestFinder() override;

  void find(const logs::SlowestWish& wish);  // a search in progress gives way

 private:
  void show_progress(double share);
  void end();
  void take(const logs::SlowestWish& wish, const logs::SlowestOutcome& outcome);
  void say_none(const logs::SlowestWish& wish, const logs::SlowestOutcome& outcome);

  NoticeStack& notices_;
  QWidget* window_;
  threads::Job job_;
  QPointer<theme::MessageBar> bar_;
  QString progress_text_;
};

}  // namespace n2nq::ui
