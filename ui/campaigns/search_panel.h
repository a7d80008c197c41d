// What is known of the selected search: the bracket, how sure it is, whose limit it is. Shows what it is given. UI
// thread.
#pragma once

#include <QWidget>

#include "app/campaign/search_facts.h"

class QLabel;

namespace n2nq::ui::theme {
class StatusLabel;
}

namespace n2nq::ui {

class SearchPanel : public QWidget {
  Q_OBJECT

 public:
  explicit SearchPanel(QWidget* parent = nullptr);

  void show_facts(const campaign::SearchFacts& facts);

 private:
  QLabel* bracket_;
  QLabel* certainty_;
  theme::StatusLabel* whose_;
};

}  // namespace n2nq::ui
