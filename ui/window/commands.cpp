#include "ui/window/commands.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QGraphicsView>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QTabBar>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <algorithm>
#include <memory>

#include "ui/theme/command_hints.h"
#include "ui/theme/context_menu.h"
#include "ui/theme/lower_edge.h"
#include "ui/theme/message_bar.h"
#include "ui/window/folded.h"
#include "ui/window/page_bar.h"

namespace n2nq::ui {
namespace {

constexpr const char* kSteps = " \u203a ";  // from a page to a menu in it

QString words_of(QString text) {
  return text.replace("&&", "&").trimmed();
}

QString plain_of(const QString& tip) {
  return Qt::mightBeRichText(tip) ? QTextDocumentFragment::fromHtml(tip).toPlainText() : tip;
}

QMenu* menu_of(const QAbstractButton& button) {
  if (const auto* push = qobject_cast<const QPushButton*>(&button)) return push->menu();
  if (const auto* tool = qobject_cast<const QToolButton*>(&button)) return tool->menu();
  return nullptr;
}

// Tooltips name the keys of what has no shortcut of its own.
QString keys_in(const QString& tip) {
  static const QRegularExpression keys(R"(\(((?:(?:Ctrl|Shift|Alt)\+)*(?:F\d{1,2}|[A-Z0-9]|Space|Home|Delete))\))");
  return keys.match(tip).captured(1);
}

QString keys_of(const QAbstractButton& button) {
  const QString own = button.shortcut().toString(QKeySequence::NativeText);
  return own.isEmpty() ? keys_in(plain_of(button.toolTip())) : own;
}

// "Compare: select two results first." is said of what is named already.
QString why_not_of(const QString& tip, const QString& text) {
  const QString why = tip.startsWith(text + ": ") ? tip.mid(text.size() + 2) : tip;
  if (why.isEmpty() || why == text) return QObject::tr("This cannot be done now.");
  return why.front().toUpper() + why.mid(1);
}

class Gathering {
 public:
  Gathering(QWidget& window, PageBar& pages) : window_(window), pages_(pages) {}

  std::vector<Command> gather() {
    add_messages();
    add_actions(window_, {}, std::nullopt);
    for (const Page page : pages_.all()) {
      add_actions(*pages_.widget(page), pages_.name(page), page);
      add_buttons(*pages_.widget(page), pages_.name(page), page);
      add_context_menus(*pages_.widget(page), page);
      add_tabs(*pages_.widget(page), page);
      add_fields(*pages_.widget(page), page);
    }
    add_buttons(window_, {}, std::nullopt);
    return std::move(commands_);
  }

 private:
  // What messages offer now, and that they can be dismissed.
  void add_messages() {
    for (const auto* bar : window_.findChildren<theme::MessageBar*>()) {
      add_message(bar->findChildren<QPushButton*>());
      add_message(bar->findChildren<QToolButton*>());
    }
  }

  template <class Button>
  void add_message(const QList<Button*>& buttons) {
    for (Button* button : buttons)
      if (button->isVisible()) add(button, QObject::tr("Message"), std::nullopt);
  }

  void add_actions(QWidget& of, const QString& where, std::optional<Page> page) {
    for (QAction* action : of.actions())
      if (!in_menus().contains(action)) add(action, where, page);
  }

  // An action of the window may be in a menu too, which says where.
  const QSet<QAction*>& in_menus() {
    if (!menus_read_)
      for (const auto* menu : window_.findChildren<QMenu*>())
        for (QAction* action : menu->actions()) in_menus_ += action;
    menus_read_ = true;
    return in_menus_;
  }

  void add(QAction* action, const QString& where, std::optional<Page> page) {
    if (action->isSeparator() || action->text().isEmpty() || !action->isVisible() || seen_.contains(action)) return;
    seen_ += action;
    const QString text = words_of(action->text().section(u'\t', 0, 0));
    const QString keys = action->text().section(u'\t', 1);
    if (action->menu() != nullptr) return add_menu(*action->menu(), joined(where, text), page);
    commands_.push_back(
        {.id = joined(where, text),
         .text = text,
         .where = action->isCheckable() && action->isChecked() ? QObject::tr("%1 (selected)").arg(where) : where,
         .keys = keys.isEmpty() ? action->shortcut().toString(QKeySequence::NativeText) : keys,
         .help = plain_of(action->toolTip()),
         .minor = action->property(theme::kReplacesDraft).toBool(),
         .why_not = action->isEnabled() ? QString() : why_not_of(plain_of(action->toolTip()), text),
         .icon = action->icon(),
         .run = [this_page = page, &pages = pages_, target = QPointer(action), keep = menu_] {
           if (this_page) pages.go_to(*this_page);
           if (target != nullptr) target->trigger();
         }});
  }

  // What fills a menu does so as it opens.
  void add_menu(QMenu& menu, const QString& where, std::optional<Page> page) {
    Q_EMIT menu.aboutToShow();
    for (QAction* action : menu.actions()) add(action, where, page);
  }

  void add_buttons(QWidget& in, const QString& where, std::optional<Page> page) {
    in_sight_ = texts_in_sight(in);
    for (auto* button : in.findChildren<QAbstractButton*>())
      if (!seen_.contains(button) && is_offered(*button, in, page)) add(button, where, page);
  }

  // What its row or it can do now: the menu is filled for that, and stays as long as the command does.
  void add_context_menus(QWidget& in, Page page) {
    for (const auto* context : in.findChildren<theme::ContextMenu*>()) {
      if (!context->widget().isVisibleTo(&in)) continue;
      menu_ = std::make_shared<QMenu>();
      const QString of = context->fill(*menu_);
      if (!of.isEmpty())
        for (QAction* action : menu_->actions()) add(action, joined(pages_.name(page), of), page);
      menu_ = nullptr;
    }
  }

  bool is_offered(const QAbstractButton& button, const QWidget& in, std::optional<Page> page) const {
    if (theme::command_text(button).isEmpty() || button.focusPolicy() == Qt::NoFocus || button.window() != &window_)
      return false;
    // What two views of the same offer is done in the one that is looked at.
    const bool has_twin = !button.isVisibleTo(&in) && in_sight_.contains(theme::command_text(button));
    return !has_twin && can_be_shown(button, in) && is_of(button, in, page);
  }

  static QSet<QString> texts_in_sight(const QWidget& in) {
    QSet<QString> texts;
    for (const auto* button : in.findChildren<QAbstractButton*>())
      if (button->isVisibleTo(&in)) texts += theme::command_text(*button);
    return texts;
  }

  bool is_of(const QWidget& widget, const QWidget& in, std::optional<Page> page) const {
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    const bool has_menu = button != nullptr && menu_of(*button) != nullptr;
    for (const QWidget* up = &widget; up != &in; up = up->parentWidget()) {
      if (up->property(theme::kLiesOver).toBool()) return false;
      // The pages have been gathered, and the rail's own buttons are actions.
      if (!page && (up == &pages_.pages() || (up == &pages_ && !has_menu))) return false;
    }
    return true;
  }

  void add(QAbstractButton* button, const QString& where, std::optional<Page> page) {
    seen_ += button;
    const QString name = theme::command_text(*button);
    if (QMenu* menu = menu_of(*button); menu != nullptr && button->isEnabled())
      return add_menu(*menu, joined(where, name), page);
    const QString state = !button->isCheckable() ? QString()
                          : button->isChecked()  ? QObject::tr("on")
                                                 : QObject::tr("off");
    const QString tip = plain_of(button->toolTip());
    commands_.push_back(
        {.id = joined(where, name),
         .text = button->text().endsWith(u'\u2026') && !name.endsWith(u'\u2026') ? name + u'\u2026' : name,
         .where = state.isEmpty() ? where : joined(where, state),
         .keys = keys_of(*button),
         .help = (tip + u' ' + button->property(theme::kAlsoCalled).toString()).trimmed(),
         .why_not = button->isEnabled() ? QString() : why_not_of(tip, name),
         .icon = button->icon(),
         .run = [this_page = page, &pages = pages_, target = QPointer(button)] {
           if (this_page) pages.go_to(*this_page);
           if (target == nullptr) return;
           if (this_page) bring_in_sight(*target, *pages.widget(*this_page));
           target->setFocus(Qt::ShortcutFocusReason);
           if (!has_unfolded(*target)) target->click();
         }});
  }

  void add_tabs(QWidget& in, Page page) {
    for (auto* tabs : in.findChildren<QTabBar*>()) {
      if (tabs->accessibleName().isEmpty() || tabs->window() != &window_ || !can_be_shown(*tabs, in) ||
          !is_of(*tabs, in, page))
        continue;
      for (int i = 0; i < tabs->count(); i++)
        if (tabs->isTabVisible(i)) add_tab(tabs, i, page);
    }
  }

  void add_tab(QTabBar* tabs, int index, Page page) {
    const QString text = words_of(tabs->tabText(index));
    const QString where = joined(pages_.name(page), QString(tabs->accessibleName()).remove(QStringLiteral(" tabs")));
    commands_.push_back({.id = joined(where, text),
                         .text = text,
                         .where = where,
                         .why_not = tabs->isTabEnabled(index) ? QString() : plain_of(tabs->tabToolTip(index)),
                         .run = [page, index, &pages = pages_, target = QPointer(tabs)] {
                           pages.go_to(page);
                           if (target == nullptr) return;
                           bring_in_sight(*target, *pages.widget(page));
                           target->setCurrentIndex(index);
                           target->setFocus(Qt::ShortcutFocusReason);
                         }});
  }

  void add_fields(QWidget& in, Page page) {
    for (auto* field : in.findChildren<QWidget*>())
      if (is_field(*field) && can_be_shown(*field, in) && is_of(*field, in, page)) add_field(field, page);
  }

  static bool is_chart(const QWidget& widget) { return qobject_cast<const QGraphicsView*>(&widget) != nullptr; }

  bool is_field(const QWidget& field) const {
    if (field.accessibleName().isEmpty() || field.focusPolicy() == Qt::NoFocus || field.window() != &window_)
      return false;
    const QWidget* whole = field.parentWidget();  // of a text in a list or spin box
    if (qobject_cast<const QComboBox*>(whole) != nullptr || qobject_cast<const QAbstractSpinBox*>(whole) != nullptr)
      return false;
    return qobject_cast<const QLineEdit*>(&field) != nullptr || qobject_cast<const QComboBox*>(&field) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&field) != nullptr || is_chart(field);
  }

  void add_field(QWidget* field, Page page) {
    const QString where = joined(pages_.name(page), is_chart(*field) ? QObject::tr("chart") : QObject::tr("field"));
    const QString name = field->accessibleName();
    commands_.push_back({.id = joined(where, name),
                         .text = is_chart(*field) ? QObject::tr("Chart: %1").arg(name) : name,
                         .where = where,
                         .help = field->property(theme::kAlsoCalled).toString(),
                         .why_not = why_not_in(*field),
                         .run = [page, &pages = pages_, target = QPointer(field)] {
                           if (reach(pages, page, target)) select_all(*target);
                         }});
    auto* list = qobject_cast<QComboBox*>(field);
    if (list != nullptr && list->property(theme::kItemsByName).toBool())
      for (int i = 0; i < list->count(); i++) add_item(list, i, page, where);
  }

  // In sight on its page, with the keyboard. False: it is gone.
  template <class Field>
  static bool reach(PageBar& pages, Page page, const QPointer<Field>& field) {
    pages.go_to(page);
    if (field == nullptr) return false;
    bring_in_sight(*field, *pages.widget(page));
    field->setFocus(Qt::ShortcutFocusReason);
    return true;
  }

  static QString why_not_in(const QWidget& field) {
    return field.isEnabled() ? QString() : plain_of(field.toolTip()).section(u'\n', 0, 0);
  }

  void add_item(QComboBox* list, int index, Page page, const QString& where) {
    const QString text = QObject::tr("%1: %2").arg(list->accessibleName(), list->itemText(index));
    commands_.push_back({.id = joined(where, text),
                         .text = text,
                         .where = list->currentIndex() == index ? QObject::tr("%1 (selected)").arg(where) : where,
                         .help = list->itemData(index, Qt::ToolTipRole).toString(),
                         .why_not = why_not_in(*list),
                         .run = [page, index, &pages = pages_, target = QPointer(list)] {
                           if (!reach(pages, page, target)) return;
                           target->setCurrentIndex(index);
                           Q_EMIT target->activated(index);
                         }});
  }

  // What is typed next replaces it, also in a field that had the focus before.
  static void select_all(QWidget& field) {
    if (auto* spin = qobject_cast<QAbstractSpinBox*>(&field)) return spin->selectAll();
    const auto* list = qobject_cast<QComboBox*>(&field);
    auto* line = list != nullptr ? list->lineEdit() : qobject_cast<QLineEdit*>(&field);
    if (line != nullptr) line->selectAll();
  }

  static QString joined(const QString& where, const QString& text) {
    return where.isEmpty() ? text : where + QString::fromUtf8(kSteps) + text;
  }

  QWidget& window_;
  PageBar& pages_;
  std::vector<Command> commands_;
  QSet<QObject*> seen_;
  QSet<QString> in_sight_;  // texts of the buttons of what is gathered
  QSet<QAction*> in_menus_;
  bool menus_read_ = false;
  std::shared_ptr<QMenu> menu_{};  // of the actions that are gathered, where it is nobody's
};

}  // namespace

std::vector<Command> window_commands(QWidget& window, PageBar& pages) {
  return Gathering(window, pages).gather();
}

}  // namespace n2nq::ui
