// The filters that a person is editing, beside those that the receivers are asked for, in one place for the views that
// show them: as text, as a matrix, in brief. With undo and redo of what the person did since the filters last came from
// elsewhere. UI thread; knows no widget.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "app/plan/filter_matrix.h"
#include "app/plan/history.h"

namespace n2nq::ui {

class FilterDraft : public QObject {
  Q_OBJECT

 public:
  explicit FilterDraft(QObject* parent = nullptr);

  const plan::FilterMatrix& matrix() const { return matrix_; }
  uint32_t senders() const { return matrix_.senders(); }
  uint32_t receivers() const { return matrix_.receivers(); }

  // From outside. Filters are kept as they were given until a person edits them: other amounts lose nothing.
  void set_size(uint32_t senders, uint32_t receivers);
  void set_filters(const std::vector<plan::ReceiverFilter>& filters);
  const std::vector<plan::ReceiverFilter>& filters() const { return history_.now(); }
  // What the receivers are asked for. Alone it takes the place of the draft if it is another than before.
  void set_asked(const std::vector<plan::ReceiverFilter>& asked);
  void set_asked(const std::vector<plan::ReceiverFilter>& asked, const std::vector<plan::ReceiverFilter>& draft);
  bool unsent() const { return filters() != asked_; }

  // By a person. A change that changes nothing is none; the error is the change's own, and then nothing changed.
  Result<void> edit(const std::function<Result<void>(plan::FilterMatrix&)>& change);
  void edit_freely(const std::function<void(plan::FilterMatrix&)>& change);
  void undo();
  void redo();
  void revert();  // to what the receivers are asked for; no step of undo

 Q_SIGNALS:
  void changed();  // the matrix, whoever did it
  void edited();   // by a person; after changed()
  void reverted();
  void asked_changed();

 private:
  using History = plan::History<std::vector<plan::ReceiverFilter>>;
  void show_step();

  History history_;
  std::vector<plan::ReceiverFilter> asked_;
  plan::FilterMatrix matrix_;
};

}  // namespace n2nq::ui
