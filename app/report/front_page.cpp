#include "app/report/front_page.h"

#include <algorithm>

#include "app/compare/comparison.h"
#include "app/compare/promises.h"
#include "app/compare/titles.h"
#include "app/figures/headlines.h"
#include "app/figures/limit_text.h"
#include "app/figures/setting_text.h"
#include "app/record/outages.h"
#include "app/record/shown_latency.h"
#include "app/record/trust.h"
#include "app/text/quantity.h"

namespace n2nq::report {
namespace {

using compare::Side;
using figures::Figure;
using figures::Headline;
using figures::TableColumn;
using figures::TableRow;
using record::RunRecord;
using record::Severity;

// That a page of paper has room for, beside the chart.
constexpr size_t kMostSettings = 9;
constexpr size_t kMostSides = 4;       // as columns
constexpr size_t kMostStatements = 4;  // one for each side beside the first
constexpr size_t kLongValue = 90;
constexpr size_t kLongNotes = 300;
constexpr const char* kFigure = "latency-by-percentile";
constexpr std::string_view kSettings = "What differs from the default settings";
constexpr std::string_view kSettingsOfSides = "What the sides promise, and what differs from the default settings";

std::string brief(const std::string& text) {
  if (text.size() <= kLongValue) return text;
  size_t end = kLongValue;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) end--;  // not within a character
  return text.substr(0, end) + "…";
}

void add_settings(Report& report, std::string_view heading, std::vector<TableColumn> columns,
                  std::vector<TableRow> rows) {
  report.heading(std::string(heading));
  if (rows.empty()) report.say("Nothing: all settings have their defaults.");
  const size_t more = rows.size() > kMostSettings ? rows.size() - kMostSettings : 0;
  rows.resize(rows.size() - more);
  for (TableRow& row : rows)
    for (std::string& cell : row.cells) cell = brief(cell);
  if (!rows.empty()) report.table(std::move(columns), std::move(rows));
  if (more > 0)
    report.say("And " + std::to_string(more) + " more: see " +
               (heading == kSettings ? "Settings" : "What the runs show") + ".");
  report.new_page();
}

void add_changes(Report& report, const RunRecord& record) {
  add_settings(report, kSettings, figures::setting_columns(), figures::changing_setting_rows(record));
}

// For who does not know what a percentile is.
void add_plain_words(Report& report, const RunRecord& record) {
  const measure::LatencySummary& latency = record::shown_latency(record);
  const bool replies = plan::asks_for_replies(record.plan);
  if (!latency.p50 || !latency.p99 || !latency.max) return;
  const bool intended = record::shows_intended(record);
  const auto said = [](int64_t ns) { return text::duration(static_cast<double>(ns)); };
  const std::string loop = plan::closed_loop(record.plan) > 0
                               ? " The loop was closed, with " + text::count(plan::closed_loop(record.plan)) +
                                     " outstanding: that hides waiting."
                               : "";
  const std::string whose = intended ? "Counted from the intended send, half of the " : "Half of the ";
  report.say(whose + (replies ? "requests were answered within " : "messages took ") + said(*latency.p50) +
             (replies ? ", 99 of 100 within " : " or less, 99 of 100 took ") + said(*latency.p99) +
             (replies ? "" : " or less") + "; the slowest took " + said(*latency.max) + "." + loop);
  const measure::LatencySummary& actual = record::first_latency(record);
  if (intended && actual.p50 && actual.p99)
    report.say("Counted from the actual send, which leaves out how late senders were, p50 is " + said(*actual.p50) +
               " and p99 " + said(*actual.p99) + ".");
}

Severity severity_of(const compare::MetricComparison& found) {
  if (!found.b_to_a) return Severity::warning;
  if (!found.b_to_a->differs()) return Severity::info;
  const bool higher = found.b_to_a->ratio > 1;
  const bool worse = higher == (found.metric->better == analysis::Better::lower);
  return worse ? Severity::warning : Severity::info;
}

std::string sentence(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() -= 'a' - 'A';
  return text + ".";
}

// Two sides as figures of the second beside those of the first; more as a table.
void add_sides(Report& report, const std::vector<Side>& sides) {
  const std::vector<compare::SideFigure> all = compare::side_figures(sides);
  if (const std::string& note = all[3].note; !note.empty()) report.say("Latencies: " + note + " on each side.");
  if (sides.size() == 2) {
    report.list({compare::to_text(sides[0]), compare::to_text(sides[1])});
    std::vector<Headline> headlines;
    for (const compare::SideFigure& one : all)
      headlines.push_back({.name = one.name + ", " + sides[1].name,
                           .value = one.values[1],
                           .unit = one.unit,
                           .note = sides[0].name + ": " + one.values[0] + (one.unit.empty() ? "" : " " + one.unit),
                           .hue = one.hue});
    return report.headlines(std::move(headlines));
  }
  std::vector<TableColumn> columns{{.header = "Side", .stretch = true}};
  std::vector<TableRow> rows;
  for (const compare::SideFigure& one : all)
    columns.push_back({.header = one.unit.empty() ? one.name : one.name + " [" + one.unit + "]", .number = true});
  for (size_t side = 0; side < sides.size() && side < compare::kMostSides; side++) {
    TableRow& row = rows.emplace_back(TableRow{.cells = {sides[side].name}});
    for (const compare::SideFigure& one : all) row.cells.push_back(one.values[side]);
  }
  report.table(std::move(columns), std::move(rows));
}

}  // namespace

void add_statements(Report& report, const std::vector<Side>& sides) {
  if (sides.size() < 2) return report.say("These are repeats of one plan: there is nothing to compare them with.");
  const figures::FirstLatency latency = compare::first_latency(sides);
  const figures::Metric &p50 = latency.of("p50"), &p99 = latency.of("p99");
  for (size_t i = 1; i < sides.size() && i <= kMostStatements; i++) {
    const std::string against = sides.size() > 2 ? sides[i].name + " against " + sides.front().name + ": " : "";
    for (const figures::Metric* metric : {&p50, &p99}) {
      const compare::MetricComparison found = compare::compare_by(*metric, sides.front(), sides[i]);
      report.say(against.empty() ? sentence(found.statement) : against + found.statement + ".", severity_of(found));
    }
  }
  if (sides.size() > kMostStatements + 1)
    report.say("And " + std::to_string(sides.size() - kMostStatements - 1) + " more sides: see What the runs show.");
  report.say(
      std::string(latency.replies
                      ? "p50 and p99 are the turnarounds that half of the requests, and 99 of 100, do not exceed"
                      : "p50 and p99 are the latencies that half of the messages, and 99 of 100, do not exceed") +
      ", " + record::from_text(latency.intended) + ".");
  const compare::Doubt doubt = compare::doubt_of(p99, sides);
  if (doubt.doubtful > 0) report.say(doubt.text(), doubt.holds ? Severity::info : Severity::warning);
  for (const std::string& explained : compare::explanations(sides)) report.say(explained);
}

void add_exceeded(Report& report, const RunRecord& record) {
  const std::string exceeded = figures::warned_text(record.passed_limits);
  if (!exceeded.empty()) report.say(sentence(exceeded), Severity::warning);
}

void add_trust(Report& report, const RunRecord& record) {
  if (record.trust == record::Trust::not_judged)
    return report.say("Trust: not judged; nothing says whether these figures can be believed.");
  if (record.trust == record::Trust::sound) return report.say("Trust: sound; nothing speaks against these figures.");
  for (const std::string& doubt : record::doubts_of(record)) report.say("Doubtful: " + doubt + ".", Severity::warning);
}

std::optional<Figure> take_front_figure(std::vector<Figure>& figures) {
  const auto seen = [](const Figure& figure) { return !figure.empty(); };
  auto found =
      std::ranges::find_if(figures, [&](const Figure& figure) { return figure.id == kFigure && seen(figure); });
  if (found == figures.end()) found = std::ranges::find_if(figures, seen);
  if (found == figures.end()) return {};
  Figure figure = std::move(*found);
  figures.erase(found);
  return figure;
}

void add_changed_settings(Report& report, const plan::RunPlan& plan) {
  add_changes(report, {.plan = plan});
}

void add_front_page(Report& report, const RunRecord& record, const OwnWords& words,
                    const std::optional<Figure>& figure) {
  const bool few_words = words.notes.size() <= kLongNotes;
  if (few_words) add_words(report, words);
  report.headlines(figures::headlines_of(record));
  add_plain_words(report, record);
  if (const std::string outages = record::outages_text(record); !outages.empty())
    report.say(sentence(outages), Severity::warning);
  if (figure) report.figure(*figure);
  add_changes(report, record);
  if (!few_words) add_words(report, words);
}

void add_front_page(Report& report, const std::vector<Side>& sides, const Figure& figure) {
  add_statements(report, sides);
  if (sides.size() == 1) {
    std::vector<const RunRecord*> runs;
    for (const RunRecord& run : sides.front().runs) runs.push_back(&run);
    report.headlines(figures::headlines_of(runs));
  } else {
    add_sides(report, sides);
  }
  if (!figure.empty()) report.figure(figure);
  const size_t shown = std::min(sides.size(), kMostSides);
  std::vector<TableColumn> columns{{.header = sides.size() < 2 ? "Setting" : "Promise or setting"},
                                   {.header = "Default"}};
  for (size_t side = 0; side < shown; side++) columns.push_back({.header = sides[side].name, .stretch = true});
  std::vector<TableRow> rows;
  for (const compare::Promise& one : compare::promises_of(sides)) {
    if (!one.differs) continue;
    TableRow& row = rows.emplace_back(TableRow{.cells = {one.name, ""}});
    for (size_t side = 0; side < shown; side++) row.cells.push_back(one.values[side]);
  }
  for (const compare::SideSetting& one : compare::side_settings(sides)) {
    TableRow& row = rows.emplace_back(TableRow{.cells = {figures::setting_name(one.key), one.usual}});
    for (size_t side = 0; side < shown; side++) row.cells.push_back(one.values[side]);
  }
  add_settings(report, sides.size() < 2 ? kSettings : kSettingsOfSides, std::move(columns), std::move(rows));
}

}  // namespace n2nq::report
