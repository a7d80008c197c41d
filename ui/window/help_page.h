// Help without a network: the keys, the pages of the documentation, the licences. UI thread.
#pragma once

#include <QWidget>

class QListWidget;
class QTextBrowser;
class QUrl;

namespace n2nq::ui::theme {
class MessageBar;
}

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
  void show_page(const QString& path);
  void follow(const QUrl& link);

  QListWidget* topics_;
  QTextBrowser* text_;
  theme::MessageBar* message_;
};

}  // namespace n2nq::ui
