// Help without a network: the keys, the pages of the documentation, the licences. UI thread.
#pragma once

#include <QWidget>

class QListWidget;
class QTextBrowser;

namespace n2nq::ui {

class HelpPage : public QWidget {
  Q_OBJECT

 public:
  explicit HelpPage(QWidget* parent = nullptr);

  void show_topic(const QString& title);

 Q_SIGNALS:
  void closed();

 private:
  void fill_topics();
  void show_current();

  QListWidget* topics_;
  QTextBrowser* text_;
};

}  // namespace n2nq::ui
