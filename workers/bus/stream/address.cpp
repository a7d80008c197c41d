#include "workers/bus/stream/address.h"

#include <algorithm>
#include <charconv>

namespace n2nq::bus {
namespace {

constexpr std::string_view kReceiverPath = "/receiver/";
constexpr std::string_view kSenderQuery = "sender=";
constexpr std::string_view kFingerprint = "#sha256=";
constexpr size_t kFingerprintDigits = 64;

uint32_t number_in(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

}  // namespace

std::string Address::host() const {
  std::string host = authority.substr(0, authority.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host;
}

std::string Address::text() const {
  std::string text = scheme + "://" + authority + path;
  if (!fingerprint.empty()) text += std::string(kFingerprint) + fingerprint;
  return text;
}

Result<Address> parse_address(std::string_view text) {
  const auto wrong = [text] {
    return fail("\"" + std::string(text) + "\" is not the address of a receiver, such as http://10.0.0.1:40123" +
                path_of_receiver(7));
  };
  Address address;
  const size_t scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) return wrong();
  address.scheme = text.substr(0, scheme_end);
  std::string_view rest = text.substr(scheme_end + 3);
  if (const size_t fingerprint = rest.find('#'); fingerprint != std::string_view::npos) {
    const std::string_view tail = rest.substr(fingerprint);
    if (!tail.starts_with(kFingerprint) || tail.size() != kFingerprint.size() + kFingerprintDigits) return wrong();
    address.fingerprint = tail.substr(kFingerprint.size());
    if (address.fingerprint.find_first_not_of("0123456789abcdef") != std::string::npos) return wrong();
    rest = rest.substr(0, fingerprint);
  }
  const size_t slash = rest.find('/');
  if (slash == std::string_view::npos || slash == 0) return wrong();
  address.authority = rest.substr(0, slash);
  address.path = rest.substr(slash);
  if (receiver_of_path(address.path) == 0) return wrong();
  if (std::ranges::any_of(rest, [](char c) { return c <= ' ' || c > '~'; })) return wrong();
  return address;
}

std::string path_of_receiver(uint32_t number) {
  return std::string(kReceiverPath) + std::to_string(number);
}

bool is_path_of_any(std::string_view path) {
  return path.substr(0, path.find('?')) == kPathOfAny;
}

uint32_t receiver_of_path(std::string_view path) {
  if (!path.starts_with(kReceiverPath)) return 0;
  const std::string_view number = path.substr(kReceiverPath.size());
  return number_in(number.substr(0, number.find('?')));
}

uint32_t sender_of_path(std::string_view path) {
  const size_t query = path.find('?');
  if (query == std::string_view::npos) return 0;
  const std::string_view text = path.substr(query + 1);
  return text.starts_with(kSenderQuery) ? number_in(text.substr(kSenderQuery.size())) : 0;
}

}  // namespace n2nq::bus
