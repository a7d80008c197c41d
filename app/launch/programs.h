// The four programs that are brought to hosts, read and hashed. Any thread.
#pragma once

#include <QByteArray>
#include <string>
#include <vector>

#include "app/plan/role.h"
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

// What to do where that program of ours cannot be started or read: it is missing, or this process may have no more.
std::string advice_on(const std::string& program);

// Blocks.
Result<Programs> read_programs(const std::string& folder);

}  // namespace n2nq::launch
