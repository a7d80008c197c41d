#include "ui/run/hosts_field.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/plan/plan_fields.h"

namespace n2nq::ui {
namespace {

QString this_computer() {
  return QString::fromUtf8(hosts::kThisComputer);
}

}  // namespace

QString text_of_hosts(const std::vector<std::string>& names) {
  if (names.empty()) return this_computer();
  QStringList texts;
  for (const std::string& name : names) texts += name.empty() ? this_computer() : QString::fromStdString(name);
  return texts.join(", ");
}

PlanBinding queue_host_binding() {
  PlanBinding binding = plain_binding_of("queue.host");
  binding.text = [](const plan::RunPlan& plan) {
    return hosts::is_local(plan.queue.host) ? this_computer() : QString::fromStdString(plan.queue.host);
  };
  binding.set = [plain = binding.set](plan::RunPlan& plan, const QString& text) {
    return plain(plan, hosts::is_local(text.trimmed().toStdString()) ? QString() : text);
  };
  return binding;
}

Result<void> set_hosts(plan::RunPlan& plan, const std::string& key, plan::Fleet& fleet, const QString& text) {
  std::string names = text.trimmed().toStdString();
  if (text.trimmed().compare(QString::fromUtf8(kInternal), Qt::CaseInsensitive) == 0) names = plan.queue.host;
  if (hosts::is_local(names)) {
    fleet.hosts.clear();
    return {};
  }
  return plan::find_field(key)->take(plan, nlohmann::json(names));
}

QStringList fleet_choices(const hosts::HostList& list, const std::vector<std::string>& chosen) {
  QStringList choices;
  for (const hosts::Host& host : list.hosts) choices += QString::fromStdString(host.name);
  if (chosen.empty()) return choices;
  const QString before = text_of_hosts(chosen);
  for (const hosts::Host& host : list.hosts)
    if (std::ranges::find(chosen, host.name) == chosen.end())
      choices += before + ", " + QString::fromStdString(host.name);
  return choices;
}

QComboBox* editable_box(QLineEdit* edit, QWidget* parent) {
  auto* box = new QComboBox(parent);
  box->setEditable(true);
  box->setLineEdit(edit);
  box->setCompleter(nullptr);
  box->setInsertPolicy(QComboBox::NoInsert);
  return box;
}

void offer(QComboBox& box, const QStringList& choices) {
  QStringList there;
  for (int i = 0; i < box.count(); i++) there += box.itemText(i);
  if (there == choices) return;
  const QSignalBlocker quiet_box(box);
  const QSignalBlocker quiet_edit(box.lineEdit());
  const QString text = box.lineEdit()->text();
  const int cursor = box.lineEdit()->cursorPosition();
  box.clear();
  box.addItems(choices);
  box.setCurrentIndex(static_cast<int>(choices.indexOf(text)));
  box.lineEdit()->setText(text);
  box.lineEdit()->setCursorPosition(cursor);
}

}  // namespace n2nq::ui
