// Logs that are on other hosts while a run goes on: each is followed into a file here, which the log's window shows,
// for as long as that window is open; or fetched whole. After the run the window shows the log that was collected.
// UI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTemporaryDir>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/run/host_links.h"
#include "app/run/run_stage.h"

class QWidget;

namespace n2nq::ui {
class LogWindow;
}

namespace n2nq::ui {

class FarLogs : public QObject {
  Q_OBJECT

 public:
  FarLogs(run::HostLinks& links, QWidget* window);
  ~FarLogs() override;

  // `collected`: where it will be when the run is over.
  void open(const run::FarLog& log, const QString& collected, const QString& title);
  // The run is over: nothing is followed any more.
  void collect();

  using Progress = std::function<void(const launch::FetchProgress& progress)>;
  // Whole as it is now; `done` opens it, where it could be fetched. Destroying the job cancels.
  launch::Job fetch(const run::FarLog& log, const QString& title, Progress progress, std::function<void()> done);
  // The same without a window: `done` gets where it is here, or why it is not.
  launch::Job fetch_file(const run::FarLog& log, Progress progress, std::function<void(const Result<QString>&)> done);

 Q_SIGNALS:
  void trouble(const QString& text);
  // What comes is far behind what is there: `bytes` of it.
  void far_behind(const n2nq::run::FarLog& log, const QString& title, qint64 bytes);

 private:
  struct Tail {
    run::FarLog log{};
    QString local{};
    QString collected{};
    QString title{};
    int64_t here = 0;    // bytes of it
    bool told = false;   // that it is far behind
    bool waits = false;  // for a link that was lost
    QPointer<LogWindow> window{};
    launch::Job job{};
  };
  QString local_path(const run::FarLog& log, const QString& kind);
  void follow(Tail& tail);
  void take(Tail& tail, const launch::TailPiece& piece);
  void stand_still(Tail& tail, const Error& error);
  void go_on();

  run::HostLinks& links_;
  QWidget* window_;
  QTemporaryDir folder_;
  std::map<std::string, Tail> tails_;  // by host and path
};

}  // namespace n2nq::ui
