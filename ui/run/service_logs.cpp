#include "ui/run/service_logs.h"

#include <algorithm>
#include <utility>

#include "ui/run/live_view.h"
#include "ui/services/slowest_wish.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr size_t kMostFetched = 8;

// As many as can be fetched in a run: those of the receivers with the highest p99 so far.
std::vector<FarPlace> slowest_elsewhere(const run::RunSession& session) {
  const auto receivers = session.live().receivers();
  std::vector<live::ServiceFigures> rows(receivers.begin(), receivers.end());
  std::ranges::stable_sort(rows, std::ranges::greater(),
                           [](const live::ServiceFigures& row) { return row.latency_p99_ns.value_or(0); });
  std::vector<FarPlace> places;
  for (const live::ServiceFigures& row : rows) {
    const auto log = session.far_log(Role::receiver, row.number);
    if (!log) continue;
    places.push_back(
        {.log = *log,
         .title = ServiceLogs::tr("receiver %1 on %2").arg(row.number).arg(QString::fromStdString(log->host))});
    if (places.size() == kMostFetched) break;
  }
  return places;
}

}  // namespace

SlowestPlaces slowest_places(const run::RunSession& session, bool active, const logs::SlowestAim& aim) {
  const auto here = [&](uint32_t receiver) {
    const bool elsewhere = active && session.far_log(Role::receiver, receiver).has_value();
    return elsewhere ? std::string() : session.log_path(Role::receiver, receiver);
  };
  const auto title = [](uint32_t receiver) { return to_text(Role::receiver) + " " + std::to_string(receiver); };
  SlowestPlaces places{
      .wish = slowest_wish(session.plan(), session.live().receivers().size(), {.path = here, .title = title})};
  places.wish.aim = aim;
  if (places.wish.elsewhere > 0) places.far = slowest_elsewhere(session);
  places.wish.elsewhere -= places.far.size();
  return places;
}

std::optional<SlowestPlaces> slowest_places_at(const run::RunSession& session, bool active,
                                               const figures::Figure& figure, double second) {
  const auto aim = aim_at(figure, second);
  return aim ? std::optional(slowest_places(session, active, *aim)) : std::nullopt;
}

ServiceLogs::ServiceLogs(const run::RunSequence& sequence, LiveView& live, QWidget* page)
    : QObject(page), sequence_(sequence), live_(live), page_(page) {
  connect(&live_, &LiveView::open_log, this, &ServiceLogs::open);
  connect(live_.charts(), &charts::ChartTabs::moment_clicked, this, &ServiceLogs::find_slowest_at);
  connect(&live_, &LiveView::slowest_wanted, this, &ServiceLogs::open_at_slowest);
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

std::optional<ServiceLogs::Place> ServiceLogs::place_of(Role role, uint32_t service) {
  const run::RunSession* session = sequence_.session();
  if (session == nullptr) return std::nullopt;
  Place place{.title = role != Role::broker ? theme::qt(to_text(role)) + ' ' + QString::number(service)
                       : service == 0       ? tr("queue")
                       : service == 1       ? tr("server")
                                            : tr("server %1").arg(service)};
  if (const std::string why = session->why_no_log(role, service); !why.empty()) {
    Q_EMIT no_log(tr("No log of %1: %2.").arg(place.title, QString::fromStdString(why)));
    return std::nullopt;
  }
  place.path = QString::fromStdString(session->log_path(role, service));
  if (sequence_.active()) place.far = session->far_log(role, service);
  return place;
}

void ServiceLogs::open(Role role, uint32_t service) {
  const auto place = place_of(role, service);
  if (!place) return;
  if (place->far)
    return open_far_log(*place->far, place->path,
                        tr("%1 on %2").arg(place->title, QString::fromStdString(place->far->host)));
  Q_EMIT open_log(place->path, place->title);
}

void ServiceLogs::open_at_slowest(Role role, uint32_t service) {
  const auto place = place_of(role, service);
  if (!place) return;
  if (place->far)
    return no_log(tr("The log of %1 is on %2 until the run ends; its slowest message can be found then.")
                      .arg(place->title, QString::fromStdString(place->far->host)));
  Q_EMIT open_slowest(place->path, place->title);
}

void ServiceLogs::find_slowest() {
  if (const run::RunSession* session = sequence_.session())
    Q_EMIT slowest_wanted(slowest_places(*session, sequence_.active(), {}));
  else
    Q_EMIT no_log(tr("There is no run yet. Start one, then its slowest message can be found."));
}

void ServiceLogs::find_slowest_at(const figures::Figure& figure, double second) {
  const run::RunSession* session = sequence_.session();
  if (session == nullptr) return;
  if (const auto places = slowest_places_at(*session, sequence_.active(), figure, second))
    Q_EMIT slowest_wanted(*places);
}

}  // namespace n2nq::ui

#include "moc_service_logs.cpp"
