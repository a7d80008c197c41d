#include "tests/gui/layout/spoken_names.h"

#include <QMap>
#include <QMetaEnum>
#include <QTabBar>
#include <algorithm>
#include <array>

namespace n2nq::test {
namespace {

constexpr std::array kWorkedWith{
    QAccessible::PushButton,  QAccessible::CheckBox,   QAccessible::RadioButton,    QAccessible::ComboBox,
    QAccessible::SpinBox,     QAccessible::Slider,     QAccessible::Dial,           QAccessible::EditableText,
    QAccessible::Table,       QAccessible::Tree,       QAccessible::List,           QAccessible::PageTab,
    QAccessible::PageTabList, QAccessible::ButtonMenu, QAccessible::ButtonDropDown, QAccessible::Link};

QString word_of(QAccessible::Role role) {
  const char* const word = QMetaEnum::fromType<QAccessible::Role>().valueToKey(role);
  return word != nullptr ? QString::fromLatin1(word) : QString::number(role);
}

// Rows and cells are named by what they show; there may be thousands.
bool has_cells(QAccessible::Role role) {
  return role == QAccessible::Table || role == QAccessible::Tree || role == QAccessible::List;
}

bool is_worked_with(QAccessibleInterface& node) {
  // Texts can be marked with the mouse; only those with links are stops of the keyboard.
  if (node.role() == QAccessible::StaticText) {
    const auto* label = qobject_cast<const QWidget*>(node.object());
    return label != nullptr && (label->focusPolicy() & Qt::TabFocus) != 0;
  }
  return std::ranges::find(kWorkedWith, node.role()) != kWorkedWith.end() || node.state().focusable;
}

// Qt itself says of a drop-down list what is chosen in it, and of a row of tabs which is on top; their own names come
// as relations or descriptions.
QString name_of(QAccessibleInterface& node) {
  const auto* widget = qobject_cast<const QWidget*>(node.object());
  if (widget != nullptr && !widget->accessibleName().isEmpty()) return widget->accessibleName();
  return node.text(QAccessible::Name);
}

bool is_labelled(QAccessibleInterface& node) {
  return node.text(QAccessible::Name) == name_of(node) || !node.relations(QAccessible::Label).isEmpty();
}

QString step_of(QAccessibleInterface& node) {
  const QString name = name_of(node);
  if (!name.isEmpty()) return name;
  const QObject* object = node.object();
  return object != nullptr ? QString::fromLatin1(object->metaObject()->className()) : word_of(node.role());
}

// As Qt finds it: of a part without one, that of what it is in.
QString tip_of(QAccessibleInterface& node) {
  if (node.role() == QAccessible::PageTab && node.parent() != nullptr) {
    const auto* bar = qobject_cast<const QTabBar*>(node.parent()->object());
    return bar == nullptr ? QString() : bar->tabToolTip(node.parent()->indexOfChild(&node));
  }
  const auto* widget = qobject_cast<const QWidget*>(node.object());
  while (widget != nullptr && widget->toolTip().isEmpty() && !widget->isWindow()) widget = widget->parentWidget();
  return widget == nullptr ? QString() : widget->toolTip();
}

void walk(QAccessibleInterface* node, const QString& above, std::vector<SpokenNode>& nodes) {
  if (node == nullptr || !node->isValid() || node->state().invisible) return;
  const QString place = above + "/" + step_of(*node);
  if (is_worked_with(*node)) nodes.push_back({node->role(), name_of(*node), place, is_labelled(*node), tip_of(*node)});
  if (has_cells(node->role())) return;
  for (int i = 0; i < node->childCount(); i++) walk(node->child(i), place, nodes);
}

}  // namespace

std::vector<SpokenNode> interactive_nodes(QWidget& window) {
  std::vector<SpokenNode> nodes;
  QAccessibleInterface* root = QAccessible::queryAccessibleInterface(&window);
  for (int i = 0; root != nullptr && i < root->childCount(); i++) walk(root->child(i), {}, nodes);
  return nodes;
}

QStringList unnamed_nodes(const std::vector<SpokenNode>& nodes) {
  QStringList texts;
  for (const SpokenNode& node : nodes)
    if (node.name.trimmed().isEmpty() || (node.role == QAccessible::ComboBox && !node.labelled))
      texts << QStringLiteral("%1 %2").arg(word_of(node.role), node.place);
  return texts;
}

QStringList nodes_without_tip(const std::vector<SpokenNode>& nodes) {
  static constexpr std::array kExplained{QAccessible::PushButton,    QAccessible::CheckBox, QAccessible::RadioButton,
                                         QAccessible::ComboBox,      QAccessible::SpinBox,  QAccessible::Slider,
                                         QAccessible::EditableText,  QAccessible::PageTab,  QAccessible::ButtonMenu,
                                         QAccessible::ButtonDropDown};
  QStringList texts;
  for (const SpokenNode& node : nodes)
    if (node.tip.isEmpty() && std::ranges::find(kExplained, node.role) != kExplained.end())
      texts << QStringLiteral("%1 %2").arg(word_of(node.role), node.place);
  return texts;
}

QStringList shared_names(const std::vector<SpokenNode>& nodes) {
  QMap<QString, QStringList> places;
  for (const SpokenNode& node : nodes) {
    if (node.name.isEmpty()) continue;
    const bool tab = node.role == QAccessible::PageTab;
    places[tab ? node.place : node.name] << QStringLiteral("%1 %2").arg(word_of(node.role), node.place);
  }
  QStringList texts;
  for (auto it = places.cbegin(); it != places.cend(); ++it)
    if (it.value().size() > 1) texts << QStringLiteral("\"%1\": %2").arg(it.key(), it.value().join("; "));
  return texts;
}

}  // namespace n2nq::test
