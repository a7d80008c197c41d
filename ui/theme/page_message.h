// One thing that happened, and the one thing that can be done about it ("Undo"), within the page, until it is put away
// or another takes its place. UI thread.
#pragma once

#include <QFrame>
#include <functional>

#include "ui/theme/theme.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace n2nq::theme {

class PageMessage : public QFrame {
  Q_OBJECT

 public:
  explicit PageMessage(QWidget* parent = nullptr);

  void say(Status status, const QString& text);
  void offer(Status status, const QString& text, const QString& action, std::function<void()> chosen);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void take_theme();

  QLabel* icon_;
  QLabel* text_;
  QPushButton* action_;
  QToolButton* close_;
  Status status_ = Status::info;
  std::function<void()> chosen_;
};

}  // namespace n2nq::theme
