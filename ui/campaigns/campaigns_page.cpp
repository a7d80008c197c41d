#include "ui/campaigns/campaigns_page.h"

#include <QFile>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

#include "app/campaign/campaign_bin.h"
#include "app/campaign/campaign_file.h"
#include "ui/campaigns/campaign_bar.h"
#include "ui/campaigns/campaign_editor.h"
#include "ui/campaigns/campaign_list.h"
#include "ui/campaigns/case_menu.h"
#include "ui/campaigns/shown_campaign.h"
#include "ui/files/handing_on.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/removals.h"
#include "ui/theme/share_splitter.h"
#include "ui/theme/theme.h"
#include "ui/theme/undo_keys.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;
using theme::Status;

// In proportion, until somebody moves them.
constexpr int kListHeight = 180;
constexpr int kLowerHeight = 560;
constexpr std::chrono::milliseconds kLookDelay{300};  // runs that are kept quickly are looked at together
constexpr std::chrono::milliseconds kTick{500};
constexpr const char* kSplitterKey = "campaigns/splitter";
constexpr const char* kFiguresKey = "campaigns/figures";

}  // namespace

CampaignsPage::CampaignsPage(const Parts& parts, QWidget* parent)
    : QWidget(parent),
      desk_(parts.desk),
      draft_(parts.draft),
      settings_(parts.settings),
      data_folder_(parts.data_folder),
      reader_(new campaign::CampaignReader(parts.store, parts.data_folder, this)),
      message_(theme::MessageBar::over(this)),
      cases_(new CaseMenu(this)),
      list_(new CampaignList(this)),
      bar_(new CampaignBar(this)),
      editor_(new CampaignEditor(parts.draft)),
      editor_area_(new QScrollArea(this)),
      shown_(new ShownCampaign(parts.desk, *reader_, parts.store, this)),
      stack_(new QStackedWidget(this)),
      nothing_(new QWidget(this)),
      splitter_(new theme::ShareSplitter(Qt::Vertical, this)),
      handing_on_(new HandingOn(parts.store, message_, this)),
      bin_(new campaign::CampaignBin(parts.store, this)),
      removals_(new theme::Removals(*message_, [this](const auto& ids) { bring_back(ids); }, this)) {
  auto* actions = new QHBoxLayout;
  actions->setSpacing(kGrid / 2);
  build_actions(*actions);
  auto* upper = new QWidget(this);
  auto* upper_column = new QVBoxLayout(upper);
  upper_column->setContentsMargins(0, 0, 0, 0);
  upper_column->setSpacing(kGrid);
  upper_column->addLayout(actions);
  upper_column->addWidget(list_, 1);
  splitter_->setChildrenCollapsible(false);
  splitter_->setHandleWidth(kGrid);
  splitter_->addWidget(upper);
  splitter_->addWidget(build_lower());
  splitter_->share({kListHeight, kLowerHeight});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
  column->setSpacing(kGrid);
  column->addWidget(splitter_, 1);
  setFocusProxy(list_);
  connect(list_, &CampaignList::chosen, this, &CampaignsPage::show_chosen);
  connect(bar_, &CampaignBar::start, this, &CampaignsPage::start);
  connect(bar_, &CampaignBar::start_in_vain, this, &CampaignsPage::start_in_vain);
  connect(bar_, &CampaignBar::stop, this, &CampaignsPage::stop);
  connect(shown_, &ShownCampaign::trouble, this, &CampaignsPage::complain);
  connect(shown_, &ShownCampaign::open_result, this, &CampaignsPage::open_result);
  connect_desk();
  connect_reader();
  connect_draft();
  connect_deleting();
  splitter_->restore(settings_.value(kSplitterKey).toByteArray());
  shown_->restore_state(settings_.value(kFiguresKey).toByteArray());
  show_list();
  show_chosen();
  if (draft_.trouble()) complain(qt(*draft_.trouble()));
}

CampaignsPage::~CampaignsPage() = default;

QPushButton* CampaignsPage::add_button(QHBoxLayout& row, const char* icon, const QString& text, const QString& help) {
  auto* button = new QPushButton(theme::icon(icon), text, this);
  button->setAutoDefault(false);
  button->setToolTip(help);
  row.addWidget(button);
  return button;
}

void CampaignsPage::build_actions(QHBoxLayout& row) {
  QPushButton* make =
      add_button(row, "add", tr("New"),
                 tr("The seven cases of the thesis, waiting times against theory, a file, or your own plan."));
  make->setAccessibleName(tr("New campaign"));
  make->setMenu(cases_);
  copy_ = add_button(row, "copy", tr("Edit a copy"), tr("Creates a copy of the selected campaign."));
  copy_->setAccessibleName(tr("Edit a copy of the campaign"));
  save_ = add_button(row, "save", tr("Save as\u2026"),
                     tr("Writes the selected campaign to a file that n2nq-bench campaign can run too."));
  save_->setAccessibleName(tr("Save campaign"));
  build_handing_on(row);
  row.addStretch(1);
  build_deleting(row);
  connect(cases_, &CaseMenu::bundled, this, &CampaignsPage::open_bundled);
  connect(cases_, &CaseMenu::from_plan, this, &CampaignsPage::from_plan);
  connect(cases_, &CaseMenu::file, this, &CampaignsPage::ask_for_file);
  connect(copy_, &QPushButton::clicked, this, &CampaignsPage::edit_copy);
  connect(save_, &QPushButton::clicked, this, &CampaignsPage::ask_where_to_save);
}

QWidget* CampaignsPage::build_lower() {
  editor_area_->setFrameShape(QFrame::NoFrame);
  editor_area_->setWidgetResizable(true);
  editor_area_->setFocusPolicy(Qt::NoFocus);
  editor_area_->setWidget(editor_);
  stack_->addWidget(nothing_);
  stack_->addWidget(editor_area_);
  stack_->addWidget(shown_);
  auto* lower = new QWidget(this);
  auto* column = new QVBoxLayout(lower);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kGrid);
  column->addWidget(bar_);
  column->addWidget(stack_, 1);
  return lower;
}

void CampaignsPage::connect_desk() {
  look_soon_.setSingleShot(true);
  connect(&look_soon_, &QTimer::timeout, this, &CampaignsPage::look_at_run);
  connect(&each_half_second_, &QTimer::timeout, this, &CampaignsPage::tick);
  connect(&desk_, &campaign::CampaignDesk::changed, this, [this] {
    if (desk_.active() != each_half_second_.isActive())
      desk_.active() ? each_half_second_.start(kTick) : each_half_second_.stop();
    tick();
    shown_->show_points();
  });
  connect(&desk_, &campaign::CampaignDesk::begun, this, [this] {
    left_ns_.reset();
    show_list();
    list_->choose(desk_.run()->id());
    look_at_run();
    list_now();  // of a new one it is not known yet when it was started
  });
  connect(&desk_, &campaign::CampaignDesk::refused, this, &CampaignsPage::complain_of_start);
  connect(&desk_, &campaign::CampaignDesk::kept, this, [this] {
    left_ns_.reset();
    if (!look_soon_.isActive()) look_soon_.start(kLookDelay);
  });
  connect(&desk_, &campaign::CampaignDesk::noted, this, [this](record::Severity severity, const QString& text) {
    message_->say(severity == record::Severity::error ? Status::bad : Status::warning, text);
  });
  connect(&desk_, &campaign::CampaignDesk::finished, this, [this] {
    look_at_run();
    list_now();
  });
}

void CampaignsPage::connect_reader() {
  connect(reader_, &campaign::CampaignReader::listed, this,
          [this](const std::vector<campaign::ListedCampaign>& campaigns) {
            // One that is being deleted leaves the list when that is done: then it can be restored, and all is listed
            // anew.
            if (!removing_.empty()) return;
            listed_ = campaigns;
            // Deleted, by another bench too.
            const campaign::CampaignRun* run = desk_.run();
            if (run != nullptr && listed(run->id()) == nullptr) desk_.forget(run->id());
            show_list();
            if (to_choose_ && listed(*to_choose_) != nullptr) list_->choose(std::exchange(to_choose_, {}));
            show_bar();
          });
  connect(reader_, &campaign::CampaignReader::gone, this, [this](qint64 id) {
    if (chosen() == id) list_now();
  });
  connect(reader_, &campaign::CampaignReader::looked, this, [this](const campaign::SharedLook& look) {
    if (chosen() != look->row.id || shown_->watches_run()) return;
    shown_->take_look(look);
    show_bar();
  });
  connect(reader_, &campaign::CampaignReader::checked, this, [this](const campaign::Check& check) {
    check_ = check;
    hopeless_ = hopeless_text(check.campaign);
    editor_->show_check(check);
    show_bar();
  });
  connect(reader_, &campaign::CampaignReader::trouble, this, &CampaignsPage::complain);
}

void CampaignsPage::connect_draft() {
  const auto look_through = [this] {
    if (draft_.form()) reader_->check_form(*draft_.form(), hosts_);
  };
  connect(&draft_, &campaign::CampaignDraft::changed, this, [this, look_through] {
    show_list();
    look_through();
  });
  look_through();
  connect(editor_, &CampaignEditor::take_plan, this, [this] {
    if (!plan_in_force_) return;
    draft_.edit("plan", [this](campaign::CampaignForm& form) { form.rest.base = plan_in_force_(); });
  });
  connect(editor_, &CampaignEditor::show_plan, this, [this] {
    if (draft_.form()) Q_EMIT load_plan(draft_.form()->rest.base);
  });
}

void CampaignsPage::set_hosts(const hosts::HostList& list) {
  hosts_ = list;
  editor_->set_hosts(list);
  if (draft_.form()) reader_->check_form(*draft_.form(), hosts_);
}

void CampaignsPage::set_locked(const QString& reason) {
  if (reason == locked_) return;
  locked_ = reason;
  show_bar();
}

void CampaignsPage::start() {
  Result<void> started;
  if (shows_draft()) {
    // The check that is shown may be older than the last key.
    const auto check = campaign::check(*draft_.form(), hosts_, data_folder_);
    started = check.problem ? fail(*check.problem) : desk_.start(check.campaign);
    if (check.problem) start_in_vain();
  } else if (const auto id = chosen()) {
    started = desk_.resume(*id);
  }
  if (!started) return complain_of_start(qt(started.error().text));
  message_->hide();
}

void CampaignsPage::start_in_vain() {
  if (!shows_draft()) return;
  editor_->try_start();
  show_bar();
}

void CampaignsPage::complain_of_start(const QString& why) {
  complain(tr("The campaign was not started: %1").arg(why));
}

void CampaignsPage::stop() {
  desk_.stop();
  show_bar();
}

void CampaignsPage::save_layout() {
  settings_.setValue(kSplitterKey, splitter_->state());
  settings_.setValue(kFiguresKey, shown_->save_state());
  if (const auto kept = draft_.keep(); !kept) complain(qt(kept.error().text));
}

void CampaignsPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  reload();                                                        // results may have been deleted meanwhile
  if (draft_.form()) reader_->check_form(*draft_.form(), hosts_);  // the disk may have less left now
}

// On this page the keys of undo are for the draft campaign, and for those that were deleted.
bool CampaignsPage::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    if (theme::is_undo_or_redo(*static_cast<QKeyEvent*>(event))) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void CampaignsPage::keyPressEvent(QKeyEvent* event) {
  if (theme::is_undo(*event)) return take_back(false);
  if (theme::is_redo(*event)) return take_back(true);
  QWidget::keyPressEvent(event);
}

// The latest first, whether it was an edit or a deletion.
void CampaignsPage::take_back(bool redo) {
  if (!redo && !removing_.empty())
    return message_->say(Status::info, tr("Being deleted; once that is done, Ctrl+Z restores it."));
  const auto removed = removals_->step();
  if (!redo && removed && (*removed >= draft_.steps() || !draft_.can_undo())) return removals_->undo();
  const std::string what = redo ? draft_.redo() : draft_.undo();
  if (what.empty()) return message_->say(Status::info, redo ? tr("Nothing to redo.") : tr("Nothing to undo."));
  list_->choose(std::nullopt);
  message_->say(Status::info, (redo ? tr("Redone: %1.") : tr("Undone: %1.")).arg(qt(what)));
}

void CampaignsPage::complain(const QString& text) {
  message_->say(Status::bad, text);
}

}  // namespace n2nq::ui

#include "moc_campaigns_page.cpp"
