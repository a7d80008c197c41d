#include "ui/window/long_work_watch.h"

#include <QWidget>
#include <algorithm>
#include <string_view>

#include "app/figures/headlines.h"
#include "app/figures/limit_text.h"
#include "app/findings/study.h"
#include "ui/theme/theme.h"
#include "ui/theme/verdict_status.h"
#include "ui/window/desktop_notice.h"

namespace n2nq::ui {
namespace {

using theme::qt;

constexpr std::string_view kTold[] = {"p99", "lost", "turnaround-p99", "timeouts"};

// "Latency p99 352 µs, Lost 0".
QString headline_of(const record::RunRecord& run) {
  QStringList told;
  for (const figures::Headline& one : figures::headlines_of(run))
    if (std::ranges::find(kTold, one.metric) != std::end(kTold) && one.value != "-")
      told += QStringLiteral("%1 %2 %3").arg(qt(one.name), qt(one.value), qt(one.unit)).trimmed();
  return told.join(QStringLiteral(", "));
}

}  // namespace

LongWorkWatch::LongWorkWatch(std::function<std::optional<End>()> end, QWidget* window,
                             std::chrono::milliseconds long_while)
    : QObject(window), end_(std::move(end)), window_(window), long_while_(long_while) {}

void LongWorkWatch::set_active(bool active) {
  if (active == active_) return;
  active_ = active;
  awake_.set_active(active_);
  if (active_) return since_start_.start();
  if (since_start_.elapsed() <= long_while_.count() || window_->isActiveWindow()) return;
  if (const auto end = end_()) notify_desktop(end->title, end->text);
}

LongWorkWatch* watch(run::RunSequence& sequence, QWidget* window, std::chrono::milliseconds long_while) {
  const auto end = [&sequence]() -> std::optional<LongWorkWatch::End> {
    if (sequence.records().empty()) return {};
    const record::RunRecord& worst = theme::gravest(sequence.records());
    return LongWorkWatch::End{.title = LongWorkWatch::tr("%1: %2").arg(
                                  qt(worst.plan.name), qt(figures::verdict_words(worst.verdict, worst.passed_limits))),
                              .text = QStringList({headline_of(worst), qt(worst.reason)}).join(u'\n').trimmed()};
  };
  auto* watched = new LongWorkWatch(end, window, long_while);
  const auto look = [watched, &sequence] { watched->set_active(sequence.active()); };
  QObject::connect(&sequence, &run::RunSequence::session_changed, watched, look);
  QObject::connect(&sequence, &run::RunSequence::changed, watched, look);
  return watched;
}

LongWorkWatch* watch(campaign::CampaignDesk& desk, QWidget* window, std::chrono::milliseconds long_while) {
  const auto end = [&desk]() -> std::optional<LongWorkWatch::End> {
    if (desk.run() == nullptr) return {};
    return LongWorkWatch::End{.title = qt(findings::shown_name(desk.run()->campaign().name)),
                              .text = qt(desk.run()->end_text())};
  };
  auto* watched = new LongWorkWatch(end, window, long_while);
  QObject::connect(&desk, &campaign::CampaignDesk::changed, watched,
                   [watched, &desk] { watched->set_active(desk.active()); });
  return watched;
}

}  // namespace n2nq::ui

#include "moc_long_work_watch.cpp"
