// What the window has to say, one toast below the other, over the lower right corner of the page on which it was said:
// on other pages it covers nothing. What is said again takes the place of the toast that says it, and there are never
// more than a few. Hidden while it has nothing to say. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/theme/message_bar.h"

class QVBoxLayout;

namespace n2nq::ui {

class NoticeStack : public QWidget {
  Q_OBJECT

 public:
  static constexpr size_t kMostBars = 3;

  explicit NoticeStack(QWidget* parent = nullptr);

  // Where there is no room the oldest closes; those that wait for an answer only after all others.
  theme::MessageBar* add(theme::Status status, const QString& text,
                         const std::vector<theme::MessageBar::Choice>& choices);
  // Goes by itself unless somebody reads it: what it offers is somewhere else too.
  theme::MessageBar* toast(theme::Status status, const QString& text,
                           const std::vector<theme::MessageBar::Choice>& choices = {});
  void say(const QString& trouble);  // and no more than that
  int wanted_width() const;
  void set_page(int page);
  // One of another kind, below the others, on every page; it does not count among them and closes by itself.
  void add(QWidget* bar);
  std::vector<theme::MessageBar*> bars() const;  // that are open on this page, the oldest first

 protected:
  bool event(QEvent* event) override;

 private:
  std::vector<theme::MessageBar*> open_bars() const;  // on all pages

  QVBoxLayout* column_;
  int page_ = 0;
};

}  // namespace n2nq::ui
