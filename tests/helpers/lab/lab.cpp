#include "tests/helpers/lab/lab.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace n2nq::test {
namespace {

using namespace std::string_literals;

namespace fs = std::filesystem;

constexpr const char* kIp = "/sbin/ip";
constexpr const char* kSpaces = "/run/netns";
constexpr const char* kPrefix = "n2nq-";
constexpr uid_t kUserId = 64011;
constexpr uid_t kOddUserId = 64012;
// of kPassword
constexpr const char* kPasswordHash =
    "$6$n2nqlab$grGI7hY5f8bdDolKbOC3.a8cudwA9jH/T1acUsop/Pd9Z1mgkifpY54YJo5s6bQgWJ5YmC4b.yrYqTH5Ain58.";

const std::vector<std::string> kHosts{"vm1", "vm2", "vm3", "gate"};

int number_of(const std::string& host) {
  return host == "gate" ? 9 : 10 + (host.back() - '0');
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("the lab: cannot write " + path.string());
}

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool is_zombie(int pid) {
  const std::string stat = read("/proc/" + std::to_string(pid) + "/stat");
  const size_t paren = stat.rfind(')');
  return paren == std::string::npos || stat.substr(paren, 4).find('Z') != std::string::npos;
}

std::vector<int> pids_in(const std::string& space) {
  Process process({kIp, "netns", "pids", space});
  process.wait_exit(10s);
  std::vector<int> pids;
  std::istringstream lines(process.out());
  for (int pid = 0; lines >> pid;)
    if (!is_zombie(pid)) pids.push_back(pid);
  return pids;
}

void remove_space(const std::string& space) {
  for (const int pid : pids_in(space))
    if (pid != ::getpid()) ::kill(pid, SIGKILL);
  Process({kIp, "netns", "del", space}).wait_exit(10s);
}

// What tests have left that were killed.
void sweep() {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(kSpaces, none)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kPrefix)) continue;
    const int owner = std::atoi(name.c_str() + std::string(kPrefix).size());
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) remove_space(name);
  }
}

}  // namespace

struct Lab::Host {
  fs::path folder;
  std::unique_ptr<Process> sshd;
};

std::optional<std::string> Lab::why_not() {
  if (::geteuid() != 0) return "THE LAB NEEDS ROOT: no test with real hosts runs here; run it as root";
  for (const char* program : {"/usr/sbin/sshd", "/usr/bin/ssh-keygen", "/usr/bin/ssh-agent"})
    if (!fs::exists(program))
      return std::string("THE LAB NEEDS ") + program + ": install openssh-server and openssh-client";
  Process ip({kIp, "-V"});
  if (ip.wait_exit(10s) != Exit{.code = 0, .signal = 0}) return "THE LAB NEEDS ip: install iproute2";
  return {};
}

Lab::Lab(const std::string& programs) {
  sweep();
  fs::permissions(dir_.path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  make_keys();
  try {
    make_networks();
    for (const std::string& name : kHosts) make_host(name);
    if (!programs.empty()) bring(programs);
    for (const std::string& name : kHosts) start_sshd(name);
    write_known_hosts();
  } catch (...) {
    for (const std::string& name : kHosts) remove_space(space(name));
    remove_space(space("bench"));
    remove_space(space("net"));
    throw;
  }
}

Lab::~Lab() {
  for (auto& [name, host] : hosts_) {
    remove_space(space(name));
    host->sshd.reset();
  }
  remove_space(space("bench"));
  remove_space(space("net"));
}

std::string Lab::space(const std::string& name) const {
  return kPrefix + std::to_string(::getpid()) + "-" + name;
}

void Lab::enter() const {
  const int fd = ::open((std::string(kSpaces) + "/" + space("bench")).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 || ::setns(fd, CLONE_NEWNET) != 0) throw std::runtime_error("the lab: cannot enter the bench's network");
  ::close(fd);
}

std::vector<std::string> Lab::on(const std::string& host, std::vector<std::string> argv) const {
  argv.insert(argv.begin(), {kIp, "netns", "exec", space(host)});
  return argv;
}

std::string Lab::address(const std::string& host) const {
  return (host == "vm3" ? "10.78.0." : "10.77.0.") + std::to_string(number_of(host));
}

std::string Lab::data_address(const std::string& host) const {
  return "10.78.0." + std::to_string(number_of(host));
}

fs::path Lab::home(const std::string& host) const {
  return hosts_.at(host)->folder / "home";
}

fs::path Lab::inside(const std::string& host, const fs::path& path) const {
  return fs::path("/proc/" + std::to_string(hosts_.at(host)->sshd->pid()) + "/root") / path.relative_path();
}

// Two bridges in a namespace of their own are the cables; a host's end is eth0 on net A, eth1 on net B.
void Lab::make_networks() {
  std::string commands;
  std::vector<std::string> all = kHosts;
  all.insert(all.end(), {"bench", "net"});
  for (const std::string& name : all) commands += "netns add " + space(name) + "\n";
  const fs::path first = dir_ / "spaces", second = dir_ / "links";
  write(first, commands);
  output_of({kIp, "-batch", first.string()});

  commands = "link add net-a type bridge\nlink add net-b type bridge\nlink set net-a up\nlink set net-b up\n";
  const auto join = [&](const std::string& name, const std::string& net, const std::string& end) {
    const std::string port = name + "-" + net;
    commands += "link add " + port + " type veth peer name " + end + " netns " + space(name) + "\n";
    commands += "link set " + port + " master net-" + net + " up\n";
  };
  for (const std::string& name : kHosts) {
    if (name != "vm3") join(name, "a", "eth0");
    join(name, "b", "eth1");
  }
  join("bench", "a", "eth0");
  write(second, commands);
  output_of({kIp, "-n", space("net"), "-batch", second.string()});

  const auto settle = [&](const std::string& name, const std::string& a, const std::string& b) {
    std::string own = "link set lo up\n";
    if (!a.empty()) own += "addr add " + a + "/24 dev eth0\nlink set eth0 up\n";
    if (!b.empty()) own += "addr add " + b + "/24 dev eth1\nlink set eth1 up\n";
    const fs::path file = dir_ / ("addresses-" + name);
    write(file, own);
    output_of({kIp, "-n", space(name), "-batch", file.string()});
  };
  for (const std::string& name : kHosts) settle(name, name == "vm3" ? "" : address(name), data_address(name));
  settle("bench", "10.77.0.1", "");
}

void Lab::make_keys() {
  const auto make = [&](const std::string& name, const std::string& passphrase) {
    output_of({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-a", "1", "-N", passphrase, "-C", name, "-f",
               (dir_ / name).string()});
  };
  make("key", "");
  make("locked_key", kPassphrase);
  make("agent_key", "");
  agent_ = std::make_unique<Process>(std::vector<std::string>{"/usr/bin/ssh-agent", "-D", "-a", agent_socket()});
  agent_->wait_line([](const std::string& line) { return line.find("SSH_AUTH_SOCK") != std::string::npos; }, 10s);
  output_of(
      {"/usr/bin/env", "SSH_AUTH_SOCK=" + agent_socket(), "/usr/bin/ssh-add", "-q", (dir_ / "agent_key").string()});
  fs::remove(dir_ / "agent_key");
  write(unknown_hosts(), "");
}

void Lab::make_host(const std::string& name) {
  auto host = std::make_unique<Host>();
  host->folder = dir_ / name;
  const fs::path folder = host->folder;
  fs::create_directories(folder / "home" / "small");
  fs::create_directories(folder / "home" / "noexec");
  fs::create_directories(folder / "odd");
  output_of({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", (folder / "host_key").string()});
  write(folder / "authorized_keys",
        read(dir_ / "key.pub") + read(dir_ / "locked_key.pub") + read(dir_ / "agent_key.pub"));
  write(folder / "odd" / "uname", "#!/bin/sh\n[ \"$1\" = -m ] && echo sparc64 && exit 0\nexec /bin/uname \"$@\"\n");
  fs::permissions(folder / "odd" / "uname", fs::perms(0755));
  const std::string home = (folder / "home").string();
  const auto user = [&](const char* user_name, uid_t id) {
    return std::string(user_name) + ":x:" + std::to_string(id) + ":" + std::to_string(id) + "::" + home + ":/bin/sh\n";
  };
  write(folder / "passwd",
        user("root", 0) + user(kUser, kUserId) + user(kOddUser, kOddUserId) +
            "sshd:x:102:65534::/run/sshd:/usr/sbin/nologin\nnobody:x:65534:65534::/:/usr/sbin/nologin\n");
  write(folder / "shadow", std::string("root:*:19000:0:99999:7:::\nsshd:*:19000:0:99999:7:::\n") + kUser + ":" +
                               kPasswordHash + ":19000:0:99999:7:::\n" + kOddUser + ":" + kPasswordHash +
                               ":19000:0:99999:7:::\n");
  // Installed there, as whoever logs in finds it.
  fs::create_directory(folder / "bin");
  fs::create_symlink("/usr/bin/redis-check-rdb", folder / "bin" / "redis-server");
  // vm2 asks for the password in words of its own, as PAM does.
  const bool by_prompts = name == "vm2";
  write(folder / "pam",
        "auth required pam_unix.so nodelay\naccount required pam_permit.so\nsession required pam_permit.so\n");
  write(folder / "sshd_config", "Port 22\nListenAddress 0.0.0.0\nHostKey " + (folder / "host_key").string() +
                                    "\nPidFile none\nUsePAM " + (by_prompts ? "yes" : "no") +
                                    "\nStrictModes no\nAuthorizedKeysFile " + (folder / "authorized_keys").string() +
                                    "\nPasswordAuthentication " + (by_prompts ? "no" : "yes") +
                                    "\nKbdInteractiveAuthentication " + (by_prompts ? "yes" : "no") +
                                    "\nUseDNS no\n"
                                    "PrintMotd no\nMaxStartups 100\nSetEnv PATH=" +
                                    (folder / "bin").string() + ":/usr/bin:/bin\nMatch User " + kOddUser +
                                    "\n  SetEnv PATH=" + (folder / "odd").string() + ":/usr/bin:/bin\n");
  fs::permissions(folder / "home", fs::perms(0777));
  hosts_[name] = std::move(host);
}

void Lab::bring(const std::string& programs) {
  std::vector<std::string> argv{"/usr/bin/sha256sum"};
  for (const auto& entry : fs::directory_iterator(programs)) argv.push_back(entry.path());
  std::istringstream sums(output_of(argv));
  for (std::string hash, path; sums >> hash >> path;)
    for (const std::string& name : kHosts) {
      fs::path folder = home(name);
      for (const std::string& part : {".cache"s, "n2nq-bench"s, "cache"s, hash.substr(0, 16)}) {
        fs::create_directory(folder /= part);
        if (::chown(folder.c_str(), kUserId, kUserId) != 0)
          throw std::runtime_error("the lab: cannot own " + folder.string());
      }
      std::error_code elsewhere;
      fs::create_hard_link(path, folder / fs::path(path).filename(), elsewhere);
      if (elsewhere) fs::copy_file(path, folder / fs::path(path).filename());
    }
}

void Lab::start_sshd(const std::string& name) {
  Host& host = *hosts_.at(name);
  const std::string folder = host.folder.string();
  // The mounts are seen in here only, and go with the last process.
  const std::string script =
      "set -e; mount --bind " + folder + "/passwd /etc/passwd; mount --bind " + folder +
      "/shadow /etc/shadow; mount --bind " + folder +
      "/pam /etc/pam.d/sshd; mount -t tmpfs -o size=1m,mode=777 tmpfs " + folder +
      "/home/small; mount -t tmpfs -o noexec,mode=777 tmpfs " + folder +
      "/home/noexec; mount -t tmpfs tmpfs /run; mkdir -p /run/sshd; exec /usr/sbin/sshd -D -e -f " + folder +
      "/sshd_config";
  host.sshd = std::make_unique<Process>(on(name, {"/bin/sh", "-c", script}));
  if (!host.sshd->wait_err("Server listening on", 20s))
    throw std::runtime_error("the lab: sshd of " + name + " does not start: " + host.sshd->err());
}

void Lab::write_known_hosts() {
  std::string lines;
  for (const std::string& name : kHosts) lines += address(name) + " " + read(hosts_.at(name)->folder / "host_key.pub");
  write(known_hosts(), lines);
}

std::string Lab::fingerprint(const std::string& host) const {
  std::istringstream words(
      output_of({"/usr/bin/ssh-keygen", "-lf", (hosts_.at(host)->folder / "host_key.pub").string()}));
  std::string bits, fingerprint;
  words >> bits >> fingerprint;
  return fingerprint;
}

// Frames are swallowed on the way; neither end hears of it.
void Lab::cut(const std::string& host) {
  output_of({kIp, "-n", space("net"), "link", "set", host + (host == "vm3" ? "-b" : "-a"), "nomaster"});
}

void Lab::heal(const std::string& host) {
  const std::string net = host == "vm3" ? "b" : "a";
  output_of({kIp, "-n", space("net"), "link", "set", host + "-" + net, "master", "net-" + net});
}

void Lab::kill_sshd(const std::string& host) {
  for (const int pid : pids(host))
    if (comm_of(pid) == "sshd") ::kill(pid, SIGKILL);
  hosts_.at(host)->sshd->wait_exit(10s);
}

void Lab::change_host_key(const std::string& host) {
  kill_sshd(host);
  const fs::path key = hosts_.at(host)->folder / "host_key";
  fs::remove(key);
  fs::remove(key.string() + ".pub");
  output_of({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.string()});
  start_sshd(host);
}

void Lab::freeze_sshd(const std::string& host, bool frozen) {
  hosts_.at(host)->sshd->signal(frozen ? SIGSTOP : SIGCONT);
}

void Lab::set_own_boot(const std::string& host) {
  const fs::path id = hosts_.at(host)->folder / "boot_id";
  write(id, "6e32716e-0000-4000-8000-0000000000" + std::to_string(10 + number_of(host)) + "\n");
  output_of({"/usr/bin/nsenter", "--mount", "--target", std::to_string(hosts_.at(host)->sshd->pid()), "/bin/mount",
             "--bind", id.string(), "/proc/sys/kernel/random/boot_id"});
}

std::vector<int> Lab::pids(const std::string& host) const {
  return pids_in(space(host));
}

std::vector<std::string> Lab::processes(const std::string& host) const {
  std::vector<std::string> found;
  for (const int pid : pids(host))
    if (const std::string name = comm_of(pid); name != "sshd" && !name.empty())
      found.push_back(std::to_string(pid) + " " + name);
  return found;
}

int64_t Lab::bench_traffic() const {
  int64_t bytes = 0;
  for (const char* way : {"rx_bytes", "tx_bytes"})
    bytes += std::stoll(output_of(on("bench", {"/bin/cat", std::string("/sys/class/net/eth0/statistics/") + way})));
  return bytes;
}

bool Lab::wait_no_process(const std::string& host, Deadline deadline) const {
  while (true) {
    const auto left = processes(host);
    if (left.empty()) return true;
    if (deadline.passed()) return false;
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, std::atoi(left.front().c_str()), 0));
    if (fd < 0) continue;  // it has gone meanwhile
    pollfd gone{.fd = fd, .events = POLLIN, .revents = 0};
    ::poll(&gone, 1, deadline.poll_ms());
    ::close(fd);
  }
}

}  // namespace n2nq::test
