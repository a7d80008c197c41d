// Asks for the address behind HOST:PORT on a thread of its own, since a name server may be slow. An address that needs
// nobody to be asked is known at once. UI thread; destroyed before the answer, it does not wait for it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/threads/job.h"
#include "broker/net/resolve.h"

namespace n2nq::run {

class AddressLookup {
 public:
  using Ask = std::function<Result<net::Endpoint>(const std::string& address)>;
  using Done = std::function<void(const Result<net::Endpoint>& endpoint)>;  // in the UI thread, from its event loop

  AddressLookup(const std::string& address, Done done, Ask ask = ask_name_servers);

  static Result<net::Endpoint> ask_name_servers(const std::string& address);
  // Nothing where a name has to be looked up.
  static std::optional<Result<net::Endpoint>> known(const std::string& address);

 private:
  threads::Job job_{threads::Job::AtEnd::abandon};
};

}  // namespace n2nq::run
