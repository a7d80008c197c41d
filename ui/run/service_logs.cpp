#include "ui/run/service_logs.h"

#include <algorithm>
#include <utility>

#include "ui/run/live_view.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

ServiceLogs::ServiceLogs(const run::RunSequence& sequence, LiveView& live, QWidget* page)
    : QObject(page), sequence_(sequence), live_(live), page_(page) {
  connect(&live_, &LiveView::open_log, this, &ServiceLogs::open);
}

void ServiceLogs::open_selected() {
  const std::pair<Role, ServiceTable*> tables[] = {{Role::sender, live_.sender_table()},
                                                   {Role::receiver, live_.receiver_table()}};
  for (const auto& [role, table] : tables)
    if (const auto service = table->current_service(); service && table->isAncestorOf(page_->focusWidget()))
      return open(role, *service);
  const auto senders = live_.sender_table()->selection();
  const auto receivers = live_.receiver_table()->selection();
  if (senders.empty() == receivers.empty()) return;
  const auto& [role, table] = tables[senders.empty() ? 1 : 0];
  const auto& selected = senders.empty() ? receivers : senders;
  const auto current = table->current_service();
  open(role, current && std::ranges::count(selected, *current) > 0 ? *current : selected.front());
}

void ServiceLogs::open(Role role, uint32_t service) {
  const run::RunSession* session = sequence_.session();
  if (session == nullptr) return;
  const QString title = service == 0 ? tr("queue") : theme::qt(to_text(role)) + ' ' + QString::number(service);
  if (const std::string why = session->why_no_log(role, service); !why.empty())
    return no_log(tr("No log of %1: %2.").arg(title, QString::fromStdString(why)));
  const QString path = QString::fromStdString(session->log_path(role, service));
  if (const auto far = session->far_log(role, service); far && sequence_.active())
    return open_far_log(*far, path, tr("%1 on %2").arg(title, QString::fromStdString(far->host)));
  Q_EMIT open_log(path, title);
}

}  // namespace n2nq::ui

#include "moc_service_logs.cpp"
