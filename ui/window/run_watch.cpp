#include "ui/window/run_watch.h"

#include <QWidget>

#include "ui/window/desktop_notice.h"

namespace n2nq::ui {

RunWatch::RunWatch(run::RunSequence& sequence, QWidget* window, std::chrono::milliseconds long_run)
    : QObject(window), sequence_(sequence), window_(window), long_run_(long_run) {
  connect(&sequence_, &run::RunSequence::session_changed, this, &RunWatch::on_changed);
  connect(&sequence_, &run::RunSequence::changed, this, &RunWatch::on_changed);
}

void RunWatch::on_changed() {
  if (sequence_.active() == active_) return;
  active_ = sequence_.active();
  awake_.set_active(active_);
  if (active_)
    since_start_.start();
  else if (since_start_.elapsed() > long_run_.count() && !window_->isActiveWindow())
    tell_end();
}

void RunWatch::tell_end() const {
  if (sequence_.records().empty()) return;
  const auto& last = sequence_.records().back();
  notify_desktop(
      tr("%1: %2").arg(QString::fromStdString(last.plan.name), QString::fromStdString(to_text(last.verdict))),
      QString::fromStdString(last.reason));
}

}  // namespace n2nq::ui

#include "moc_run_watch.cpp"
