// The row in which one types what to look for. UI thread.
#pragma once

#include <QWidget>

#include "app/logs/text_search.h"

class QCheckBox;
class QLabel;
class QLineEdit;

namespace n2nq::ui {

class FindBar : public QWidget {
  Q_OBJECT

 public:
  explicit FindBar(QWidget* parent = nullptr);

  void open();                                   // shows it, ready to type
  std::optional<logs::TextQuery> query() const;  // nothing where nothing usable is typed
  void say(const QString& text);
  void show_count(const QString& text);  // "3 of 1,204"

 Q_SIGNALS:
  void query_changed();
  void find_wanted(bool backwards);
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void on_edited();
  logs::TextQuery typed() const;

  QLineEdit* text_;
  QCheckBox* expression_;
  QCheckBox* match_case_;
  QLabel* count_;
  QLabel* note_;
};

}  // namespace n2nq::ui
