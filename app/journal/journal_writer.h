// Writes the journal of a run on a thread of its own, so that a slow disk holds up nobody. Lines are written in order
// and kept until they could be. Where the disk hangs and too many wait, the figures of further seconds come with a
// later line: they say all that is new since the last one, so that nothing is lost, and it is counted. Neither a
// threads::WishThread, which drops what is older, nor a Job, whose task is one.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "app/journal/journal.h"
#include "app/journal/journal_lines.h"

namespace n2nq::journal {

class JournalWriter {
 public:
  using Open = std::function<Result<std::unique_ptr<Journal>>()>;  // on its thread; again until it worked
  using Tell = std::function<void(const std::string& trouble)>;    // on its thread; once until it went well again
  static constexpr size_t kMostWaiting = 64;                       // lines

  JournalWriter(Open open, Tell tell);
  ~JournalWriter();  // what waits is written first

  // One thread; never waits. `notes` may be all of the run or the new ones; `record` as next_journal_line() wants it.
  void put(const live::LiveFigures& figures, const std::vector<record::RunNote>& notes,
           const record::RunRecord& record);
  // The same thread: the run is over, and its files on other hosts are still to be fetched. Nothing is put after it.
  void put_end(record::RunRecord record);

  struct Written {
    std::unique_ptr<Journal> journal{};  // null: it could not be made
    uint64_t merged = 0;                 // seconds whose figures came with a later line
  };
  // Waits until what was put is written, or cannot be. Nothing is put after that.
  Written finish();

 private:
  using Part = std::function<Result<void>(Journal& journal)>;  // writes it

  void work();
  bool ready();
  bool write(const Part& part);
  void complain(const std::string& trouble);

  const Open open_;
  const Tell tell_;
  Told told_{};  // of who puts
  uint64_t merged_ = 0;

  std::unique_ptr<Journal> journal_;  // of the thread, until it has ended
  bool failing_ = false;              // of the thread

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Part> parts_;
  uint64_t puts_ = 0;
  bool ended_ = false;  // the last part is the run's end
  bool finishing_ = false;
  std::thread thread_;
};

}  // namespace n2nq::journal
