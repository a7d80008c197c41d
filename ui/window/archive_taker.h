// Takes an archive of results into the store, beside the window. UI thread; one at a time.
#pragma once

#include <QObject>
#include <string>
#include <vector>

#include "app/place/data_folder.h"

class QWidget;

namespace n2nq::results {
class ResultExport;
}

namespace n2nq::window {

class ArchiveTaker : public QObject {
  Q_OBJECT

 public:
  ArchiveTaker(const place::DataFolder& folder, QWidget* window);
  ~ArchiveTaker() override;

  static bool takes(const QString& path);  // by its name
  void take(const QString& path);
  void ask_for_file();

 Q_SIGNALS:
  // How it went; `result`: the first one that is new, or was here already, 0: none.
  void done(bool good, const QString& text, qint64 result);

 private:
  place::DataFolder folder_;
  QWidget* window_;
  results::ResultExport* work_;
  qint64 result_ = 0;
};

}  // namespace n2nq::window
