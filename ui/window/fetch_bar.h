// How far a log has come from its host, and the way to give that up. Deletes itself when it has finished. UI thread.
#pragma once

#include <QFrame>

#include "app/launch/host_link.h"

class QLabel;
class QProgressBar;

namespace n2nq::window {

class FetchBar : public QFrame {
  Q_OBJECT

 public:
  FetchBar(const QString& title, QWidget* parent);

  void set_job(launch::Job job) { job_ = std::move(job); }
  void show_progress(const launch::FetchProgress& progress);
  void close_bar();  // and cancels what is in progress

 private:
  QString title_;
  QLabel* text_;
  QProgressBar* progress_;
  launch::Job job_;
};

}  // namespace n2nq::window
