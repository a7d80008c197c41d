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
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/hosts/host.h"
#include "app/launch/launcher.h"
#include "app/remote/link_events.h"
#include "broker/base/result.h"

namespace n2nq::launch {

using remote::LinkAnswer;
using remote::LinkFailure;
using remote::LinkQuestion;
using remote::LinkStep;
using remote::LinkTrouble;
using remote::StepReport;
using remote::to_text;

// What is in progress on a host. Destroying it cancels: no callback comes any more, and what it left is cleaned up.
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

// The folder of a run on a host, by the name that its bench made it with.
struct LeftRun {
  std::string name{};
  std::string folder{};
  bool busy = false;  // a process there still writes into it
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
  std::string known_hosts{};  // file; empty: ~/.ssh/known_hosts, to which a key is also added
  bool use_agent = true;
  std::string agent_socket{};  // empty: $SSH_AUTH_SOCK
  // Nobody answers: an unknown key, a password that is asked for and the like end the attempt at once. Else `asked`.
  bool ask = true;
  std::chrono::milliseconds connect_timeout{10'000};  // of each step but questions
  std::chrono::milliseconds silence{10'000};        // of a host, after which a link is lost; it is spoken to more often
  std::chrono::milliseconds shell_timeout{30'000};  // until a host's shell has answered
  std::chrono::milliseconds upload_piece{20'000};   // of 64 KiB of a program, until they are there
  std::chrono::milliseconds upload_timeout{600'000};  // of all programs
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

  // Known from open on. False: a command host that runs nothing but the programs, as a container that holds nothing
  // else. No files are written there or fetched from there: of the jobs find_port works, clock_state knows nothing, and
  // the rest fails.
  bool has_shell() const;

  // Known from the step work_folder on; empty before. Absolute, on the host.
  std::string work_folder() const;
  // Where a run's logs go there: work_folder()/runs/NAME-..., another one for every host of the list. NAME: letters,
  // digits, '-', '_', '.'.
  std::string run_folder(const std::string& name) const;

  // All of these: open only, else `done` comes with an error, from the event loop. `done` comes once, as the last
  // callback of the job; a lost link is an error like others. Keep the Job as long as you want to hear from it.
  using Done = std::function<void(const Result<void>& result)>;

  // The file as it is now, or its first `most` bytes, compressed in transit, to `local` (written beside it first, then
  // renamed: whole or not there).
  [[nodiscard]] Job fetch(const std::string& remote, const std::string& local,
                          std::function<void(const FetchProgress& progress)> progress, Done done,
                          int64_t most = std::numeric_limits<int64_t>::max());
  // From `offset` on: what there is, then what is added, until the job is destroyed; at most 256 KiB a second. A file
  // that is not there yet has size 0. `failed` comes when it cannot go on.
  [[nodiscard]] Job tail(const std::string& remote, int64_t offset, std::function<void(const TailPiece& piece)> more,
                         std::function<void(const Error& error)> failed);
  // Destroyed before it is done, it leaves no folder.
  [[nodiscard]] Job make_run_folder(const std::string& name, Done done);
  // For a folder below the work folder.
  [[nodiscard]] Job list(const std::string& remote_folder,
                         std::function<void(const Result<std::vector<FolderEntry>>& entries)> done);
  // Folders of runs that are there, of this host by its name in the list, the oldest first.
  [[nodiscard]] Job left_runs(std::function<void(const Result<std::vector<LeftRun>>& runs)> done);
  [[nodiscard]] Job remove_run_folder(const std::string& name, Done done);
  // A TCP port that is free on the host now, on the address; of the range, if it has one. Nobody reserves it: a broker
  // that finds it taken says so when it starts.
  [[nodiscard]] Job find_port(const std::string& address, const PortRange& range,
                              std::function<void(const Result<uint16_t>& port)> done);
  [[nodiscard]] Job clock_state(std::function<void(const Result<ClockState>& state)> done);

 Q_SIGNALS:
  void state_changed();                                      // any
  void step_passed(const n2nq::launch::StepReport& report);  // opening; one that is not ok is the last of an attempt
  void upload_moved();                                       // opening; a part of a program more is there
  // opening; waits for the answer as long as the host does. Further connections of an open link ask nothing
  // that was answered before, but for what is good once.
  void asked(const n2nq::launch::LinkQuestion& question, const n2nq::launch::LinkAnswer& answer);
  void failed(const n2nq::launch::LinkFailure& failure);  // -> lost, after state_changed; with `within`: each attempt

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace n2nq::launch
