#include "ui/campaigns/campaign_removals.h"

#include <QMenu>
#include <QPushButton>

#include "app/campaign/campaign_bin.h"
#include "app/text/quantity.h"
#include "ui/campaigns/action_button.h"
#include "ui/campaigns/campaign_list.h"
#include "ui/campaigns/campaign_listing.h"
#include "ui/campaigns/shown_campaign.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/offer.h"
#include "ui/theme/removals.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

using theme::qt;
using theme::Status;

CampaignRemovals::CampaignRemovals(const Parts& parts, QHBoxLayout& row, QWidget* page)
    : QObject(page),
      parts_(parts),
      delete_(add_button(row, page, {.icon = "delete", .text = tr("Delete"), .name = tr("Delete campaign")})),
      bin_(new campaign::CampaignBin(parts.store, this)),
      removals_(new theme::Removals(parts.message, [this](const auto& ids) { bring_back(ids); }, this)) {
  connect(delete_, &QPushButton::clicked, this, &CampaignRemovals::remove_chosen);
  parts_.list.on_key({Qt::Key_Delete}, [this] { remove_chosen(); });
  connect(&parts_.list, &CampaignList::menu_wanted, this, &CampaignRemovals::show_menu);
  connect_bin();
}

void CampaignRemovals::connect_bin() {
  connect(bin_, &campaign::CampaignBin::removed, this, &CampaignRemovals::on_removed);
  connect(bin_, &campaign::CampaignBin::not_removed, this, [this](qint64 id, const QString& why) {
    removing_.erase(id);
    parts_.message.say(Status::bad, tr("Not deleted: %1").arg(why));
    parts_.listing.read();
  });
  connect(bin_, &campaign::CampaignBin::restored, this, [this](qint64 id) {
    Q_EMIT restored(id);
    Q_EMIT results_changed();
  });
  connect(bin_, &campaign::CampaignBin::not_restored, this,
          [this](qint64 id, const QString& why, store::Presence presence) {
            const QString text = tr("Not restored: %1").arg(why);
            if (presence == store::Presence::deleted)
              removals_->keep({id}, text, parts_.draft.end_step());
            else
              parts_.message.say(Status::bad, text);
          });
}

QString CampaignRemovals::why_not() const {
  const campaign::CampaignDesk& desk = parts_.desk;
  if (desk.read_only()) return qt(*desk.read_only());
  if (parts_.listing.shows_draft())
    return tr("This is still a draft; only campaigns that were started can be deleted.");
  if (!parts_.listing.chosen()) return tr("Select a campaign that has been started.");
  if (desk.reading()) return tr("Reading the campaign; this takes a moment.");
  if (parts_.shown.watches_run()) return tr("This campaign is running; stop it, or wait until it finishes.");
  if (desk.active())
    return tr(
        "A campaign is running, and deleting would disturb its measurements; stop it, or wait until it finishes.");
  return {};
}

void CampaignRemovals::show_state() {
  theme::offer(*delete_, tr("Deletes the selected campaign with its results and their files (Delete). Can be undone."),
               why_not());
}

void CampaignRemovals::show_menu(const QPoint& global) {
  CampaignList& list = parts_.list;
  if (!list.indexAt(list.viewport()->mapFromGlobal(global)).isValid()) return;
  const auto id = parts_.listing.chosen();
  if (!id) return remove_chosen();  // which says why not
  auto* menu = new QMenu(&list);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  // The row may have gone while the menu is open.
  menu->addAction(theme::icon("delete"), tr("Delete"), this, [this, id] {
    if (parts_.listing.chosen() == id) remove_chosen();
  });
  menu->popup(global);
}

// By the menu and the key too where it cannot be: then the page says why.
void CampaignRemovals::remove_chosen() {
  const ListRow* row = parts_.listing.current();
  if (row == nullptr) return;
  if (const QString reason = why_not(); !reason.isEmpty())
    return parts_.message.say(Status::info, tr("Not deleted: %1").arg(reason));
  parts_.list.setFocus();
  if (!removing_.emplace(*row->id, row->name).second) return;
  parts_.message.say_working(tr("Deleting \"%1\"…").arg(row->name));
  bin_->remove(*row->id);
}

void CampaignRemovals::on_removed(qint64 id, quint64 results) {
  const QString name = removing_.extract(id).mapped();
  parts_.listing.remove(id);
  QString text = tr("Campaign \"%1\" deleted; it will be removed permanently in a day.").arg(name);
  if (results == 1)
    text = tr("Campaign \"%1\" and its result deleted; the files will be removed in a day.").arg(name);
  else if (results > 1)
    text = tr("Campaign \"%1\" and its %2 results deleted; the files will be removed in a day.")
               .arg(name, qt(text::count(static_cast<int64_t>(results))));
  removals_->add({id}, text, parts_.draft.end_step());
  parts_.listing.read();
  Q_EMIT results_changed();
}

void CampaignRemovals::bring_back(const std::vector<int64_t>& ids) {
  parts_.list.setFocus();
  for (const int64_t id : ids) bin_->restore(id);
}

bool CampaignRemovals::undo() {
  if (busy()) {
    parts_.message.say(Status::info, tr("Being deleted; once that is done, Ctrl+Z restores it."));
    return true;
  }
  const auto removed = removals_->step();
  if (!removed || (*removed < parts_.draft.steps() && parts_.draft.can_undo())) return false;
  removals_->undo();
  return true;
}

void CampaignRemovals::forget(int64_t id) {
  removals_->forget(id);
}

}  // namespace n2nq::ui

#include "moc_campaign_removals.cpp"
