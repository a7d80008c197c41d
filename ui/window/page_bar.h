// The buttons of the window's pages, and which page is in sight. Ctrl and the number of a page go there as well. UI
// thread.
#pragma once

#include <QStackedWidget>
#include <QWidget>
#include <map>

class QButtonGroup;
class QHBoxLayout;

namespace n2nq::ui {

enum class Page { run, results, hosts, campaigns };  // kept in the settings; each one's key is the next number

class PageBar : public QWidget {
  Q_OBJECT

 public:
  explicit PageBar(QWidget* window);

  QStackedWidget& pages() { return *pages_; }  // the window lays it out
  void add(Page page, QWidget* widget, const char* icon, const QString& text, const QString& help);
  void go_to(Page page);  // where there is such a page
  bool shows(Page page) const;
  Page selected() const;  // by its button
  // One of pages() that has no button, until back() or go_to().
  void show_beside(QWidget* widget);
  void back();

 private:
  QWidget* window_;
  QStackedWidget* pages_;
  QButtonGroup* buttons_;
  QHBoxLayout* row_;
  std::map<Page, QWidget*> widgets_;
};

}  // namespace n2nq::ui
