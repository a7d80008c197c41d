#include "ui/results/result_columns.h"

#include <QString>
#include <algorithm>
#include <array>
#include <tuple>

#include "app/figures/limit_text.h"
#include "app/record/tags.h"
#include "app/store/store.h"

namespace n2nq::ui {
namespace {

// What tells runs apart stands first, so that p99 is in sight in a window of 1280 pixels.
constexpr std::array<ResultColumnSpec, 20> kResultColumns{{
    {ResultColumn::star, "", "Star a result with a click or S.", false, "", false},
    {ResultColumn::number, "#", "The number of the result, for use in commands: n2nq-bench report 12.", true, "1000",
     false},
    {ResultColumn::started, "Started", "When the run was started, in your local time.", false, "2026-09-30 23:59:59",
     false},
    {ResultColumn::verdict, "Verdict", "How the run ended, and whether it exceeded a limit.", false, "stopped", false},
    {ResultColumn::trust, "Trust", "Whether the figures can be believed: sound, doubtful, or - where nobody judged it.",
     false, "doubtful", false},
    {ResultColumn::name, "Plan", "The plan's name.", false, "a plan with a name", false},
    {ResultColumn::p50, "p50",
     "Half of the latencies are no higher; of requests that of their turnaround. From the actual send, or as From "
     "says.",
     true, "9,999.999", false},
    {ResultColumn::p99, "p99",
     "99 of 100 latencies are no higher; of requests that of their turnaround. From the actual send, or as From says.",
     true, "9,999.999", false},
    {ResultColumn::latency_from, "From",
     "The send that p50, p99 and trimmed mean are measured from: the actual one, or the intended one where p50 or p99 "
     "from it differ by more than 10 %.",
     false, "intended", true},
    {ResultColumn::lost, "Lost", "Deliveries that were due but not made; - where not known.", true, "100,000", false},
    {ResultColumn::sent, "Sent", "Messages sent by the senders.", true, "10,000,000", false},
    {ResultColumn::received, "Received", "Messages received by the receivers, each counted once per receiver.", true,
     "10,000,000", false},
    {ResultColumn::services, "Services", "Senders × receivers.", true, "100 × 100", false},
    {ResultColumn::mode, "Mode",
     "Each message to all receivers (broadcaster), or to one of them (load balancer); or requests and replies.", false,
     "load-balancer", false},
    {ResultColumn::bus, "Bus", "What the messages travelled over.", false, "WebSocket", true},
    {ResultColumn::asked, "Options", "Whether receivers requested messages (requests) and confirmed them (responses).",
     false, "responses", true},
    {ResultColumn::campaign, "Campaign", "The campaign the run belongs to, with its point and repeat.", false,
     "#12 thesis 1 120.3", true},
    {ResultColumn::tags, "Tags", "The tags you gave the run.", false, "night, cable 2", true},
    {ResultColumn::trimmed_mean, "Trimmed mean",
     "The mean of the lowest 95 % of latencies; of requests that of their turnaround. From the actual send, or as From "
     "says.",
     true, "9,999.999", false},
    {ResultColumn::size, "Size", "Disk space taken by the result and its files.", true, "10,000.0", false},
}};

template <class Value>
std::string or_dash(const std::optional<Value>& value, auto&& text) {
  return value ? text(*value) : std::string("-");
}

std::string asked_text(const store::ResultRow& row) {
  if (row.requests && row.responses) return "requests, responses";
  if (row.requests) return "requests";
  return row.responses ? "responses" : "-";
}

// Newer campaigns are higher, a campaign's runs in its order.
std::tuple<int64_t, uint32_t, uint32_t, uint32_t> place_of(const store::ResultRow& row) {
  const record::CampaignPlace place = row.campaign.value_or(record::CampaignPlace{});
  return {place.campaign, place.point, place.repeat, place.attempt};
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double size_of(const store::ResultRow& row) {
  return static_cast<double>(row.stored_bytes) + static_cast<double>(row.file_bytes);
}

}  // namespace

std::span<const ResultColumnSpec> result_columns() {
  return kResultColumns;
}

ColumnScales scales_of(const std::vector<store::ResultRow>& rows) {
  std::vector<double> sizes;
  for (const store::ResultRow& row : rows) sizes.push_back(size_of(row));
  const auto latencies = [&rows](ResultColumn column) {
    text::Column figures(text::Unit::duration);
    for (const store::ResultRow& row : rows) figures.add(cell_number(column, row));
    return figures.scale();
  };
  ColumnScales scales{.p50 = latencies(ResultColumn::p50),
                      .p99 = latencies(ResultColumn::p99),
                      .trimmed_mean = latencies(ResultColumn::trimmed_mean),
                      .size = text::bytes_scale(median(std::move(sizes)))};
  scales.size.decimals = scales.size.divisor > 1 ? 1 : 0;
  return scales;
}

const text::Scale* scale_of(ResultColumn column, const ColumnScales& scales) {
  switch (column) {
    case ResultColumn::p50:
      return &scales.p50;
    case ResultColumn::p99:
      return &scales.p99;
    case ResultColumn::trimmed_mean:
      return &scales.trimmed_mean;
    case ResultColumn::size:
      return &scales.size;
    default:
      return nullptr;
  }
}

std::string header_text(const ResultColumnSpec& spec, const ColumnScales& scales) {
  const text::Scale* scale = scale_of(spec.column, scales);
  return scale == nullptr ? spec.header : text::headed(spec.header, *scale);
}

std::string cell_text(ResultColumn column, const store::ResultRow& row, const ColumnScales& scales) {
  const auto count = [](uint64_t value) { return text::count(static_cast<int64_t>(value)); };
  switch (column) {
    case ResultColumn::star:
      return row.starred ? "starred" : "";
    case ResultColumn::number:
      return std::to_string(row.id);
    case ResultColumn::campaign:
      return store::campaign_text(row);
    case ResultColumn::tags:
      return record::tags_text(row.tags);
    case ResultColumn::started:
      return record::local_time(row.started_utc_ns);
    case ResultColumn::verdict:
      return figures::verdict_words(row.verdict, row.passed_limits);
    case ResultColumn::trust:
      return row.trust == record::Trust::not_judged ? "-" : to_text(row.trust);
    case ResultColumn::name:
      return row.name;
    case ResultColumn::mode:
      return to_text(row.mode);
    case ResultColumn::bus:
      return store::bus_text(row);
    case ResultColumn::asked:
      return asked_text(row);
    case ResultColumn::services:
      return count(row.senders) + " × " + count(row.receivers);
    case ResultColumn::sent:
      return count(row.sent);
    case ResultColumn::received:
      return count(row.received);
    case ResultColumn::lost:
      return or_dash(row.lost, count);
    case ResultColumn::latency_from:
      return row.intended ? "intended" : row.p50_ns ? "actual" : "-";
    case ResultColumn::p50:
    case ResultColumn::p99:
    case ResultColumn::trimmed_mean:
    case ResultColumn::size:
      return or_dash(cell_number(column, row),
                     [&](double value) { return text::scaled(value, *scale_of(column, scales)); });
  }
  return {};
}

std::optional<double> cell_number(ResultColumn column, const store::ResultRow& row) {
  switch (column) {
    case ResultColumn::number:
      return static_cast<double>(row.id);
    case ResultColumn::started:
      return static_cast<double>(row.started_utc_ns);
    case ResultColumn::services:
      return static_cast<double>(row.senders) * static_cast<double>(row.receivers);
    case ResultColumn::sent:
      return static_cast<double>(row.sent);
    case ResultColumn::received:
      return static_cast<double>(row.received);
    case ResultColumn::lost:
      return text::real(row.lost);
    case ResultColumn::p50:
      return text::real(store::shown_latency(row).p50_ns);
    case ResultColumn::p99:
      return text::real(store::shown_latency(row).p99_ns);
    case ResultColumn::trimmed_mean:
      return text::real(store::shown_latency(row).trimmed_mean_ns);
    case ResultColumn::size:
      return size_of(row);
    default:
      return {};
  }
}

bool before(ResultColumn column, const store::ResultRow& one, const store::ResultRow& other) {
  if (column == ResultColumn::started) return one.started_utc_ns < other.started_utc_ns;
  if (column == ResultColumn::star) return one.starred < other.starred;
  if (column == ResultColumn::campaign) return place_of(one) < place_of(other);
  if (column == ResultColumn::name)
    return QString::compare(QString::fromStdString(one.name), QString::fromStdString(other.name), Qt::CaseInsensitive) <
           0;
  const auto is_number = std::ranges::find(kResultColumns, column, &ResultColumnSpec::column)->number;
  if (is_number) return cell_number(column, one) < cell_number(column, other);  // nothing is less than any number
  return cell_text(column, one, {}) < cell_text(column, other, {});
}

bool has_something(ResultColumn column, const store::ResultRow& row) {
  switch (column) {
    case ResultColumn::campaign:
      return row.campaign.has_value();
    case ResultColumn::tags:
      return !row.tags.empty();
    case ResultColumn::bus:
      return row.bus != plan::BusPlan().kind;
    case ResultColumn::latency_from:
      return row.intended.has_value();
    case ResultColumn::asked:
      return row.requests || row.responses;
    default:
      return true;
  }
}

}  // namespace n2nq::ui
