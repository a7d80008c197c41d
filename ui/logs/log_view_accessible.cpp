#include <QAccessibleWidget>
#include <algorithm>

#include "ui/logs/log_view.h"

namespace n2nq::ui {
namespace {

class LogViewAccessible : public QAccessibleWidget, public QAccessibleTextInterface {
 public:
  explicit LogViewAccessible(LogView* view) : QAccessibleWidget(view, QAccessible::Document), view_(view) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::TextInterface) return static_cast<QAccessibleTextInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }
  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.readOnly = true;
    state.multiLine = true;
    return state;
  }
  QString text(QAccessible::Text what) const override {
    if (what == QAccessible::Value) return view_->visible_text();
    return QAccessibleWidget::text(what);
  }

  QString text(int from, int to) const override { return view_->visible_text().mid(from, to - from); }
  int characterCount() const override { return static_cast<int>(view_->visible_text().size()); }
  int selectionCount() const override { return 0; }
  void selection(int, int* from, int* to) const override { *from = *to = 0; }
  void addSelection(int, int) override {}
  void removeSelection(int) override {}
  void setSelection(int, int, int) override {}
  void setCursorPosition(int) override {}
  int cursorPosition() const override { return view_->visible_cursor_position(); }
  QRect characterRect(int) const override { return rect(); }
  int offsetAtPoint(const QPoint&) const override { return 0; }
  void scrollToSubstring(int, int) override {}
  QString attributes(int, int* from, int* to) const override {
    *from = 0;
    *to = characterCount();
    return {};
  }

 private:
  LogView* view_;
};

QAccessibleInterface* make(const QString&, QObject* object) {
  if (auto* view = qobject_cast<LogView*>(object)) return new LogViewAccessible(view);
  return nullptr;
}

}  // namespace

void make_log_views_accessible() {
  QAccessible::installFactory(make);
}

}  // namespace n2nq::ui
