#include "app/run/run_keeper.h"

#include <algorithm>

#include "app/journal/begun_runs.h"
#include "app/run/run_session.h"
#include "app/store/store.h"

namespace n2nq::run {

namespace {

using record::Severity;

void add_merged(record::RunRecord& record, uint64_t merged) {
  if (merged == 0) return;
  add_note(record, Severity::warning,
           "the disk was slow: " + std::to_string(merged) +
               " s of the journal were written together with later ones; nothing is missing");
}

}  // namespace

RunKeeper::RunKeeper(RunSession& session, store::ResultStore* store, const SessionOptions& options, QObject* parent)
    : QObject(parent), session_(session), store_(store), options_(options) {
  connect(&session_, &RunSession::state_changed, this, &RunKeeper::begin_journal);
  connect(&each_second_, &QTimer::timeout, this, &RunKeeper::journal_now);
}

RunKeeper::~RunKeeper() = default;

// As soon as the run has a folder.
void RunKeeper::begin_journal() {
  if (writer_ || session_.folder().empty() || session_.state() == State::over) return;
  const auto tell = [this](const std::string& text) {
    box_.put([this, text] { Q_EMIT trouble(Severity::warning, QString::fromStdString(text)); });
  };
  writer_ = std::make_unique<journal::JournalWriter>(
      [tell, begun_folder = options_.begun_folder, start = session_.record(), options = options_] {
        auto journal = journal::Journal::create(start);
        options.reached("journal begun");
        if (journal && !begun_folder.empty())
          if (const auto noted = journal::remember_run(begun_folder, start.folder); !noted) tell(noted.error().text);
        return journal;
      },
      tell);
  each_second_.start(std::chrono::seconds(1));
}

void RunKeeper::journal_now() {
  record::RunRecord now = session_.record();
  if (session_.state() != State::over) now.processes = session_.process_records();
  writer_->put(session_.live(), session_.notes(), now);
}

void RunKeeper::keep(record::RunRecord record) {
  each_second_.stop();
  record_ = std::move(record);
  // A host that cannot be used says nothing about the point of a campaign: no try is used up. Nor does a
  // server that is not installed.
  if (session_.host_failure() || record::lacks_server(record_)) record_.campaign.reset();
  auto folders = session_.far_folders();
  if (folders.empty()) return save();
  if (writer_) writer_->put_end(record_);
  LogFetch::Bounds bounds{.reconnect = options_.reconnect_timeout};
  for (const FarFolder& folder : folders) {
    if (!options_.survives_longer_on(folder.host)) continue;
    bounds.reconnect = std::max(bounds.reconnect, options_.survive_on(folder.host));
    bounds.settle = std::max(bounds.settle, options_.survive_on(folder.host) + std::chrono::seconds(2));
  }
  for (const FarFolder& folder : folders)
    if (folder.cut_off_ns != 0)
      Q_EMIT trouble(Severity::warning,
                     QString::fromStdString(folder.host + " is tried again for " +
                                            std::to_string(bounds.reconnect.count() / 1000) + " s, for its logs"));
  fetch_ = std::make_unique<LogFetch>(*options_.links, session_.run_name(), std::move(folders), record_.folder, bounds);
  connect(fetch_.get(), &LogFetch::finished, this, &RunKeeper::on_fetched);
  fetch_->start();
  if (cut_short_) fetch_->cut_short();
}

void RunKeeper::on_fetched() {
  for (const record::RunNote& note : fetch_->notes()) {
    record_.notes.push_back(note);
    Q_EMIT trouble(note.severity, QString::fromStdString(note.text));
  }
  for (const std::string& text : session_.take_fetched(record_)) {
    add_note(record_, Severity::warning, text);
    Q_EMIT trouble(Severity::warning, QString::fromStdString(text));
  }
  for (record::ProcessRecord& process : record_.processes)
    if (std::ranges::find(fetch_->fetched_hosts(), process.place) != fetch_->fetched_hosts().end())
      process.log_dir = record_.folder;
  save();
}

void RunKeeper::cut_short() {
  cut_short_ = true;
  saving_.stop();
  if (fetch_) fetch_->cut_short();
}

void RunKeeper::save() {
  const std::string path = store_ != nullptr ? store_->path() : std::string();
  saving_.start(
      [this, record = std::move(record_), path, begun_folder = options_.begun_folder](std::stop_token stop) mutable {
        options_.reached("run over");
        journal::JournalWriter::Written written;
        if (writer_) written = writer_->finish();
        add_merged(record, written.merged);
        Kept saved = keep_record(std::move(record), written.journal.get(), path, stop,
                                 {.reached = [this](const char* step) { options_.reached(step); },
                                  .waits = [this](const std::string& text) { say_that_it_waits(text); }});
        if (saved.record.id != 0 && !begun_folder.empty()) journal::forget_run(begun_folder, saved.record.folder);
        return saved;
      },
      [this](Kept saved) { on_saved(std::move(saved)); });
  if (cut_short_) saving_.stop();
}

// From the job's thread.
void RunKeeper::say_that_it_waits(const std::string& text) {
  saving_.tell([this, text = QString::fromStdString(text)] {
    waits_for_store_ = true;
    Q_EMIT trouble(Severity::warning, text);
    Q_EMIT waits(text);
  });
}

void RunKeeper::on_saved(Kept saved) {
  record_ = std::move(saved.record);
  waits_for_store_ = false;
  if (saved.trouble) Q_EMIT trouble(Severity::error, QString::fromStdString(*saved.trouble));
  Q_EMIT kept();
}

}  // namespace n2nq::run

#include "moc_run_keeper.cpp"
