// The run token: 1 to 64 printable bytes that let a client in. Never printed: it has no text form but reveal().
// A value; any thread.
#pragma once

#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq::control {

inline constexpr size_t kMaxTokenBytes = 64;

class Token {
 public:
  Token() = default;  // no token: matches nothing
  // The error never quotes the text.
  static Result<Token> parse(std::string_view text);
  // The content of a file (or pipe), one trailing newline trimmed.
  static Result<Token> read_file(const std::string& path);

  bool empty() const { return text_.empty(); }
  // Takes the same time wherever the first difference lies.
  bool matches(std::string_view other) const;
  // For the HELLO frame and for nothing that a person or a log file sees.
  const std::string& reveal() const { return text_; }

 private:
  std::string text_;
};

// A password for a server that is not ours: 1 to 255 bytes, none of them a control character.
Result<void> check_password(std::string_view text);
// The one line of a file. The error never quotes it.
Result<std::string> read_password_file(const std::string& path);

// Who must have signed a server's certificate: from text, the certificates in it alone, as PEM. The error says why
// there are none, or why they cannot be taken.
Result<std::string> certificates_in(std::string_view text);
Result<std::string> read_certificates_file(const std::string& path);

// Of a certificate: its SHA-256 as 64 lower-case hexadecimal digits.
Result<void> check_fingerprint(std::string_view text);

// What a worker needs at a server that is not ours, and of ours that speaks TLS.
struct BusAccess {
  std::string password{};            // empty: none
  std::string authorities{};         // who must have signed its certificate, PEM; empty: whoever the host trusts
  std::string broker_certificate{};  // fingerprint of the only one that the broker may have; empty: one that is signed
};

// What to tell the user when others can read the token file too; empty when all is well.
std::string token_file_hint(const std::string& path);

}  // namespace n2nq::control
