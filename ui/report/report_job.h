// A report made beside the window: loading and writing on a thread, the figures drawn one a turn of the event loop.
// UI thread; one at a time.
#pragma once

#include <QObject>
#include <QPicture>
#include <memory>
#include <string>
#include <vector>

#include "app/report/report_html.h"
#include "app/report/report_source.h"
#include "app/threads/job.h"

namespace n2nq::ui {

class ReportJob : public QObject {
  Q_OBJECT

 public:
  explicit ReportJob(QObject* parent = nullptr);
  ~ReportJob() override;  // waits for what is being written

  bool busy() const { return busy_; }
  void start(const std::string& store_path, const report::ReportWish& wish, const std::string& path);  // not while busy

 Q_SIGNALS:
  void done(bool good, const QString& text);

 private:
  void on_loaded(Result<report::Report> report);
  void draw_next();
  void write();
  void finish(const Result<void>& outcome);

  bool busy_ = false;
  std::string path_;
  std::shared_ptr<const report::Report> report_;
  size_t next_ = 0;  // block
  std::vector<report::Drawing> drawings_;
  std::vector<QPicture> pictures_;
  threads::Job job_;
};

}  // namespace n2nq::ui
