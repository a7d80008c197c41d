// One figure of a campaign: what it is, and its value, large where it is short. Takes no room while there is nothing to
// say. UI thread.
#pragma once

#include <QWidget>

#include "ui/theme/label.h"

namespace n2nq::ui {

class FactTile : public QWidget {
  Q_OBJECT

 public:
  explicit FactTile(const QString& accessible_name, QWidget* parent = nullptr);

  void show_fact(const QString& what, const QString& value, theme::Tone tone = theme::Tone::plain);
  bool says_something() const;  // or its value is empty

 private:
  theme::Label* what_;
  theme::Label* value_;
};

}  // namespace n2nq::ui
