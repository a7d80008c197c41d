// Opens the logs that pages ask for: a file here, or one on another host, which is followed. One that is far ahead is
// fetched whole if the user wants it. UI thread.
#pragma once

#include <QObject>

namespace n2nq::run {
struct FarLog;
class HostLinks;
class RunSequence;
}  // namespace n2nq::run

namespace n2nq::ui {

class FarLogs;
class NoticeStack;

class LogOpener : public QObject {
  Q_OBJECT

 public:
  // It goes before the links do.
  LogOpener(run::HostLinks& links, const run::RunSequence& sequence, NoticeStack& notices, QWidget* window);

  void open(const QString& path, const QString& title);
  void open_far(const run::FarLog& log, const QString& collected, const QString& title);

 private:
  void offer_whole(const run::FarLog& log, const QString& title, qint64 bytes);
  void fetch(const run::FarLog& log, const QString& title);

  const run::RunSequence& sequence_;
  NoticeStack& notices_;
  QWidget* window_;
  FarLogs* far_logs_;
};

}  // namespace n2nq::ui
