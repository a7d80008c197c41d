// The texts of a host that a person edits: how each is called, what it is for, and what typed text does to it. Pure.
#pragma once

#include <QString>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/hosts/host_list.h"

namespace n2nq::ui {

struct HostField {
  const char* key;                        // as in the file: "data_address"
  const char* label;                      // "Data address"
  const char* full_name;                  // "Host data address"
  const char* help;                       // one sentence
  const char* placeholder;                // what an empty one means
  std::optional<hosts::Host::Kind> only;  // hosts of this kind have it; nothing: all have
  QString (*text)(const hosts::Host& host);
  // The error is for beneath the field.
  Result<void> (*set)(hosts::Host& host, const QString& text);
};

std::span<const HostField> host_fields();  // in the order of the form
const HostField& host_field(const char* key);
// Its other fields become such as this kind needs.
hosts::Host of_kind(hosts::Host host, hosts::Host::Kind kind);
QString few_names(const std::vector<std::string>& all);  // "vm1, vm2, vm3, vm4, vm5, 7 more"
QString reached_at(const hosts::Host& host);             // "10.0.0.5:2222"; of a command host its command

}  // namespace n2nq::ui
