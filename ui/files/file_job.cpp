#include "ui/files/file_job.h"

#include <utility>

#include "ui/theme/theme.h"

namespace n2nq::ui {

FileJob::FileJob(QObject* parent) : QObject(parent) {}
FileJob::~FileJob() = default;

void FileJob::start(Task task) {
  busy_ = true;
  job_.start(std::move(task), [this](const Result<std::string>& outcome) { report(outcome); });
}

void FileJob::report(const Result<std::string>& outcome) {
  busy_ = false;
  Q_EMIT done(outcome.has_value(), theme::qt(outcome ? *outcome : outcome.error().text));
}

}  // namespace n2nq::ui

#include "moc_file_job.cpp"
