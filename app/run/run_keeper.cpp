#include "app/run/run_keeper.h"

#include "app/results/begun_runs.h"
#include "app/results/store.h"
#include "app/run/run_session.h"

namespace n2nq::run {

namespace {

using results::Severity;

void add_merged(results::RunRecord& record, uint64_t merged) {
  if (merged == 0) return;
  add_note(record, Severity::warning,
           "the disk was slow: " + std::to_string(merged) +
               " s of the journal were written together with later ones; nothing is missing");
}

}  // namespace

RunKeeper::RunKeeper(RunSession& session, results::ResultStore* store, std::string begun_folder, QObject* parent)
    : QObject(parent), session_(session), store_(store), begun_folder_(std::move(begun_folder)) {
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
  writer_ = std::make_unique<results::JournalWriter>(
      [this, tell, start = session_.record()] {
        auto journal = results::Journal::create(start);
        if (journal && !begun_folder_.empty())
          if (const auto noted = results::remember_run(begun_folder_, start.folder); !noted) tell(noted.error().text);
        return journal;
      },
      tell);
  each_second_.start(std::chrono::seconds(1));
}

void RunKeeper::journal_now() {
  writer_->put(session_.live(), session_.notes(), session_.record());
}

void RunKeeper::keep(results::RunRecord record) {
  each_second_.stop();
  const std::string path = store_ != nullptr ? store_->path() : std::string();
  thread_ = std::jthread([this, record = std::move(record), path](std::stop_token stop) mutable {
    results::JournalWriter::Written written;
    if (writer_) written = writer_->finish();
    add_merged(record, written.merged);
    Kept saved = keep_record(std::move(record), written.journal.get(), path, stop);
    if (saved.record.id != 0 && !begun_folder_.empty()) results::forget_run(begun_folder_, saved.record.folder);
    box_.put([this, saved = std::move(saved)]() mutable { on_saved(std::move(saved)); });
  });
}

void RunKeeper::on_saved(Kept saved) {
  record_ = std::move(saved.record);
  if (saved.trouble) Q_EMIT trouble(Severity::error, QString::fromStdString(*saved.trouble));
  Q_EMIT kept();
}

}  // namespace n2nq::run
