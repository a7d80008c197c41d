#include "app/cli/commands.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/cli/exit_code.h"
#include "app/cli/status_line.h"
#include "app/place/data_folder.h"
#include "app/plan/plain_text.h"
#include "app/record/date_text.h"
#include "app/record/words.h"
#include "app/store/result_search.h"
#include "app/store/store.h"
#include "app/text/quantity.h"

namespace n2nq::cli {
namespace {

using store::ResultRow;

constexpr size_t kColumns = 10;
using Cells = std::array<std::string, kColumns>;
constexpr std::array kToTheRight{true, false, false, false, true, true, false, false, false, false};

Cells cells_of(const ResultRow& row, const text::Column& p50, const text::Column& p99) {
  return {"#" + std::to_string(row.id),
          record::local_time(row.started_utc_ns),
          to_text(row.verdict),
          to_text(row.trust),
          p50.text(text::real(store::shown_latency(row).p50_ns)),
          p99.text(text::real(store::shown_latency(row).p99_ns)),
          row.intended ? "intended"
          : row.p50_ns ? "actual"
                       : "-",
          plan::one_line(row.bus),
          row.campaign ? plan::one_line(store::campaign_text(row)) : "-",
          plan::one_line(row.name)};
}

template <class Value>
nlohmann::ordered_json or_null(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace

std::string results_table(const std::vector<ResultRow>& rows) {
  if (rows.empty()) return "no results\n";
  text::Column p50(text::Unit::duration), p99(text::Unit::duration);
  for (const ResultRow& row : rows) {
    p50.add(text::real(store::shown_latency(row).p50_ns));
    p99.add(text::real(store::shown_latency(row).p99_ns));
  }
  std::vector<Cells> lines{
      {"#", "started", "verdict", "figures", p50.head("p50"), p99.head("p99"), "from", "bus", "campaign", "plan"}};
  for (const ResultRow& row : rows) lines.push_back(cells_of(row, p50, p99));
  std::array<size_t, kColumns> widths{};
  for (const Cells& line : lines)
    for (size_t i = 0; i < kColumns; i++) widths[i] = std::max(widths[i], text::width(line[i]));
  std::string table;
  for (const Cells& line : lines) {
    for (size_t i = 0; i < kColumns; i++) {
      const std::string pad(widths[i] - text::width(line[i]), ' ');
      const bool last = i + 1 == kColumns;
      table += kToTheRight[i] ? pad + line[i] : last ? line[i] : line[i] + pad;
      table += last ? "\n" : "  ";
    }
  }
  return table;
}

std::string results_json(const std::vector<ResultRow>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ResultRow& row : rows) {
    nlohmann::ordered_json one{{"result", row.id},
                               {"started_utc_ns", row.started_utc_ns},
                               {"plan", row.name},
                               {"bus", row.bus},
                               {"verdict", record::word_of(row.verdict)},
                               {"trust", record::word_of(row.trust)},
                               {"p50_ns", or_null(row.p50_ns)},
                               {"p99_ns", or_null(row.p99_ns)},
                               {"trimmed_mean_ns", or_null(row.trimmed_mean_ns)},
                               {"starred", row.starred},
                               {"tags", row.tags},
                               {"campaign", nullptr}};
    if (row.campaign)
      one["campaign"] = {{"id", row.campaign->campaign},
                         {"name", row.campaign_name},
                         {"point", row.campaign->point},
                         {"repeat", row.campaign->repeat}};
    all.push_back(std::move(one));
  }
  const nlohmann::ordered_json whole{{"results", std::move(all)}};
  return whole.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int run_results_command(const ResultsCommand& command) {
  const auto trouble = [](const std::string& text) { return complain(BenchExit::local_trouble, text); };
  const auto folder = place::open_data_folder_to_read(place::data_folder_path(command.data_dir));
  if (!folder) return trouble(folder.error().text);
  const auto store = store::ResultStore::open(folder->store());
  if (!store) return trouble(store.error().text);
  auto listing = (*store)->list();
  if (!listing) return trouble(listing.error().text);
  const store::ResultSearch search(QString::fromStdString(command.filter));
  std::erase_if(listing->rows,
                [&](const ResultRow& row) { return !search.empty() && !search.finds(row, searched_text(row)); });
  if (listing->unknown > 0)
    say(std::to_string(listing->unknown) + " results cannot be listed by this version; a newer one can");
  if (!print(command.json ? results_json(listing->rows) : results_table(listing->rows)))
    return trouble("the results list could not be written to stdout");
  return static_cast<int>(BenchExit::passed);
}

}  // namespace n2nq::cli
