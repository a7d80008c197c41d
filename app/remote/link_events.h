// What is said while a link to another computer is opened, and when it fails. Values; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace n2nq::remote {

// What opening a link goes through, in this order. A command host passes host_key and login without a look.
enum class LinkStep { reach, host_key, login, architecture, work_folder, upload };
std::string to_text(LinkStep step);  // "host key"

struct StepReport {
  LinkStep step = LinkStep::reach;
  bool ok = false;
  std::string text{};   // ok: what was found ("x86_64", "3 programs, there already"); else what is wrong and what to do
  bool lasting = true;  // host_key: false where it was trusted and could not be written down, so for this time only
};

enum class LinkTrouble {
  unreachable,    // no such address, nobody listens, no answer, or the jump host failed
  unknown_key,    // the question was answered with no, or nobody answers questions; `fingerprint` says which key
  changed_key,    // another key than the one known; nobody is asked
  login_refused,  // no key, password or answer was taken
  no_shell,       // the login has no shell that runs commands, or the command of a command host failed
  other_machine,  // another architecture or system than the programs are built for
  work_folder,    // cannot be made, written, or may not hold programs
  upload,         // disk full, broken off, or another content than was sent
  broken,         // the connection was lost: cut, or the other side closed it
};

struct LinkFailure {
  LinkTrouble trouble = LinkTrouble::unreachable;
  LinkStep step = LinkStep::reach;  // where it stood; an open link that broke: upload, the last one
  std::string text{};               // what is wrong and what to do, for people
  std::string host{};               // the list's name of the host that it is about: this one, or a jump host
  std::string fingerprint{};        // unknown_key, changed_key: the key that was shown, "SHA256:..."
};

struct LinkQuestion {
  enum class Kind {
    host_key,    // is this the host's key? Any text is yes, and has it written to known_hosts
    password,    // of the login
    passphrase,  // of the key file
    prompt,      // what the host wants to know (keyboard-interactive), in its own words
    server,      // the password of a server that messages go through; `host`: the server, and who logs in
  };
  Kind kind = Kind::host_key;
  std::string host{};         // the list's name: this host, or a jump host
  std::string text{};         // the question, whole
  std::string fingerprint{};  // host_key: "SHA256:..."
  std::string key_type{};     // host_key: "ssh-ed25519"
  bool secret = true;         // not to be shown while it is typed
};

// To be called once, in the UI thread, now or any time later; nothing is "no", and ends the attempt. What comes after
// the link has given up changes nothing. A secret is kept in memory as long as the link object, and nowhere else.
using LinkAnswer = std::function<void(std::optional<std::string> text)>;

}  // namespace n2nq::remote
