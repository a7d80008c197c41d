// A link to another computer: how the bench gets processes to run there, and their files from there. Over SSH, or for
// command hosts over any program that takes stdin and stdout (`docker exec -i box {command}`). UI thread; never blocks:
// what takes time is done by a thread of each connection, and told from the event loop.
//
// States: closed -> opening -> open -> lost -> opening -> ...; opening -> lost (that attempt failed); closed from any.
// Every signal and callback comes from the event loop, never from within a call.
#pragma once

#include <QByteArray>
#include <QObject>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/hosts/host.h"
#include "app/launch/launcher.h"
#include "broker/base/result.h"

namespace n2nq::launch {

// What opening a link goes through, in this order. A command host passes host_key and login without a look.
enum class LinkStep { reach, host_key, login, architecture, work_folder, upload };
std::string to_text(LinkStep step);  // "host key"

struct StepReport {
  LinkStep step = LinkStep::reach;
  bool ok = false;
  std::string text{};  // ok: what was found ("x86_64", "3 programs, there already"); else what is wrong and what to do
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

// What is under way on a host. Destroying it cancels: no callback comes any more, and what it left is cleaned up.
// May be destroyed from within its own callbacks.
class HostJob {
 public:
  HostJob() = default;
  HostJob(const HostJob&) = delete;
  HostJob& operator=(const HostJob&) = delete;
  virtual ~HostJob() = default;
};
using Job = std::unique_ptr<HostJob>;

struct FetchProgress {
  int64_t bytes = 0;       // of the file, so far
  int64_t of_bytes = 0;    // its size when it was asked for
  int64_t wire_bytes = 0;  // what that took, compressed
};

struct TailPiece {
  int64_t offset = 0;     // in the file, of the first byte of `bytes`
  QByteArray bytes{};     // may be empty: the file is as it was
  int64_t file_size = 0;  // more than offset + bytes.size(): the rest follows with the next pieces
};

struct FolderEntry {
  std::string name{};
  int64_t size = 0;  // of a file; of a folder: 0
  bool folder = false;
};

struct ClockState {
  std::string source{};  // "chrony", "systemd-timesyncd", "ntpd"; empty: none that can be asked
  std::optional<bool> synchronised{};
  std::optional<int64_t> offset_ns{};  // of the system's clock from its source, as that program estimates it
  std::optional<int64_t> bound_ns{};   // and how far it may be off
  std::string text{};                  // for people: "chrony: synchronised, 12 us off", "not known: ..."
};

struct LinkOptions {
  std::string programs{};     // folder with the three static programs to upload, stripped
  std::string known_hosts{};  // files; empty: ~/.ssh/known_hosts, to which a key is also added
  bool use_agent = true;
  // Nobody answers: an unknown key, a password that is asked for and the like end the attempt at once. Else `asked`.
  bool ask = true;
  std::chrono::milliseconds connect_timeout{10'000};  // of each step but questions
  std::chrono::milliseconds silence{10'000};  // of a host, after which a link is lost; it is spoken to more often
};

class HostLink : public QObject, public Launcher {
  Q_OBJECT

 public:
  enum class State { closed, opening, open, lost };

  // `list`: where the jump hosts are found.
  HostLink(const hosts::Host& host, const std::vector<hosts::Host>& list, const LinkOptions& options);
  ~HostLink() override;  // as close(); waits for no network

  const hosts::Host& host() const;
  State state() const;
  // The last thing that went wrong; kept until the next attempt opens. Nothing when closed and never failed.
  const std::optional<LinkFailure>& failure() const;

  // closed, lost -> opening. Tries again every 2 s for `within` after a failure that may pass (unreachable, broken);
  // 0: once. In opening and open it changes nothing.
  void open(std::chrono::milliseconds within = std::chrono::milliseconds(0));
  // -> closed. What still runs there is killed, as far as the host can be reached at once; jobs fail.
  void close();

  // open: starts the program of the role from the work folder. Arguments, no secret among them, reach the program as
  // they are. In any other state the process ends as "cannot be started". place() is the host's name; a lost link ends
  // it with exit_code -1, signal 0 and "the link to vm2 was lost: ...". Destroying the process kills it.
  // Its stdin is written, and its pings are sent (see WorkerProcess::ping_every), by the connection's thread.
  std::unique_ptr<WorkerProcess> launch(const WorkerCommand& command) override;

  // Known from the step work_folder on; empty before. Absolute, on the host.
  std::string work_folder() const;
  // Where a run's logs go there: work_folder()/runs/NAME. NAME: letters, digits, '-', '_', '.'.
  std::string run_folder(const std::string& name) const;

  // All of these: open only, else `done` comes with an error, from the event loop. `done` comes once, as the last
  // callback of the job; a lost link is an error like others. Keep the Job as long as you want to hear from it.
  using Done = std::function<void(const Result<void>& result)>;

  // The file as it is now, compressed in transit, to `local` (written beside it first, then renamed: whole or not
  // there).
  [[nodiscard]] Job fetch(const std::string& remote, const std::string& local,
                          std::function<void(const FetchProgress& progress)> progress, Done done);
  // From `offset` on: what there is, then what is added, until the job is destroyed; at most 256 KiB a second. A file
  // that is not there yet has size 0. `failed` comes when it cannot go on.
  [[nodiscard]] Job tail(const std::string& remote, int64_t offset, std::function<void(const TailPiece& piece)> more,
                         std::function<void(const Error& error)> failed);
  [[nodiscard]] Job make_run_folder(const std::string& name, Done done);
  // Of a folder below the work folder.
  [[nodiscard]] Job list(const std::string& remote_folder,
                         std::function<void(const Result<std::vector<FolderEntry>>& entries)> done);
  [[nodiscard]] Job remove_run_folder(const std::string& name, Done done);
  // A TCP port that is free on the host now, on the address; of the range, if it has one. Nobody reserves it: a broker
  // that finds it taken says so when it starts.
  [[nodiscard]] Job find_port(const std::string& address, const hosts::PortRange& range,
                              std::function<void(const Result<uint16_t>& port)> done);
  [[nodiscard]] Job clock_state(std::function<void(const Result<ClockState>& state)> done);

 Q_SIGNALS:
  void state_changed();                                      // any
  void step_passed(const n2nq::launch::StepReport& report);  // opening; one that is not ok is the last of an attempt
  // opening; waits for the answer as long as the host does. Further connections of an open link ask nothing.
  void asked(const n2nq::launch::LinkQuestion& question, const n2nq::launch::LinkAnswer& answer);
  void failed(const n2nq::launch::LinkFailure& failure);  // -> lost, after state_changed; with `within`: each attempt

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace n2nq::launch
