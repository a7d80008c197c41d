// Errors that come from outside (bytes, files, hosts, users) are values with text a person can act on.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace n2nq {

struct Error {
  std::string text;      // what went wrong, where, and what to do
  int error_number = 0;  // errno where the system said no, else 0
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(std::string text, int error_number = 0) {
  return std::unexpected(Error{.text = std::move(text), .error_number = error_number});
}

}  // namespace n2nq
