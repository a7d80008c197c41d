// Reports on chosen results or a campaign, and archives of them: asks where to, and writes beside the window. UI
// thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QFileDialog;
class QWidget;

namespace n2nq::ui {
class ReportJob;
}
namespace n2nq::ui::theme {
class MessageBar;
}

namespace n2nq::ui {

class FileJob;

struct HandedOn {
  std::vector<int64_t> results{};
  std::optional<int64_t> campaign{};  // with all its results, instead
  std::string name{};                 // of the plan, or of the campaign
  bool empty() const { return results.empty() && !campaign; }
};

class HandingOn : public QObject {
  Q_OBJECT

 public:
  // What is written and how that went is said by `message`, which outlives this. The path of the store.
  HandingOn(std::string store, theme::MessageBar* message, QWidget* page);
  ~HandingOn() override;

  void report(const HandedOn& what);
  void archive(const HandedOn& what, bool logs);
  // `make` is called on a thread of its own.
  void table(const HandedOn& what, std::function<std::string()> make);

 private:
  QFileDialog* ask_where(const QString& title, const QString& suffix, const QString& filter, const std::string& name);
  bool busy() const;

  std::string store_;
  theme::MessageBar* message_;
  QWidget* page_;
  ReportJob* report_;
  FileJob* archive_;
  QPointer<QFileDialog> dialog_;
  QString written_;  // path of what was written last
};

}  // namespace n2nq::ui
