#include "app/campaign/campaign_draft.h"

#include <filesystem>

#include "app/plan/kept_plan.h"
#include "app/plan/whole_file.h"

namespace n2nq::campaign {
namespace {

constexpr std::chrono::milliseconds kKeepDelay{500};
constexpr size_t kMostSteps = 199;

}  // namespace

CampaignDraft::CampaignDraft(std::string kept_path, QObject* parent)
    : QObject(parent), kept_path_(std::move(kept_path)), history_(kMostSteps) {
  keep_soon_.setSingleShot(true);
  connect(&keep_soon_, &QTimer::timeout, this, [this] {
    if (const auto kept = keep(); !kept) trouble_ = kept.error().text;
  });
  take_up();
}

CampaignDraft::~CampaignDraft() {
  if (keep_soon_.isActive()) (void)keep();
}

void CampaignDraft::take_up() {
  std::error_code error;
  if (!std::filesystem::exists(kept_path_, error)) return;
  const auto text = plan::read_whole_file(kept_path_);
  auto form = text ? parse_form(*text) : Result<CampaignForm>(std::unexpected(text.error()));
  if (form) {
    history_.now() = std::move(*form);
    return;
  }
  const std::string aside = plan::put_aside(kept_path_);
  trouble_ =
      "the draft campaign cannot be read: " + form.error().text + (aside.empty() ? "" : "; it was moved to " + aside);
}

Result<void> CampaignDraft::keep() {
  keep_soon_.stop();
  if (!form()) {
    std::error_code error;
    std::filesystem::remove(kept_path_, error);
    return {};
  }
  return plan::write_whole_file(kept_path_, to_json(*form()));
}

void CampaignDraft::edit(const std::string& what, const std::function<void(CampaignForm&)>& change) {
  if (!form()) return;
  CampaignForm next = *form();
  change(next);
  if (next == *form()) return;
  if (const std::string& name = form()->rest.name; next.rest.name == name && name == made_name(*form()))
    next.rest.name = made_name(next);
  history_.edit(std::move(next), what);
  on_changed();
}

void CampaignDraft::begin(CampaignForm form, const std::string& what) {
  Q_EMIT begun();
  history_.add(std::move(form), what);
  on_changed();
}

size_t CampaignDraft::end_step() {
  history_.end_step();
  return steps();
}

std::string CampaignDraft::undo() {
  if (!can_undo()) return {};
  const std::string what = history_.undo_label();
  history_.undo();
  on_changed();
  return what;
}

std::string CampaignDraft::redo() {
  if (!can_redo()) return {};
  const std::string what = history_.redo_label();
  history_.redo();
  on_changed();
  return what;
}

void CampaignDraft::on_changed() {
  keep_soon_.start(kKeepDelay);
  Q_EMIT changed();
}

}  // namespace n2nq::campaign

#include "moc_campaign_draft.cpp"
