#include "ui/window/settings_button.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenu>

#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr const char* kAppearanceKey = "window/appearance";

theme::Appearance parse_appearance(const QString& word) {
  return word == "light"  ? theme::Appearance::light
         : word == "dark" ? theme::Appearance::dark
                          : theme::Appearance::system;
}

}  // namespace

SettingsButton::SettingsButton(QSettings& settings, bool can_import, QWidget* window)
    : QToolButton(window), settings_(settings) {
  setIcon(theme::icon("settings"));
  setAccessibleName(tr("Settings"));
  setToolTip(tr("Appearance, import of results, and help."));
  setPopupMode(QToolButton::InstantPopup);
  setAutoRaise(true);
  setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(window);
  add_appearance(*menu);
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

void SettingsButton::apply_appearance(const QSettings& settings) {
  theme::apply(*qApp, parse_appearance(settings.value(kAppearanceKey).toString()));
}

void SettingsButton::add_appearance(QMenu& menu) {
  auto* appearance = menu.addMenu(tr("Appearance"));
  auto* group = new QActionGroup(this);
  const QString selected = settings_.value(kAppearanceKey, "system").toString();
  const std::pair<const char*, QString> words[] = {
      {"system", tr("Follow system")}, {"light", tr("Light")}, {"dark", tr("Dark")}};
  for (const auto& [word, text] : words) {
    QAction* action = appearance->addAction(text);
    action->setCheckable(true);
    action->setChecked(selected == word);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, name = QString(word)] {
      settings_.setValue(kAppearanceKey, name);
      apply_appearance(settings_);
    });
  }
}

}  // namespace n2nq::ui

#include "moc_settings_button.cpp"
