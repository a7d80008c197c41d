#include "ui/window/settings_button.h"

#include <QActionGroup>
#include <QMenu>
#include <array>
#include <utility>

#include "ui/theme/theme.h"
#include "ui/window/look_choice.h"

namespace n2nq::ui {
namespace {

template <class Value>
using Words = std::array<std::pair<Value, QString>, std::is_same_v<Value, theme::Appearance> ? 3 : 2>;

// One of them is selected.
template <class Value>
void add_choice(QMenu& menu, const QString& title, const Words<Value>& words, Value selected, LookChoice& look) {
  QMenu* sub = menu.addMenu(title);
  auto* group = new QActionGroup(sub);
  for (const auto& [value, text] : words) {
    QAction* action = sub->addAction(text);
    action->setCheckable(true);
    action->setChecked(selected == value);
    group->addAction(action);
    QObject::connect(action, &QAction::triggered, &look, [&look, value] { look.select(value); });
  }
}

}  // namespace

SettingsButton::SettingsButton(LookChoice& look, bool can_import, QWidget* window)
    : RailButton("settings", tr("Settings"), tr("Appearance, import of results, and help."), window) {
  setAccessibleName(tr("Settings"));
  setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(window);
  add_choice<theme::Appearance>(*menu, tr("Appearance"),
                                {{{theme::Appearance::system, tr("Follow system")},
                                  {theme::Appearance::light, tr("Light")},
                                  {theme::Appearance::dark, tr("Dark")}}},
                                look.appearance(), look);
  add_choice<theme::Typeface>(*menu, tr("Typeface"),
                              {{{theme::Typeface::inter, tr("Inter")}, {theme::Typeface::system, tr("The system's")}}},
                              look.typeface(), look);
  menu->addSeparator();
  QAction* import = menu->addAction(theme::icon("import"), tr("Import results…"));
  import->setEnabled(can_import);
  connect(import, &QAction::triggered, this, &SettingsButton::import_wanted);
  menu->addSeparator();
  QAction* help = menu->addAction(theme::icon("help"), tr("Help"));
  help->setShortcut(QKeySequence::HelpContents);
  window->addAction(help);
  connect(help, &QAction::triggered, this, [this] { Q_EMIT help_wanted({}); });
  connect(menu->addAction(tr("About")), &QAction::triggered, this, [this] { Q_EMIT help_wanted(tr("About")); });
  setMenu(menu);
}

}  // namespace n2nq::ui

#include "moc_settings_button.cpp"
