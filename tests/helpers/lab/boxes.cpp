#include "tests/helpers/lab/boxes.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPodman = "/usr/bin/podman";
constexpr const char* kBusybox = "/bin/busybox";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void copy_into(const TempDir& content, const std::map<std::string, std::string>& files) {
  for (const auto& [path, file] : files) {
    fs::create_directories((content / path).parent_path());
    fs::copy_file(file, content / path);
  }
}

}  // namespace

std::optional<std::string> Boxes::why_not() {
  if (::geteuid() != 0) return "CONTAINERS NEED ROOT: no test with real containers runs here; run it as root";
  for (const auto& [program, package] : std::map<std::string, std::string>{
           {kPodman, "podman"}, {"/usr/sbin/runc", "runc"}, {kBusybox, "busybox-static"}})
    if (!fs::exists(program)) return "CONTAINERS NEED " + program + ": install " + package;
  try {
    const Boxes boxes;
    boxes.make_image("n2nq", {{"busybox", kBusybox}});
    std::vector<std::string> words;
    std::istringstream command(documented_command());
    command >> std::ws;
    for (std::string word; command >> word;) words.push_back(word);
    words.pop_back();
    words.erase(words.begin());
    words.insert(words.end(), {"/busybox", "true"});
    boxes.podman(words);
  } catch (const std::runtime_error& error) {
    return std::string("NO CONTAINER STARTS HERE: ") + error.what();
  }
  return {};
}

// By files of its own, copied for each container: that works on every file system.
Boxes::Boxes() {
  std::ofstream(dir_ / "storage.conf") << "[storage]\ndriver = \"vfs\"\ngraphroot = \"" << (dir_ / "root").string()
                                       << "\"\nrunroot = \"" << (dir_ / "run").string() << "\"\n";
  // The runtime that is asked for: crun, which podman takes where it is there, wants control groups of one version
  // alone.
  std::ofstream(dir_ / "containers.conf")
      << "[engine]\nruntime = \"runc\"\nlock_type = \"file\"\nevents_logger = \"file\"\ntmp_dir = \""
      << (dir_ / "tmp").string() << "\"\n";
}

Boxes::~Boxes() {
  Process(podman_line({"rm", "--all", "--force", "--time", "0"})).wait_exit(30s);
}

std::vector<std::string> Boxes::environment() const {
  return {"CONTAINERS_STORAGE_CONF=" + (dir_ / "storage.conf").string(),
          "CONTAINERS_CONF=" + (dir_ / "containers.conf").string()};
}

void Boxes::enter_environment() const {
  for (const std::string& variable : environment()) {
    const size_t equals = variable.find('=');
    ::setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
  }
}

std::vector<std::string> Boxes::podman_line(std::vector<std::string> words) const {
  std::vector<std::string> line{"/usr/bin/env"};
  for (const std::string& variable : environment()) line.push_back(variable);
  line.push_back(kPodman);
  line.insert(line.end(), words.begin(), words.end());
  return line;
}

std::string Boxes::podman(std::vector<std::string> words) const {
  return output_of(podman_line(std::move(words)));
}

void Boxes::import(const TempDir& content, const std::string& name, const std::string& change) const {
  const std::string tar = dir_ / "image.tar";
  output_of({"/bin/tar", "-C", content.path().string(), "-cf", tar, "."});
  podman({"--cgroup-manager=cgroupfs", "import", "--quiet", "--change", change, tar, name});
  fs::remove(tar);
}

void Boxes::make_image(const std::string& name, const std::map<std::string, std::string>& files) const {
  const TempDir content;
  copy_into(content, files);
  import(content, name, "WORKDIR /");
}

void Boxes::make_image_of_here(const std::string& name, const std::map<std::string, std::string>& files,
                               const std::vector<std::string>& folders, const std::string& path) const {
  const TempDir content;
  copy_into(content, files);
  for (const char* link : {"bin", "lib", "lib64"})
    fs::create_directory_symlink(std::string("usr/") + link, content / link);
  std::ofstream settings(dir_ / "containers.conf", std::ios::app);
  settings << "[containers]\nvolumes = [\"/usr:/usr:ro\"";
  for (const std::string& folder : folders) settings << ", \"" << folder << ":" << folder << ":ro\"";
  settings << "]\n";
  import(content, name, "ENV PATH=" + path);
}

void Boxes::make_image_of(const std::string& name, const std::string& program, const std::string& file) const {
  std::map<std::string, std::string> files{{"usr/bin/" + program, file}};
  std::istringstream words(output_of({"/usr/bin/ldd", file}));
  for (std::string word; words >> word;)
    if (word.starts_with('/')) files[word.substr(1)] = word;
  make_image(name, files);
}

std::string Boxes::documented_command() {
  std::ifstream docs(N2NQ_SOURCE_FOLDER "/docs/remote.md");
  const std::string before = "\"command\": \"";
  for (std::string line; std::getline(docs, line);) {
    const size_t begin = line.find(before);
    const size_t end = line.find(" n2nq {command}\"");
    if (begin != std::string::npos && end != std::string::npos)
      return line.substr(begin + before.size(), end - begin - before.size()) + " n2nq {command}";
  }
  throw std::runtime_error("docs/remote.md has no command for podman any more");
}

std::string Boxes::on(const Lab& lab, const std::string& host, const std::string& command) const {
  std::string line = "/usr/bin/env";
  for (const std::string& variable : environment()) line += " " + variable;
  // The network alone: `ip netns exec` would hide the control groups.
  return line + " /usr/bin/nsenter --net=/run/netns/" + lab.on(host, {}).back() + " " + command;
}

Process Boxes::start(const Lab& lab, const std::string& host, const std::string& command) const {
  std::istringstream line(on(lab, host, command));
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  return Process(words, Process::Stdin::pipe);
}

bool Boxes::wait_runs(const std::string& container, Deadline deadline) const {
  while (podman({"ps", "--filter", "name=" + container, "--filter", "status=running", "--quiet"}).empty())
    if (deadline.passed()) return false;
  return true;
}

std::vector<std::string> Boxes::containers() const {
  return lines_of(podman({"ps", "--all", "--no-trunc", "--format", "{{.Image}} {{.Command}}"}));
}

size_t Boxes::made() const {
  size_t count = 0;
  for (const std::string& line :
       lines_of(podman({"events", "--stream=false", "--filter", "event=create", "--format", "{{.ID}}"})))
    count += line.empty() ? 0 : 1;
  return count;
}

bool Boxes::wait_no_container(Deadline deadline) const {
  while (!containers().empty())
    if (deadline.passed()) return false;
  return true;
}

std::string group_has(pid_t pid, const std::string& controller, const std::string& file_v1, const std::string& file) {
  std::ifstream groups("/proc/" + std::to_string(pid) + "/cgroup");
  std::string found;
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    const std::string of = line.substr(first + 1, second - first - 1);
    const std::string folder = "/sys/fs/cgroup/" + of + line.substr(second + 1) + "/";
    std::ifstream in(folder + (of.empty() ? file : of.find(controller) == 0 ? file_v1 : "-"));
    std::getline(in, found);
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace n2nq::test
