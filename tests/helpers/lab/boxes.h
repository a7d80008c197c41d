// Containers on the lab's hosts: podman with runc, a store of the test's own, and images made of nothing but what a
// test puts in: no registry, no shell. A container on a host shares its network and nothing else. Needs root, podman
// and runc.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/helpers/lab/lab.h"

namespace n2nq::test {

class Boxes {
 public:
  // Nothing if there can be containers here; else why not, loudly. Looks once, by starting one.
  static std::optional<std::string> why_not();

  Boxes();
  Boxes(const Boxes&) = delete;
  Boxes& operator=(const Boxes&) = delete;
  ~Boxes();  // no container is left of those made here

  // An image with these files and no others: path in the image to file here.
  void make_image(const std::string& name, const std::map<std::string, std::string>& files) const;
  // An image of a program, by this name in its PATH, with the libraries that it needs here.
  void make_image_of(const std::string& name, const std::string& program, const std::string& file) const;
  // An image with these files that sees folders of this computer, /usr among them, and has this PATH. All containers of
  // this store see them from then on.
  void make_image_of_here(const std::string& name, const std::map<std::string, std::string>& files,
                          const std::vector<std::string>& folders, const std::string& path) const;
  // Of whoever is to have this store: "NAME=value".
  std::vector<std::string> environment() const;
  void enter_environment() const;  // so that it is that of this program, and of what it starts
  // The command line of docs/remote.md that makes a container of "n2nq" for each process: "podman ... n2nq {command}".
  static std::string documented_command();
  // The same, as it is run in the network of a host of the lab, with this store.
  std::string on(const Lab& lab, const std::string& host, const std::string& command) const;

  // Runs such a command line, with its stdin open.
  Process start(const Lab& lab, const std::string& host, const std::string& command) const;
  bool wait_runs(const std::string& container, Deadline deadline) const;

  std::vector<std::string> containers() const;               // that there are: "n2nq /n2nq-broker --controlled ..."
  size_t made() const;                                       // so far, and gone again or not
  bool wait_no_container(Deadline deadline) const;           // and nothing that cleans one up
  std::string podman(std::vector<std::string> words) const;  // what it says; throws where it fails

 private:
  void import(const TempDir& content, const std::string& name, const std::string& change) const;
  std::vector<std::string> podman_line(std::vector<std::string> words) const;

  TempDir dir_;
};

// What the control group of the process has in this file of either version.
std::string group_has(pid_t pid, const std::string& controller, const std::string& file_v1, const std::string& file);

}  // namespace n2nq::test
