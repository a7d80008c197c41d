// A small editor beside what it was opened from; a click elsewhere, or Escape, closes it. What is done in it holds at
// once. UI thread.
#pragma once

#include <QFrame>
#include <QPointer>

class QVBoxLayout;

namespace n2nq::ui::theme {

class Label;

class Popover : public QFrame {
  Q_OBJECT

 public:
  Popover(const QString& title, const QString& help, QWidget* parent);

  void open_beside(const QWidget& anchor);
  virtual void set_locked(const QString& reason);  // empty: it can be changed

 protected:
  QVBoxLayout& body() { return *body_; }
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void fit();  // to what is in it now

 private:
  void place();

  QPointer<const QWidget> anchor_;
  Label* locked_;
  QVBoxLayout* body_;
};

}  // namespace n2nq::ui::theme
