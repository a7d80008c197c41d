#include "ui/window/host_questions.h"

#include "app/hosts/plan_hosts.h"
#include "ui/theme/questions.h"
#include "ui/window/host_mapping.h"

namespace n2nq::ui {

HostQuestions::HostQuestions(plan::PlanEditor& editor, const hosts::HostBook& book, QWidget& page, QObject* parent)
    : QObject(parent), editor_(editor), book_(book), page_(page) {
  connect(&editor_, &plan::PlanEditor::opened, this, &HostQuestions::take_plan);
  connect(&editor_, &plan::PlanEditor::changed, this, &HostQuestions::look);
  if (editor_.path().empty() || !editor_.modified()) take_plan();
}

void HostQuestions::take_plan() {
  const auto named = hosts::unknown_hosts(editor_.file(), {});
  of_plan_ = {named.begin(), named.end()};
  look();
}

void HostQuestions::look() {
  const auto names = unknown();
  if (bar_ != nullptr && bar_->unknown() == names && offered_ == book_.list()) return;
  if (bar_ != nullptr) bar_->close_bar();
  bar_ = nullptr;
  if (!names.empty()) ask_for(names);
}

std::vector<std::string> HostQuestions::unknown() const {
  auto names = hosts::unknown_hosts(editor_.file(), book_.list());
  std::erase_if(names, [this](const std::string& name) { return !of_plan_.contains(name); });
  return names;
}

void HostQuestions::put_off(const std::vector<std::string>& names) {
  bar_ = nullptr;
  for (const std::string& name : names) of_plan_.erase(name);
}

void HostQuestions::ask_for(const std::vector<std::string>& names) {
  offered_ = book_.list();
  bar_ = new HostMapping(names, offered_, &page_);
  theme::ask(page_, bar_, HostMapping::kWidest);
  connect(bar_, &HostMapping::chosen, this, [this](const std::map<std::string, std::string>& places) {
    editor_.edit("hosts of the plan", [&places](plan::PlanFile& file) { hosts::replace_hosts(file, places); });
  });
  connect(bar_, &HostMapping::put_off, this, [this, names] { put_off(names); });
  connect(bar_, &HostMapping::add_wanted, this, &HostQuestions::add_wanted);
}

}  // namespace n2nq::ui

#include "moc_host_questions.cpp"
