#include "ui/window/log_opener.h"

#include <algorithm>
#include <memory>

#include "app/launch/host_link.h"
#include "app/run/run_sequence.h"
#include "app/text/quantity.h"
#include "ui/logs/log_window.h"
#include "ui/theme/theme.h"
#include "ui/window/far_logs.h"
#include "ui/window/notice_stack.h"

namespace n2nq::ui {
namespace {

QString bytes_text(int64_t bytes) {
  return theme::qt(text::bytes(static_cast<double>(bytes)));
}

}  // namespace

LogOpener::LogOpener(run::HostLinks& links, const run::RunSequence& sequence, NoticeStack& notices, QWidget* window)
    : QObject(window), sequence_(sequence), notices_(notices), window_(window), far_logs_(new FarLogs(links, window)) {
  far_logs_->setParent(this);
  connect(far_logs_, &FarLogs::trouble, &notices_, &NoticeStack::say);
  connect(far_logs_, &FarLogs::far_behind, this, &LogOpener::offer_whole);
  connect(&sequence_, &run::RunSequence::kept, far_logs_, &FarLogs::collect);
}

void LogOpener::open(const QString& path, const QString& title) {
  if (path.isEmpty())
    return notices_.say(tr("This log is on the attached worker's computer and cannot be shown here."));
  LogWindow::open(path, title, window_);
}

void LogOpener::open_far(const run::FarLog& log, const QString& collected, const QString& title) {
  far_logs_->open(log, collected, title);
}

void LogOpener::offer_whole(const run::FarLog& log, const QString& title, qint64 bytes) {
  notices_.add(
      theme::Status::info,
      tr("%1 of the log of %2 have yet to be fetched, which is too much to follow live.").arg(bytes_text(bytes), title),
      {{.text = tr("Fetch entire log"),
        .help = tr("Fetches the log as it is now, compressed in transit, and opens it."),
        .chosen = [this, log, title] { fetch(log, title); }},
       {.text = tr("Close"), .help = tr("Closes this notice.")}});
}

void LogOpener::fetch(const run::FarLog& log, const QString& title) {
  auto* bar = new theme::MessageBar(tr("Fetching"), window_);
  const auto job = std::make_shared<launch::Job>();
  const auto show_progress = [bar, title](const launch::FetchProgress& progress) {
    bar->show_progress(
        tr("Fetching the log of %1: %2 of %3").arg(title, bytes_text(progress.bytes), bytes_text(progress.of_bytes)),
        static_cast<double>(progress.bytes) / static_cast<double>(std::max<int64_t>(1, progress.of_bytes)));
  };
  bar->say(theme::Status::info, {},
           {{.text = tr("Cancel"),
             .help = tr("Leaves the log where it is; it is fetched automatically after the run."),
             .name = tr("Cancel fetching")}});
  bar->show_progress(tr("Fetching the log of %1").arg(title), 0);
  notices_.add(bar);
  connect(bar, &theme::MessageBar::closed, bar, [bar, job] {
    job->reset();  // cancels what is under way
    bar->deleteLater();
  });
  connect(&sequence_, &run::RunSequence::finished, bar, &theme::MessageBar::close_bar);
  *job = far_logs_->fetch(log, title, show_progress, [bar] { bar->close_bar(); });
}

}  // namespace n2nq::ui

#include "moc_log_opener.cpp"
