// Files written, or read, on a thread of its own, since they may be large; one at a time. UI thread otherwise.
#pragma once

#include <QObject>
#include <functional>
#include <stop_token>
#include <string>

#include "app/plan/whole_file.h"
#include "app/threads/job.h"

namespace n2nq::ui {

class FileJob : public QObject {
  Q_OBJECT

 public:
  // What is done; its text says how it went.
  using Task = std::function<Result<std::string>(std::stop_token stop)>;

  explicit FileJob(QObject* parent = nullptr);
  ~FileJob() override;  // tells it to stop, and waits

  bool busy() const { return busy_; }
  void start(Task task);  // not while busy

 Q_SIGNALS:
  void done(bool good, const QString& text);

 private:
  void report(const Result<std::string>& outcome);

  bool busy_ = false;
  threads::Job job_;
};

}  // namespace n2nq::ui
