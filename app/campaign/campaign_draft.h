// The campaign that is being made up: undo and redo, and kept over restarts, half-typed or not. UI thread; knows no
// widget.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/campaign/campaign_form.h"

namespace n2nq::campaign {

class CampaignDraft : public QObject {
  Q_OBJECT

 public:
  // `kept_path`: where it is kept, and taken up again from.
  explicit CampaignDraft(std::string kept_path, QObject* parent = nullptr);
  ~CampaignDraft() override;  // keeps what is there

  const std::optional<CampaignForm>& form() const { return steps_[at_].form; }  // nothing: none was begun
  // Why it could not be taken up, or cannot be kept, if so.
  const std::optional<std::string>& trouble() const { return trouble_; }

  // Edits of the same field (`what`) one after another are one step of undo. Not before one was begun.
  void edit(const std::string& what, const std::function<void(CampaignForm&)>& change);
  void begin(CampaignForm form, const std::string& what);  // in the place of the one there was; can be undone
  bool can_undo() const { return at_ > 0; }
  bool can_redo() const { return at_ + 1 < steps_.size(); }
  std::string undo();  // what was undone
  std::string redo();
  // How many steps led to what is there now, and where it stands then: further edits are steps of their own. So that
  // others can tell whether it was edited after something of theirs.
  size_t end_step();
  size_t steps() const { return dropped_ + at_; }
  Result<void> keep();  // now; otherwise half a second after each change

 Q_SIGNALS:
  void begun();  // another one, before it is shown
  void changed();

 private:
  struct Step {
    std::optional<CampaignForm> form{};
    std::string what{};
    bool open = false;  // more edits of the same field may go into it
  };
  void take_up();
  void add_step(Step step);
  void on_changed();

  std::string kept_path_;
  std::vector<Step> steps_{1};  // at least one
  size_t at_ = 0;
  size_t dropped_ = 0;  // steps before the first: too many
  std::optional<std::string> trouble_;
  QTimer keep_soon_;
};

}  // namespace n2nq::campaign
