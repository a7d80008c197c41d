#include "app/launch/local_launcher.h"

#include <unistd.h>

#include <QProcess>

#include "app/launch/programs.h"

namespace n2nq::launch {
namespace {

class LocalProcess : public WorkerProcess {
 public:
  LocalProcess() {
    connect(&process_, &QProcess::started, this, [this] { Q_EMIT started(); });
    connect(&process_, &QProcess::readyReadStandardError, this, [this] { read_errors(false); });
    connect(&process_, &QProcess::finished, this, &LocalProcess::on_finished);
    connect(&process_, &QProcess::errorOccurred, this, &LocalProcess::on_error);
    process_.setChildProcessModifier([] { ::setpgid(0, 0); });
  }
  ~LocalProcess() override {
    process_.disconnect(this);
    if (process_.state() == QProcess::NotRunning) return;
    process_.kill();
    process_.waitForFinished(kReapMs);
  }

  void start(const std::string& program, const std::vector<std::string>& arguments) {
    program_ = program;
    QStringList list;
    for (const std::string& argument : arguments) list << QString::fromStdString(argument);
    process_.start(QString::fromStdString(program), list);
  }

  std::string place() const override { return "this computer"; }
  QIODevice& channel() override { return process_; }
  int64_t pid() const override { return process_.processId(); }
  bool over() const override { return over_; }
  void terminate() override { process_.terminate(); }
  void kill() override { process_.kill(); }

 private:
  static constexpr int kReapMs = 1000;
  static constexpr qint64 kLongestErrorLine = 4096;

  void on_finished(int code, QProcess::ExitStatus status) {
    read_errors(true);
    ProcessEnd end{.started = true};
    if (status == QProcess::CrashExit) {
      end.signal = code;
      end.text = "killed by signal " + std::to_string(code);
    } else {
      end.exit_code = code;
      end.text = "ended with exit code " + std::to_string(code);
    }
    finish(end);
  }

  // Every other error shows in how the process ends.
  void on_error(QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    finish({.text = program_ + " cannot be started: " + process_.errorString().toStdString() + advice_on(program_)});
  }

  void finish(const ProcessEnd& end) {
    if (std::exchange(over_, true)) return;
    Q_EMIT finished(end);
  }

  void read_errors(bool all) {
    process_.setReadChannel(QProcess::StandardError);
    while (process_.canReadLine() || process_.bytesAvailable() > (all ? 0 : kLongestErrorLine)) {
      const QString line = QString::fromUtf8(process_.readLine(kLongestErrorLine)).trimmed();
      if (!line.isEmpty()) Q_EMIT error_output(line);
    }
    process_.setReadChannel(QProcess::StandardOutput);
  }

  QProcess process_;
  std::string program_;
  bool over_ = false;
};

}  // namespace

std::unique_ptr<WorkerProcess> LocalLauncher::launch(const WorkerCommand& command) {
  auto process = std::make_unique<LocalProcess>();
  LocalProcess* raw = process.get();
  // From the event loop, so that whoever asked can listen to it first.
  QMetaObject::invokeMethod(
      raw,
      [raw, program = programs_ + "/" + program_of(command.role), arguments = command.arguments] {
        raw->start(program, arguments);
      },
      Qt::QueuedConnection);
  return process;
}

}  // namespace n2nq::launch
