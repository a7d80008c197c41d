// Help without a network: the keys, the pages of the documentation, the licences; a search through all of them. A page
// is read when it is looked at. UI thread.
#pragma once

#include <QTimer>
#include <QWidget>
#include <map>
#include <vector>

class QLineEdit;
class QListWidget;
class QTextBrowser;
class QTextDocument;
class QUrl;

namespace n2nq::ui::theme {
class Label;
class MessageBar;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class HelpPage : public QWidget {
  Q_OBJECT

 public:
  explicit HelpPage(QWidget* parent = nullptr);

  void show_topic(const QString& title);
  // Each topic, with words by which it is found beside those of its title.
  struct Topic {
    QString title{};
    QString words{};
  };
  std::vector<Topic> topics() const;

 Q_SIGNALS:
  void closed();

 private:
  void fill_topics();
  void show_current();
  void show_page(const QString& path);
  void open_page(const QString& path);
  void follow(const QUrl& link);
  QWidget* build_search();
  void find(bool backward, bool same_place);
  const QString& read_as(int topic);
  QString without_page(int topic) const;

  QListWidget* topics_;
  QTextBrowser* text_;
  QTextDocument* markdown_ = nullptr;  // what text_ shows, once a page of the docs was shown
  QString path_{};                     // of the page that is shown; its links are from there
  theme::MessageBar* message_;
  QLineEdit* search_;
  theme::Label* found_;
  QTimer find_soon_;
  std::map<int, QString> words_;  // of topics that were searched
};

}  // namespace n2nq::ui
