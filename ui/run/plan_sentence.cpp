#include "ui/run/plan_sentence.h"

#include <QStringList>

#include "ui/run/hosts_field.h"
#include "ui/run/plan_binding.h"

namespace n2nq::ui {
namespace {

QString shown(const char* key, const plan::RunPlan& plan) {
  return binding_of(key).text(plan);
}

QString size_of(const plan::RunPlan& plan) {
  const QString least = smallest_size_binding().text(plan);
  const QString most = largest_size_binding().text(plan);
  if (least == most) return least;
  // "50–400 B": the unit once, where it is the same.
  const QString unit = most.section(' ', 1);
  return (least.section(' ', 1) == unit ? least.section(' ', 0, 0) : least) + QStringLiteral("–") + most;
}

// Nothing for this computer, where most runs are.
void add_place(QStringList& parts, const std::vector<std::string>& hosts) {
  if (!hosts.empty()) parts << QStringLiteral("on ") + text_of_hosts(hosts);
}

void add_fleet(QStringList& parts, const plan::Fleet& fleet, const char* one, const char* many) {
  parts << QString("%1 %2").arg(spaced(std::to_string(fleet.count)), fleet.count == 1 ? one : many);
  if (fleet.attach.empty())
    add_place(parts, fleet.hosts);
  else
    parts << QStringLiteral("attached at ") + QString::fromStdString(fleet.attach);
}

QString of_senders(const plan::RunPlan& plan) {
  const plan::SenderPlan& senders = plan.senders;
  QStringList parts;
  add_fleet(parts, senders.fleet, "sender", "senders");
  if (senders.shape.exists()) {
    parts << size_of(plan) << shown("senders.shape", plan);
    if (senders.pacing == plan::Pacing::poisson) parts << QStringLiteral("Poisson");
    return parts.join(QStringLiteral(" · "));
  }
  if (senders.duration_ns != 0)
    parts << QString("%1 for %2").arg(size_of(plan), shown("senders.duration", plan));
  else
    parts << QString("%1 × %2").arg(shown("senders.messages", plan), size_of(plan));
  if (senders.delay_ns == 0) return (parts << QStringLiteral("without delay")).join(QStringLiteral(" · "));
  parts << QStringLiteral("every ") + shown("senders.delay", plan);
  parts << (senders.pacing == plan::Pacing::poisson ? QStringLiteral("Poisson")
                                                    : QString::fromStdString(plan::to_text(senders.phase)));
  return parts.join(QStringLiteral(" · "));
}

QString policy_of(plan::Policy policy) {
  return QString::fromStdString(plan::to_text(policy)).replace('-', ' ');
}

QString of_queue(const plan::RunPlan& plan) {
  const plan::QueuePlan& queue = plan.queue;
  QStringList parts;
  parts << (queue.mode == plan::Mode::broadcaster ? QStringLiteral("broadcaster")
                                                  : QStringLiteral("load balancer, ") + policy_of(queue.policy));
  if (!queue.host.empty()) parts << QStringLiteral("on ") + QString::fromStdString(queue.host);
  parts << QStringLiteral("kept ") + retention_binding().text(plan);
  if (queue.responses) parts << QStringLiteral("responses");
  if (queue.requests.on) parts << QString("receivers ask for %1 at a time").arg(shown("queue.at_a_time", plan));
  return parts.join(QStringLiteral(" · "));
}

QString of_receivers(const plan::RunPlan& plan) {
  QStringList parts;
  add_fleet(parts, plan.receivers.fleet, "receiver", "receivers");
  switch (plan.log) {
    case plan::LogLevel::full:
      parts << QStringLiteral("every message logged");
      break;
    case plan::LogLevel::summary:
      parts << QStringLiteral("summaries logged");
      break;
    case plan::LogLevel::off:
      parts << QStringLiteral("no logs");
      break;
  }
  const QString service = service_time_binding().text(plan);
  parts << (service == "none" ? QStringLiteral("no service time") : QStringLiteral("service time ") + service);
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

QString sentence_of(Role role, const plan::RunPlan& plan) {
  return role == Role::sender ? of_senders(plan) : role == Role::broker ? of_queue(plan) : of_receivers(plan);
}

}  // namespace n2nq::ui
