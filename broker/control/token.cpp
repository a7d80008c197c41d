#include "broker/control/token.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "broker/base/plain_file.h"

namespace n2nq::control {
namespace {

constexpr size_t kMaxPasswordBytes = 255;
constexpr size_t kNewlineBytes = 2;
constexpr size_t kMaxCertificateBytes = 32 * 1024;  // a line of control has room for them
constexpr size_t kMaxCertificateFile = 1024 * 1024;
constexpr std::string_view kBeginCertificate = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view kEndCertificate = "-----END CERTIFICATE-----";

bool printable(char c) {
  return c > 0x20 && c < 0x7F;
}

std::string read_advice(const Error& error) {
  if (error.error_number == EACCES)
    return "permission denied; it must belong to the user who starts this program (chmod 600)";
  if (error.error_number == ENOENT) return "no such file; write it first";
  if (error.error_number == EISDIR) return "it is a folder; name a file";
  return error.text;
}

// Up to one byte more than `most`. `what` is for errors.
Result<std::string> read_up_to(const std::string& path, size_t most, const std::string& what) {
  const auto file = open_plain_file(path);
  auto text = file ? read_some_of(file->file, most) : std::unexpected(file.error());
  if (!text)
    return fail("cannot read " + what + " " + path + ": " + read_advice(text.error()), text.error().error_number);
  return text;
}

std::string_view without_newline(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

// As it goes through lines of JSON it has to be UTF-8.
Result<void> check_password(std::string_view text) {
  const auto line = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const bool good = nlohmann::json::parse(line) == nlohmann::json(text) && !text.empty() &&
                    text.size() <= kMaxPasswordBytes &&
                    std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; });
  if (good) return {};
  return fail("a password is 1 to 255 bytes of UTF-8 in one line, without control characters");
}

Result<std::string> read_password_file(const std::string& path) {
  const auto read = read_up_to(path, kMaxPasswordBytes + kNewlineBytes, "the password file");
  if (!read) return read;
  const std::string_view text = without_newline(*read);
  if (auto good = check_password(text); !good)
    return fail("the password file " + path + " cannot be used: " + good.error().text);
  return std::string(text);
}

// What is around them may be any text.
Result<std::string> certificates_in(std::string_view text) {
  if (text.find("PRIVATE KEY-----") != std::string_view::npos)
    return fail("it has a private key in it; give certificates alone");
  std::string all;
  for (size_t at = text.find(kBeginCertificate); at != std::string_view::npos; at = text.find(kBeginCertificate, at)) {
    const size_t end = text.find(kEndCertificate, at);
    const std::string_view base64 = text.substr(at, end - at).substr(kBeginCertificate.size());
    const auto fits = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/' ||
             c == '=' || c == '\r' || c == '\n';
    };
    if (end == std::string_view::npos || !std::ranges::all_of(base64, fits))
      return fail("a certificate in it is damaged; give PEM, as openssl writes it");
    all += text.substr(at, end - at);
    all += kEndCertificate;
    all += '\n';
    at = end;
  }
  if (all.empty())
    return fail("it has no certificate in it; give PEM, which begins with " + std::string(kBeginCertificate));
  if (all.size() > kMaxCertificateBytes)
    return fail("its certificates are more than 32 KiB; give only that of who has signed the server's");
  return all;
}

Result<std::string> read_certificates_file(const std::string& path) {
  const auto text = read_up_to(path, kMaxCertificateFile, "the certificates in");
  if (!text) return text;
  auto certificates = certificates_in(*text);
  if (!certificates) return fail(path + " cannot be used: " + certificates.error().text);
  return certificates;
}

Result<Token> Token::parse(std::string_view text) {
  if (text.empty()) return fail("the token is empty; it must have 1 to 64 printable characters");
  if (text.size() > kMaxTokenBytes) return fail("the token is too long; it must have 1 to 64 printable characters");
  for (const char c : text)
    if (!printable(c))
      return fail("the token contains a space or an unprintable byte; it must have 1 to 64 printable characters");
  Token token;
  token.text_ = text;
  return token;
}

// Also from a pipe: whoever starts a program says where its token is.
Result<Token> Token::read_file(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto text =
      file.valid() ? read_some_of(file, kMaxTokenBytes + kNewlineBytes) : fail(std::strerror(errno), errno);
  if (!text)
    return fail("cannot read the token file " + path + ": " + read_advice(text.error()), text.error().error_number);
  auto token = parse(without_newline(*text));
  if (!token) return fail("the token file " + path + " cannot be used: " + token.error().text);
  return token;
}

bool Token::matches(std::string_view other) const {
  if (empty()) return false;
  size_t difference = text_.size() ^ other.size();
  for (size_t i = 0; i < kMaxTokenBytes; i++) {
    const unsigned char mine = i < text_.size() ? static_cast<unsigned char>(text_[i]) : 0;
    const unsigned char theirs = i < other.size() ? static_cast<unsigned char>(other[i]) : 0;
    difference |= static_cast<size_t>(mine ^ theirs);
  }
  return difference == 0;
}

Result<void> check_fingerprint(std::string_view text) {
  const bool hex = std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  if (hex && text.size() == 64) return {};
  return fail("'" + std::string(text.substr(0, 80)) + "' is no fingerprint; write its 64 digits, 0 to 9 and a to f");
}

std::string token_file_hint(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  if ((status.st_mode & (S_IRGRP | S_IROTH)) == 0) return {};
  return "other users can read the token file " + path + "; protect it with: chmod 600 " + path;
}

}  // namespace n2nq::control
