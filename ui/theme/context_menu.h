// The menu of a widget, filled anew each time it comes up. Ctrl+K gathers from it as well: what is done to a row that
// is selected has a name too. UI thread.
#pragma once

#include <QObject>
#include <QString>
#include <functional>

class QAbstractButton;
class QMenu;
class QPoint;
class QWidget;

namespace n2nq::ui::theme {

class ContextMenu : public QObject {
  Q_OBJECT

 public:
  // Fills it with what can be done, and says to what: "receiver 3"; nothing: there is nothing that it is for.
  using Fill = std::function<QString(QMenu&)>;

  ContextMenu(QWidget& widget, Fill fill);

  // `more`: what the menu has besides, and Ctrl+K has from elsewhere.
  void popup(const QPoint& global, const std::function<void(QMenu&)>& more = {});
  QString fill(QMenu& menu) const { return fill_(menu); }
  QWidget& widget() const { return widget_; }

 private:
  QWidget& widget_;
  Fill fill_;
};

// What Ctrl+K says of a button whose name does not tell what it does; empty: it leaves the button out.
void set_command_text(QAbstractButton& button, const QString& text);
QString command_text(const QAbstractButton& button);

}  // namespace n2nq::ui::theme
