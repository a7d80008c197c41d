#include "ui/window/log_opener.h"

#include <QPointer>
#include <algorithm>

#include "app/logs/slowest_search.h"
#include "app/run/run_sequence.h"
#include "app/text/quantity.h"
#include "ui/logs/log_preferences.h"
#include "ui/logs/log_window.h"
#include "ui/run/service_logs.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/theme.h"
#include "ui/window/far_logs.h"
#include "ui/window/notice_stack.h"
#include "ui/window/slowest_finder.h"

namespace n2nq::ui {
namespace {

QString bytes_text(int64_t bytes) {
  return theme::qt(text::bytes(static_cast<double>(bytes)));
}

void show_progress(theme::MessageBar& bar, const QString& title, const launch::FetchProgress& progress) {
  bar.show_progress(QObject::tr("Fetching the log of %1: %2 of %3")
                        .arg(title, bytes_text(progress.bytes), bytes_text(progress.of_bytes)),
                    static_cast<double>(progress.bytes) / static_cast<double>(std::max<int64_t>(1, progress.of_bytes)));
}

}  // namespace

LogOpener::LogOpener(run::HostLinks& links, const run::RunSequence& sequence, NoticeStack& notices, QSettings& settings,
                     QWidget* window)
    : QObject(window),
      notices_(notices),
      window_(window),
      far_logs_(new FarLogs(links, window)),
      slowest_(new SlowestFinder(notices, window)) {
  far_logs_->setParent(this);
  slowest_->setParent(this);
  LogPreferences::shared().keep_in(settings);
  connect(far_logs_, &FarLogs::trouble, &notices_, &NoticeStack::say);
  connect(far_logs_, &FarLogs::far_behind, this, &LogOpener::offer_whole);
  connect(&sequence, &run::RunSequence::kept, this, &LogOpener::end_of_run);
}

void LogOpener::open(const QString& path, const QString& title) {
  if (path.isEmpty())
    return notices_.say(tr("This log is on the attached worker's computer and cannot be shown here."));
  LogWindow::open(path, title, window_);
}

void LogOpener::open_slowest(const QString& path, const QString& title) {
  if (path.isEmpty()) return open(path, title);
  LogWindow::open(path, title, window_)->find_slowest_when_open();
}

void LogOpener::find_slowest(const logs::SlowestWish& wish) {
  slowest_->find(wish);
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

// What was followed or fetched of it is here, complete.
void LogOpener::end_of_run() {
  far_logs_->collect();
  Q_EMIT run_ended();
}

// Cancels the job when it is closed, and closes when the run ends.
theme::MessageBar* LogOpener::show_fetching(const std::shared_ptr<launch::Job>& job, const QString& cancel_help) {
  auto* bar = new theme::MessageBar(tr("Fetching"), window_);
  bar->say(theme::Status::info, {}, {{.text = tr("Cancel"), .help = cancel_help, .name = tr("Cancel fetching")}});
  notices_.add(bar);
  connect(bar, &theme::MessageBar::closed, bar, [bar, job] {
    job->reset();  // cancels what is under way
    bar->deleteLater();
  });
  connect(this, &LogOpener::run_ended, bar, &theme::MessageBar::close_bar);
  return bar;
}

void LogOpener::fetch(const run::FarLog& log, const QString& title) {
  const auto job = std::make_shared<launch::Job>();
  auto* bar = show_fetching(job, tr("Leaves the log where it is; it is fetched automatically after the run."));
  bar->show_progress(tr("Fetching the log of %1").arg(title), 0);
  *job = far_logs_->fetch(
      log, title, [bar, title](const launch::FetchProgress& progress) { show_progress(*bar, title, progress); },
      [bar] { bar->close_bar(); });
}

struct LogOpener::FarSearch {
  logs::SlowestWish wish{};
  std::vector<FarPlace> left{};
  std::shared_ptr<launch::Job> job = std::make_shared<launch::Job>();
  QPointer<theme::MessageBar> bar{};
};

void LogOpener::find_slowest_far(const SlowestPlaces& places) {
  if (places.far.empty()) return find_slowest(places.wish);
  const auto search = std::make_shared<FarSearch>(FarSearch{.wish = places.wish, .left = places.far});
  search->bar = show_fetching(search->job, tr("Ends the search; the logs are fetched automatically after the run."));
  fetch_next(search);
}

// One after the other; what could not be fetched is searched for in the others.
void LogOpener::fetch_next(const std::shared_ptr<FarSearch>& search) {
  if (search->bar == nullptr || search->bar->is_closed()) return;
  if (search->left.empty()) {
    search->bar->close_bar();
    return find_slowest(search->wish);
  }
  const FarPlace place = search->left.back();
  search->left.pop_back();
  search->bar->show_progress(tr("Fetching the log of %1").arg(place.title), 0);
  *search->job = far_logs_->fetch_file(
      place.log,
      [search, title = place.title](const launch::FetchProgress& progress) {
        if (search->bar != nullptr) show_progress(*search->bar, title, progress);
      },
      [this, search, title = theme::utf8(place.title)](const Result<QString>& local) {
        if (local)
          search->wish.logs.push_back({.path = theme::utf8(*local), .title = title});
        else
          search->wish.elsewhere++;
        QMetaObject::invokeMethod(this, [this, search] { fetch_next(search); }, Qt::QueuedConnection);
      });
}

}  // namespace n2nq::ui

#include "moc_log_opener.cpp"
