#include "ui/files/file_job.h"

#include <utility>

#include "ui/theme/theme.h"

namespace n2nq::files {

FileJob::FileJob(QObject* parent) : QObject(parent) {}
FileJob::~FileJob() = default;

void FileJob::start(Task task) {
  busy_ = true;
  thread_ = std::jthread([this, task = std::move(task)](const std::stop_token& stop) {
    box_.put([this, outcome = task(stop)] { report(outcome); });
  });
}

void FileJob::report(const Result<std::string>& outcome) {
  busy_ = false;
  Q_EMIT done(outcome.has_value(), theme::qt(outcome ? *outcome : outcome.error().text));
}

}  // namespace n2nq::files
