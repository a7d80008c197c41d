#include "ui/campaigns/campaigns_page.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <utility>

#include "ui/campaigns/action_button.h"
#include "ui/campaigns/campaign_bar.h"
#include "ui/campaigns/campaign_control.h"
#include "ui/campaigns/campaign_editor.h"
#include "ui/campaigns/campaign_files.h"
#include "ui/campaigns/campaign_list.h"
#include "ui/campaigns/campaign_listing.h"
#include "ui/campaigns/campaign_removals.h"
#include "ui/campaigns/draft_check.h"
#include "ui/campaigns/draft_sources.h"
#include "ui/campaigns/shown_campaign.h"
#include "ui/theme/card.h"
#include "ui/theme/current_page.h"
#include "ui/theme/invitation.h"
#include "ui/theme/layouts.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/share_splitter.h"
#include "ui/theme/theme.h"
#include "ui/theme/undo_keys.h"

namespace n2nq::ui {
namespace {

constexpr int kLowPage = 700;  // has no room for headline figures above its parts

using theme::qt;
using theme::Status;

// In proportion, until somebody moves them.
constexpr int kListHeight = 180;
constexpr int kLowerHeight = 560;
constexpr std::chrono::milliseconds kLookDelay{300};  // runs that are kept quickly are looked at together
constexpr std::chrono::milliseconds kTick{500};
constexpr const char* kSplitterKey = "campaigns/splitter";
constexpr const char* kFiguresKey = "campaigns/figures";

QScrollArea* scrolled(QWidget* content, QWidget* parent = nullptr) {
  auto* area = new QScrollArea(parent);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(content);
  content->setAutoFillBackground(false);
  area->viewport()->setAutoFillBackground(false);
  return area;
}

}  // namespace

CampaignsPage::CampaignsPage(const Parts& parts, QWidget* parent)
    : QWidget(parent),
      desk_(parts.desk),
      draft_(parts.draft),
      settings_(parts.settings),
      reader_(new campaign::CampaignReader(parts.store, parts.data_folder, this)),
      message_(theme::MessageBar::over(this)),
      list_(new CampaignList(this)),
      listing_(new CampaignListing({.page = *this, .list = *list_, .reader = *reader_, .desk = desk_, .draft = draft_},
                                   this)),
      bar_(new CampaignBar(this)),
      editor_(new CampaignEditor(parts.draft)),
      editor_area_(scrolled(editor_, this)),
      shown_(new ShownCampaign(parts.desk, *reader_, parts.store, this)),
      stack_(new QStackedWidget(this)),
      invitation_(new theme::Invitation(
          "results", tr("Ask a question of many runs"),
          tr("A campaign is a plan with varying settings, each combination run repeatedly. Its figures are drawn as "
             "the runs complete."),
          this)),
      all_(new QStackedWidget(this)),
      actions_(new QHBoxLayout),
      splitter_(new theme::ShareSplitter(Qt::Vertical, this)),
      check_(new DraftCheck(draft_, *reader_, parts.data_folder, parts.desk.programs(), this)),
      control_(new CampaignControl(
          {*this, parts.permissions, *bar_, desk_, *listing_, *check_, *shown_, *editor_, *message_}, this)) {
  build(parts);
  connect(list_, &CampaignList::chosen, this, &CampaignsPage::show_chosen);
  connect(shown_, &ShownCampaign::trouble, this, &CampaignsPage::complain);
  connect(shown_, &ShownCampaign::outcome_changed, this, &CampaignsPage::show_bar);
  connect(shown_, &ShownCampaign::open_result, this, &CampaignsPage::open_result);
  connect(bar_, &CampaignBar::compare, this, [this] { Q_EMIT compare_results(shown_->compared()); });
  connect(shown_, &ShownCampaign::slowest_wanted, this, &CampaignsPage::slowest_wanted);
  connect_desk();
  connect_reader();
  connect_draft();
  connect_actions();
  splitter_->restore(settings_.value(kSplitterKey).toByteArray());
  shown_->restore_state(settings_.value(kFiguresKey).toByteArray());
  listing_->show();
  show_chosen();
  if (draft_.trouble()) complain(qt(*draft_.trouble()));
}

CampaignsPage::~CampaignsPage() = default;

void CampaignsPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  bar_->set_low(height() < kLowPage);
}

void CampaignsPage::build(const Parts& parts) {
  actions_->setSpacing(theme::kSpace2);
  build_actions(parts, *actions_);
  sources_->invite(*invitation_);
  splitter_->setChildrenCollapsible(false);
  splitter_->setHandleWidth(theme::kCardApart);
  splitter_->addWidget(build_upper());
  splitter_->addWidget(build_lower());
  splitter_->share({kListHeight, kLowerHeight});
  all_->addWidget(invitation_);
  all_->addWidget(scrolled(splitter_));
  auto* column =
      theme::column_in(this, theme::kCardApart, {theme::kSpace4, theme::kSpace4, theme::kSpace4, theme::kSpace4});
  column->addLayout(actions_);
  column->addWidget(all_, 1);
  setFocusProxy(list_);
}

QWidget* CampaignsPage::build_upper() {
  auto* card = new theme::Card(this);
  card->body()->addWidget(list_);
  return card;
}

void CampaignsPage::build_actions(const Parts& parts, QHBoxLayout& row) {
  sources_ = new DraftSources({draft_, *listing_, *shown_, *message_, parts.plan_in_force}, row, this);
  files_ = new CampaignFiles({desk_, draft_, parts.permissions, settings_, *listing_, *shown_, message_, parts.store},
                             row, this);
  row.addStretch(1);
  removals_ = new CampaignRemovals({desk_, draft_, *list_, *listing_, *shown_, *message_, parts.store}, row, this);
}

QWidget* CampaignsPage::build_lower() {
  stack_->addWidget(editor_area_);
  stack_->addWidget(shown_);
  theme::need_only_current(*stack_);  // the editor is scrolled by itself
  auto* lower = new QWidget(this);
  auto* column = theme::column_in(lower, theme::kCardApart);
  column->addWidget(bar_);
  column->addWidget(stack_, 1);
  return lower;
}

// Without any campaign the page says how to begin.
void CampaignsPage::show_listing() {
  const bool any = listing_->current() != nullptr;
  const bool had_focus = isAncestorOf(QApplication::focusWidget());
  all_->setCurrentIndex(any ? 1 : 0);
  show_actions(*actions_, any);
  setFocusProxy(any ? static_cast<QWidget*>(list_) : invitation_->findChild<QPushButton*>());
  if (!any && had_focus) setFocus();
}

void CampaignsPage::connect_desk() {
  look_soon_.setSingleShot(true);
  connect(&look_soon_, &QTimer::timeout, this, &CampaignsPage::look_at_run);
  connect(&each_half_second_, &QTimer::timeout, this, &CampaignsPage::tick);
  connect(&desk_, &campaign::CampaignDesk::changed, this, &CampaignsPage::on_desk_changed);
  connect(&desk_, &campaign::CampaignDesk::begun, this, &CampaignsPage::on_begun);
  connect(&desk_, &campaign::CampaignDesk::kept, this, [this] {
    if (!look_soon_.isActive()) look_soon_.start(kLookDelay);
  });
  connect(&desk_, &campaign::CampaignDesk::finished, this, [this] {
    look_at_run();
    listing_->read();
  });
}

void CampaignsPage::on_desk_changed() {
  if (desk_.active() != each_half_second_.isActive())
    desk_.active() ? each_half_second_.start(kTick) : each_half_second_.stop();
  tick();
  shown_->show_points();
}

void CampaignsPage::on_begun() {
  listing_->show();
  listing_->choose(desk_.run()->id());
  look_at_run();
  listing_->read();  // of a new one it is not known yet when it was started
}

void CampaignsPage::connect_reader() {
  connect(reader_, &campaign::CampaignReader::listed, this,
          [this](const std::vector<campaign::ListedCampaign>& campaigns) {
            // One that is being deleted leaves the list when that is done: then it can be restored, and all is listed
            // anew.
            if (removals_->busy()) return;
            listing_->take(campaigns);
            show_bar();
          });
  connect(reader_, &campaign::CampaignReader::gone, this, [this](qint64 id) {
    if (listing_->chosen() == id) listing_->read();
  });
  connect(reader_, &campaign::CampaignReader::looked, this, [this](const campaign::SharedLook& look) {
    if (listing_->chosen() != look->row.id || shown_->watches_run()) return;
    shown_->take_look(look);
    show_bar();
  });
  connect(reader_, &campaign::CampaignReader::trouble, this, &CampaignsPage::complain);
}

void CampaignsPage::connect_draft() {
  connect(&draft_, &campaign::CampaignDraft::changed, listing_, &CampaignListing::show);
  connect(check_, &DraftCheck::checked, this, [this] {
    editor_->show_check(*check_->last());
    show_bar();
  });
  connect(editor_, &CampaignEditor::take_plan, sources_, &DraftSources::take_plan);
  connect(editor_, &CampaignEditor::show_plan, this, [this] {
    if (draft_.form()) Q_EMIT load_plan(draft_.form()->rest.base);
  });
}

void CampaignsPage::connect_actions() {
  connect(sources_, &DraftSources::file_wanted, files_, &CampaignFiles::ask_for_file);
  connect(shown_, &ShownCampaign::other_figures_wanted, files_, &CampaignFiles::ask_for_figures);
  connect(files_, &CampaignFiles::redrawn, this, &CampaignsPage::reload);
  connect(files_, &CampaignFiles::opened, sources_, &DraftSources::begin);
  connect(files_, &CampaignFiles::open_result, this, &CampaignsPage::open_result);
  connect(files_, &CampaignFiles::campaign_imported, this, [this](qint64 campaign) {
    removals_->forget(campaign);
    choose(campaign);
  });
  connect(removals_, &CampaignRemovals::restored, this, &CampaignsPage::choose);
  connect(removals_, &CampaignRemovals::results_changed, this, &CampaignsPage::results_changed);
}

void CampaignsPage::set_hosts(const hosts::HostList& list) {
  editor_->set_hosts(list);
  check_->set_hosts(list);
}

void CampaignsPage::set_locked(const QString& reason) {
  control_->set_locked(reason);
}

void CampaignsPage::reload() {
  listing_->read();
  if (!listing_->shows_draft() && !shown_->watches_run())
    if (const auto id = listing_->chosen()) reader_->look(*id);
}

void CampaignsPage::choose(qint64 campaign) {
  listing_->choose_when_listed(campaign);
  reload();
}

void CampaignsPage::compare(const campaign::TwoBuses& buses) {
  sources_->compare(buses);
}

void CampaignsPage::show_chosen() {
  sources_->show_state();
  const auto id = listing_->chosen();
  shown_->choose(id);
  show_listing();
  stack_->setCurrentWidget(listing_->shows_draft() ? static_cast<QWidget*>(editor_area_) : shown_);
  if (shown_->watches_run())
    look_at_run();
  else if (id && !shown_->look())
    reader_->look(*id);
  show_bar();
}

void CampaignsPage::look_at_run() {
  look_soon_.stop();
  listing_->show();
  if (!shown_->shows_run()) return;
  shown_->look_at_run();
  show_bar();
}

void CampaignsPage::tick() {
  shown_->follow_run();
  show_bar();
}

void CampaignsPage::show_bar() {
  files_->show_state();
  removals_->show_state();
  control_->show();
  files_->show_next(!control_->resumes());
}

void CampaignsPage::start_selected() {
  if (listing_->current() != nullptr) bar_->press_start();
}

void CampaignsPage::save_layout() {
  settings_.setValue(kSplitterKey, splitter_->state());
  settings_.setValue(kFiguresKey, shown_->save_state());
  if (const auto kept = draft_.keep(); !kept) complain(qt(kept.error().text));
}

void CampaignsPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  reload();        // results may have been deleted meanwhile
  check_->look();  // the disk may have less left now
  check_->look_for_servers();
}

// On this page the keys of undo are for the draft campaign, and for those that were deleted.
bool CampaignsPage::event(QEvent* event) {
  return theme::claims(*event, theme::is_undo_or_redo) || QWidget::event(event);
}

void CampaignsPage::keyPressEvent(QKeyEvent* event) {
  if (theme::is_undo(*event)) return take_back(false);
  if (theme::is_redo(*event)) return take_back(true);
  QWidget::keyPressEvent(event);
}

// The latest first, whether it was an edit or a deletion.
void CampaignsPage::take_back(bool redo) {
  if (!redo && removals_->undo()) return;
  const std::string what = redo ? draft_.redo() : draft_.undo();
  if (what.empty()) return message_->say(Status::info, redo ? tr("Nothing to redo.") : tr("Nothing to undo."));
  listing_->choose(std::nullopt);
  message_->say(Status::info, (redo ? tr("Redone: %1.") : tr("Undone: %1.")).arg(qt(what)));
}

void CampaignsPage::complain(const QString& text) {
  message_->say(Status::bad, text);
}

}  // namespace n2nq::ui

#include "moc_campaigns_page.cpp"
