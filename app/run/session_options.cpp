#include "app/run/session_options.h"

#include <algorithm>

#include "app/hosts/host_list.h"
#include "app/run/host_links.h"

namespace n2nq::run {

std::chrono::milliseconds SessionOptions::survive_on(const std::string& host) const {
  const hosts::Host* known = links == nullptr ? nullptr : hosts::find_host(links->list(), host);
  if (known == nullptr) return survive;
  return std::max(survive, std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(known->survive_ns)));
}

}  // namespace n2nq::run
