// Which of the hosts that an import found are taken into the list: those that are new, until a person unchecks some. A
// host comes with the jump hosts that it needs. A value; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/hosts/host_list.h"

namespace n2nq::hosts {

class ImportChoice {
 public:
  struct Found {
    Host host{};
    bool there_already = false;  // stays in the list as it is
    std::string refused{};       // why it cannot be in the list; empty: it can
    bool chosen = false;
    bool can_be_chosen() const { return !there_already && refused.empty(); }
  };

  ImportChoice(const HostList& list, const std::vector<Host>& found);

  const std::vector<Found>& all() const { return all_; }
  // On, the hosts through which it is reached are chosen, too; off, those that are reached through it are not.
  void choose(size_t index, bool on);
  std::vector<Host> chosen() const;
  std::vector<std::string> needed_for(size_t index) const;  // the chosen ones that are reached through it

 private:
  bool leads_through(const Host& host, const std::string& name) const;
  const Found* find(const std::string& name) const;

  std::vector<Found> all_;
};

}  // namespace n2nq::hosts
