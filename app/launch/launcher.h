// How the bench gets a broker or a worker to run somewhere. One contract, and one test battery for all of them.
#pragma once

#include <QIODevice>
#include <QObject>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/plan/role.h"

namespace n2nq::launch {

struct WorkerCommand {
  Role role = Role::broker;
  std::vector<std::string> arguments{};  // no secret among them
  std::string cpus = "0";                // the limits that are among them, as remote::Occasion has them
  std::string memory = "0";
};

struct ProcessEnd {
  bool started = false;  // it ran at all, as far as that is known
  int exit_code = -1;    // -1: a signal, or not known (attached)
  int signal = 0;
  std::string text{};  // "exit code 0", "killed by signal 9", "cannot be started: ...": what, and what to do
};

// One process. States: starting -> running -> over; or starting -> over. Destroying it in any state kills what runs.
class WorkerProcess : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  virtual std::string place() const = 0;  // "this computer"
  virtual QIODevice& channel() = 0;       // its stdin and stdout; readable and writable from `started` on
  virtual int64_t pid() const = 0;        // 0: not known
  virtual bool over() const = 0;
  // running: whether it sends signs of life by itself from now on, from a thread that a busy UI does not hold up. Where
  // it does not, the control client has to.
  virtual bool ping_every(std::chrono::milliseconds) { return false; }
  // starting, running: SIGTERM, or closing the channel where there is no such thing.
  virtual void terminate() = 0;
  // starting, running: SIGKILL; `finished` follows. An attached worker is only let go.
  virtual void kill() = 0;

 Q_SIGNALS:
  void started();                                      // starting -> running
  void error_output(const QString& line);              // running: a line of its stderr
  void finished(const n2nq::launch::ProcessEnd& end);  // -> over; once, the last signal; the channel is readable still
};

class Launcher {
 public:
  virtual ~Launcher() = default;
  // Never fails by itself: what goes wrong comes as `finished`, from the event loop.
  virtual std::unique_ptr<WorkerProcess> launch(const WorkerCommand& command) = 0;
};

}  // namespace n2nq::launch
