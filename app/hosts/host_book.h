// The list of hosts as it is edited: kept in its file after each change, each change a step of undo. Lists that are
// no good never get in. One thread.
#pragma once

#include <optional>
#include <string>

#include "app/hosts/host_list.h"
#include "app/plan/history.h"

namespace n2nq::hosts {

class HostBook {
 public:
  // Reads the file; none there is an empty list.
  explicit HostBook(std::string path);

  const HostList& list() const { return history_.now(); }
  const std::string& path() const { return path_; }
  // Why the file could not be read. It is left as it is, and all changes are refused until it can be.
  const std::optional<std::string>& trouble() const { return trouble_; }

  // `what`: "add vm1", for undo_text(). Nothing to do is not a step.
  Result<void> change(const std::string& what, HostList next);
  // What would be taken back, or brought again; empty: nothing.
  std::string undo_text() const { return history_.undo_label(); }
  std::string redo_text() const { return history_.redo_label(); }
  Result<void> undo();
  Result<void> redo();
  // Takes over what another program has written into the file since; true: the list is another one. There is no undo
  // beyond that.
  bool look();

 private:
  Result<void> write(const HostList& list);

  std::string path_;
  plan::History<HostList> history_;
  std::optional<std::string> trouble_;
};

// A name that the list does not have yet: `wanted`, or with the next number ("vm1", "vm1-2").
std::string free_name(const HostList& list, const std::string& wanted);
// The list with a host in the place of another; where its name is another one now, what jumps through it follows.
HostList with_host(HostList list, size_t index, const Host& host);

}  // namespace n2nq::hosts
