#include "ui/theme/open_outside.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QObject>
#include <QUrl>

namespace n2nq::ui::theme {

QString open_outside(const QString& path, const Opener& opener) {
  return open_outside(QUrl::fromLocalFile(path), opener);
}

QString open_outside(const QUrl& url, const Opener& opener) {
  if (opener ? opener(url) : QDesktopServices::openUrl(url)) return {};
  if (!url.isLocalFile()) return QObject::tr("No browser was found; the page is %1.").arg(url.toString());
  const QString path = url.toLocalFile();
  return QFileInfo(path).isDir() ? QObject::tr("No file manager was found; the folder is %1.").arg(path)
                                 : QObject::tr("No program is set up for such files; the file is %1.").arg(path);
}

}  // namespace n2nq::ui::theme
