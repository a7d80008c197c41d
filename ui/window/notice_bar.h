// A question or an announcement within the window: what it is, and what can be done. Never modal. UI thread.
#pragma once

#include <QFrame>
#include <functional>
#include <vector>

#include "ui/theme/theme.h"

class QHBoxLayout;
class QLabel;

namespace n2nq::window {

class NoticeBar : public QFrame {
  Q_OBJECT

 public:
  struct Choice {
    QString text{};
    QString help{};
    std::function<void()> chosen{};  // empty: only closes the bar
    bool later = false;              // not by the second press of a double click on what was there before
  };

  // Deletes itself when it is closed.
  NoticeBar(theme::Status status, const QString& text, const std::vector<Choice>& choices, QWidget* parent = nullptr);

  void close_bar();
  bool closed() const { return closed_; }
  QString text() const;
  bool asks() const { return asks_; }  // a choice does more than to close it

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void add_button(const Choice& choice);
  void paint_icon();

  theme::Status status_;
  QHBoxLayout* row_;
  QLabel* icon_;
  QLabel* text_;
  bool asks_ = false;
  bool closed_ = false;
};

}  // namespace n2nq::window
