#include "ui/run/field_names.h"

#include <QCoreApplication>
#include <QStringList>
#include <array>
#include <functional>
#include <string_view>

#include "app/plan/plan_fields.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

struct NamedField {
  std::string_view key;
  const char* name;
};

// As the forms call them.
constexpr std::array kFieldNames{
    NamedField{"name", "Plan name"},
    NamedField{"senders.count", "Senders amount"},
    NamedField{"senders.processes", "Senders processes"},
    NamedField{"senders.loops", "Senders loops"},
    NamedField{"senders.hosts", "Senders source"},
    NamedField{"senders.attach", "Senders address"},
    NamedField{"senders.messages", "Senders messages"},
    NamedField{"senders.duration", "Senders duration"},
    NamedField{"senders.size", "Senders size"},
    NamedField{"senders.delay", "Senders delay"},
    NamedField{"senders.pacing", "Senders pacing"},
    NamedField{"senders.phase", "Senders phase"},
    NamedField{"senders.seed", "Senders seed"},
    NamedField{"queue.host", "Queue host"},
    NamedField{"queue.mode", "Queue mode"},
    NamedField{"queue.policy", "Queue policy"},
    NamedField{"queue.retention", "Remove after"},
    NamedField{"queue.responses", "Receiver responses"},
    NamedField{"queue.requests", "Receiver requests"},
    NamedField{"queue.at_a_time", "Ask for at a time"},
    NamedField{"queue.filters", "Filters"},
    NamedField{"queue.max_memory", "Queue memory limit"},
    NamedField{"queue.max_message", "Queue largest message"},
    NamedField{"queue.tries", "Queue tries"},
    NamedField{"queue.response_window", "Queue response window"},
    NamedField{"queue.seed", "Queue seed"},
    NamedField{"queue.drain_timeout", "Queue drain timeout"},
    NamedField{"queue.stall_timeout", "Queue stall timeout"},
    NamedField{"queue.listen", "Queue listen"},
    NamedField{"queue.token_file", "Queue token file"},
    NamedField{"receivers.count", "Receivers amount"},
    NamedField{"receivers.processes", "Receivers processes"},
    NamedField{"receivers.loops", "Receivers loops"},
    NamedField{"receivers.hosts", "Receivers source"},
    NamedField{"receivers.attach", "Receivers address"},
    NamedField{"receivers.service_time", "Receivers service time"},
    NamedField{"receivers.seed", "Receivers seed"},
    NamedField{"look.path", "Trace path first"},
    NamedField{"look.bandwidth", "Measure bandwidth first"},
    NamedField{"warmup", "Warm-up"},
    NamedField{"log", "Log level"},
    NamedField{"join_timeout", "Join timeout"},
    NamedField{"limits", "Limits"},
};

QString translated(const char* text) {
  return QCoreApplication::translate("n2nq::fields", text);
}

QString each_part(const QString& text, const std::function<QString(const QString&)>& change) {
  QStringList parts;
  for (const QString& part : text.split(',')) parts += change(part.trimmed());
  return parts.join(QStringLiteral(", "));
}

}  // namespace

QString field_name(const std::string& key) {
  for (const NamedField& field : kFieldNames)
    if (field.key == key) return translated(field.name);
  return theme::qt(key);
}

QString field_group(const std::string& key) {
  const std::string_view first = std::string_view(key).substr(0, key.find('.'));
  if (first == "senders") return translated("Senders");
  if (first == "receivers") return translated("Receivers");
  return first == "queue" ? translated("Queue") : translated("Run");
}

QString names_of_keys(const QString& keys) {
  return each_part(keys, [](const QString& key) { return field_name(theme::utf8(key)); });
}

QString keys_of_names(const QString& names) {
  return each_part(names, [](const QString& name) {
    for (const plan::PlanField& field : plan::plan_fields())
      if (field_name(std::string(field.key)).compare(name, Qt::CaseInsensitive) == 0) return theme::qt(field.key);
    return name;
  });
}

}  // namespace n2nq::ui
