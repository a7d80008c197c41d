// Looks for runs that a bench left unfinished, and makes results of them, on a thread of its own with a store of its
// own; what the store no longer needs is purged there too. Signals come in the UI thread.
#pragma once

#include <QObject>
#include <string>

#include "app/threads/job.h"

namespace n2nq::run {

class CutOffSearch : public QObject {
  Q_OBJECT

 public:
  // `begun_folder`: see journal/begun_runs.h.
  CutOffSearch(std::string store_path, std::string runs_folder, std::string begun_folder, QObject* parent = nullptr);
  ~CutOffSearch() override;  // stops it; waits for a read that is in progress

  void start();
  void stop() { job_.stop(); }  // what is not done is left for the next start; `finished` follows

 Q_SIGNALS:
  void taken_in(qint64 id, const QString& text);  // a sentence that says which run
  void found(int runs);                           // that are in the store now
  void trouble(const QString& text);
  void finished();  // always, and last

 private:
  void search(const std::stop_token& stop);
  void say(std::string text);

  std::string store_path_;
  std::string runs_folder_;
  std::string begun_folder_;
  threads::Job job_;
};

}  // namespace n2nq::run
