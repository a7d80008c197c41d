// The two items of a menu that write what is chosen as one file: with the files of its runs, or without. UI thread.
#pragma once

#include <QObject>
#include <cstdint>

class QAction;
class QMenu;

namespace n2nq::ui {

class ArchiveChoice : public QObject {
  Q_OBJECT

 public:
  explicit ArchiveChoice(QMenu* menu);

  // "Result as one file"; what the files of its runs took.
  void show(const QString& what, uint64_t file_bytes);

 Q_SIGNALS:
  void chosen(bool logs);

 private:
  QAction* plain_;
  QAction* with_logs_;
};

}  // namespace n2nq::ui
