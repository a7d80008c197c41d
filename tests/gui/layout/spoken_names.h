// What a window says to those who do not see it: its nodes that can be worked with, as QAccessible gives them, and what
// is wrong with their names.
#pragma once

#include <QAccessible>
#include <QStringList>
#include <QWidget>
#include <vector>

namespace n2nq::test {

struct SpokenNode {
  QAccessible::Role role = QAccessible::NoRole;
  QString name{};
  QString place{};        // names or classes from the window down
  bool labelled = false;  // a text beside it says what it is; what names a drop-down list
  QString tip{};          // what comes up where the pointer rests on it
};

std::vector<SpokenNode> interactive_nodes(QWidget& window);

QStringList unnamed_nodes(const std::vector<SpokenNode>& nodes);
// Buttons, fields, lists to choose from and tabs that do not say what they do.
QStringList nodes_without_tip(const std::vector<SpokenNode>& nodes);
// Two of one name that nobody can tell apart. Tabs are told apart by the row they are in.
QStringList shared_names(const std::vector<SpokenNode>& nodes);

}  // namespace n2nq::test
