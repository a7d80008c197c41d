#include "app/launch/remote_worker.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "app/launch/host_scripts.h"
#include "workers/control/commands.h"

namespace n2nq::launch {
namespace {

using namespace std::chrono_literals;

// How long a signal may take through the link before it goes by a command of its own.
constexpr auto kSignalPatience = 1s;

// How shells and container programs tell of an end: by a number larger by this, and of a beginning that came to
// nothing.
constexpr int kSignalled = 128;
constexpr int kNotBegun[] = {125, 126, 127};

}  // namespace

RemoteWorker::RemoteWorker(Way way, std::unique_ptr<remote::Exec> exec, const std::string& why)
    : way_(std::move(way)), exec_(std::move(exec)) {
  nothing_.open(QIODevice::ReadWrite);
  signal_again_.setSingleShot(true);
  connect(&signal_again_, &QTimer::timeout, this, &RemoteWorker::signal_again);
  if (!exec_) {
    QMetaObject::invokeMethod(this, [this, why] { finish({.text = why}); }, Qt::QueuedConnection);
    return;
  }
  connect(exec_.get(), &QIODevice::readyRead, this, [this] { spoke_ = true; });
  connect(exec_.get(), &remote::Exec::error_line, this, &RemoteWorker::on_error_line);
  connect(exec_.get(), &remote::Exec::ended, this, &RemoteWorker::on_end);
  if (!way_.tells_pid) QMetaObject::invokeMethod(this, [this] { begin(); }, Qt::QueuedConnection);
}

RemoteWorker::~RemoteWorker() {
  if (exec_) exec_->disconnect(this);
  if (!over_ && !way_.signals_reach && pid_ != 0) way_.signal_by_command(SIGKILL, pid_);
}

QIODevice& RemoteWorker::channel() {
  if (exec_) return *exec_;
  return nothing_;
}

bool RemoteWorker::ping_every(std::chrono::milliseconds interval) {
  if (exec_) exec_->ping_every(interval, QByteArray::fromStdString(to_line(control::PingCommand{}) + "\n"));
  return true;
}

void RemoteWorker::begin() {
  if (over_ || std::exchange(started_, true)) return;
  Q_EMIT started();
}

void RemoteWorker::on_error_line(const QByteArray& line) {
  if (!started_ && line.startsWith(scripts::kPidMark.data())) {
    pid_ = line.mid(static_cast<qsizetype>(scripts::kPidMark.size())).toLongLong();
    return begin();
  }
  if (!spoke_) complaint_ = line.toStdString();
  if (started_) Q_EMIT error_output(QString::fromUtf8(line));
}

void RemoteWorker::terminate() {
  signal(SIGTERM);
}

void RemoteWorker::kill() {
  signal(SIGKILL);
}

void RemoteWorker::signal(int number) {
  if (over_ || !exec_) return;
  signal_ = number;
  if (way_.signals_reach)
    exec_->send_signal(number);
  else
    signal_by_command();
  signal_again_.start(kSignalPatience);
}

// There are servers that do not pass signals on, and commands that keep them to themselves.
void RemoteWorker::signal_by_command() {
  if (pid_ != 0)
    way_.signal_by_command(signal_, pid_);
  else
    exec_->end_input();  // it takes that as an order to stop
}

void RemoteWorker::signal_again() {
  if (over_) return;
  if (way_.signals_reach)
    signal_by_command();
  else
    exec_->send_signal(signal_);
}

void RemoteWorker::on_end(const remote::ExecEnd& end) {
  if (end.lost) return finish({.started = started_, .text = "the link to " + way_.host + " was lost: " + end.text});
  if (!started_) {
    std::string why = !end.text.empty() ? end.text : complaint_;
    if (why.empty() && end.signal != 0) why = "killed by signal " + std::to_string(end.signal);
    if (why.empty()) why = "its command ended with exit code " + std::to_string(end.exit_code);
    return finish({.exit_code = -1,
                   .signal = end.signal,
                   .text = way_.program + " cannot be started on " + way_.host + ": " + why});
  }
  finish(told_of(end));
}

ProcessEnd RemoteWorker::told_of(const remote::ExecEnd& end) const {
  ProcessEnd told{.started = true, .exit_code = end.exit_code, .signal = end.signal};
  if (!way_.signals_reach && end.exit_code > kSignalled && end.exit_code <= kSignalled + SIGRTMAX) {
    told.exit_code = -1;
    told.signal = end.exit_code - kSignalled;
  }
  if (told.signal != 0) {
    told.text = "killed by signal " + std::to_string(told.signal);
  } else if (!way_.tells_pid && !spoke_ && std::ranges::find(kNotBegun, end.exit_code) != std::end(kNotBegun)) {
    const std::string code = "its command ended with exit code " + std::to_string(end.exit_code);
    told.started = false;
    told.text = way_.program + " cannot be started on " + way_.host + ": " + (complaint_.empty() ? code : complaint_);
  } else if (end.exit_code >= 0) {
    told.text = "ended with exit code " + std::to_string(end.exit_code);
  } else {
    told.text = "ended; " + way_.host + " does not report how";
  }
  return told;
}

void RemoteWorker::finish(const ProcessEnd& end) {
  if (std::exchange(over_, true)) return;
  signal_again_.stop();
  Q_EMIT finished(end);
}

}  // namespace n2nq::launch
