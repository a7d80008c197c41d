// The fields of a plan by the names that the window gives them. UI thread.
#pragma once

#include <QString>
#include <string>

namespace n2nq::ui {

QString field_name(const std::string& key);   // "Senders delay"
QString field_group(const std::string& key);  // "Senders", "Queue", "Receivers", "Run"
// Several, separated by commas; what is neither a key nor a name stays as it is.
QString names_of_keys(const QString& keys);
QString keys_of_names(const QString& names);

}  // namespace n2nq::ui
