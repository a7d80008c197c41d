// Stars and tags of results, as the user gives them to one or to several at once: in the store, then in the list.
// UI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <vector>

#include "app/store/store.h"

class QInputDialog;
class QMenu;

namespace n2nq::ui {

class ResultList;

class ResultMarks : public QObject {
  Q_OBJECT

 public:
  ResultMarks(store::ResultStore& store, ResultList& list, QWidget* parent);

  // Gives each a star; where all have one, takes it from them.
  void toggle_stars(const std::vector<int64_t>& results);
  void set_tags(int64_t result, const QString& text);  // "night, cable 2"
  // What can be done with these, into a menu.
  void add_to(QMenu& menu, const std::vector<int64_t>& results);

 Q_SIGNALS:
  void changed(int64_t result);
  void trouble(const QString& text);

 private:
  void change_tags(const std::vector<int64_t>& results, const store::TagChange& change);
  void ask_for_tag(const std::vector<int64_t>& results);
  void fill_tags(QMenu& menu, const std::vector<int64_t>& results);
  bool all_starred(const std::vector<int64_t>& results) const;

  store::ResultStore& store_;
  ResultList& list_;
  QWidget* page_;
  QPointer<QInputDialog> dialog_;
};

}  // namespace n2nq::ui
