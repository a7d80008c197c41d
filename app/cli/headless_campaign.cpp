#include "app/cli/headless_campaign.h"

#include <unistd.h>

#include <QCoreApplication>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/campaign/campaign_figures.h"
#include "app/campaign/campaign_file.h"
#include "app/campaign/estimate.h"
#include "app/campaign/points_csv.h"
#include "app/campaign/take_up.h"
#include "app/cli/campaign_text.h"
#include "app/cli/findings_text.h"
#include "app/cli/junit_reports.h"
#include "app/findings/findings_file.h"
#include "app/findings/prospect.h"
#include "app/place/data_folder.h"
#include "app/plan/whole_file.h"
#include "app/record/trust.h"
#include "broker/base/join.h"

namespace n2nq::cli {
namespace {

std::unexpected<Trouble> wrong(const std::string& text) {
  return std::unexpected(Trouble{BenchExit::usage, text});
}

}  // namespace

HeadlessCampaign::HeadlessCampaign(CampaignCommand command) : command_(std::move(command)), junit_(command_.junit) {
  std::signal(SIGPIPE, SIG_IGN);
  connect(&signals_, &SignalWatch::asked_to_stop, this, &HeadlessCampaign::on_signal);
  connect(&each_second_, &QTimer::timeout, this, &HeadlessCampaign::show_progress);
}

HeadlessCampaign::~HeadlessCampaign() = default;

int HeadlessCampaign::execute() {
  for (const auto step : {&HeadlessCampaign::prepare_junit, &HeadlessCampaign::read_campaign,
                          &HeadlessCampaign::open_all, &HeadlessCampaign::check_files})
    if (const Step done = (this->*step)(); !done) return give_up(done.error());
  search();
  QCoreApplication::exec();
  return gave_up_ ? *gave_up_ : report();
}

Step HeadlessCampaign::read_campaign() {
  if (command_.id) return {};
  auto campaign = command_.search ? search_of_plan() : campaign::read_campaign_file(command_.file);
  if (!campaign) return wrong(campaign.error().text);
  campaign_ = std::move(*campaign);
  if (!command_.external.empty()) {
    if (join(command_.external, "").empty()) return wrong("--external: it names no host");
    const auto external = campaign::parse_external_hosts(join(command_.external, ","));
    if (!external) return wrong("--external: " + external.error().text);
    campaign_.external = *external;
  }
  for (const std::string& assignment : command_.sets)
    if (auto set = campaign::set_in_all_points(campaign_, assignment); !set) return wrong("--set: " + set.error().text);
  if (command_.repeats) campaign_.repeats = *command_.repeats;
  if (const auto problem = campaign::problem_of(campaign_)) return wrong(command_.file + ": " + *problem);
  return {};
}

// A campaign of the plan in the file, whose logs are a summary: what writes every message limits by itself.
Result<campaign::Campaign> HeadlessCampaign::search_of_plan() const {
  const auto file = plan::read_plan_file(command_.file);
  if (!file) return std::unexpected(file.error());
  const auto runs = plan::runs_of(*file);
  if (!runs) return fail(command_.file + ": " + runs.error().text);
  if (runs->size() > 1)
    return fail(command_.file + ": it is a plan of " + std::to_string(runs->size()) +
                " runs; a search needs a plan with one: leave out \"runs\", or enter a single one in the window");
  const SearchCommand& given = *command_.search;
  const auto variable = campaign::find_variable(given.vary);
  if (!variable) return fail("--vary: " + variable.error().text);
  const auto from = campaign::read_value(*variable, given.from);
  if (!from) return fail("--from: " + from.error().text);
  const auto to = campaign::read_value(*variable, given.to);
  if (!to) return fail("--to: " + to.error().text);
  const auto precision = campaign::read_precision(given.precision);
  if (!precision) return fail("--precision: " + precision.error().text);
  campaign::Campaign campaign{.name = runs->front().name + ": " + given.vary, .base = runs->front()};
  campaign.base.log = plan::LogLevel::summary;
  campaign.search = campaign::SearchSpec{.vary = given.vary,
                                         .from = *from,
                                         .to = *to,
                                         .limits = given.limits,
                                         .precision = *precision,
                                         .confirm = given.confirm};
  return campaign;
}

// Then it is reported again, and no host is needed.
bool HeadlessCampaign::is_finished() const {
  if (!command_.id) return false;
  const auto records = campaigns_->results_of(*command_.id);
  return records && !campaign::Ledger(campaign_, *records).next();
}

Step HeadlessCampaign::open_all() {
  if (auto opened = open_places(command_.data_dir, "", places_); !opened) return opened;
  auto campaigns = store::CampaignStore::open(places_.folder.store());
  if (!campaigns) return std::unexpected(Trouble{BenchExit::local_trouble, campaigns.error().text});
  campaigns_ = std::move(*campaigns);
  if (auto redrawn = take_figures(); !redrawn) return redrawn;
  if (command_.id) {
    const auto row = campaigns_->find(*command_.id);
    if (!row) return wrong(row.error().text);
    auto campaign = campaign::parse_whole_campaign(row->definition);
    if (!campaign) return wrong("campaign " + std::to_string(row->id) + ": " + campaign.error().text);
    campaign_ = std::move(*campaign);
  }
  if (const auto points = campaign::points_of(campaign_); !points) return wrong(points.error().text);
  const std::vector<plan::RunPlan> plans = campaign::plans_of(campaign_);
  const plan::PlanOrigin origin{.file = command_.file, .own_keys = keys_of(command_.sets)};
  const std::string name = command_.id ? "campaign " + std::to_string(*command_.id) : command_.file;
  if (auto allowed = check_permissions(plans, origin, command_.allow, name, places_); !allowed) return allowed;
  if (auto opened = open_hosts(command_.hosts, is_finished() ? std::vector<plan::RunPlan>() : plans, name, places_);
      !opened)
    return opened;
  run_ = std::make_unique<campaign::CampaignRun>(places_.options, *places_.store, *campaigns_);
  return {};
}

Step HeadlessCampaign::take_figures() {
  if (command_.figures_from.empty()) return {};
  const auto file = campaign::read_campaign_file(command_.figures_from);
  if (!file) return wrong("--figures-from: " + file.error().text);
  if (const auto drawn = campaign::redraw_campaign(places_.folder.store(), *command_.id, file->figures); !drawn)
    return wrong("--figures-from " + command_.figures_from + ": " + drawn.error().text);
  return {};
}

// Before the first run: what cannot be written is not found out after hours.
Step HeadlessCampaign::check_files() {
  if (!command_.table.empty())
    if (const auto possible = plan::try_whole_file(command_.table); !possible)
      return std::unexpected(Trouble{BenchExit::local_trouble, "--table: " + possible.error().text});
  if (command_.figures.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(command_.figures, error);
  if (!error && place::may(command_.figures, W_OK | X_OK)) return {};
  return std::unexpected(
      Trouble{BenchExit::local_trouble, "--figures " + command_.figures + " cannot be written; choose another folder"});
}

// For the runs that are left; the files of the others are there already.
Step HeadlessCampaign::check_disk() {
  const campaign::Estimate estimate = campaign::estimate_of(run_->campaign(), &run_->ledger());
  if (estimate.runs == 0) return {};
  say(campaign::to_text(estimate));
  if (const auto findings = findings::shipped_findings())
    if (const auto prospect = findings::prospect_of(*findings, run_->campaign(), run_->points()))
      say(findings::prospect_text(*prospect));
  std::error_code error;
  const auto space = std::filesystem::space(places_.folder.path, error);
  if (error || space.available >= estimate.bytes) return {};
  return std::unexpected(
      Trouble{BenchExit::local_trouble, too_large_text(estimate, space.available, places_.folder.path)});
}

// Runs that an earlier bench left unfinished, those of this campaign among them.
void HeadlessCampaign::search() {
  search_ = std::make_unique<run::CutOffSearch>(places_.folder.store(), places_.folder.runs(), places_.folder.begun());
  connect(search_.get(), &run::CutOffSearch::taken_in, this,
          [](qint64, const QString& text) { say(text.toStdString()); });
  connect(search_.get(), &run::CutOffSearch::trouble, this, [](const QString& text) { say(text.toStdString()); });
  connect(search_.get(), &run::CutOffSearch::finished, this, &HeadlessCampaign::begin);
  search_->start();
}

void HeadlessCampaign::begin() {
  if (interrupted_) {
    gave_up_ = give_up({BenchExit::stopped, "stopped by a signal before the first run"}, record::Verdict::stopped);
    return QCoreApplication::exit();
  }
  connect(run_.get(), &campaign::CampaignRun::kept, this, &HeadlessCampaign::on_kept);
  connect(run_.get(), &campaign::CampaignRun::noted, this,
          [](record::Severity, const QString& text) { say(text.toStdString()); });
  // From the event loop, also where all is over at once.
  connect(run_.get(), &campaign::CampaignRun::finished, this, [] { QCoreApplication::exit(); }, Qt::QueuedConnection);
  if (const Step started = start(); !started) {
    run_->disconnect(this);
    run_->stop();
    gave_up_ = give_up(started.error());
    return QCoreApplication::exit();
  }
  each_second_.start(std::chrono::seconds(1));
}

Step HeadlessCampaign::start() {
  const auto started = command_.id ? run_->resume(*command_.id) : run_->start(campaign_);
  if (!started) return std::unexpected(Trouble{BenchExit::local_trouble, started.error().text});
  if (!run_->records().empty())
    say("campaign " + std::to_string(run_->id()) + " resumed: " + std::to_string(run_->ledger().done()) +
        (run_->ledger().search() ? "" : " of " + std::to_string(run_->ledger().runs())) +
        " runs were completed before");
  return check_disk();
}

int HeadlessCampaign::give_up(const Trouble& trouble, record::Verdict verdict) {
  say(trouble.text);
  if (command_.json) print(to_json(CampaignOutcome{.verdict = verdict, .reason = trouble.text}) + "\n");
  junit_.write(failure_report(command_.search ? "n2nq-bench search" : "n2nq-bench campaign",
                              command_.id ? "campaign " + std::to_string(*command_.id) : command_.file, trouble));
  return static_cast<int>(trouble.code);
}

void HeadlessCampaign::on_signal(int signal) {
  line_.end();
  say(interrupted_ ? "killing what is still running" : "stopping; a second signal kills what is still running");
  if (signal == SIGHUP) line_.leave_terminal();
  interrupted_ = true;
  if (search_) search_->stop();
  if (run_) run_->stop();
}

void HeadlessCampaign::show_progress() {
  if (run_->state() != campaign::CampaignRun::State::over) line_.show(campaign::progress_line(*run_));
}

void HeadlessCampaign::on_kept() {
  const record::RunRecord& record = run_->records().back();
  line_.show(campaign::progress_line(*run_));
  if (record.verdict == record::Verdict::passed && record.trust != record::Trust::doubtful) return;
  line_.end();
  say(record.plan.name + ": " + to_text(record.verdict) + ": " + record.reason);
  for (const std::string& doubt : record::doubts_of(record)) say(record.plan.name + ": doubtful: " + doubt);
}

// Figures each as its id says.
Result<void> HeadlessCampaign::write_files(const std::optional<findings::CaseFindings>& found) const {
  Result<void> all;  // what goes wrong with one file costs no other
  const auto write = [&all](const std::string& path, const std::string& text) {
    if (auto written = plan::write_whole_file(path, text); !written && all) all = std::move(written);
  };
  if (!command_.table.empty())
    write(command_.table, campaign::points_csv(run_->campaign(), run_->points(), run_->records()));
  if (command_.figures.empty()) return all;
  const auto load = [this](int64_t id) { return places_.store->load(id); };
  std::vector<std::pair<std::string, std::string>> files;
  for (const figures::Figure& figure : campaign::figures_of(run_->campaign(), run_->points(), run_->records(), load))
    files.emplace_back(figure.id + ".csv", figures::figure_csv(figure));
  if (found) {
    files.emplace_back("findings.csv", findings_csv(*found));
    files.emplace_back("findings.json", findings_json(*found).dump(2) + "\n");
  }
  for (const auto& [name, text] : files) write(command_.figures + "/" + name, text);
  return all;
}

// Nothing where it is no shipped case.
std::optional<findings::CaseFindings> HeadlessCampaign::judge_findings() const {
  const auto findings = findings::shipped_findings();
  if (!findings) {
    say(findings.error().text);
    return std::nullopt;
  }
  return findings::judge_case(*findings, run_->campaign(), run_->points(), run_->records(),
                              [this](int64_t id) { return places_.store->load(id); });
}

int HeadlessCampaign::report() {
  each_second_.stop();
  line_.end();
  CampaignOutcome outcome = outcome_of(*run_);
  outcome.findings = judge_findings();
  const Result<void> written = write_files(outcome.findings);
  if (!written) say(written.error().text);
  const auto points = campaign::point_rows(run_->campaign(), run_->points(), run_->records(), run_->ledger());
  const bool junit = junit_.write(campaign_report(run_->campaign(), points, run_->records(), outcome));
  const bool printed = print(command_.json ? to_json(outcome) + "\n" : campaign_table(*run_, outcome));
  if (!printed) say("the result could not be written to stdout");
  if (run_->host_failure()) {
    for (const launch::LinkFailure& failure : run_->host_failures()) say(failure_text(failure, command_.hosts));
    return static_cast<int>(exit_code_of(run_->host_failure()->trouble));
  }
  if (exit_code_of(outcome) == BenchExit::passed && !(printed && written && junit))
    return static_cast<int>(BenchExit::local_trouble);
  return static_cast<int>(exit_code_of(outcome));
}

}  // namespace n2nq::cli

#include "moc_headless_campaign.cpp"
