#include "ui/run/run_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <QUrl>
#include <algorithm>
#include <array>

#include "app/compare/titles.h"
#include "app/figures/limit_text.h"
#include "app/figures/setting_text.h"
#include "app/record/outages.h"
#include "app/record/trust.h"
#include "app/text/quantity.h"
#include "ui/theme/theme.h"
#include "ui/theme/verdict_status.h"

namespace n2nq::ui {
namespace {

constexpr const char* kResultLink = "result:";
constexpr const char* kHostLink = "host:";
constexpr const char* kQueueLink = "queue:";
constexpr const char* kCompareLink = "compare:";
constexpr size_t kMostTold = 3;  // sides, in a line

QString bar_tr(const char* text) {
  return QCoreApplication::translate("RunBar", text);
}

QString figure_text(uint64_t value) {
  return QString::fromStdString(text::count(static_cast<int64_t>(value)));
}

QString link_to(const char* kind, const std::string& name, const QString& text) {
  const QString target = kind + QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(name)));
  return QString(" &nbsp; <a href=\"%1\">%2</a>").arg(target, text.toHtmlEscaped());
}

// What can be done about a host that kept a run from going on.
QString ways_out(const run::RunSession& session) {
  QString text;
  if (const auto& failure = session.host_failure(); failure && !failure->host.empty())
    text += link_to(kHostLink, failure->host, bar_tr("Show host %1").arg(QString::fromStdString(failure->host)));
  if (const std::string& host = session.better_queue_host(); !host.empty())
    text += link_to(kQueueLink, host, bar_tr("Move queue to %1").arg(QString::fromStdString(host)));
  return text;
}

// A reason that begins with the verdict goes on from it: "stopped by the user".
QString reason_after(const record::RunRecord& record) {
  const std::string verdict = to_text(record.verdict) + ' ';
  const bool goes_on = record.reason.starts_with(verdict);
  const QString reason = theme::qt(figures::with_names(goes_on ? record.reason.substr(verdict.size()) : record.reason));
  // What broke, and what that cost, come first: they are what the line has to say where it has no room for all.
  const QString outages = QString::fromStdString(record::outages_text(record)).toHtmlEscaped();
  if (goes_on) return ' ' + reason.toHtmlEscaped() + (outages.isEmpty() ? QString() : "; " + outages);
  QStringList parts{outages, reason.toHtmlEscaped()};
  parts.removeAll(QString());
  return parts.isEmpty() ? QString() : ": " + parts.join("; ");
}

QString verdict_of(const record::RunRecord& record) {
  QString text =
      "<b>" + QString::fromStdString(to_text(record.verdict)).toHtmlEscaped() + "</b>" + reason_after(record);
  for (const record::PassedLimit& passed : record.passed_limits)
    if (only_warns(passed))
      text +=
          bar_tr("; limit exceeded: %1").arg(QString::fromStdString(figures::passed_when_text(passed)).toHtmlEscaped());
  return text;
}

bool exceeded_a_limit(const record::RunRecord& record) {
  return !record.passed_limits.empty();
}

// The limits that only warned are in it.
theme::Status worst_status(const std::vector<record::RunRecord>& records) {
  theme::Status worst = theme::Status::good;
  for (const record::RunRecord& record : records)
    worst = std::max(worst, theme::status_of(record.verdict, record.passed_limits));
  return worst;
}

// The gravest; the last where all ended alike, because its figures are those that are shown.
const record::RunRecord& told_of(const std::vector<record::RunRecord>& records) {
  const record::RunRecord& worst = theme::gravest(records);
  const bool alike = std::ranges::all_of(records, [&worst](const auto& record) {
    return record.verdict == worst.verdict && exceeded_a_limit(record) == exceeded_a_limit(worst);
  });
  return alike ? records.back() : worst;
}

// Figures are of one run, which is named: the tiles may show another.
QString verdict_of(const std::vector<record::RunRecord>& records) {
  const auto passed = [](const auto& record) { return record.verdict == record::Verdict::passed; };
  if (std::ranges::all_of(records, passed))
    return records.size() == 2 ? bar_tr("<b>Both runs passed</b>")
                               : bar_tr("<b>All %1 runs passed</b>").arg(records.size());
  const record::RunRecord& one = told_of(records);
  QString text = bar_tr("<b>%1</b> (run %2 of %3)")
                     .arg(QString::fromStdString(to_text(one.verdict)).toHtmlEscaped())
                     .arg(&one - records.data() + 1)
                     .arg(records.size());
  if (!one.reason.empty()) text += ": " + theme::qt(figures::with_names(one.reason)).toHtmlEscaped();
  QStringList words;
  for (const auto& record : records) words += QString::fromStdString(to_text(record.verdict));
  return text + bar_tr("; run 1 to %1: %2").arg(records.size()).arg(words.join(", "));
}

// Those of all runs, each once.
QStringList doubts_of(const std::vector<record::RunRecord>& records) {
  QStringList all;
  for (const record::RunRecord& record : records)
    for (const std::string& doubt : record::doubts_of(record))
      if (const QString text = theme::qt(figures::with_names(doubt)); !all.contains(text)) all += text;
  return all;
}

// Why stands in the tip, and with the result: here it would take a second line.
QString doubt_text(const std::vector<record::RunRecord>& records) {
  const auto reasons = doubts_of(records).size();
  if (reasons == 0) return {};
  return reasons == 1 ? bar_tr("; <b>doubtful</b> for 1 reason")
                      : bar_tr("; <b>doubtful</b> for %1 reasons").arg(reasons);
}

StateWords of_session(const run::RunSession& session) {
  const QString detail = QString::fromStdString(session.status_text());
  if (session.state() == run::State::over) return {theme::Tone::info, bar_tr("Saving the result"), {}};
  if (session.stopping()) return {theme::Tone::warning, bar_tr("Stopping"), detail};
  switch (session.state()) {
    case run::State::idle:
    case run::State::launching:
      return {theme::Tone::info, waits_for_a_start(session) ? bar_tr("Waiting") : bar_tr("Starting"), detail};
    case run::State::connecting:
      return {theme::Tone::info, bar_tr("Connecting"), detail};
    case run::State::running:
      return {theme::Tone::good, bar_tr("Running"), {}};
    case run::State::draining:
      return {theme::Tone::good, bar_tr("Draining"), detail};
    case run::State::ending:
      return {theme::Tone::good, bar_tr("Ending"), detail};
    case run::State::over:
      break;
  }
  return {};
}

}  // namespace

StateWords state_of(const run::RunSequence& sequence) {
  if (sequence.active() && sequence.session() != nullptr) return of_session(*sequence.session());
  if (sequence.records().empty()) return {theme::Tone::muted, bar_tr("Ready"), {}};
  const record::RunRecord& gravest = theme::gravest(sequence.records());
  QString word = QString::fromStdString(to_text(gravest.verdict));
  word[0] = word[0].toUpper();
  return {theme::tone_of(worst_status(sequence.records())), word, {}};
}

theme::Status status_of(const run::RunSequence& sequence) {
  const theme::Status status = worst_status(sequence.records());
  return doubts_of(sequence.records()).isEmpty() ? status : std::max(status, theme::Status::warning);
}

QString doubts_of(const run::RunSequence& sequence) {
  return doubts_of(sequence.records()).join(u'\n');
}

RunsBeside beside_of(const run::RunSequence& sequence) {
  if (sequence.special_settings().empty()) return {};
  const auto sides = compare::sides_of(sequence.records());
  RunsBeside beside;
  beside.compares = std::ranges::count_if(sides, [](const auto& side) { return !side.runs.empty(); }) >= 2;
  if (beside.compares && sides.size() <= kMostTold) beside.told = theme::qt(compare::told_beside(sides));
  return beside;
}

QString verdict_text(const run::RunSequence& sequence, const RunsBeside& beside) {
  const auto& records = sequence.records();
  QString text = records.size() == 1 ? verdict_of(records.front()) : verdict_of(records);
  const auto exceeded = std::ranges::count_if(records, exceeded_a_limit);
  if (records.size() > 1 && exceeded > 0)
    text += bar_tr("; limit exceeded in %1 of %2 runs").arg(exceeded).arg(records.size());
  const std::string outages = records.size() == 1 ? std::string() : record::outages_text(told_of(records));
  if (!outages.empty()) text += "; " + QString::fromStdString(outages).toHtmlEscaped();
  text += doubt_text(records);
  // The form is the plan's again, which may have another mode than the run whose figures are there.
  if (const std::string special = sequence.special_settings(); !special.empty()) {
    if (!beside.told.isEmpty()) text += "; " + beside.told.toHtmlEscaped();
    text += bar_tr("; shown here: %1").arg(theme::qt(special).toHtmlEscaped());
  }
  const bool saved = std::ranges::all_of(records, [](const auto& record) { return record.id != 0; });
  if (beside.compares && saved) text += link_to(kCompareLink, {}, bar_tr("Compare"));
  const bool all_count = std::ranges::all_of(records, compare::counts, &record::RunRecord::verdict);
  if (const int64_t id = result_of(sequence); id != 0 && !(beside.compares && saved && all_count))
    text += QString(" &nbsp; <a href=\"%1%2\">%3</a>").arg(kResultLink).arg(id).arg(bar_tr("Show result"));
  if (sequence.session() != nullptr) text += ways_out(*sequence.session());
  return text;
}

int64_t result_of(const run::RunSequence& sequence) {
  const auto& records = sequence.records();
  if (records.empty()) return 0;
  return told_of(records).id;
}

RunLink link_of(const QString& target) {
  const auto rest = [&target](const char* kind) {
    return QUrl::fromPercentEncoding(target.mid(static_cast<qsizetype>(qstrlen(kind))).toUtf8());
  };
  RunLink link;
  if (target.startsWith(kResultLink)) link.result = rest(kResultLink).toLongLong();
  if (target.startsWith(kHostLink)) link.host = rest(kHostLink);
  if (target.startsWith(kQueueLink)) link.queue = rest(kQueueLink);
  link.compare = target == kCompareLink;
  return link;
}

bool waits_for_a_start(const run::RunSession& session) {
  if (session.stopping() || session.state() == run::State::over) return false;
  return std::ranges::any_of(std::array{Role::broker, Role::sender, Role::receiver},
                             [&session](Role role) { return session.role_status(role).phase == run::RolePhase::idle; });
}

QString time_of(int64_t elapsed_ns, std::optional<int64_t> remaining_ns) {
  constexpr int64_t kHalfASecond = 500'000'000;
  const QString time = QString::fromStdString(text::elapsed(elapsed_ns));
  if (!remaining_ns) return time;
  const int64_t all = elapsed_ns + *remaining_ns + kHalfASecond;
  return bar_tr("%1 of %2").arg(time, QString::fromStdString(text::elapsed(all)));
}

QString counted_of(uint64_t value, std::optional<uint64_t> total) {
  return total ? bar_tr("%1 of %2").arg(figure_text(value), figure_text(*total)) : figure_text(value);
}

QString counted_of(uint64_t value, const std::optional<run::Deliveries>& total) {
  if (!total || total->exact) return counted_of(value, total ? std::optional(total->count) : std::nullopt);
  return bar_tr("%1 of about %2").arg(figure_text(value), figure_text(total->count));
}

}  // namespace n2nq::ui
