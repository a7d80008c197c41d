#include "ui/window/far_logs.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <filesystem>
#include <utility>

#include "ui/logs/log_window.h"

namespace n2nq::ui {
namespace {

constexpr int64_t kFarBehind = 8 << 20;  // half a minute at the rate of a tail

std::string key_of(const run::FarLog& log) {
  return log.host + ":" + log.path;
}

// Another file under the same name, at once: who reads the name finds the other one.
void replace_by_link(const QString& path, const QString& target) {
  std::error_code error;
  const std::filesystem::path link = path.toStdString() + ".link";
  std::filesystem::create_symlink(target.toStdString(), link, error);
  if (!error) std::filesystem::rename(link, path.toStdString(), error);
}

}  // namespace

FarLogs::FarLogs(run::HostLinks& links, QWidget* window) : QObject(window), links_(links), window_(window) {}

FarLogs::~FarLogs() = default;

// Below a folder of the run's name: another run writes files of the same names.
QString FarLogs::local_path(const run::FarLog& log, const QString& kind) {
  const QFileInfo there(QString::fromStdString(log.path));
  const QString folder =
      kind + u'/' + QString::fromStdString(log.host).replace(u'/', u'_') + u'/' + there.dir().dirName();
  QDir(folder_.path()).mkpath(folder);
  return folder_.filePath(folder + u'/' + there.fileName());
}

void FarLogs::open(const run::FarLog& log, const QString& collected, const QString& title) {
  const std::string key = key_of(log);
  if (!folder_.isValid())
    return trouble(
        tr("The log of %1 cannot be shown: no temporary folder could be created; free some disk space.").arg(title));
  if (const auto tail = tails_.find(key); tail != tails_.end()) {
    LogWindow::open(tail->second.local, title, window_);
    return;
  }
  Tail& tail = tails_[key];
  tail = {.log = log, .local = local_path(log, "followed"), .collected = collected, .title = title};
  QFile::remove(tail.local);
  follow(tail);
  connect(&links_.to(log.host), &launch::HostLink::state_changed, this, &FarLogs::go_on, Qt::UniqueConnection);
  tail.window = LogWindow::open(tail.local, title, window_);
  connect(tail.window, &QObject::destroyed, this, [this, key] { tails_.erase(key); });
}

void FarLogs::follow(Tail& tail) {
  tail.waits = false;
  tail.job = links_.to(tail.log.host)
                 .tail(
                     tail.log.path, tail.here, [this, &tail](const launch::TailPiece& piece) { take(tail, piece); },
                     [this, &tail](const Error& error) { stand_still(tail, error); });
}

// One whose link was lost goes on when that is open again.
void FarLogs::stand_still(Tail& tail, const Error& error) {
  const bool open = links_.to(tail.log.host).state() == launch::HostLink::State::open;
  tail.waits = true;
  const QString text = QString::fromStdString(error.text);
  Q_EMIT trouble(
      open ? tr("The log of %1 is no longer being followed: %2").arg(tail.title, text)
           : tr("The log of %1 is paused until the connection to its host is restored: %2").arg(tail.title, text));
}

void FarLogs::go_on() {
  for (auto& [key, tail] : tails_)
    if (tail.waits && links_.to(tail.log.host).state() == launch::HostLink::State::open) follow(tail);
}

void FarLogs::take(Tail& tail, const launch::TailPiece& piece) {
  if (!piece.bytes.isEmpty()) tail.here = piece.offset + piece.bytes.size();
  QFile file(tail.local);
  const bool good =
      file.open(QIODevice::ReadWrite) && file.seek(piece.offset) && file.write(piece.bytes) == piece.bytes.size();
  if (!good) {
    Q_EMIT trouble(
        tr("The log of %1 is no longer being followed: %2; free some disk space.").arg(tail.title, file.errorString()));
    tail.job.reset();
    return;
  }
  const int64_t behind = piece.file_size - piece.offset - piece.bytes.size();
  if (behind > kFarBehind && !std::exchange(tail.told, true)) Q_EMIT far_behind(tail.log, tail.title, behind);
}

void FarLogs::collect() {
  for (auto& [key, tail] : tails_) {
    tail.job.reset();
    tail.waits = false;
    if (!QFile::exists(tail.collected)) continue;
    if (tail.window != nullptr) tail.window->say_of_next_file(tr("The run has finished; this is the complete log."));
    replace_by_link(tail.local, tail.collected);
  }
}

launch::Job FarLogs::fetch(const run::FarLog& log, const QString& title, Progress progress,
                           std::function<void()> done) {
  return fetch_file(log, std::move(progress), [this, title, done = std::move(done)](const Result<QString>& local) {
    if (local)
      LogWindow::open(*local, title, window_);
    else
      Q_EMIT trouble(tr("The log of %1 was not fetched: %2").arg(title, QString::fromStdString(local.error().text)));
    done();
  });
}

launch::Job FarLogs::fetch_file(const run::FarLog& log, Progress progress,
                                std::function<void(const Result<QString>&)> done) {
  const QString local = local_path(log, "whole");
  return links_.to(log.host).fetch(log.path, local.toStdString(), std::move(progress),
                                   [local, done = std::move(done)](const Result<void>& fetched) {
                                     done(fetched ? Result<QString>(local) : std::unexpected(fetched.error()));
                                   });
}

}  // namespace n2nq::ui

#include "moc_far_logs.cpp"
