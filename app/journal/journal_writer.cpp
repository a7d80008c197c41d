#include "app/journal/journal_writer.h"

#include <utility>

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
    if (lines_.size() < kMostWaiting)
      lines_.push_back(next_journal_line(figures, notes, record, told_));
    else
      merged_++;
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

// A line that could not be written is tried again when the next one comes, and once more at the end.
void JournalWriter::work() {
  uint64_t tried_at = 0;
  bool last_try = false;
  bool went_well = ready();
  for (;;) {
    const std::string* line = nullptr;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return finishing_ || (!lines_.empty() && (went_well || puts_ != tried_at)); });
      if (lines_.empty() || (last_try && !went_well)) return;
      line = &lines_.front();  // stays where it is: others only add behind it
      tried_at = puts_;
      last_try = finishing_;
    }
    went_well = ready() && write(*line);
    if (!went_well) continue;
    const std::lock_guard lock(mutex_);
    lines_.pop_front();
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

bool JournalWriter::write(const std::string& line) {
  const auto written = journal_->append(line);
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
