// What a study found, beside what the selected campaign has: of each whether ours agrees, differs, or cannot
// tell. For other campaigns there is nothing to show. UI thread.
#pragma once

#include <QWidget>
#include <optional>
#include <set>
#include <string>

#include "app/findings/findings_reader.h"

class QScrollArea;

namespace n2nq::ui::theme {
class Label;
}

namespace n2nq::ui {

class FindingsPanel : public QWidget {
  Q_OBJECT

 public:
  // The path of the store, where runs are read from.
  explicit FindingsPanel(const std::string& store, QWidget* parent = nullptr);

  // Another campaign, or the same again, which shows once it is judged; null: none.
  void look_at(const campaign::SharedLook& look);
  const std::optional<findings::CaseFindings>& shown() const { return shown_; }
  // What look_at() comes to. Nothing: hides itself. Where the same campaign is looked at again, what is scrolled to
  // stays in view.
  void show_findings(const std::optional<findings::CaseFindings>& found);

 Q_SIGNALS:
  void trouble(const QString& text);
  void judged();  // shown() is another

 private:
  QWidget* card_of(const findings::Judged& one);
  QWidget* fold_of(const findings::Finding& finding, QWidget& reason, QWidget* card);

  findings::FindingsReader* reader_;
  int64_t campaign_ = 0;
  theme::Label* summary_;
  QScrollArea* area_;
  std::optional<findings::CaseFindings> shown_{};
  std::set<std::string> open_{};  // ids of findings
};

}  // namespace n2nq::ui
