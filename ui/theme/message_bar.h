// Something that happened and what can be done about it, within the window, until it is closed or says something else.
// As a toast over the lower right corner of a page, where good news goes by itself, and to which F6 leads; as a
// question on a veil; or in a layout. UI thread.
#pragma once

#include <QFrame>
#include <QPointer>
#include <functional>
#include <utility>
#include <vector>

#include "ui/theme/open_outside.h"
#include "ui/theme/theme.h"

class QGridLayout;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace n2nq::ui::theme {

class LowerEdge;
class ToastClock;

class MessageBar : public QFrame {
  Q_OBJECT

 public:
  struct Choice {
    QString text{};
    QString help{};
    std::function<void()> chosen{};  // empty: only closes the bar
    bool later = false;              // not by the second press of a double click on what was there before
    QString name{};                  // who does not see it is told this; empty: its text
    bool primary = false;            // the next sensible step
  };

  static constexpr int kToastWidth = 400;     // at most
  static constexpr int kQuestionWidth = 520;  // the same

  // One that is named is ended by its choices, by Escape from within as by the last of them. One without a name is
  // called what it says, and can be dismissed, also by Escape from within.
  explicit MessageBar(const QString& name, QWidget* parent = nullptr);
  static MessageBar* over(QWidget* page);  // its lower right corner; moves nothing there

  // What is good or only to be known goes by itself, six seconds after it was said, unless it offers something.
  void set_fading();
  void say(Status status, const QString& text, const std::vector<Choice>& choices = {});
  void offer(Status status, const QString& text, const QString& undo, std::function<void()> chosen);
  void say_working(const QString& text);  // until something else is said
  // That a file or folder was written, which can be opened, or shown where it lies.
  void say_written(const QString& text, const QString& path);
  void set_opener(Opener opener) { opener_ = std::move(opener); }  // the desktop, otherwise
  void show_progress(const QString& text, double share);           // of what it speaks of
  void keep_above(QWidget* other);                                 // that lies over the page as well
  void close_bar();
  void take_focus();  // by F6
  bool fades() const;
  bool is_closed() const { return closed_; }
  QString text() const;
  bool asks() const { return asks_; }  // a choice does more than to close it
  QPushButton* last_button() const;    // of the choices; null: there is none
  ToastClock* clock() const { return clock_; }
  int wanted_width() const;

 Q_SIGNALS:
  void closed();

 protected:
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void add_button();
  void show_choice(QPushButton& button, const Choice& choice);
  void show_said(const QString& text);
  void take_theme();
  bool has_focus() const;

  QString name_;
  LowerEdge* edge_ = nullptr;
  ToastClock* clock_ = nullptr;
  QGridLayout* grid_;
  QHBoxLayout* row_;  // of buttons
  QLabel* icon_;
  QLabel* text_;
  QProgressBar* progress_ = nullptr;
  std::vector<Choice> choices_;
  Opener opener_{};
  std::vector<QPushButton*> buttons_;  // one a choice; what is over is hidden
  QToolButton* close_ = nullptr;
  Status status_ = Status::info;
  bool asks_ = false;
  bool closed_ = false;
  QPointer<QWidget> before_;  // had the focus before F6; never a part of a message
};

}  // namespace n2nq::ui::theme
