#include "ui/campaigns/case_menu.h"

#include <QFile>

#include "app/campaign/campaign_file.h"
#include "app/findings/study.h"
#include "ui/theme/command_hints.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kCases = 7;
constexpr const char* kOfQueues[] = {"seed 004"};
constexpr const char* kOfReplies[] = {"seed 002", "seed 002 resources", "seed 003", "seed 003 day"};
constexpr const char* kOfServers[] = {"seed 001", "seed 001 rabbitmq", "seed 001 kafka", "seed 004 kafka"};
constexpr const char* kOfPeers[] = {"peers latency", "peers throughput"};

// What the case asks; empty where it cannot be read.
QString question_of(const QString& resource) {
  QFile file(resource);
  if (!file.open(QIODevice::ReadOnly)) return {};
  const auto campaign = campaign::parse_campaign(file.readAll().toStdString());
  return campaign ? theme::qt(campaign->description) : QString();
}

}  // namespace

// In full size there are as many again: in one list they are higher than a small screen.
CaseMenu::CaseMenu(QWidget* parent) : QMenu(parent) {
  setAccessibleName(tr("New campaign menu"));
  add_bundled(*this, /*quick=*/true);
  addSection(tr("Compared with queueing theory: 4 and 17 minutes"));
  add_case(*this, tr("%1, quick").arg(theme::qt(findings::title_of("seed 004"))), ":/plans/seed-004-quick.json");
  add_case(*this, theme::qt(findings::title_of("waiting for service")), ":/plans/waiting.json");
  addSeparator();
  add_bundled(*addMenu(tr("In full size: an hour to many hours each")), /*quick=*/false);
  addSection(tr("Your own"));
  QAction* buses = addAction(theme::icon("compare"), tr("Compare two buses by the plan on the Run page"));
  buses->setToolTip(compare_help());
  connect(buses, &QAction::triggered, this, &CaseMenu::buses_of_plan);
  connect(addAction(theme::icon("edit-plan"), tr("From the plan on the Run page")), &QAction::triggered, this,
          &CaseMenu::from_plan);
  QAction* limit = addAction(theme::icon("search"), tr("Find the limit of the plan on the Run page"));
  limit->setToolTip(tr("A search for the hardest load that your plan carries."));
  connect(limit, &QAction::triggered, this, &CaseMenu::limit_of_plan);
  connect(addAction(theme::icon("open"), tr("Open a campaign file\u2026")), &QAction::triggered, this, &CaseMenu::file);
}

QString CaseMenu::compare_help() {
  return tr(
      "Runs your plan over two buses, five times each, by turns: its own bus and another, or Kafka and RabbitMQ where "
      "it uses the bench's queue. Both have default settings, and servers that the bench starts. You can choose other "
      "buses before the start.");
}

void CaseMenu::add_bundled(QMenu& menu, bool quick) {
  const QString suffix = quick ? "-quick" : "";
  add_cases(
      menu,
      tr("Cases of the thesis: %1").arg(quick ? tr("up to about a minute each") : tr("an hour to many hours each")),
      suffix);
  add_studies(menu,
              tr("Requests and replies over buses, HTTP and WebSocket: %1")
                  .arg(quick ? tr("about a minute each") : tr("an hour to a day each")),
              kOfReplies, suffix);
  add_studies(menu,
              tr("RabbitMQ and Kafka, which have to be installed: %1")
                  .arg(quick ? tr("one to three minutes each") : tr("up to five hours each")),
              kOfServers, suffix);
  if (!quick) add_studies(menu, tr("Compared with queueing theory: about 28 minutes"), kOfQueues, suffix);
  add_studies(menu,
              tr("Our bus beside a bare relay and other servers, which have to be installed: %1")
                  .arg(quick ? tr("minutes") : tr("hours")),
              kOfPeers, suffix);
}

void CaseMenu::add_cases(QMenu& menu, const QString& heading, const QString& suffix) {
  menu.addSection(heading);
  for (int number = 1; number <= kCases; number++) {
    const QString name = suffix.isEmpty() ? tr("Case %1").arg(number) : tr("Case %1, quick").arg(number);
    add_case(menu, name, QString(":/plans/thesis-%1%2.json").arg(number).arg(suffix));
  }
  add_case(menu, suffix.isEmpty() ? tr("Services in containers") : tr("Services in containers, quick"),
           QString(":/plans/thesis-containers%1.json").arg(suffix));
}

void CaseMenu::add_studies(QMenu& menu, const QString& heading, std::span<const char* const> studies,
                           const QString& suffix) {
  menu.addSection(heading);
  for (const char* study : studies) {
    const QString title = theme::qt(findings::title_of(study));
    add_case(menu, suffix.isEmpty() ? title : tr("%1, quick").arg(title),
             QString(":/plans/%1%2.json").arg(QString(study).replace(' ', '-'), suffix));
  }
}

void CaseMenu::add_case(QMenu& menu, const QString& name, const QString& resource) {
  const QString question = question_of(resource);
  if (question.isEmpty()) return;
  QAction* one = menu.addAction(QString("%1: %2").arg(name, question));
  one->setProperty(theme::kReplacesDraft, true);
  connect(one, &QAction::triggered, this, [this, resource] { Q_EMIT bundled(resource); });
}

}  // namespace n2nq::ui

#include "moc_case_menu.cpp"
