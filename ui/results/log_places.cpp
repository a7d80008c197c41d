#include "ui/results/log_places.h"

#include <QFileInfo>
#include <QObject>
#include <algorithm>

#include "app/record/run_folder.h"
#include "ui/services/slowest_wish.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

// What was attached from elsewhere has its logs there; a relative folder is relative to where it was started.
bool on_this_computer(const record::RunRecord& record, const record::ProcessRecord& process) {
  return process.log_dir.starts_with('/') && plan::is_loopback(plan::attached_at(record.plan, process.role));
}

// Of servers it is not told whose they are: what came home is beside the queue's.
bool is_of(const record::ProcessRecord& process, Role role, uint32_t service) {
  if (role == Role::broker) return service == 0 && process.role == role && process.name == "queue";
  return process.role == role && service >= process.first_service && service - process.first_service < process.services;
}

std::string folder_of(const record::RunRecord& record, Role role, uint32_t service) {
  for (const record::ProcessRecord& process : record.processes) {
    if (!is_of(process, role, service)) continue;
    if (process.place == record::kThisPlace || process.log_dir == record.folder) continue;
    return on_this_computer(record, process) ? process.log_dir : std::string();
  }
  return record.folder;
}

}  // namespace

QString log_path(const record::RunRecord& record, Role role, uint32_t service) {
  const std::string folder = folder_of(record, role, service);
  if (folder.empty()) return {};
  const QString path = theme::qt(folder + "/" + record::log_name(role, service));
  return QFileInfo(path).isFile() ? path : QString();
}

QString no_log_text(const record::RunRecord& record, Role role, uint32_t service) {
  const QString text = QObject::tr("The log of %1 is not on this computer.").arg(log_title(record, role, service));
  const auto process = std::ranges::find_if(
      record.processes, [&](const record::ProcessRecord& one) { return is_of(one, role, service); });
  const bool bare = process != record.processes.end() && record::is_on_host(record, *process) && process->exit_code &&
                    process->log_dir.empty();
  if (!bare) return text;
  return text + QObject::tr(" %1 has no shell: its processes keep no log files.").arg(theme::qt(process->place));
}

QString log_title(const record::RunRecord& record, Role role, uint32_t service) {
  const std::string what = role != Role::broker ? to_text(role) + " " + std::to_string(service)
                           : service == 0       ? "queue"
                                                : std::string(record.plan.bus.traits().title) + " server";
  return theme::qt(record.plan.name + ": " + what);
}

logs::SlowestWish slowest_wish_of(const record::RunRecord& record) {
  const auto path = [&record](uint32_t receiver) { return theme::utf8(log_path(record, Role::receiver, receiver)); };
  const auto title = [&record](uint32_t receiver) { return theme::utf8(log_title(record, Role::receiver, receiver)); };
  logs::SlowestWish wish =
      slowest_wish(record.plan, record::services_of(record, Role::receiver).size(), {.path = path, .title = title});
  wish.elsewhere = 0;  // what is not here now will not come
  return wish;
}

}  // namespace n2nq::ui
