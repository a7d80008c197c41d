// What stands on a page that has nothing to show yet: what it is for, and how to begin. The first choice is the next
// sensible step. UI thread.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QPushButton;

namespace n2nq::ui::theme {

class Label;

class Invitation : public QWidget {
  Q_OBJECT

 public:
  Invitation(const char* icon, const QString& title, const QString& text, QWidget* parent = nullptr);

  QPushButton* add_choice(const QString& text, const char* icon_name = nullptr, const QString& help = {},
                          const QString& name = {});
  void say(const QString& title, const QString& text);

 private:
  Label* title_;
  Label* text_;
  QHBoxLayout* choices_;
};

}  // namespace n2nq::ui::theme
