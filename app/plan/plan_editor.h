// The plan that is being edited: undo and redo, whether it differs from its file, and the last plan kept over restarts,
// half-typed or not, with the filters that are still a draft. Lives in the UI thread; knows no widget.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plan/history.h"
#include "app/plan/plan_file.h"

namespace n2nq::plan {

class PlanEditor : public QObject {
  Q_OBJECT

 public:
  // `kept_path`: where the last plan is kept; it is taken up again from there. Empty: not kept.
  explicit PlanEditor(std::string kept_path, QObject* parent = nullptr);
  // With a clock of one's own, in nanoseconds.
  PlanEditor(std::string kept_path, std::function<int64_t()> now, QObject* parent = nullptr);
  ~PlanEditor() override;  // keeps what is there

  const PlanFile& file() const;
  const RunPlan& plan() const { return file().base; }
  const std::string& path() const;  // empty: never saved
  const PlanFile& came() const;     // as it was before the user edited it here
  bool modified() const;            // differs from its file; never saved: from the default plan
  // Why the last plan could not be taken up, or cannot be kept, if so; a damaged file was put aside under the name in
  // the text.
  const std::optional<std::string>& trouble() const { return trouble_; }

  // One step of undo. Edits of the same field (`what`, shown as "Undo WHAT") within two seconds are one step.
  void edit(const std::string& what, const std::function<void(PlanFile&)>& change);
  bool can_undo() const;
  bool can_redo() const;
  std::string undo_text() const;  // "Undo delay", or just "Undo"
  std::string redo_text() const;  // "Redo delay", or just "Redo"
  void undo();
  void redo();

  // A field shows typed text that the plan cannot take: an edit like any other, which undo takes back in its turn, by
  // `discard` (of the same step as what the plan took of it just before). No step of redo.
  void hold_text(QObject* field, const std::string& what, std::function<void()> discard);
  void let_go_of_text(QObject* field);  // it was taken after all, or is no longer there

  // Filters that were edited for this plan and are not in it yet; nothing where there are none. No step of undo: what
  // changes the plan's own filters ends the draft, and going back to them brings it again.
  const std::optional<std::vector<ReceiverFilter>>& draft() const;
  void set_draft(const std::vector<ReceiverFilter>& filters);  // those of the plan: no draft

  void reset(PlanFile file, std::string path = {});  // a plan from elsewhere; itself a step that can be undone
  Result<void> save(const std::string& path);
  Result<void> keep();  // the last plan, now; otherwise half a second after each change

 Q_SIGNALS:
  void changed();  // plan, path, modified, undo or redo
  void opened();   // another plan is there, also by undo or redo; after changed()

 private:
  // What a plan was opened from, or saved to: shared by the steps since.
  struct Origin {
    std::string path{};
    PlanFile saved{};
    PlanFile came{};
  };
  struct Step {
    PlanFile file{};
    std::shared_ptr<Origin> origin{};
    std::optional<std::vector<ReceiverFilter>> draft{};
  };
  struct HeldText {
    QPointer<QObject> field;
    std::string what;
    std::function<void()> discard;
    size_t step = 0;         // of the history, that it was typed after
    bool continues = false;  // it belongs to that step
  };
  const HeldText* last_held_text() const;  // of this step; null: none
  void discard_text();
  void discard_all_text();
  void take_up();
  void end_step_if_late();
  void go_to(void (History<Step>::*way)());  // undo or redo
  void keep_soon();
  void on_changed();

  std::string kept_path_;
  std::string kept_text_;  // as it is on disk
  std::function<int64_t()> now_;
  History<Step> history_;
  int64_t last_edit_ns_ = 0;
  std::vector<HeldText> held_;  // in the order in which they were typed
  std::optional<std::string> trouble_;
  QTimer keep_soon_;
};

}  // namespace n2nq::plan
