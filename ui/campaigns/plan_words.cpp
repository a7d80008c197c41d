#include "ui/campaigns/plan_words.h"

#include <QCoreApplication>

#include "app/plan/exact_text.h"
#include "app/text/quantity.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::qt;

QString said(const char* text) {
  return QCoreApplication::translate("n2nq::campaigns", text);
}

QString places(const std::vector<std::string>& hosts) {
  QStringList names;
  for (const std::string& host : hosts) names += qt(host);
  return names.isEmpty() ? QString() : said(" on %1").arg(names.join(", "));
}

QString told(const std::string& exact) {
  return qt(plan::told(exact));
}

QString load_words(const plan::RunPlan& plan) {
  const plan::SenderPlan& senders = plan.senders;
  const QString size = told(plan::exact_size_range(senders.size_bytes));
  const bool poisson = senders.pacing == plan::Pacing::poisson;
  if (senders.shape.exists())
    return said(", messages of %1, %2").arg(size, told(measure::exact_shape(senders.shape))) +
           (poisson ? said(" (Poisson)") : QString());
  QString words = senders.duration_ns > 0 ? said(", for %1").arg(told(plan::exact_duration(senders.duration_ns)))
                                          : said(", %1 messages each").arg(count(senders.messages));
  words += said(" of %1").arg(size);
  if (plan::closed_loop(plan) > 0) return words + said(", closed loop, %1 outstanding").arg(count(senders.outstanding));
  words += senders.delay_ns == 0 ? said(", as fast as the bus accepts them")
                                 : said(" every %1").arg(told(plan::exact_duration(senders.delay_ns)));
  return senders.delay_ns > 0 && poisson ? words + said(" on average (Poisson)") : words;
}

}  // namespace

QString count(uint64_t number) {
  return qt(text::count(static_cast<int64_t>(number)));
}

QString plan_words(const plan::RunPlan& plan) {
  const plan::SenderPlan& senders = plan.senders;
  const bool replies = plan::asks_for_replies(plan);
  QString words = qt(text::amount(senders.fleet.count, replies ? "requester" : "sender")) + places(senders.fleet.hosts);
  words += load_words(plan);
  words += said(", to %1").arg(qt(text::amount(plan.receivers.fleet.count, replies ? "replier" : "receiver"))) +
           places(plan.receivers.fleet.hosts);
  if (plan.receivers.service_time.exists())
    words += said(" with a service time of %1").arg(told(plan::exact_service_time(plan.receivers.service_time)));
  if (plan.receivers.shared_limit.exists())
    words += said(" behind a shared limit (%1)").arg(qt(measure::exact_shared_limit(plan.receivers.shared_limit)));
  words += "; " + qt(to_text(plan.queue.mode));
  if (plan.bus != plan::BusPlan()) words += said(" over %1").arg(qt(plan.bus.traits().title));
  if (plan.queue.requests.on) words += said(", requests");
  if (plan.queue.responses) words += said(", responses");
  if (plan.warmup_ns > 0) words += said("; %1 of warm-up").arg(told(plan::exact_duration(plan.warmup_ns)));
  return words;
}

}  // namespace n2nq::ui
