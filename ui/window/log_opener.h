// Opens the logs that pages ask for: a file here, or one on another host, which is followed. One that is far ahead is
// fetched whole if the user wants it. UI thread.
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "app/launch/host_link.h"

class QSettings;

namespace n2nq::logs {
struct SlowestWish;
}
namespace n2nq::run {
struct FarLog;
class HostLinks;
class RunSequence;
}  // namespace n2nq::run

namespace n2nq::ui {

class FarLogs;
class NoticeStack;
class SlowestFinder;
struct SlowestPlaces;
namespace theme {
class MessageBar;
}

class LogOpener : public QObject {
  Q_OBJECT

 public:
  // It goes before the links do.
  LogOpener(run::HostLinks& links, const run::RunSequence& sequence, NoticeStack& notices, QSettings& settings,
            QWidget* window);

  void open(const QString& path, const QString& title);
  // At its slowest message.
  void open_slowest(const QString& path, const QString& title);
  void open_far(const run::FarLog& log, const QString& collected, const QString& title);
  // The log that has the slowest message of all, at that message.
  void find_slowest(const logs::SlowestWish& wish);
  void find_slowest_far(const SlowestPlaces& places);
  void end_of_run();  // of this window, or of its campaign: its logs were collected

 Q_SIGNALS:
  void run_ended();

 private:
  void offer_whole(const run::FarLog& log, const QString& title, qint64 bytes);
  struct FarSearch;
  void fetch_next(const std::shared_ptr<FarSearch>& search);
  theme::MessageBar* show_fetching(const std::shared_ptr<launch::Job>& job, const QString& cancel_help);
  void fetch(const run::FarLog& log, const QString& title);

  NoticeStack& notices_;
  QWidget* window_;
  FarLogs* far_logs_;
  SlowestFinder* slowest_;
};

}  // namespace n2nq::ui
