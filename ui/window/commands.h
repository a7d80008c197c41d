// What the window can do now, by name: gathered from its actions, the menus of its buttons and the buttons of its pages
// as they are at that moment, so that there is no list of them to be kept. UI thread.
#pragma once

#include <QIcon>
#include <QString>
#include <functional>
#include <vector>

class QWidget;

namespace n2nq::ui {

class PageBar;

struct Command {
  QString id{};  // the same at the next start
  QString text{};
  QString where{};  // page and menu, or what it is
  QString keys{};
  QString help{};      // found by its words too
  bool minor = false;  // replaces what the user has: not before others
  QString why_not{};   // empty: it can be done now
  QIcon icon{};
  std::function<void()> run{};
};

std::vector<Command> window_commands(QWidget& window, PageBar& pages);

}  // namespace n2nq::ui
