// How campaigns are deleted on the page, and restored.
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>

#include "app/campaign/campaign_bin.h"
#include "app/text/quantity.h"
#include "ui/campaigns/campaign_list.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/campaigns/shown_campaign.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/removals.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

using theme::qt;
using theme::Status;

void CampaignsPage::build_deleting(QHBoxLayout& row) {
  delete_ = add_button(row, "delete", tr("Delete"), QString());
  delete_->setAccessibleName(tr("Delete campaign"));
  connect(delete_, &QPushButton::clicked, this, &CampaignsPage::remove_chosen);
}

void CampaignsPage::connect_deleting() {
  list_->on_key({Qt::Key_Delete}, [this] { remove_chosen(); });
  connect(list_, &CampaignList::menu_wanted, this, &CampaignsPage::show_menu);
  connect(bin_, &campaign::CampaignBin::removed, this, &CampaignsPage::take_out);
  connect(bin_, &campaign::CampaignBin::not_removed, this, [this](qint64 id, const QString& why) {
    removing_.erase(id);
    complain(tr("Not deleted: %1").arg(why));
    list_now();
  });
  connect(bin_, &campaign::CampaignBin::restored, this, [this](qint64 id) {
    choose(id);
    Q_EMIT results_changed();
  });
  connect(bin_, &campaign::CampaignBin::not_restored, this,
          [this](qint64 id, const QString& why, store::Presence presence) {
            const QString text = tr("Not restored: %1").arg(why);
            if (presence == store::Presence::deleted)
              removals_->keep({id}, text, draft_.end_step());
            else
              complain(text);
          });
}

QString CampaignsPage::why_not_deleted() const {
  if (desk_.read_only()) return qt(*desk_.read_only());
  if (shows_draft()) return tr("This is still a draft; only campaigns that were started can be deleted.");
  if (!chosen()) return tr("Select a campaign that has been started.");
  if (desk_.reading()) return tr("Reading the campaign; this takes a moment.");
  if (shown_->watches_run()) return tr("This campaign is running; stop it, or wait until it finishes.");
  if (desk_.active())
    return tr(
        "A campaign is running, and deleting would disturb its measurements; stop it, or wait until it finishes.");
  return {};
}

void CampaignsPage::show_menu(const QPoint& global) {
  if (!list_->indexAt(list_->viewport()->mapFromGlobal(global)).isValid()) return;
  const auto id = chosen();
  if (!id) return remove_chosen();  // which says why not
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  // The row may have gone while the menu is open.
  menu->addAction(theme::icon("delete"), tr("Delete"), this, [this, id] {
    if (chosen() == id) remove_chosen();
  });
  menu->popup(global);
}

// By the menu and the key too where it cannot be: then the page says why.
void CampaignsPage::remove_chosen() {
  const ListRow* row = list_->current();
  if (row == nullptr) return;
  if (const QString why_not = why_not_deleted(); !why_not.isEmpty())
    return message_->say(Status::info, tr("Not deleted: %1").arg(why_not));
  list_->setFocus();
  if (!removing_.emplace(*row->id, row->name).second) return;
  message_->say(Status::info, tr("Deleting \"%1\"…").arg(row->name));
  bin_->remove(*row->id);
}

void CampaignsPage::take_out(qint64 id, quint64 results) {
  const QString name = removing_.extract(id).mapped();
  std::erase_if(listed_, [id](const campaign::ListedCampaign& one) { return one.row.id == id; });
  desk_.forget(id);
  show_list();
  QString text = tr("Campaign \"%1\" deleted; it will be removed permanently in a day.").arg(name);
  if (results == 1)
    text = tr("Campaign \"%1\" and its result deleted; the files will be removed in a day.").arg(name);
  else if (results > 1)
    text = tr("Campaign \"%1\" and its %2 results deleted; the files will be removed in a day.")
               .arg(name, qt(text::count(static_cast<int64_t>(results))));
  removals_->add({id}, text, draft_.end_step());
  list_now();
  Q_EMIT results_changed();
}

void CampaignsPage::bring_back(const std::vector<int64_t>& ids) {
  list_->setFocus();
  for (const int64_t id : ids) bin_->restore(id);
}

}  // namespace n2nq::ui
