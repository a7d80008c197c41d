// One thing that happened, and the one thing that can be done about it ("Undo"), over the lower edge of the page that
// is its parent, until it is dismissed (with its button, or Escape from within) or another takes its place. UI thread.
#pragma once

#include <QFrame>
#include <functional>

#include "ui/theme/theme.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace n2nq::theme {

class LowerEdge;

class PageMessage : public QFrame {
  Q_OBJECT

 public:
  explicit PageMessage(QWidget* page);

  void say(Status status, const QString& text);
  void offer(Status status, const QString& text, const QString& action, std::function<void()> chosen);
  void keep_above(QWidget* other);  // that lies over the page as well

 protected:
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void take_theme();
  int wanted_width() const;

  LowerEdge* edge_;
  QLabel* icon_;
  QLabel* text_;
  QPushButton* action_;
  QToolButton* close_;
  Status status_ = Status::info;
  std::function<void()> chosen_;
};

}  // namespace n2nq::theme
