#include "ui/window/slowest_finder.h"

#include "app/text/quantity.h"
#include "ui/logs/log_window.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/theme.h"
#include "ui/window/notice_stack.h"

namespace n2nq::ui {
namespace {

constexpr int64_t kProgressSteps = 100;

QString logs_text(size_t logs) {
  return logs == 1 ? QObject::tr("1 log")
                   : QObject::tr("%1 logs").arg(theme::qt(text::count(static_cast<int64_t>(logs))));
}

QString where_text(const logs::SlowestWish& wish) {
  const std::string stretch = logs::stretch_text(wish.aim);
  return stretch.empty() ? QString() : QLatin1Char(' ') + theme::qt(stretch);
}

}  // namespace

SlowestFinder::SlowestFinder(NoticeStack& notices, QWidget* window)
    : QObject(window), notices_(notices), window_(window) {}

SlowestFinder::~SlowestFinder() {
  job_.stop();
}

void SlowestFinder::find(const logs::SlowestWish& wish) {
  job_.stop();
  end();
  if (wish.logs.empty()) return notices_.say(theme::qt(wish.why_none));
  progress_text_ = tr("Looking for the slowest message%1 in %2").arg(where_text(wish), logs_text(wish.logs.size()));
  bar_ = new theme::MessageBar(tr("Looking for the slowest message"), window_);
  bar_->say(
      theme::Status::info, {},
      {{.text = tr("Cancel"), .help = tr("Ends the search."), .name = tr("Cancel looking for the slowest message")}});
  show_progress(0);
  notices_.add(bar_);
  connect(bar_, &theme::MessageBar::closed, this, [this, bar = bar_.data()] {
    if (bar == bar_) job_.stop();
    bar->deleteLater();
  });
  const auto tell = [this, bar = bar_](double share) {
    job_.tell([this, bar, share] {
      if (bar != nullptr && bar == bar_) show_progress(share);
    });
  };
  job_.start(
      [wish, tell](const std::stop_token& stop) {
        int64_t told = 0;
        const auto progress = [&](int64_t done, int64_t of) {
          const int64_t step = done * kProgressSteps / of;
          if (std::exchange(told, step) != step) tell(static_cast<double>(step) / kProgressSteps);
        };
        return logs::find_slowest_of(wish, {.stop = [&stop] { return stop.stop_requested(); }, .progress = progress});
      },
      [this, wish, bar = bar_](const logs::SlowestOutcome& outcome) {
        if (bar != bar_ || outcome.stopped) return;
        end();
        take(wish, outcome);
      });
}

void SlowestFinder::show_progress(double share) {
  bar_->show_progress(progress_text_, share);
}

void SlowestFinder::end() {
  if (theme::MessageBar* bar = bar_) {
    bar_ = nullptr;
    bar->close_bar();
  }
}

void SlowestFinder::take(const logs::SlowestWish& wish, const logs::SlowestOutcome& outcome) {
  if (!outcome.message) return say_none(wish, outcome);
  const logs::LogPlace& place = wish.logs[outcome.message->log];
  const logs::SlowestLine& line = outcome.message->line;
  const QString value = theme::qt(text::duration(static_cast<double>(line.value_ns)));
  const QString note = tr("slowest of %1%2: %3 latency").arg(logs_text(wish.logs.size()), where_text(wish), value);
  LogWindow::open(theme::qt(place.path), theme::qt(place.title), window_)->show_message(line.start, note);
  if (wish.elsewhere > 0)
    notices_.say(
        tr("%1 on other hosts were not searched: they come here when the run ends.").arg(logs_text(wish.elsewhere)));
}

void SlowestFinder::say_none(const logs::SlowestWish& wish, const logs::SlowestOutcome& outcome) {
  QString said = wish.aim.stretch ? tr("No message with a latency was logged%1.").arg(where_text(wish))
                                  : tr("No message with a latency was logged.");
  if (outcome.unreadable > 0) said += tr(" %1 could not be read.").arg(logs_text(outcome.unreadable));
  if (wish.elsewhere > 0) said += tr(" %1 are on other hosts until the run ends.").arg(logs_text(wish.elsewhere));
  notices_.say(said);
}

}  // namespace n2nq::ui

#include "moc_slowest_finder.cpp"
