#include "ui/run/field_names.h"

#include <QCoreApplication>
#include <QStringList>
#include <functional>
#include <string_view>

#include "app/figures/setting_text.h"
#include "app/plan/plan_fields.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

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
  return translated(figures::setting_name(key).c_str());
}

QString field_group(const std::string& key) {
  const std::string_view first = std::string_view(key).substr(0, key.find('.'));
  if (first == "senders") return translated("Senders");
  if (first == "receivers") return translated("Receivers");
  if (first == "bus") return translated("Bus");
  return first == "queue" ? translated("Queue") : translated("Run");
}

QString names_of_keys(const QString& keys) {
  return each_part(keys, [](const QString& key) { return field_name(theme::utf8(key)); });
}

QString keys_of_names(const QString& names) {
  return each_part(names, [](const QString& name) {
    for (const plan::PlanField& field : plan::settable_fields())
      if (field_name(std::string(field.key)).compare(name, Qt::CaseInsensitive) == 0) return theme::qt(field.key);
    return name;
  });
}

}  // namespace n2nq::ui
