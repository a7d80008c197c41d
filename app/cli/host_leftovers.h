// `hosts collect` and `hosts clean`: what a bench that was killed left on hosts is brought home, or removed there. What
// a process still writes into stays as it is. Host by host; UI thread.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/exit_code.h"
#include "app/cli/host_access.h"
#include "app/run/log_fetch.h"

namespace n2nq::cli {

class HostLeftovers : public QObject {
  Q_OBJECT

 public:
  enum class Wish { collect, clean };
  // The folder that the files of a run go into; it is made if it is no longer there.
  using FolderOf = std::function<std::string(const std::string& run)>;
  HostLeftovers(HostAccess& access, std::vector<std::string> names, Wish wish, FolderOf folder_of,
                const HostsOptions& hosts);
  ~HostLeftovers() override;

  // Runs the event loop; prints as it goes on.
  BenchExit execute();
  void stop();
  // Folders here that something was brought into, each once.
  const std::vector<std::string>& collected() const { return collected_; }

 private:
  void next_host();
  void on_state();
  void take(const Result<std::vector<launch::LeftRun>>& runs);
  void next_run();
  void remove(const launch::LeftRun& run);
  void list(const launch::LeftRun& run);
  void fetch(const launch::LeftRun& run, const std::vector<launch::FolderEntry>& entries);
  void on_fetched(const launch::LeftRun& run, const std::string& folder);
  void report(const launch::LeftRun& run, const std::string& text);
  void trouble(const std::string& text);
  template <class Step>
  void later(Step step) {
    QMetaObject::invokeMethod(this, step, Qt::QueuedConnection);
  }

  HostAccess& access_;
  std::vector<std::string> names_;  // still to come, the next one last
  Wish wish_;
  FolderOf folder_of_;
  const HostsOptions& hosts_;
  launch::HostLink* link_ = nullptr;
  std::vector<launch::LeftRun> runs_;  // of this host, still to come, the next one last
  launch::Job job_;
  std::unique_ptr<run::LogFetch> fetch_;
  std::vector<std::string> collected_;
  bool opened_ = false;   // the link of this host
  bool waiting_ = false;  // for it to open, or for a job: then its loss is the end of this host
  bool stopped_ = false;
  BenchExit code_ = BenchExit::passed;
};

}  // namespace n2nq::cli
