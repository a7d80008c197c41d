// Keeps one run as it goes: a line a second in the journal, so that even `kill -9` loses at most a second of figures;
// at its end the logs of other hosts, the master file and the result in the store. Disks are waited for on threads of
// their own; UI thread otherwise.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <string>

#include "app/journal/journal_writer.h"
#include "app/run/keep_record.h"
#include "app/run/log_fetch.h"
#include "app/run/session_options.h"
#include "app/threads/job.h"

namespace n2nq::store {
class ResultStore;
}

namespace n2nq::run {

class RunSession;

class RunKeeper : public QObject {
  Q_OBJECT

 public:
  // Results go to the store; null: they are in record(), and in the journal for the next start.
  // Of the options: where the run is noted until it is in the store, and the links to its hosts.
  RunKeeper(RunSession& session, store::ResultStore* store, const SessionOptions& options, QObject* parent = nullptr);
  ~RunKeeper() override;  // cuts a save short that is in progress

  void keep(record::RunRecord record);  // once, when the session is over
  // Saves what is done and no more; the record says what was left out. The logs stay.
  void cut_short();
  const record::RunRecord& record() const { return record_; }
  bool waits_for_store() const { return waits_for_store_; }  // longer than usual, until it is kept

 Q_SIGNALS:
  void trouble(n2nq::record::Severity severity, const QString& text);  // for the run's log
  void waits(const QString& text);  // for the store, longer than usual; trouble() has told it
  void kept();                      // record() has its id and its master file, or notes that say why not

 private:
  void begin_journal();
  void journal_now();
  void save();
  void on_fetched();
  void on_saved(Kept saved);
  void say_that_it_waits(const std::string& text);

  RunSession& session_;
  store::ResultStore* store_;
  SessionOptions options_;
  std::unique_ptr<LogFetch> fetch_;
  bool cut_short_ = false;
  bool waits_for_store_ = false;
  threads::PostBox box_;
  std::unique_ptr<journal::JournalWriter> writer_;  // of the job from keep() on
  QTimer each_second_;
  record::RunRecord record_;
  threads::Job saving_;
};

}  // namespace n2nq::run
