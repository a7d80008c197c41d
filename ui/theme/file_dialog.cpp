#include "ui/theme/file_dialog.h"

#include <QApplication>
#include <QFileIconProvider>
#include <QStyle>

namespace n2nq::ui::theme {
namespace {

class ByName : public QFileIconProvider {
 public:
  using QFileIconProvider::icon;

  QIcon icon(const QFileInfo& file) const override {
    return QApplication::style()->standardIcon(file.isDir() ? QStyle::SP_DirIcon : QStyle::SP_FileIcon);
  }
  QString type(const QFileInfo& file) const override {
    return file.isDir() ? QFileDialog::tr("Folder") : QFileDialog::tr("File");
  }
};

}  // namespace

QFileDialog* file_dialog(QWidget* parent, const QString& title, const QString& folder, const QString& filter) {
  static ByName by_name;
  auto* dialog = new QFileDialog(parent, title);
  dialog->setOptions(QFileDialog::DontUseNativeDialog | QFileDialog::DontUseCustomDirectoryIcons);
  dialog->setIconProvider(&by_name);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  if (!folder.isEmpty()) dialog->setDirectory(folder);
  if (!filter.isEmpty()) dialog->setNameFilter(filter);
  // Not every desktop gives the keys back to the window by itself.
  QObject::connect(dialog, &QDialog::finished, parent, [parent] { parent->window()->activateWindow(); });
  return dialog;
}

}  // namespace n2nq::ui::theme
