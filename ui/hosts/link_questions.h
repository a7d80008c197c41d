// What links ask for: one question at a time, in the middle of the dimmed window, which waits for the answer. Nothing
// that is typed is kept here. UI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "app/run/host_links.h"

class QDialog;
class QWidget;

namespace n2nq::ui {

class LinkQuestions : public QObject {
  Q_OBJECT

 public:
  // The dialogs are the window's.
  LinkQuestions(run::HostLinks& links, QWidget* window);

 private:
  struct Question {
    launch::LinkQuestion question;
    launch::LinkAnswer answer;
  };
  void ask_next();
  void answer_known();
  void answer(std::optional<std::string> text);
  void look();
  void withdraw(const launch::LinkQuestion& question);
  void forget_those(const std::function<bool(const launch::LinkQuestion&)>& which);
  bool still_asked(const launch::LinkQuestion& question) const;
  void watch(const launch::LinkQuestion& question);

  run::HostLinks& links_;
  QWidget* window_;
  std::deque<Question> waiting_;                            // the first is in the dialog
  std::set<std::pair<std::string, std::string>> accepted_;  // keys by host and fingerprint
  QPointer<QDialog> dialog_;
};

}  // namespace n2nq::ui
