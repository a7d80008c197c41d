#include "app/hosts/import_choice.h"

#include <algorithm>

#include "app/hosts/ssh_config.h"

namespace n2nq::hosts {

ImportChoice::ImportChoice(const HostList& list, const std::vector<Host>& found) {
  HostList with = list;
  const Merged merged = merge(with, found);
  for (const Host& host : found) {
    Found one{.host = host, .there_already = find_host(list, host.name) != nullptr};
    const std::string begin = host.name + ": ";
    for (const std::string& refused : merged.refused)
      if (!one.there_already && refused.starts_with(begin)) one.refused = refused.substr(begin.size());
    one.chosen = one.can_be_chosen();
    all_.push_back(std::move(one));
  }
}

const ImportChoice::Found* ImportChoice::find(const std::string& name) const {
  const auto found =
      std::ranges::find(all_, name, [](const Found& one) -> const std::string& { return one.host.name; });
  return found == all_.end() ? nullptr : &*found;
}

// What can be chosen leads round no circle.
bool ImportChoice::leads_through(const Host& host, const std::string& name) const {
  for (const Found* at = find(host.jump); at != nullptr && at->can_be_chosen(); at = find(at->host.jump))
    if (at->host.name == name) return true;
  return false;
}

void ImportChoice::choose(size_t index, bool on) {
  Found& one = all_.at(index);
  if (!one.can_be_chosen()) return;
  one.chosen = on;
  for (Found& other : all_) {
    if (!other.can_be_chosen()) continue;
    if (on ? leads_through(one.host, other.host.name) : leads_through(other.host, one.host.name)) other.chosen = on;
  }
}

std::vector<Host> ImportChoice::chosen() const {
  std::vector<Host> hosts;
  for (const Found& one : all_)
    if (one.chosen) hosts.push_back(one.host);
  return hosts;
}

std::vector<std::string> ImportChoice::needed_for(size_t index) const {
  std::vector<std::string> names;
  for (const Found& one : all_)
    if (one.chosen && leads_through(one.host, all_.at(index).host.name)) names.push_back(one.host.name);
  return names;
}

}  // namespace n2nq::hosts
