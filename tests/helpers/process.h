// A child process under test: its output line by line, its exit, each with a deadline. The destructor kills and reaps
// it. One thread. Output is read whenever one of the waiting functions runs; the pipes are large enough for the time
// between.
#pragma once

#include <sys/types.h>

#include <functional>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/helpers/deadline.h"

namespace n2nq::test {

struct Exit {
  int code = -1;   // -1: ended by a signal
  int signal = 0;  // 0: ended by itself
  bool operator==(const Exit&) const = default;
};
std::string to_string(const Exit& exit);
void PrintTo(const Exit& exit, std::ostream* out);

class Process {
 public:
  enum class Stdin { null, pipe };

  explicit Process(std::vector<std::string> argv, Stdin in = Stdin::null);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  void send_line(std::string_view line);  // false lines are the test's business; a closed pipe is ignored
  void close_stdin();

  // The next line of stdout that nobody has taken yet and that `wanted` accepts; those before it are passed over.
  std::optional<std::string> wait_line(const std::function<bool(const std::string&)>& wanted, Deadline deadline);
  std::optional<std::string> next_line(Deadline deadline);
  // Until stderr holds this text, so many times.
  bool wait_err(std::string_view part, Deadline deadline, int times = 1);
  std::optional<Exit> wait_exit(Deadline deadline);  // also reads the rest of the output
  bool running() const { return !exit_; }
  void drain();  // what it has said so far: one that lasts would wait for a reader once its pipe is full

  const std::string& out() const { return out_.text; }
  const std::string& err() const { return err_.text; }
  std::vector<std::string> out_lines() const;

 private:
  struct Stream {
    int fd = -1;
    std::string text;
    bool read_some();  // false: nothing there now, or the end
  };
  bool pump(const Deadline& deadline);  // waits for output or exit; false: deadline passed or all is over
  std::optional<std::string> take_line();
  void reap();

  pid_t pid_ = -1;
  int pidfd_ = -1;
  int stdin_ = -1;
  Stream out_, err_;
  size_t taken_ = 0;  // bytes of out_ already handed out as lines
  std::optional<Exit> exit_;
};

// What a command prints that ends well; throws otherwise, with what it said.
std::string output_of(const std::vector<std::string>& argv);

// Looks whether anybody on this computer can read a secret from a process: in its command line or its environment.
class SecretWatch {
 public:
  explicit SecretWatch(std::vector<std::string> secrets) : secrets_(std::move(secrets)) {}
  void look();  // at every process that there is now
  // Looks again and again until this one has ended; false: it has not by then.
  bool look_until_exit(Process& process, Deadline deadline);
  const std::set<std::string>& found() const { return found_; }          // "n2nq-sender: cmdline holds secret 1"
  const std::set<std::string>& looked_at() const { return looked_at_; }  // names of processes with both to be read

 private:
  std::vector<std::string> secrets_;
  std::set<std::string> found_{}, looked_at_{};
};

// Of any process; 0, or empty: it is gone.
pid_t parent_of(pid_t pid);
std::string comm_of(pid_t pid);
// Waits for the end of a process that is not this one's child. False: it is still there.
bool wait_gone(pid_t pid, Deadline deadline);

// Processes started by this test program, or by their children, that still exist, zombies of ours included.
std::vector<std::string> processes_left();
// Those that are left when there are none any more, or at the deadline.
std::vector<std::string> processes_left_at(Deadline deadline);
// This one is for all tests of the program, and not among them.
void let_last(pid_t pid);

}  // namespace n2nq::test
