// The line in which a person types which services a table shows; what is wrong with it stands below. UI thread.
#pragma once

#include <QWidget>

#include "ui/services/service_filter.h"

class QLabel;
class QLineEdit;

namespace n2nq::ui {

class FilterBar : public QWidget {
  Q_OBJECT

 public:
  explicit FilterBar(Role role, QWidget* parent = nullptr);

  void say_what_it_shows(const QString& services);  // "senders", in its tip
  void open();                                      // shown, with the focus
  void close();                                     // hidden, and everything is shown again

 Q_SIGNALS:
  void changed(const n2nq::ui::ServiceFilter& filter);
  void left();  // Enter or Down: back to the rows
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take(const QString& text);

  QLineEdit* edit_;
  QLabel* error_;
};

}  // namespace n2nq::ui
