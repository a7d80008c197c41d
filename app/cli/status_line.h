// What a command says while it works: lines on stderr, on a terminal one that moves on. Main thread.
#pragma once

#include <string>

#include "app/cli/exit_code.h"

namespace n2nq::cli {

// A line on stderr, with the program's name before it.
void say(const std::string& text);
// The same, of what ends the command; its exit code.
int complain(BenchExit code, const std::string& text);
// On stdout, which may be a pipe that nobody reads any more, or a full disk: false if not all of it got there.
bool print(const std::string& text);

class StatusLine {
 public:
  StatusLine();

  void show(const std::string& line);
  void end();  // what is shown stays; before anything else is said
  // The terminal is gone.
  void leave_terminal() { terminal_ = false; }

 private:
  bool terminal_;
  bool open_ = false;
  std::string last_;  // off a terminal nothing is said twice in a row
};

}  // namespace n2nq::cli
