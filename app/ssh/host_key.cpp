#include "app/ssh/host_key.h"

namespace n2nq::ssh {
namespace {

using remote::LinkFailure;
using remote::LinkQuestion;
using remote::LinkStep;
using remote::LinkTrouble;
using remote::StepReport;

struct Shown {
  std::string fingerprint, type;
};

Shown key_shown(ssh_session session) {
  ssh_key raw = nullptr;
  if (ssh_get_server_publickey(session, &raw) != SSH_OK) return {};
  const KeyHandle key(raw);
  unsigned char* hash = nullptr;
  size_t length = 0;
  if (ssh_get_publickey_hash(key.get(), SSH_PUBLICKEY_HASH_SHA256, &hash, &length) != SSH_OK) return {};
  Shown shown{.fingerprint = {}, .type = ssh_key_type_to_char(ssh_key_type(key.get()))};
  if (char* text = ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, length)) {
    shown.fingerprint = text;
    ssh_string_free_char(text);
  }
  ssh_clean_pubkey_hash(&hash);
  return shown;
}

std::string known_hosts_file(ssh_session session) {
  char* file = nullptr;
  if (ssh_options_get(session, SSH_OPTIONS_KNOWNHOSTS, &file) != SSH_OK || file == nullptr) return "known_hosts";
  std::string name = file;
  ssh_string_free_char(file);
  return name;
}

std::string name_in_known_hosts(const hosts::Host& host) {
  return host.port == 22 ? host.address : "[" + host.address + "]:" + std::to_string(host.port);
}

std::unexpected<LinkFailure> refused(LinkTrouble trouble, const hosts::Host& host, const Shown& shown,
                                     std::string text) {
  return std::unexpected(LinkFailure{.trouble = trouble,
                                     .step = LinkStep::host_key,
                                     .text = std::move(text),
                                     .host = host.name,
                                     .fingerprint = shown.fingerprint});
}

}  // namespace

std::expected<StepReport, LinkFailure> check_host_key(ssh_session session, const hosts::Host& host, Asker& asker) {
  const Shown shown = key_shown(session);
  const std::string key_text = shown.type + " " + shown.fingerprint;
  const auto found = [](const std::string& text, bool lasting = true) {
    return StepReport{.step = LinkStep::host_key, .ok = true, .text = text, .lasting = lasting};
  };
  switch (ssh_session_is_known_server(session)) {
    case SSH_KNOWN_HOSTS_OK:
      return found("known: " + key_text);
    case SSH_KNOWN_HOSTS_CHANGED:
    case SSH_KNOWN_HOSTS_OTHER:
      return refused(LinkTrouble::changed_key, host, shown,
                     "the key of " + host.name + " (" + host.address + ") has changed: it is now " + key_text +
                         ". Either it was reinstalled, or somebody is impersonating it. If you are sure that it is "
                         "right, remove the old line from " +
                         known_hosts_file(session) + " (ssh-keygen -f " + known_hosts_file(session) + " -R '" +
                         name_in_known_hosts(host) + "') and try again");
    case SSH_KNOWN_HOSTS_ERROR:
      return refused(LinkTrouble::unknown_key, host, shown,
                     "the known hosts cannot be read: " + error_of(session) + "; see " + known_hosts_file(session));
    case SSH_KNOWN_HOSTS_UNKNOWN:
    case SSH_KNOWN_HOSTS_NOT_FOUND:
      break;
  }
  const auto answer = asker.ask(
      {.kind = LinkQuestion::Kind::host_key,
       .host = host.name,
       .text = host.name + " (" + host.address + ") is not known yet. Its key is " + key_text + ". Is this right?",
       .fingerprint = shown.fingerprint,
       .key_type = shown.type,
       .secret = false});
  if (!answer)
    return refused(LinkTrouble::unknown_key, host, shown,
                   "the key of " + host.name + " (" + host.address + ") is unknown: " + key_text +
                       "; compare it with the output of `ssh-keygen -lf` on the host, then trust it");
  if (ssh_session_update_known_hosts(session) != SSH_OK)
    return found("trusted for now: " + key_text + "; it cannot be written to " + known_hosts_file(session) + ": " +
                     error_of(session),
                 false);
  return found("trusted from now on: " + key_text);
}

}  // namespace n2nq::ssh
