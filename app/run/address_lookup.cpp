#include "app/run/address_lookup.h"

#include <utility>

namespace n2nq::run {
namespace {

constexpr int kMostMs = 5000;

bool is_literal(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string::npos;
}

}  // namespace

AddressLookup::AddressLookup(const std::string& address, Done done, Ask ask) {
  job_.start([address, ask = std::move(ask)] { return ask(address); }, std::move(done));
}

Result<net::Endpoint> AddressLookup::ask_name_servers(const std::string& address) {
  return net::resolve(address, kMostMs);
}

std::optional<Result<net::Endpoint>> AddressLookup::known(const std::string& address) {
  if (!is_literal(address)) return {};
  return net::resolve(address, 0);
}

}  // namespace n2nq::run
