// Files written, or read, on a thread of its own, since they may be large; one at a time. UI thread otherwise.
#pragma once

#include <QObject>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

#include "app/threads/post_box.h"
#include "broker/base/result.h"

namespace n2nq::files {

// A copy that is whole or not there. Any thread.
Result<void> copy_whole(const std::string& from, const std::string& to, const std::stop_token& stop);
Result<void> write_text(const std::string& path, const std::string& text);

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

  threads::PostBox box_;
  bool busy_ = false;
  std::jthread thread_;
};

}  // namespace n2nq::files
