// The three programs that are brought to hosts, read and hashed on a thread of its own. UI thread.
#pragma once

#include <QByteArray>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "app/plan/role.h"
#include "app/threads/post_box.h"
#include "broker/base/result.h"

namespace n2nq::launch {

const char* program_of(Role role);  // "n2nq-broker"

struct Program {
  std::string name{};
  std::string sha256{};  // hexadecimal
  QByteArray content{};
};

struct Programs {
  std::string machine{};  // as `uname -m` says it where they run
  std::vector<Program> programs{};
};

// Any thread; blocks.
Result<Programs> read_programs(const std::string& folder);

class ProgramsReader {
 public:
  using Done = std::function<void(const Result<Programs>& programs)>;

  ProgramsReader(const std::string& folder, Done done);  // `done` from the event loop
  ProgramsReader(const ProgramsReader&) = delete;
  ProgramsReader& operator=(const ProgramsReader&) = delete;
  ~ProgramsReader();

 private:
  threads::PostBox box_;
  std::thread thread_;
};

}  // namespace n2nq::launch
