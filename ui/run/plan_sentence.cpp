#include "ui/run/plan_sentence.h"

#include <QStringList>

#include "ui/run/hosts_field.h"
#include "ui/run/plan_binding.h"
#include "ui/theme/theme.h"

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
  const bool replies = plan::asks_for_replies(plan);
  add_fleet(parts, senders.fleet, replies ? "requester" : "sender", replies ? "requesters" : "senders");
  if (replies) parts << QStringLiteral("timeout ") + shown("senders.timeout", plan);
  if (senders.shape.exists()) {
    parts << size_of(plan) << shown("senders.shape", plan);
    if (senders.pacing == plan::Pacing::poisson) parts << QStringLiteral("Poisson");
    return parts.join(QStringLiteral(" · "));
  }
  if (senders.duration_ns != 0)
    parts << QString("%1 for %2").arg(size_of(plan), shown("senders.duration", plan));
  else
    parts << QString("%1 × %2").arg(shown("senders.messages", plan), size_of(plan));
  if (plan::closed_loop(plan) > 0)
    return (parts << QString("closed loop, %1 outstanding").arg(spaced(std::to_string(senders.outstanding))))
        .join(QStringLiteral(" · "));
  if (senders.delay_ns == 0) return (parts << QStringLiteral("without delay")).join(QStringLiteral(" · "));
  parts << QStringLiteral("every ") + shown("senders.delay", plan);
  parts << (senders.pacing == plan::Pacing::poisson ? QStringLiteral("Poisson")
                                                    : QString::fromStdString(plan::to_text(senders.phase)));
  return parts.join(QStringLiteral(" · "));
}

QString policy_of(plan::Policy policy) {
  return QString::fromStdString(plan::to_text(policy)).replace('-', ' ');
}

QString mode_of(const plan::QueuePlan& queue) {
  switch (queue.mode) {
    case plan::Mode::broadcaster:
      return QStringLiteral("broadcaster");
    case plan::Mode::load_balancer:
      return QStringLiteral("load balancer, ") + policy_of(queue.policy);
    case plan::Mode::request_reply:
      break;
  }
  const QString mode = QStringLiteral("request-reply, ");
  if (queue.reply_from == plan::ReplyFrom::one) return mode + QStringLiteral("from one, ") + policy_of(queue.policy);
  return mode +
         (queue.reply_from == plan::ReplyFrom::all ? QStringLiteral("from all") : QStringLiteral("the first of all"));
}

QString mode_of(const plan::RunPlan& plan) {
  if (plan.bus.traits().own_queue) return mode_of(plan.queue);
  return QString::fromStdString(plan::to_text(plan.queue.mode))
      .replace(QStringLiteral("load-"), QStringLiteral("load "));
}

// Of another bus: what it is, and its settings that are not as they are at first.
QString of_bus(const plan::RunPlan& plan) {
  const bus::BusTraits& bus = plan.bus.traits();
  QStringList parts{theme::qt(bus.title), mode_of(plan)};
  if (!plan.queue.host.empty()) parts << QStringLiteral("queue on ") + QString::fromStdString(plan.queue.host);
  for (const bus::Setting& setting : bus.settings) {
    if (!plan.bus.settings.contains(std::string(setting.key))) continue;
    const QString title = theme::qt(setting.title);
    const QString value = shown(("bus." + std::string(setting.key)).c_str(), plan);
    parts << (setting.kind == bus::Setting::Kind::truth ? title : title + ' ' + value);
  }
  return parts.join(QStringLiteral(" · "));
}

QString of_queue(const plan::RunPlan& plan) {
  if (!plan.bus.traits().own_queue) return of_bus(plan);
  const plan::QueuePlan& queue = plan.queue;
  QStringList parts;
  parts << mode_of(plan);
  if (!queue.host.empty()) parts << QStringLiteral("on ") + QString::fromStdString(queue.host);
  parts << QStringLiteral("kept ") + retention_binding().text(plan);
  if (plan.bus.encrypts_queue()) parts << QStringLiteral("TLS");
  if (queue.responses) parts << QStringLiteral("responses");
  if (queue.requests.on) parts << QString("receivers ask for %1 at a time").arg(shown("queue.at_a_time", plan));
  return parts.join(QStringLiteral(" · "));
}

QString of_receivers(const plan::RunPlan& plan) {
  QStringList parts;
  const bool replies = plan::asks_for_replies(plan);
  add_fleet(parts, plan.receivers.fleet, replies ? "replier" : "receiver", replies ? "repliers" : "receivers");
  if (replies) parts << QStringLiteral("replies of ") + shown("receivers.reply_size", plan);
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
  if (plan.receivers.shared_limit.exists())
    parts << QStringLiteral("behind a shared limit, ") + shown("receivers.shared_limit", plan);
  if (!plan.receivers.pauses.empty()) parts << QStringLiteral("paused ") + shown("receivers.pause", plan);
  if (!plan.receivers.away.empty()) parts << QStringLiteral("away ") + shown("receivers.away", plan);
  if (plan.receivers.scaling.exists()) parts << QStringLiteral("scaled ") + shown("receivers.scaling", plan);
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

QString sentence_of(Role role, const plan::RunPlan& plan) {
  return role == Role::sender ? of_senders(plan) : role == Role::broker ? of_queue(plan) : of_receivers(plan);
}

}  // namespace n2nq::ui
