// Finds and does anything by name: what the window can do now, its pages, and what is saved. Opened by Ctrl+K over the
// dimmed window; the field keeps the focus while the arrows move in the list. UI thread.
#pragma once

#include <QSettings>
#include <functional>
#include <vector>

#include "ui/theme/card.h"
#include "ui/window/commands.h"

class QLineEdit;
class QListView;

namespace n2nq::ui::theme {
class Label;
}

namespace n2nq::ui {

class CommandModel;
class PageBar;

class CommandPalette : public theme::Card {
  Q_OBJECT

 public:
  static constexpr int kWidest = 680;
  using Source = std::function<std::vector<Command>()>;

  // `saved`: what is found by its name alone; asked for as the palette opens. Null: nothing.
  static void open(QWidget& window, PageBar& pages, QSettings& settings, const Source& saved);

  void finish();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  CommandPalette(QWidget* parent, QSettings& settings);
  void find();
  void move(int rows);
  void show_current();
  void do_current();
  void remember(const QString& id);

  QSettings& settings_;
  CommandModel* model_;
  QLineEdit* edit_;
  QListView* list_;
  theme::Label* hint_;
};

}  // namespace n2nq::ui
