// The rail at the window's left: the buttons of its pages, icon over word (icons alone where the window is narrow), and
// which page is in sight. Ctrl and the number of a page go there as well. UI thread.
#pragma once

#include <QStackedWidget>
#include <QWidget>
#include <map>
#include <optional>
#include <vector>

class QButtonGroup;
class QVBoxLayout;

namespace n2nq::ui {

class RailButton;

enum class Page { run, results, hosts, buses, campaigns };  // kept in the settings; each one's key is the next number

class PageBar : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kNarrowWindow = 1100;  // less has no room for words
  static constexpr int kLowWindow = 640;      // the same

  explicit PageBar(QWidget* window);

  QStackedWidget& pages() { return *pages_; }  // the window lays it out
  void add(Page page, QWidget* widget, const char* icon, const QString& text, const QString& help);
  void add_below(RailButton* button);  // at the lower end of the rail: of no page
  void go_to(Page page);               // where there is such a page
  bool shows(Page page) const;
  Page selected() const;             // by its button
  QWidget* widget(Page page) const;  // null: there is no such page
  std::vector<Page> all() const;
  QString name(Page page) const;
  void show_work(Page page, std::optional<double> share, const QString& said);  // see RailButton
  // One of pages() that has no button, until back() or go_to().
  void show_beside(QWidget* widget);
  void back();

 Q_SIGNALS:
  void selected_again(Page page);  // by its button or keys, while it is in sight

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void fit();

  QWidget* window_;
  QStackedWidget* pages_;
  QButtonGroup* buttons_;
  QVBoxLayout* column_;
  std::map<Page, QWidget*> widgets_;
};

}  // namespace n2nq::ui
