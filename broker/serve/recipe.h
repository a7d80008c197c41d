// What it takes to start each server that a run may have of its own, as data. A new server is one row. Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"
#include "broker/net/socket.h"

namespace n2nq::serve {

// Where one server is, and who may come.
struct Site {
  // What each of a cluster knows of the others.
  struct Member {
    net::Endpoint listen{};  // as the others reach it
    std::vector<uint16_t> more_ports{};
    std::string name{};
  };
  net::Endpoint listen{};
  std::vector<uint16_t> more_ports{};  // as many as its recipe says, at bound()
  std::string folder{};                // for its files, gone after the run
  std::string password{};              // empty: none, which only a loopback address should have
  std::map<std::string, std::string> settings{};
  std::vector<Member> members{};  // of its cluster, itself among them
  size_t index = 0;               // which of them
  std::string cookie{};           // a secret of all members
  bool apart = false;             // they may be on several computers
  uint16_t common_port = 0;       // then nobody has it for itself on any of those

  std::string name() const;  // of its folder, which no other site has
  // Where it listens at one of its more_ports, and where others of its cluster reach that of a member: "HOST:PORT".
  std::string bound(uint16_t port) const;
  std::string reached(const Member& member, uint16_t port) const;
  // Of its cluster: what its first member is called.
  const std::string& cluster() const { return members.front().name; }
};

// What a server says of itself, once it is ready.
struct Said {
  std::string version{};
  std::string mark{};  // by which it is known for ours
  size_t servers = 1;  // that are in its cluster, itself among them
};

// Of a cluster on several computers, this one.
struct Apart {
  std::string address{};                   // as the others reach it, at common_port
  uint16_t common_port = 0;                // as Site's
  uint16_t first_port = 0, last_port = 0;  // among which its more_ports are; 0: any
  std::vector<uint16_t> taken{};           // of those, by others
};

struct Recipe {
  std::string_view kind;                               // in options
  std::string_view title;                              // for people
  std::string_view program;                            // looked for in PATH, and where Debian has such programs
  std::string_view folder;                             // where it is looked for first
  std::string_view install;                            // the command that installs it
  std::string (*version)(const std::string& program);  // asks it; empty: it cannot be told
  std::optional<std::string> (*find)() = nullptr;      // where it is no single program
  size_t more_ports;                                   // it listens on beside its own
  std::vector<std::string> (*command)(const Site&, const std::string& program);
  std::string (*input)(const Site&);                     // what it reads from stdin; secrets go here
  std::string (*question)(const Site&);                  // what is sent to it until it answers
  std::optional<Said> (*said)(std::string_view answer);  // nothing: its answer is not whole yet
  std::string (*mark)(const Site&, pid_t pid);           // that the one of this run has
  bool forms_clusters = false;
  bool one_first = false;    // of a cluster: the others are started once the first is ready, and join it
  bool apart_by_v4 = false;  // on several computers they need IPv4 addresses
  // Of a cluster: what any of them is asked, or where its own protocol does not tell it, the program that asks; and
  // which member by its answer leads, most where parts have leaders each. Without it nobody leads.
  std::string (*leader_question)(const Site&) = nullptr;
  std::vector<std::string> (*leader_command)(const Site&) = nullptr;
  std::optional<size_t> (*leader)(const Site&, std::string_view answer) = nullptr;
  // How many servers of its cluster this one knows, where Said does not tell it.
  std::vector<std::string> (*known_command)(const Site&) = nullptr;
  std::optional<size_t> (*known)(std::string_view answer) = nullptr;
  std::string_view in_image{};                // what its program is called in images, where it may be one's
  bool writes;                                // messages to files, also where nothing is set
  int64_t answers_within_ns = 2'000'000'000;  // one of a cluster, or it is asked again
  int64_t patience_ns;                        // for that; the bench waits for longer (app/run/run_stage.cpp)
  // The error says what may be given.
  Result<void> (*check)(const std::map<std::string, std::string>& settings);
};

// As files of settings have a text of any letters.
std::string quoted(const std::string& word);
// Without its port, and without brackets.
std::string host_of(const net::Endpoint& endpoint);
// Behind this word, up to what ends it.
std::optional<std::string> said_behind(std::string_view text, std::string_view word, std::string_view ends);

std::span<const Recipe> all_recipes();
const Recipe* find_recipe(std::string_view kind);
// "redis, nats, jetstream, rabbitmq, kafka, relay"
std::string recipe_names();
// The file of its program; the error says how to install it.
Result<std::string> find_program(const Recipe& recipe);

}  // namespace n2nq::serve
