#include "app/launch/script_run.h"

#include <QPointer>
#include <csignal>
#include <utility>

namespace n2nq::launch {

ScriptRun::ScriptRun(std::unique_ptr<remote::Exec> exec, const QByteArray& input, Done done,
                     std::function<void()> moved)
    : exec_(std::move(exec)), done_(std::move(done)), moved_(std::move(moved)) {
  QObject::connect(exec_.get(), &remote::Exec::readyRead, exec_.get(), [this] {
    const QPointer<remote::Exec> there(exec_.get());
    on_output();
    if (there && done_ && moved_) moved_();
  });
  QObject::connect(exec_.get(), &remote::Exec::error_line, exec_.get(),
                   [this](const QByteArray& line) { end_.complaint = line.toStdString(); });
  QObject::connect(exec_.get(), &remote::Exec::ended, exec_.get(), [this](const remote::ExecEnd& end) { on_end(end); });
  exec_->be_gentle();
  if (!input.isEmpty()) exec_->write(input);
  exec_->end_input();
}

void ScriptRun::on_output() {
  end_.output += exec_->readAll();
  if (end_.output.size() <= kMostOutput) return;
  exec_->disconnect();  // what it says from now on is nobody's, and stays there
  exec_->send_signal(SIGTERM);
  end_.output.clear();
  end_.complaint =
      "the host answered with more than " + std::to_string(kMostOutput >> 20) + " MiB, which is not a valid answer";
  finish();
}

void ScriptRun::on_end(const remote::ExecEnd& end) {
  const QPointer<remote::Exec> there(exec_.get());
  on_output();
  if (!there || !done_) return;
  end_.lost = end.lost;
  end_.begun = end.begun;
  end_.exit_code = end.exit_code;
  if (!end.text.empty())
    end_.complaint = end.text;
  else if (end.signal != 0)
    end_.complaint = "killed by signal " + std::to_string(end.signal);
  else if (end.exit_code < 0)
    end_.complaint = "the host did not report how it ended";
  finish();
}

void ScriptRun::finish() {
  const Done done = std::exchange(done_, nullptr);
  const ScriptEnd result = std::move(end_);
  done(result);
}

}  // namespace n2nq::launch
