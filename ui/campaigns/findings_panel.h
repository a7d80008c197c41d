// The thesis' findings of a case beside what the chosen campaign has: of each whether ours agrees, differs, or cannot
// tell. For other campaigns there is nothing to show. UI thread.
#pragma once

#include <QWidget>
#include <optional>

#include "app/findings/judge.h"

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace n2nq::campaigns {

class FindingsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit FindingsPanel(QWidget* parent = nullptr);

  // Nothing: hides itself. Where the same campaign is looked at anew, what is scrolled to stays in view.
  void show_findings(const std::optional<findings::CaseFindings>& found);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QWidget* row_of(const findings::Judged& one);
  void colour();

  QLabel* summary_;
  QLabel* remarks_;
  QScrollArea* area_;
  std::optional<findings::CaseFindings> shown_{};
};

}  // namespace n2nq::campaigns
