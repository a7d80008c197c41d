#include "ui/window/saved_pages.h"

#include "app/figures/limit_text.h"
#include "app/findings/study.h"
#include "app/record/machine.h"
#include "app/record/repeat.h"
#include "app/run/cut_off_search.h"
#include "app/store/campaign_store.h"
#include "ui/campaigns/campaign_files.h"
#include "ui/campaigns/campaigns_page.h"
#include "ui/campaigns/completed_runs.h"
#include "ui/results/results_page.h"
#include "ui/run/run_page.h"
#include "ui/theme/theme.h"
#include "ui/window/archive_taker.h"
#include "ui/window/bench_state.h"
#include "ui/window/log_opener.h"
#include "ui/window/notice_stack.h"
#include "ui/window/page_bar.h"

namespace n2nq::ui {
namespace {

constexpr const char* kResultsLayoutKey = "results/splitter";

}  // namespace

SavedPages::SavedPages(BenchState& state, const Places& places, run::CutOffSearch& search, QWidget* window)
    : QObject(window),
      state_(state),
      places_(places),
      results_(new ResultsPage(*state_.store(), window)),
      campaigns_(new CampaignsPage({.desk = *state_.desk(),
                                    .draft = state_.draft(),
                                    .permissions = state_.permissions(),
                                    .settings = state_.settings(),
                                    .store = state_.folder().store(),
                                    .data_folder = state_.folder().path,
                                    .plan_in_force = [this] { return state_.editor().plan(); }},
                                   window)),
      archives_(new ArchiveTaker(
          state_.folder(),
          {.pages = places_.pages, .notices = places_.notices, .results = *results_, .campaigns = *campaigns_},
          window)) {
  results_->restore_layout(state_.settings().value(kResultsLayoutKey).toByteArray());
  connect_results();
  connect_campaigns();
  connect_search(search);
}

SavedPages::~SavedPages() {
  delete archives_;
  delete campaigns_;
  delete results_;
}

void SavedPages::connect_results() {
  connect(results_, &ResultsPage::open_log, &places_.logs, &LogOpener::open);
  connect(results_, &ResultsPage::open_slowest, &places_.logs, &LogOpener::open_slowest);
  connect(results_, &ResultsPage::slowest_wanted, &places_.logs, &LogOpener::find_slowest);
  connect(results_, &ResultsPage::load_plan, this, [this](const plan::RunPlan& plan) {
    state_.editor().reset({.base = plan, .runs = {}});
    places_.pages.go_to(Page::run);
  });
  connect(results_, &ResultsPage::more_runs_wanted, this, [this](const plan::PlanFile& file, uint32_t repeats) {
    state_.editor().reset(file);
    places_.run.set_repeats(repeats);
    places_.pages.go_to(Page::run);
  });
  connect(results_, &ResultsPage::run_again, this, &SavedPages::run_again);
  connect(results_, &ResultsPage::pin_baseline, &places_.run, &RunPage::pin_baseline);
  connect(results_, &ResultsPage::import_wanted, archives_, &ArchiveTaker::ask_for_file);
  connect(&places_.pages, &PageBar::selected_again, results_, [this](Page page) {
    if (page == Page::results) results_->show_list();
  });
  connect(results_, &ResultsPage::run_wanted, this, [this] { places_.pages.go_to(Page::run); });
  connect(&places_.run, &RunPage::show_result, this, &SavedPages::show_result);
  connect(&places_.run, &RunPage::compare_results, this, &SavedPages::compare);
  connect(&state_.sequence(), &run::RunSequence::kept, results_, &ResultsPage::run_ended);
}

void SavedPages::connect_campaigns() {
  campaigns_->set_hosts(state_.hosts().list());
  connect(campaigns_, &CampaignsPage::load_plan, results_, &ResultsPage::load_plan);
  connect(campaigns_, &CampaignsPage::open_result, this, &SavedPages::show_result);
  connect(campaigns_, &CampaignsPage::compare_results, this, &SavedPages::compare);
  connect(campaigns_, &CampaignsPage::slowest_wanted, &places_.logs, &LogOpener::find_slowest_far);
  connect(campaigns_, &CampaignsPage::results_changed, results_, &ResultsPage::reload);
  connect(&campaigns_->files(), &CampaignFiles::import_wanted, archives_, &ArchiveTaker::ask_for_file);
  connect(state_.desk(), &campaign::CampaignDesk::kept, results_, &ResultsPage::reload);
  connect(state_.desk(), &campaign::CampaignDesk::kept, &places_.logs, &LogOpener::end_of_run);
  for (const auto signal : {&campaign::CampaignDesk::kept, &campaign::CampaignDesk::changed})
    connect(state_.desk(), signal, this, &SavedPages::show_campaign_work);
}

// The rail shows it on every page.
void SavedPages::show_campaign_work() {
  if (!state_.desk()->making()) return places_.pages.show_work(Page::campaigns, std::nullopt, {});
  const campaign::CampaignRun& run = *state_.desk()->run();
  const CompletedRuns runs = completed_runs(run);
  const auto all = static_cast<double>(runs.all.value_or(runs.most.value_or(0)));
  places_.pages.show_work(
      Page::campaigns, all > 0 ? static_cast<double>(runs.done) / all : 0,
      tr("\"%1\" is running: %2.").arg(theme::qt(findings::shown_name(run.campaign().name)), in_bar(runs)));
}

void SavedPages::connect_search(run::CutOffSearch& search) {
  connect(&search, &run::CutOffSearch::found, results_, &ResultsPage::reload);
  connect(&search, &run::CutOffSearch::found, campaigns_, &CampaignsPage::reload);
  connect(&search, &run::CutOffSearch::trouble, &places_.notices, &NoticeStack::say);
  connect(&search, &run::CutOffSearch::found, this, [this](int runs) {
    places_.notices.toast(theme::Status::info,
                          runs == 1
                              ? tr("A cut-off run was found; what it recorded is saved as a result.")
                              : tr("%1 cut-off runs were found; what they recorded is saved as results.").arg(runs),
                          {{.text = tr("Show results"),
                            .help = tr("Goes to the results list."),
                            .chosen = [this] { places_.pages.go_to(Page::results); }},
                           {.text = tr("Close"), .help = tr("Closes this notice.")}});
  });
}

// Exactly its plan; what cannot be as it was is said, and stands in the new run's log.
void SavedPages::run_again(const record::RunRecord& record) {
  if (state_.busy())
    return places_.notices.say(tr("A run or a campaign is in progress; run \"%1\" again when it has finished.")
                                   .arg(theme::qt(record.plan.name)));
  state_.editor().reset({.base = record.plan, .runs = {}});
  places_.pages.go_to(Page::run);
  places_.run.start_all_and([this, record] { tell_of_repeat(record); });
}

void SavedPages::tell_of_repeat(const record::RunRecord& record) {
  if (!state_.sequence().active())
    return places_.notices.say(
        tr("The plan of result #%1 is on the Run page but cannot be started; the reason is shown there.")
            .arg(record.id));
  std::vector<std::string> remarks = record::repeat_remarks(record, record::machine_json());
  QString text = theme::qt(record::repeat_text(record));
  for (const std::string& remark : remarks) text += QStringLiteral("; ") + theme::qt(remark);
  places_.notices.toast(theme::Status::info, text, {{.text = tr("Close"), .help = tr("Closes this notice.")}});
  remarks.insert(remarks.begin(), record::repeat_text(record));
  for (const std::string& remark : remarks) state_.sequence().session()->add_note(record::Severity::info, remark);
}

void SavedPages::save_layout() {
  state_.settings().setValue(kResultsLayoutKey, results_->save_layout());
  campaigns_->save_layout();
}

std::vector<Command> SavedPages::commands() {
  std::vector<Command> commands;
  const QIcon result = theme::icon("results");
  const QIcon campaign = theme::icon("table");
  if (const auto campaigns = store::CampaignStore::open(state_.folder().store(), store::ResultStore::kWindowPatience))
    for (const auto& row : (*campaigns)->list().value_or(std::vector<store::CampaignRow>()))
      commands.push_back({.id = QString("campaign:%1").arg(row.id),
                          .text = QString("#%1 %2").arg(row.id).arg(theme::qt(findings::shown_name(row.name))),
                          .where = tr("Campaign"),
                          .icon = campaign,
                          .run = [this, id = row.id] {
                            places_.pages.go_to(Page::campaigns);
                            campaigns_->choose(id);
                          }});
  for (const auto& row : state_.store()->list().value_or(store::ResultListing()).rows)
    commands.push_back(
        {.id = QString("result:%1").arg(row.id),
         .text = QString("#%1 %2").arg(row.id).arg(theme::qt(row.name)),
         .where = tr("Result, %1").arg(theme::qt(figures::verdict_words(row.verdict, row.passed_limits))),
         .icon = result,
         .run = [this, id = row.id] { show_result(id); }});
  return commands;
}

void SavedPages::show_result(qint64 id) {
  results_->forget_run_end();
  places_.pages.go_to(Page::results);
  results_->choose(id);
}

void SavedPages::compare(const std::vector<int64_t>& results) {
  results_->forget_run_end();
  places_.pages.go_to(Page::results);
  results_->compare(results);
}

}  // namespace n2nq::ui

#include "moc_saved_pages.cpp"
