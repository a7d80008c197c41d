// A worker or broker on a host, over its link. UI thread.
#pragma once

#include <QBuffer>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>

#include "app/launch/launcher.h"
#include "app/remote/exec.h"

namespace n2nq::launch {

class RemoteWorker : public WorkerProcess {
 public:
  struct Way {
    std::string host{};
    std::string program{};      // for texts
    bool tells_pid = true;      // it was started by kStart; else it counts as started when its command is
    bool signals_reach = true;  // through the link itself
    // Another way for a signal: a command of its own on the host.
    std::function<void(int signal, int64_t pid)> signal_by_command{};
  };

  // Without `exec` it ends as `why`.
  RemoteWorker(Way way, std::unique_ptr<remote::Exec> exec, const std::string& why);
  ~RemoteWorker() override;

  std::string place() const override { return way_.host; }
  QIODevice& channel() override;
  int64_t pid() const override { return pid_; }
  bool over() const override { return over_; }
  bool ping_every(std::chrono::milliseconds interval) override;
  void terminate() override;
  void kill() override;

 private:
  void begin();
  void on_error_line(const QByteArray& line);
  void on_end(const remote::ExecEnd& end);
  ProcessEnd told_of(const remote::ExecEnd& end) const;
  void signal(int number);
  void signal_by_command();
  void signal_again();
  void finish(const ProcessEnd& end);

  Way way_;
  std::unique_ptr<remote::Exec> exec_;
  QBuffer nothing_;
  QTimer signal_again_;
  int signal_ = 0;
  int64_t pid_ = 0;
  bool started_ = false;
  bool over_ = false;
  bool spoke_ = false;
  std::string complaint_;  // from before it started
};

}  // namespace n2nq::launch
