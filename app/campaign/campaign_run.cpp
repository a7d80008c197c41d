#include "app/campaign/campaign_run.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "app/campaign/point_notes.h"
#include "app/campaign/search_text.h"
#include "app/hosts/host_list.h"
#include "app/store/record_rows.h"
#include "app/store/store.h"
#include "app/text/quantity.h"

namespace n2nq::campaign {

using record::RunRecord;
using record::Severity;

namespace {

constexpr std::chrono::milliseconds kSaveEndAgain{100};
// How often the clock is looked at, as it can be set, and the computer can sleep.
constexpr int64_t kLookAgainNs = 1'000'000'000;
// So much after its time a run is not started any more, but at the next time.
constexpr int64_t kTooLateNs = 10'000'000'000;

// The last thing that went wrong with it.
std::string why_not_kept(const RunRecord& record) {
  for (auto note = record.notes.rbegin(); note != record.notes.rend(); note++)
    if (note->severity == Severity::error) return note->text;
  return "the run gives no further reason; free some space on the disk of the data folder, then resume the campaign";
}

}  // namespace

CampaignRun::CampaignRun(run::SessionOptions options, store::ResultStore& store, store::CampaignStore& campaigns,
                         QObject* parent)
    : QObject(parent), options_(std::move(options)), store_(store), campaigns_(campaigns) {
  pause_.setSingleShot(true);
  connect(&pause_, &QTimer::timeout, this, &CampaignRun::go_on);
}

CampaignRun::~CampaignRun() = default;

Result<void> CampaignRun::start(const Campaign& campaign) {
  return begin(take_up(campaign, store_.path(), campaigns_, options_));
}

Result<void> CampaignRun::resume(int64_t id) {
  return begin(take_up(id, store_.path(), campaigns_, options_));
}

Result<void> CampaignRun::begin(Result<TakenUp> taken) {
  if (!taken) return std::unexpected(taken.error());
  begin(std::move(*taken));
  return {};
}

void CampaignRun::begin(TakenUp taken) {
  lock_ = std::move(taken.lock);
  id_ = taken.id;
  campaign_ = std::move(taken.campaign);
  points_ = std::move(taken.points);
  records_ = std::move(taken.records);
  ledger_ = std::move(taken.ledger);
  ended_before_with_ = std::move(taken.end_text);
  std::vector<std::pair<int64_t, uint32_t>> begun;
  for (const RunRecord& record : records_)
    begun.emplace_back(record.started_utc_ns, record.campaign ? record.campaign->repeat : 0);
  std::ranges::sort(begun);
  for (const auto& [utc_ns, repeat] : begun)
    if (rounds_.insert(repeat).second || !in_rounds()) take_begun(utc_ns);
  state_ = State::running;
  // Not from within the call: who starts it may not be listening yet.
  QMetaObject::invokeMethod(this, &CampaignRun::go_on, Qt::QueuedConnection);
}

void CampaignRun::stop() {
  if (state_ == State::idle || state_ == State::over) return;
  if (save_end_by_) return;  // all runs are completed, and that is about to be saved
  const bool again = std::exchange(stopped_, true);
  if (run_pending_) {
    // What is over is saved first: only a second stop cuts that short, or one while an import holds the store.
    const bool at_once = again || session()->state() != run::State::over || sequence_->waits_for_store();
    if (sequence_->active() && at_once) sequence_->stop();
    return;
  }
  pause_.stop();
  next_start_.reset();
  end("stopped by the user: " + progress_text(), false);
}

void CampaignRun::go_on() {
  if (state_ == State::over) return;
  if (stopped_) return end("stopped by the user: " + progress_text(), false);
  if (const auto next = ledger_->next()) return waits_for_time(*next) ? begin_in_time(*next) : begin_run(*next);
  const std::string text = ledger_->stopped_by() ? *ledger_->stopped_by() + "; " + progress_text() : progress_text();
  end(text, text != ended_before_with_);
}

void CampaignRun::take_begun(int64_t utc_ns) {
  if (campaign_.every && last_begun_ns_ > 0) missed_ += missed_between(*campaign_.every, last_begun_ns_, utc_ns);
  last_begun_ns_ = std::max(last_begun_ns_, utc_ns);
}

uint64_t CampaignRun::missed_starts() const {
  if (!next_start_ || last_begun_ns_ == 0) return missed_;
  return missed_ + missed_between(*campaign_.every, last_begun_ns_, *next_start_);
}

bool CampaignRun::in_rounds() const {
  return campaign_.every && campaign_.every->rounds;
}

// A round that was begun goes on at once, also where the bench was ended meanwhile.
bool CampaignRun::waits_for_time(const PlannedRun& run) const {
  return campaign_.every && !(in_rounds() && rounds_.contains(run.repeat));
}

// Called again until the time has come.
void CampaignRun::begin_in_time(const PlannedRun& run) {
  const int64_t now_ns = now_utc_ns();
  if (next_start_ && now_ns >= *next_start_ && now_ns - *next_start_ <= kTooLateNs) {
    take_begun(*std::exchange(next_start_, std::nullopt));
    return begin_run(run);
  }
  const int64_t next_ns = next_start(*campaign_.every, now_ns);
  if (next_start_ != next_ns) {
    const uint64_t missed_before = missed_starts();
    next_start_ = next_ns;
    state_ = State::pausing;
    if (const uint64_t missed = missed_starts(); missed > missed_before)
      Q_EMIT noted(Severity::warning,
                   QString::fromStdString(missed_text(missed - missed_before) + "; the next run starts at " +
                                          start_text(next_ns, now_ns)));
    options_.reached("waiting");
    Q_EMIT changed();
  }
  const int64_t wait_ms = std::min(next_ns - now_ns, kLookAgainNs) / 1'000'000 + 1;
  pause_.start(std::chrono::milliseconds(wait_ms));
}

void CampaignRun::begin_run(const PlannedRun& run) {
  const auto attempts = campaigns_.last_attempt(id_, run.point, run.repeat);
  if (!attempts) return end(attempts.error().text, false);
  state_ = State::running;
  current_ = run;
  rounds_.insert(run.repeat);
  attempt_ = *attempts + 1;
  run::SessionOptions options = options_;
  options_.reached("run begins");
  options.campaign =
      record::CampaignPlace{.campaign = id_, .point = run.point, .repeat = run.repeat, .attempt = attempt_};
  sequence_ = std::make_unique<run::RunSequence>(options, &store_);
  connect(sequence_.get(), &run::RunSequence::changed, this, &CampaignRun::on_run_changed);
  connect(sequence_.get(), &run::RunSequence::waits, this,
          [this](const QString& text) { Q_EMIT noted(Severity::warning, text); });
  // The sequence goes when the next one comes: not from within its own signal.
  connect(sequence_.get(), &run::RunSequence::finished, this, &CampaignRun::on_run_finished, Qt::QueuedConnection);
  const auto started =
      sequence_->start_all({.base = plan_of_repeat(points_[run.point - 1].plan, run.repeat), .runs = {}});
  if (!started) return end("the run cannot be started: " + started.error().text, false);
  run_pending_ = true;
  Q_EMIT changed();
}

void CampaignRun::on_run_changed() {
  const run::State now = session()->state();
  if (std::exchange(run_state_, now) != now) options_.reached(run::to_text(now).c_str());
  Q_EMIT changed();
}

void CampaignRun::on_run_finished() {
  run_pending_ = false;
  options_.reached("run kept");
  host_failure_ = session()->host_failure();
  host_failures_ = session()->host_failures();
  for (const RunRecord& record : sequence_->records()) {
    if (record.id == 0) {
      local_trouble_ = true;
      return end("the result of " + record.plan.name + " could not be saved: " + why_not_kept(record), false);
    }
    records_.push_back(store::as_summary(record));
    if (!in_rounds()) take_begun(record.started_utc_ns);
    ledger_->take(record);
    if (ledger_->search()) points_ = ledger_->search()->points();
    Q_EMIT kept();
  }
  if (host_failure_)
    return end((host_failure_->host.empty() ? "" : "a host cannot be used: ") + host_failure_->text, false);
  if (!records_.empty() && record::lacks_server(records_.back())) {
    const plan::RunPlan& plan = records_.back().plan;
    const bool here = hosts::is_local(plan.queue.host) && plan.bus.server_hosts().empty();
    (here ? local_trouble_ : host_lacks_server_) = true;
    return end("the server of the bus is missing: " + records_.back().reason, false);
  }
  if (stopped_ || campaign_.pause_ns == 0 || !ledger_->next()) return go_on();
  state_ = State::pausing;
  options_.reached("pausing");
  pause_.start(std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(campaign_.pause_ns)));
  Q_EMIT changed();
}

std::string CampaignRun::progress_text() const {
  if (ledger_->search()) return sentence_of(*ledger_->search());
  const std::string all = std::to_string(ledger_->runs());
  const std::string failed =
      ledger_->failed() == 0 ? "" : ", " + std::to_string(ledger_->failed()) + " failed on every try";
  const uint64_t missed_count = missed_starts();
  const std::string missed = missed_count == 0 ? "" : ", " + missed_text(missed_count);
  if (ledger_->done() == ledger_->runs())
    return (ledger_->runs() == 2 ? "both runs completed" : "all " + all + " runs completed") + missed;
  return std::to_string(ledger_->done()) + " of " + all + " runs completed" + failed + missed;
}

void CampaignRun::end(const std::string& text, bool for_good) {
  if (state_ == State::over) return;
  if (!save_end_by_) options_.reached("campaign ends");
  if (for_good && !save_end(text)) return;
  state_ = State::over;
  end_text_ = text;
  options_.reached("campaign over");
  lock_.reset();
  Q_EMIT changed();
  Q_EMIT finished();
}

// False: the store is being written, and this is tried again, as the thread may be the window's.
bool CampaignRun::save_end(const std::string& text) {
  const auto now = std::chrono::steady_clock::now;
  if (!save_end_by_) save_end_by_ = now() + store::ResultStore::kPatience;
  const auto ended = campaigns_.end(id_, text);
  if (ended) return true;
  if (ended.error().error_number == EBUSY && now() < *save_end_by_) {
    state_ = State::pausing;
    pause_.start(kSaveEndAgain);
    Q_EMIT changed();
    return false;
  }
  Q_EMIT noted(Severity::error, QString::fromStdString(ended.error().text));
  return true;
}

std::string progress_line(const CampaignRun& run) {
  const Ledger& ledger = run.ledger();
  std::string line = ledger.search() ? text::amount(ledger.done(), "run")
                                     : std::to_string(ledger.done()) + " of " + text::amount(ledger.runs(), "run");
  if (ledger.failed() > 0) line += ", " + std::to_string(ledger.failed()) + " failed";
  if (const uint64_t missed = run.missed_starts(); missed > 0) line += ", " + missed_text(missed);
  if (const auto& next = run.next_start_utc_ns())
    return line + ": the next run starts at " + start_text(*next, run.now_utc_ns());
  if (run.state() == CampaignRun::State::pausing) return line + ": pausing";
  if (!run.current()) return line;
  line += ": " + (ledger.search() ? run_text(*ledger.search(), *run.current())
                                  : label_in(run.campaign(), run.points()[run.current()->point - 1].plan.name));
  if (run.campaign().repeats > 1)
    line += " (" + std::to_string(run.current()->repeat) + " of " + std::to_string(run.campaign().repeats) + ")";
  if (run.attempt() > 1) line += ", try " + std::to_string(run.attempt());
  return run.session() == nullptr ? line : line + ": " + run.session()->status_text();
}

}  // namespace n2nq::campaign

#include "moc_campaign_run.cpp"
