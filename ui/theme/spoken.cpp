#include "ui/theme/spoken.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTextDocumentFragment>
#include <QToolButton>

#include "ui/theme/chip.h"

namespace n2nq::ui::theme {
namespace {

QString shown_by(const QLabel& label) {
  const bool rich =
      label.textFormat() == Qt::RichText || (label.textFormat() == Qt::AutoText && Qt::mightBeRichText(label.text()));
  return (rich ? QTextDocumentFragment::fromHtml(label.text()).toPlainText() : label.text()).trimmed();
}

class SpokenLabel : public QAccessibleWidget {
 public:
  explicit SpokenLabel(QLabel* label) : QAccessibleWidget(label, QAccessible::StaticText), label_(label) {}

  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.readOnly = true;
    return state;
  }

  QString text(QAccessible::Text what) const override {
    if (what == QAccessible::Value || what == QAccessible::Description) return shown_by(*label_);
    if (what == QAccessible::Name && label_->accessibleName().isEmpty()) return shown_by(*label_);
    return QAccessibleWidget::text(what);
  }

 private:
  QLabel* label_;
};

// One that is only read: a text, not a button; its own name does not hide its words.
class SpokenChip : public QAccessibleWidget {
 public:
  explicit SpokenChip(Chip* chip) : QAccessibleWidget(chip, QAccessible::StaticText), chip_(chip) {}

  QString text(QAccessible::Text what) const override {
    if (what == QAccessible::Value) return chip_->text();
    if (what == QAccessible::Description && chip_->accessibleDescription().isEmpty()) return chip_->text();
    if (what == QAccessible::Name && chip_->accessibleName().isEmpty()) return chip_->text();
    return QAccessibleWidget::text(what);
  }

 private:
  Chip* chip_;
};

// Qt gives what is chosen for its name.
class SpokenList : public QAccessibleWidget {
 public:
  explicit SpokenList(QComboBox* list) : QAccessibleWidget(list, QAccessible::ComboBox), list_(list) {}

  int childCount() const override { return list_->isEditable() ? 2 : 1; }
  QAccessibleInterface* child(int index) const override {
    if (index == 0) return QAccessible::queryAccessibleInterface(list_->view());
    return index == 1 && list_->isEditable() ? QAccessible::queryAccessibleInterface(list_->lineEdit()) : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    if (child->object() == list_->view()) return 0;
    return list_->isEditable() && child->object() == list_->lineEdit() ? 1 : -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    return list_->isEditable() && list_->lineEdit()->rect().contains(list_->lineEdit()->mapFromGlobal(QPoint(x, y)))
               ? child(1)
               : nullptr;
  }

  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.expandable = true;
    state.expanded = list_->view()->isVisible();
    state.editable = list_->isEditable();
    return state;
  }

  QString text(QAccessible::Text what) const override {
    return what == QAccessible::Value ? list_->currentText() : QAccessibleWidget::text(what);
  }

  QStringList actionNames() const override { return {showMenuAction(), pressAction()}; }
  void doAction(const QString& action) override {
    if (action != showMenuAction() && action != pressAction()) return;
    if (list_->view()->isVisible())
      list_->hidePopup();
    else
      list_->showPopup();
  }

 private:
  QComboBox* list_;
};

// Those without a name say their text as it is, and what they are the label of.
QAccessibleInterface* make_spoken(const QString&, QObject* object) {
  if (auto* chip = qobject_cast<Chip*>(object); chip != nullptr && chip->focusPolicy() == Qt::NoFocus)
    return new SpokenChip(chip);
  if (auto* list = qobject_cast<QComboBox*>(object)) return new SpokenList(list);
  auto* label = qobject_cast<QLabel*>(object);
  if (label == nullptr || label->accessibleName().isEmpty()) return nullptr;
  return new SpokenLabel(label);
}

}  // namespace

void make_labels_speak() {
  QAccessible::installFactory(&make_spoken);
}

void add_clear_button(QLineEdit& line, const QString& name) {
  const auto before = line.findChildren<QToolButton*>();
  line.setClearButtonEnabled(true);
  for (QToolButton* button : line.findChildren<QToolButton*>())
    if (!before.contains(button)) button->setAccessibleName(name);
}

}  // namespace n2nq::ui::theme
