// Asks, over the Run page, which hosts are meant where a plan that was opened names some that the list lacks, until
// none of them is left or the user puts it off. What is typed later is told by its card. UI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <set>
#include <string>
#include <vector>

#include "app/hosts/host_book.h"
#include "app/plan/plan_editor.h"

namespace n2nq::ui {

class HostMapping;

class HostQuestions : public QObject {
  Q_OBJECT

 public:
  // It asks for the plan that is there already, unless that differs from its file.
  HostQuestions(plan::PlanEditor& editor, const hosts::HostBook& book, QWidget& page, QObject* parent = nullptr);

  void look();  // plan or list have changed

 Q_SIGNALS:
  void add_wanted(const std::string& name);  // to the list

 private:
  void take_plan();
  void put_off(const std::vector<std::string>& names);
  std::vector<std::string> unknown() const;
  void ask_for(const std::vector<std::string>& names);

  plan::PlanEditor& editor_;
  const hosts::HostBook& book_;
  QWidget& page_;
  QPointer<HostMapping> bar_;
  hosts::HostList offered_;        // by the bar
  std::set<std::string> of_plan_;  // as it was opened, without those that were put off
};

}  // namespace n2nq::ui
