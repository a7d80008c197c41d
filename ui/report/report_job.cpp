#include "ui/report/report_job.h"

#include <QEventLoop>
#include <QTimer>
#include <utility>

#include "app/plan/whole_file.h"
#include "ui/report/report_drawing.h"
#include "ui/report/report_pdf.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

ReportJob::ReportJob(QObject* parent) : QObject(parent) {}
ReportJob::~ReportJob() = default;

void ReportJob::start(const std::string& store_path, const report::ReportWish& wish, const std::string& path) {
  busy_ = true;
  path_ = path;
  job_.start([store_path, wish] { return report::load_report(store_path, wish); },
             [this](Result<report::Report> report) { on_loaded(std::move(report)); });
}

void ReportJob::on_loaded(Result<report::Report> report) {
  if (!report) return finish(std::unexpected(report.error()));
  report_ = std::make_shared<const report::Report>(std::move(*report));
  next_ = 0;
  drawings_.clear();
  pictures_.clear();
  draw_next();
}

// One figure takes a moment; all of a campaign's would be felt.
void ReportJob::draw_next() {
  for (; next_ < report_->blocks.size(); next_++) {
    const auto* figure = std::get_if<figures::Figure>(&report_->blocks[next_]);
    if (figure == nullptr) continue;
    if (path_.ends_with(".pdf"))
      pictures_.push_back(draw_picture(*figure));
    else
      drawings_.push_back(draw_svg(*figure));
    next_++;
    return QTimer::singleShot(0, this, &ReportJob::draw_next);
  }
  write();
}

void ReportJob::write() {
  job_.start(
      [report = report_, path = path_, pictures = std::move(pictures_), drawings = std::move(drawings_),
       look = report_look()] {
        const QEventLoop timers;  // those that documents have; without a loop a thread has none
        std::string bytes;
        size_t at = 0;
        if (path.ends_with(".pdf"))
          bytes = to_pdf(*report, pictures).toStdString();
        else
          bytes = report::to_html(*report, [&](const figures::Figure&) { return drawings[at++]; }, look);
        return plan::write_whole_file(path, bytes);
      },
      [this](const Result<void>& outcome) { finish(outcome); });
}

void ReportJob::finish(const Result<void>& outcome) {
  busy_ = false;
  report_.reset();
  Q_EMIT done(outcome.has_value(),
              outcome ? tr("Report saved to %1.").arg(theme::qt(path_)) : theme::qt(outcome.error().text));
}

}  // namespace n2nq::ui

#include "moc_report_job.cpp"
