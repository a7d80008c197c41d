// Reports on chosen results and archives of them: asks where to, and writes beside the window. UI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <cstdint>
#include <string>
#include <vector>

#include "app/results/store.h"

class QFileDialog;
class QWidget;

namespace n2nq::report {
class ReportJob;
}
namespace n2nq::theme {
class PageMessage;
}

namespace n2nq::results {

class ResultExport;

class HandingOn : public QObject {
  Q_OBJECT

 public:
  // What is written and how that went is said by `message`; both outlive this.
  HandingOn(const ResultStore& store, theme::PageMessage* message, QWidget* page);
  ~HandingOn() override;

  void report(const std::vector<int64_t>& results, const std::string& name);
  void archive(const std::vector<int64_t>& results, const std::string& name, bool logs);

 private:
  QFileDialog* ask_where(const QString& title, const QString& suffix, const QString& filter, const std::string& name);
  bool busy() const;

  const ResultStore& store_;
  theme::PageMessage* message_;
  QWidget* page_;
  report::ReportJob* report_;
  ResultExport* archive_;
  QPointer<QFileDialog> dialog_;
};

}  // namespace n2nq::results
