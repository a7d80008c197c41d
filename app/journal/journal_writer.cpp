#include "app/journal/journal_writer.h"

#include <utility>

#include "broker/base/assert.h"

namespace n2nq::journal {

JournalWriter::JournalWriter(Open open, Tell tell)
    : open_(std::move(open)), tell_(std::move(tell)), thread_([this] { work(); }) {}

JournalWriter::~JournalWriter() {
  finish();
}

void JournalWriter::put(const live::LiveFigures& figures, const std::vector<record::RunNote>& notes,
                        const record::RunRecord& record) {
  {
    const std::lock_guard lock(mutex_);
    puts_++;
    if (parts_.size() < kMostWaiting)
      parts_.emplace_back(
          [line = next_journal_line(figures, notes, record, told_)](Journal& journal) { return journal.append(line); });
    else
      merged_++;
  }
  wake_.notify_one();
}

void JournalWriter::put_end(record::RunRecord record) {
  {
    const std::lock_guard lock(mutex_);
    N2NQ_ASSERT(!ended_ && !finishing_);
    ended_ = true;
    puts_++;
    parts_.emplace_back(
        [record = std::move(record)](Journal& journal) { return journal.finish(record, Fetch::to_come); });
  }
  wake_.notify_one();
}

JournalWriter::Written JournalWriter::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
  return {.journal = std::move(journal_), .merged = merged_};
}

// A line that could not be written is tried again when the next one comes, and once more at the end. The run's end
// stands for itself: it does not wait for one that cannot be written.
void JournalWriter::work() {
  uint64_t tried_at = 0;
  bool last_try = false;
  bool went_well = ready();
  for (;;) {
    const Part* part = nullptr;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return finishing_ || (!parts_.empty() && (went_well || puts_ != tried_at)); });
      if (parts_.empty() || (last_try && !went_well)) return;
      part = &parts_.front();  // stays where it is: others only add behind it
      tried_at = puts_;
      last_try = finishing_;
    }
    went_well = ready() && write(*part);
    const std::lock_guard lock(mutex_);
    const bool end_waits = ended_ && parts_.size() > 1;
    if (went_well || (journal_ && end_waits)) parts_.pop_front();
    went_well = went_well || (journal_ && end_waits);
  }
}

bool JournalWriter::ready() {
  if (journal_) return true;
  auto journal = open_();
  if (journal)
    journal_ = std::move(*journal);
  else
    complain("no journal of this run: " + journal.error().text);
  return journal_ != nullptr;
}

bool JournalWriter::write(const Part& part) {
  const auto written = part(*journal_);
  if (written)
    failing_ = false;
  else
    complain("the journal of this run has a gap: " + written.error().text);
  return written.has_value();
}

void JournalWriter::complain(const std::string& trouble) {
  if (!std::exchange(failing_, true)) tell_(trouble);
}

}  // namespace n2nq::journal
