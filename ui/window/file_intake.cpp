#include "ui/window/file_intake.h"

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>

#include "app/campaign/campaign_file.h"
#include "ui/campaigns/campaign_files.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/window/archive_taker.h"
#include "ui/window/notice_stack.h"
#include "ui/window/page_bar.h"
#include "ui/window/plan_control.h"

namespace n2nq::ui {
namespace {

// Empty: there is none in it.
QString dropped_file(const QDropEvent& event) {
  for (const QUrl& url : event.mimeData()->urls())
    if (url.isLocalFile()) return url.toLocalFile();
  return {};
}

// What is neither is opened as a plan, which says what is wrong with it.
bool is_campaign_file(const QString& path) {
  return campaign::read_campaign_file(path.toStdString()).has_value();
}

}  // namespace

FileIntake::FileIntake(const Places& places, QWidget* window) : QObject(window), places_(places), window_(window) {
  window_->setAcceptDrops(true);
  qApp->installEventFilter(this);
}

void FileIntake::take(const QString& path) {
  if (ArchiveTaker::takes(path)) return take_archive(path);
  if (places_.campaigns != nullptr && is_campaign_file(path)) {
    places_.pages.go_to(Page::campaigns);
    places_.campaigns->files().open_path(path);
    return;
  }
  places_.plan.open_path(path);
  places_.pages.go_to(Page::run);
}

void FileIntake::take_archive(const QString& path) {
  if (places_.archives != nullptr) return places_.archives->take(path);
  places_.notices.say(tr("%1 was not imported: there is no results store.").arg(path));
}

// Fields would take a file as text, and write its address into the plan.
bool FileIntake::eventFilter(QObject* watched, QEvent* event) {
  const bool drop = event->type() == QEvent::Drop;
  if (!drop && event->type() != QEvent::DragEnter && event->type() != QEvent::DragMove) return false;
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr || widget->window() != window_) return false;
  auto* dragged = static_cast<QDropEvent*>(event);
  const QString path = dropped_file(*dragged);
  if (path.isEmpty()) return false;
  dragged->acceptProposedAction();
  if (drop) take(path);
  return true;
}

}  // namespace n2nq::ui

#include "moc_file_intake.cpp"
