#include "app/hosts/host_book.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace n2nq::hosts {
namespace {

constexpr size_t kMostSteps = 100;

}  // namespace

HostBook::HostBook(std::string path) : path_(std::move(path)), history_(kMostSteps) {
  look();
}

bool HostBook::look() {
  auto read = read_host_list(path_);
  const bool none = !read && read.error().error_number == ENOENT;
  if (!read && !none) {
    trouble_ = read.error().text + "; fix the file or move it away, then no host is lost";
    return false;
  }
  trouble_.reset();
  HostList found = none ? HostList() : std::move(*read);
  if (found == list()) return false;
  history_ = plan::History(kMostSteps, std::move(found));
  return true;
}

Result<void> HostBook::change(const std::string& what, HostList next) {
  if (next == list()) return {};
  if (auto written = write(next); !written) return written;
  history_.add(std::move(next), what);
  return {};
}

Result<void> HostBook::write(const HostList& list) {
  if (auto good = check(list); !good) return good;
  if (look()) return fail("another program has changed the list of hosts; the current list is shown");
  if (trouble_) return fail(*trouble_);
  return write_host_list(path_, list);
}

Result<void> HostBook::undo() {
  if (history_.before() == nullptr) return {};
  if (auto written = write(*history_.before()); !written) return written;
  history_.undo();
  return {};
}

Result<void> HostBook::redo() {
  if (history_.after() == nullptr) return {};
  if (auto written = write(*history_.after()); !written) return written;
  history_.redo();
  return {};
}

std::string free_name(const HostList& list, const std::string& wanted) {
  if (find_host(list, wanted) == nullptr) return wanted;
  for (int number = 2;; number++) {
    const std::string name = wanted + "-" + std::to_string(number);
    if (find_host(list, name) == nullptr) return name;
  }
}

HostList with_host(HostList list, size_t index, const Host& host) {
  const std::string before = std::exchange(list.hosts.at(index), host).name;
  if (before == host.name) return list;
  for (Host& other : list.hosts)
    if (other.jump == before) other.jump = host.name;
  return list;
}

}  // namespace n2nq::hosts
