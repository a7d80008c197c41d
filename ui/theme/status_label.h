// One line for people with the icon of its severity: never colour alone. Wraps where it is narrow. UI thread.
#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

class QLabel;

namespace n2nq::ui::theme {

class StatusLabel : public QWidget {
  Q_OBJECT

 public:
  explicit StatusLabel(QWidget* parent = nullptr, TextSize size = TextSize::body);

  // Links in the text are announced by link().
  void show_text(Status status, const QString& text);
  void show_plain(const QString& text);  // without an icon, muted
  QString text() const;
  void set_name(const QString& accessible_name);
  void set_links_in_reach(bool on);  // of the keyboard; they are, otherwise
  // What its first clauses take of a line of this width: as many as have room, else parts of one; else all of it.
  int width_of_clauses(int width) const;

 Q_SIGNALS:
  void link(const QString& target);

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void paint_colors();
  void paint_icon();
  void show_reach();

  QLabel* icon_;
  QLabel* text_;
  bool plain_ = true;
  bool reach_ = true;
  Status status_ = Status::info;
};

}  // namespace n2nq::ui::theme
