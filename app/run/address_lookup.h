// Asks for the address behind HOST:PORT on a thread of its own, since a name server may be slow. An address that needs
// nobody to be asked is known at once. UI thread; destroyed before the answer, it does not wait for it. Not destroyed
// from within `done`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "broker/net/resolve.h"

namespace n2nq::run {

class AddressLookup {
 public:
  using Ask = std::function<Result<net::Endpoint>(const std::string& address)>;
  using Done = std::function<void(const Result<net::Endpoint>& endpoint)>;  // in the UI thread, from its event loop

  AddressLookup(const std::string& address, Done done, Ask ask = ask_name_servers);
  ~AddressLookup();

  static Result<net::Endpoint> ask_name_servers(const std::string& address);
  // Nothing where a name has to be looked up.
  static std::optional<Result<net::Endpoint>> known(const std::string& address);

 private:
  class Answer;
  std::shared_ptr<Answer> answer_;  // with the thread, which may live longer
};

}  // namespace n2nq::run
