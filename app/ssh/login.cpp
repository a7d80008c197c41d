#include "app/ssh/login.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "broker/base/join.h"

namespace n2nq::ssh {
namespace {

using remote::LinkFailure;
using remote::LinkQuestion;
using remote::LinkStep;
using remote::LinkTrouble;

constexpr int kTries = 3;

std::string home() {
  const char* home = std::getenv("HOME");
  return home != nullptr ? home : "";
}

std::string expanded(const std::string& file) {
  return file.starts_with("~/") ? home() + file.substr(1) : file;
}

std::string user_here() {
  struct passwd entry{};
  struct passwd* found = nullptr;
  std::array<char, 4096> buffer{};
  ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found);
  return found != nullptr ? found->pw_name : "root";
}

// libssh asks for the passphrase through this; it is asked for elsewhere, where there are more words for it.
int note_that_it_was_asked(const char*, char*, size_t, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

}  // namespace

Login::Login(ssh_session session, const hosts::Host& host, const Options& options, Asker& asker, Secrets& secrets)
    : session_(session),
      host_(host),
      options_(options),
      asker_(asker),
      secrets_(secrets),
      user_(host.user.empty() ? user_here() : host.user) {}

std::expected<std::string, LinkFailure> Login::run() {
  Way way = judge(ssh_userauth_none(session_, nullptr), "nothing");
  for (int round = 0; way != Way::in && way != Way::broken && round < kTries; round++) {
    const int methods = ssh_userauth_list(session_, nullptr);
    way = Way::no;
    if ((methods & SSH_AUTH_METHOD_PUBLICKEY) != 0) way = by_keys();
    if (way == Way::no && !given_up_ && (methods & SSH_AUTH_METHOD_INTERACTIVE) != 0) way = by_prompts();
    if (way == Way::no && !given_up_ && (methods & SSH_AUTH_METHOD_PASSWORD) != 0) way = by_password();
    if (way != Way::more) break;
  }
  if (way == Way::in) return "as " + user_ + ", with " + with_;
  if (way == Way::broken)
    return std::unexpected(
        LinkFailure{.trouble = tried_.empty() ? LinkTrouble::unreachable : LinkTrouble::login_refused,
                    .step = LinkStep::login,
                    .text = host_.name + " ended the login as " + user_ + ": " + error_of(session_) +
                            (tried_.empty() ? "" : "; tried were " + tried_),
                    .host = host_.name});
  return std::unexpected(refused());
}

LinkFailure Login::refused() const {
  std::string text = host_.name + " refuses to log in " + user_;
  if (given_up_)
    text += ": no answer was given" + (tried_.empty() ? "" : "; tried were " + tried_);
  else if (tried_.empty())
    text += ": no way to log in; set a key file, start an agent, or allow a password prompt";
  else
    text += " with the methods tried: " + tried_ + "; check the user, the key, or the password";
  return {.trouble = LinkTrouble::login_refused, .step = LinkStep::login, .text = text, .host = host_.name};
}

Login::Way Login::judge(int result, const std::string& with) {
  switch (result) {
    case SSH_AUTH_SUCCESS:
      add_part(with_, " and ", with);
      return Way::in;
    case SSH_AUTH_PARTIAL:
      add_part(with_, " and ", with);
      return Way::more;
    case SSH_AUTH_DENIED:
      return Way::no;
    default:
      return Way::broken;
  }
}

Login::Way Login::by_keys() {
  std::vector<std::string> files;
  if (!host_.key_file.empty())
    files.push_back(expanded(host_.key_file));
  else
    for (const char* name : {"id_ed25519", "id_ecdsa", "id_rsa"}) files.push_back(home() + "/.ssh/" + name);
  std::erase_if(files,
                [&](const std::string& file) { return host_.key_file.empty() && ::access(file.c_str(), R_OK) != 0; });
  // A key that was named comes first, so that an agent with many keys does not use up the tries.
  Way way = Way::no;
  if (!host_.key_file.empty()) way = by_key(files.front(), false);
  if (way == Way::no) way = by_agent();
  if (way == Way::no && host_.key_file.empty())
    for (const std::string& file : files)
      if (way = by_key(file, false); way != Way::no) break;
  if (way == Way::no)
    for (const std::string& file : files)
      if (way = by_key(file, true); way != Way::no) break;
  return way;
}

Login::Way Login::by_agent() {
  if (!options_.use_agent) return Way::no;
  if (options_.agent_socket.empty() && std::getenv("SSH_AUTH_SOCK") == nullptr) return Way::no;
  const int result = ssh_userauth_agent(session_, nullptr);
  // An agent that is no longer there is no reason to stop.
  if (result == SSH_AUTH_ERROR && ssh_is_connected(session_) != 0) return Way::no;
  add_part(tried_, ", ", "the agent");
  return judge(result, "the agent");
}

// Without `ask`: only keys that need no passphrase. With it: only those that do, and that the host would take.
Login::Way Login::by_key(const std::string& file, bool ask) {
  bool encrypted = false;
  ssh_key raw = nullptr;
  if (!ask) {
    const bool loaded =
        ssh_pki_import_privkey_file(file.c_str(), nullptr, note_that_it_was_asked, &encrypted, &raw) == SSH_OK;
    const KeyHandle key(raw);
    if (!loaded && !encrypted && !host_.key_file.empty())
      add_part(tried_, ", ", "the key " + file + " (which cannot be read)");
    if (!loaded) return Way::no;
    add_part(tried_, ", ", "the key " + file);
    return judge(ssh_userauth_publickey(session_, nullptr, key.get()), "the key " + file);
  }
  const bool loaded =
      ssh_pki_import_privkey_file(file.c_str(), nullptr, note_that_it_was_asked, &encrypted, &raw) == SSH_OK;
  KeyHandle key(raw);
  if (loaded || !encrypted) return Way::no;
  ssh_key raw_public = nullptr;
  if (ssh_pki_import_pubkey_file((file + ".pub").c_str(), &raw_public) == SSH_OK) {
    const KeyHandle public_key(raw_public);
    const int wanted = ssh_userauth_try_publickey(session_, nullptr, public_key.get());
    if (wanted == SSH_AUTH_ERROR) return Way::broken;
    if (wanted != SSH_AUTH_SUCCESS) {
      add_part(tried_, ", ", "the key " + file);
      return Way::no;
    }
  }
  bool wrong = false;
  for (int i = 0; i < kTries; i++) {
    bool given = false;
    std::string passphrase = secret(LinkQuestion::Kind::passphrase, "passphrase of " + file,
                                    "The passphrase for the key " + file + ":", true, i > 0, given);
    if (!given) break;
    ssh_key opened = nullptr;
    const bool right =
        ssh_pki_import_privkey_file(file.c_str(), passphrase.c_str(), nullptr, nullptr, &opened) == SSH_OK;
    wipe(passphrase);
    if (!right) {
      wrong = true;
      secrets_.forget("passphrase of " + file);
      continue;
    }
    key.reset(opened);
    add_part(tried_, ", ", "the key " + file);
    return judge(ssh_userauth_publickey(session_, nullptr, key.get()), "the key " + file);
  }
  add_part(tried_, ", ",
           "the key " + file + (wrong ? " (not with the passphrase given)" : " (without its passphrase)"));
  return Way::no;
}

Login::Way Login::by_prompts() {
  for (int i = 0; i < kTries; i++) {
    std::vector<std::string> asked;
    int result = ssh_userauth_kbdint(session_, nullptr, nullptr);
    while (result == SSH_AUTH_INFO) {
      const int prompts = ssh_userauth_kbdint_getnprompts(session_);
      for (int p = 0; p < prompts; p++) {
        char echo = 0;
        const char* words = ssh_userauth_kbdint_getprompt(session_, static_cast<unsigned>(p), &echo);
        const std::string text = words != nullptr ? words : "";
        const std::string what = host_.name + " asks: " + text;
        bool given = false;
        std::string answer = secret(LinkQuestion::Kind::prompt, what, user_ + " at " + host_.name + ": " + text,
                                    echo == 0, i > 0, given);
        if (!given) return Way::no;
        asked.push_back(what);
        if (!may_be_said_again(text, echo == 0)) secrets_.forget(what);
        ssh_userauth_kbdint_setanswer(session_, static_cast<unsigned>(p), answer.c_str());
        wipe(answer);
      }
      result = ssh_userauth_kbdint(session_, nullptr, nullptr);
    }
    if (result != SSH_AUTH_DENIED) return judge(result, "answers to what it asked");
    for (const std::string& what : asked) secrets_.forget(what);
    if (asked.empty()) return Way::no;  // offered, but with nothing behind it
    if (i == 0) add_part(tried_, ", ", "answers to what it asked");
  }
  return Way::no;
}

Login::Way Login::by_password() {
  const std::string what = "password of " + user_ + " at " + host_.name;
  for (int i = 0; i < kTries; i++) {
    bool given = false;
    std::string password =
        secret(LinkQuestion::Kind::password, what,
               "The password of " + user_ + " at " + host_.name + " (" + host_.address + "):", true, i > 0, given);
    if (!given) return Way::no;
    if (i == 0) add_part(tried_, ", ", "the password");
    const Way way = judge(ssh_userauth_password(session_, nullptr, password.c_str()), "the password");
    wipe(password);
    if (way != Way::no) return way;
    secrets_.forget(what);
  }
  return Way::no;
}

std::string Login::secret(LinkQuestion::Kind kind, const std::string& what, const std::string& text, bool hidden,
                          bool again, bool& given) {
  given = true;
  if (const auto known = secrets_.find(what)) return *known;
  auto answer =
      asker_.ask({.kind = kind, .host = host_.name, .text = again ? "Wrong. " + text : text, .secret = hidden});
  given = answer.has_value();
  if (!given) {
    given_up_ = asker_.may_ask();
    return {};
  }
  secrets_.keep(what, *answer);
  return std::move(*answer);
}

}  // namespace n2nq::ssh
