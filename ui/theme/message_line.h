// What a person must know now, in one line whatever its length, so that nothing below it moves: what has no room there
// opens beside it. UI thread.
#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

class QScrollArea;
class QToolButton;

namespace n2nq::ui::theme {

class StatusLabel;
class WholeMessage;

class MessageLine : public QWidget {
  Q_OBJECT

 public:
  MessageLine(const QString& accessible_name, QWidget* parent);

  // Links in the text are announced by link().
  void show_text(Status status, const QString& text);
  void show_plain(const QString& text);
  void set_tip(const QString& text);

 Q_SIGNALS:
  void link(const QString& target);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit_height();
  void fit();

  StatusLabel* text_;
  QScrollArea* seen_;
  QToolButton* more_;
  WholeMessage* whole_;
};

}  // namespace n2nq::ui::theme
