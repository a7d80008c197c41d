// A line edit of the hosts' page: what is typed is handed over when it is done (Enter, or leaving), Escape gives it up,
// and undo is the page's, but for text that was not handed over yet. UI thread.
#pragma once

#include <QLineEdit>

namespace n2nq::ui {

class HostLineEdit : public QLineEdit {
  Q_OBJECT

 public:
  explicit HostLineEdit(QWidget* parent = nullptr);

  // What holds. `typed`: what stands there instead, half done.
  void show_value(const QString& value, const QString& typed);
  const QString& value() const { return value_; }

 Q_SIGNALS:
  void given_up();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QString value_;
};

}  // namespace n2nq::ui
