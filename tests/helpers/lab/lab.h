// A lab of a test's own: hosts with real sshd's in network namespaces, on networks that nobody else sees. Nothing of
// the machine is touched but the list of namespaces; names carry the process id, so that tests run side by side, and
// what a test that was killed has left is swept up by the next one. Needs root, iproute2 and openssh-server.
//
//   bench 10.77.0.1   --- net A 10.77.0.0/24 --- vm1 .11, vm2 .12, gate .9
//                         net B 10.78.0.0/24 --- vm1 .11, vm2 .12, vm3 .13, gate .9
//
// So vm3 is reached from the bench through gate alone, and from the other hosts on net B.
// vm2 takes no password as such, but asks for it (keyboard-interactive).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::test {

class Lab {
 public:
  static constexpr const char* kUser = "lab";     // with a password, and all keys
  static constexpr const char* kOddUser = "odd";  // the same, and its `uname -m` says sparc64
  static constexpr const char* kPassword = "lab secret";
  static constexpr const char* kPassphrase = "open sesame";

  // Nothing if there can be a lab here; else why not, loudly.
  static std::optional<std::string> why_not();

  // `programs` are there already, as if an earlier bench had brought them; none without it.
  explicit Lab(const std::string& programs = {});
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;
  ~Lab();

  // The calling thread, and those it starts, see the lab's networks as the bench does.
  void enter() const;
  // A command line that runs `argv` on a host as root ("bench" for the bench's own place), or in its network only.
  std::vector<std::string> on(const std::string& host, std::vector<std::string> argv) const;

  std::string address(const std::string& host) const;       // where the bench reaches it: net A; vm3: net B
  std::string data_address(const std::string& host) const;  // net B
  // The home of its users, as the host and the test see it. In it `small` is a file system of 1 MiB, `noexec` one that
  // runs no programs; those the host sees only, see inside().
  std::filesystem::path home(const std::string& host) const;
  // A path of the host's as the test sees it, mounts of the host included.
  std::filesystem::path inside(const std::string& host, const std::filesystem::path& path) const;

  std::string key() const { return (dir_ / "key").string(); }
  std::string locked_key() const { return (dir_ / "locked_key").string(); }    // opened by kPassphrase
  std::string agent_socket() const { return (dir_ / "agent").string(); }       // has a third key, that no file holds
  std::string known_hosts() const { return (dir_ / "known_hosts").string(); }  // knows all of them
  std::string unknown_hosts() const { return (dir_ / "unknown_hosts").string(); }  // knows none
  std::string fingerprint(const std::string& host) const;                          // "SHA256:..."
  std::filesystem::path folder() const { return dir_.path(); }

  void cut(const std::string& host);  // its cable on net A, without a word to anybody
  void heal(const std::string& host);
  void kill_sshd(const std::string& host);  // it and all sessions, as a crash would; what they run stays
  void start_sshd(const std::string& host);
  void change_host_key(const std::string& host);           // and starts sshd anew
  void freeze_sshd(const std::string& host, bool frozen);  // the one that listens
  // Programs of the host take it for a computer of its own from now on, whose clock need not be that of the others.
  void set_own_boot(const std::string& host);

  // Processes on the host but sshd's own: "1234 n2nq-sender".
  std::vector<std::string> processes(const std::string& host) const;
  // Waits until there is none; false: some are still there.
  bool wait_no_process(const std::string& host, Deadline deadline) const;
  // Bytes that the bench's end of net A has received and sent so far.
  int64_t bench_traffic() const;

 private:
  struct Host;

  std::string space(const std::string& name) const;  // the network namespace
  std::vector<int> pids(const std::string& host) const;
  void make_networks();
  void make_keys();
  void make_host(const std::string& name);
  void bring(const std::string& programs);
  void write_known_hosts();

  TempDir dir_;
  std::map<std::string, std::unique_ptr<Host>> hosts_;
  std::unique_ptr<Process> agent_;
};

}  // namespace n2nq::test
