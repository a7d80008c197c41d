// What happened, and what to do, said where one looks, until it is dismissed. UI thread.
#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

class QLabel;

namespace n2nq::logs {

class MessageBar : public QWidget {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void say(theme::Status status, const QString& text);
  void put_away();

 private:
  QLabel* icon_;
  QLabel* text_;
};

}  // namespace n2nq::logs
