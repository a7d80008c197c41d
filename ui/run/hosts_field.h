// The field that says where processes run: "this computer", a host, or several ("vm2, vm3"), typed or chosen. What it
// offers follows the list of hosts and what stands there. UI thread.
#pragma once

#include <QStringList>
#include <string>
#include <vector>

#include "app/hosts/host_list.h"
#include "app/plan/run_plan.h"
#include "ui/run/plan_binding.h"

class QComboBox;
class QLineEdit;
class QWidget;

namespace n2nq::ui {

inline constexpr const char* kInternal = "internal";  // where the queue is

// For names as the plan has them; nothing is this computer.
QString text_of_hosts(const std::vector<std::string>& names);
PlanBinding queue_host_binding();
// Takes the text of a fleet's field: names, "this computer", or kInternal.
Result<void> set_hosts(plan::RunPlan& plan, const std::string& key, plan::Fleet& fleet, const QString& text);

// What a fleet may choose: each host, and each host beside those that it has.
QStringList fleet_choices(const hosts::HostList& list, const std::vector<std::string>& chosen);
// A box around that line, in which a person types or chooses; nothing is completed, or put into its list.
QComboBox* editable_box(QLineEdit* edit, QWidget* parent);
// The list of an editable box, without touching what stands in it.
void offer(QComboBox& box, const QStringList& choices);

}  // namespace n2nq::ui
