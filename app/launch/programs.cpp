#include "app/launch/programs.h"

#include <elf.h>
#include <unistd.h>

#include <QCryptographicHash>
#include <QFile>
#include <cstring>

namespace n2nq::launch {
namespace {

// Nothing where it is not a program of Linux that we know.
std::string machine_of(const QByteArray& program) {
  Elf64_Ehdr header{};
  if (program.size() < static_cast<qsizetype>(sizeof header)) return {};
  std::memcpy(&header, program.constData(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  switch (header.e_machine) {
    case EM_X86_64:
      return "x86_64";
    case EM_AARCH64:
      return "aarch64";
    case EM_RISCV:
      return "riscv64";
    default:
      return {};
  }
}

}  // namespace

const char* program_of(Role role) {
  switch (role) {
    case Role::broker:
      return "n2nq-broker";
    case Role::sender:
      return "n2nq-sender";
    case Role::receiver:
      return "n2nq-receiver";
    case Role::recorder:
      return "n2nq-recorder";
  }
  return "";
}

std::string advice_on(const std::string& program) {
  if (::access(program.c_str(), X_OK) != 0) return "; build it, or set N2NQ_PROGRAMS to the folder of the programs";
  return "; use fewer processes, or allow more open files and processes (ulimit -n, ulimit -u) before starting the "
         "bench";
}

Result<Programs> read_programs(const std::string& folder) {
  Programs all;
  for (const Role role : {Role::broker, Role::sender, Role::receiver, Role::recorder}) {
    const std::string name = program_of(role);
    QFile file(QString::fromStdString(folder + "/" + name));
    if (!file.open(QIODevice::ReadOnly))
      return fail("the program to copy there, " + folder + "/" + name +
                  ", cannot be read: " + file.errorString().toStdString() + advice_on(folder + "/" + name));
    const QByteArray content = file.readAll();
    const std::string machine = machine_of(content);
    if (machine.empty() || (!all.machine.empty() && machine != all.machine))
      return fail(folder + "/" + name + " is not a program for a known machine type; build it again");
    all.machine = machine;
    const QByteArray hash = QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex();
    all.programs.push_back({.name = name, .sha256 = hash.toStdString(), .content = content});
  }
  return all;
}

}  // namespace n2nq::launch
