// Takes an archive of results into the store, beside the window. UI thread; one at a time.
#pragma once

#include <QObject>
#include "app/archive/archive_import.h"
#include "app/place/data_folder.h"

class QWidget;

namespace n2nq::ui {
class FileJob;
}

namespace n2nq::ui {

class ArchiveTaker : public QObject {
  Q_OBJECT

 public:
  ArchiveTaker(const place::DataFolder& folder, QWidget* window);
  ~ArchiveTaker() override;

  static bool takes(const QString& path);  // by its name
  void take(const QString& path);
  void ask_for_file();

 Q_SIGNALS:
  void begun(const QString& path);
  void done(const QString& text, const n2nq::archive::Imported& imported);
  void trouble(const QString& text);

 private:
  place::DataFolder folder_;
  QWidget* window_;
  FileJob* work_;
  archive::Imported imported_{};
};

}  // namespace n2nq::ui
