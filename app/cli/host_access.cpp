#include "app/cli/host_access.h"

#include <algorithm>
#include <cerrno>

namespace n2nq::cli {
namespace {

std::string in_shell(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:@%+=,").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string hosts_path(const std::string& given, const place::DataFolder& folder) {
  return given.empty() ? folder.hosts() : given;
}

Result<hosts::HostList> read_hosts(const std::string& given, const place::DataFolder& folder) {
  auto list = hosts::read_host_list(hosts_path(given, folder));
  if (!list && given.empty() && list.error().error_number == ENOENT) return hosts::HostList{};
  return list;
}

HostAccess::HostAccess(hosts::HostList list, const std::string& programs, const HostsOptions& options,
                       Askpass::Keys keys)
    : links(std::move(list), launch::LinkOptions{.programs = programs,
                                                 .known_hosts = options.known_hosts,
                                                 .ask = keys == Askpass::Keys::left || !options.askpass.empty()}),
      answers(links, options.askpass, keys) {}

std::string failure_text(const launch::LinkFailure& failure, const HostsOptions& options) {
  if (failure.trouble != launch::LinkTrouble::unknown_key) return failure.text;
  return failure.host + ": its key is unknown: " + failure.fingerprint +
         "; if its owner confirms that this is its key, run: n2nq-bench hosts trust " + in_shell(failure.host) + " " +
         failure.fingerprint + (options.file.empty() ? "" : " --hosts " + in_shell(options.file)) +
         (options.known_hosts.empty() ? "" : " --known-hosts " + in_shell(options.known_hosts));
}

}  // namespace n2nq::cli
