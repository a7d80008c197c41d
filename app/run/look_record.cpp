#include "app/run/look_record.h"

#include <algorithm>
#include <array>

#include "app/plan/plain_text.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::run {
namespace {

using record::BandwidthRecord;
using record::HopRecord;

std::string hop_text(const HopRecord& hop) {
  if (hop.address.empty()) return "no answer";
  return hop.address + (hop.round_trip_ns ? " (" + text::duration(static_cast<double>(*hop.round_trip_ns)) + ")" : "");
}

// A worker's own words may be anything.
std::string plain(std::string words) {
  constexpr size_t kLongest = 500;
  words.resize(std::min(words.size(), kLongest));
  return plan::one_line(std::move(words));
}

}  // namespace

std::vector<std::string> add_look(record::RunRecord& record, const control::Looked& looked, const std::string& from,
                                  const std::string& to) {
  std::vector<std::string> troubles;
  if (looked.path) {
    for (const control::PathFigures::Hop& hop : looked.path->hops)
      record.paths.push_back({.from = from,
                              .to = to,
                              .hop = static_cast<uint32_t>(&hop - looked.path->hops.data()) + 1,
                              .address = hop.address,
                              .round_trip_ns = hop.round_trip_ns,
                              .port = looked.path->port,
                              .source_port = looked.path->source_port});
    if (looked.path->reached && !looked.path->hops.empty()) record.paths.back().reached = true;
    if (!looked.path->trouble.empty()) troubles.push_back(plain(looked.path->trouble));
    if (looked.path->trouble.empty() && looked.path->hops.empty())
      troubles.push_back("no hop answers; a firewall may block UDP or the replies");
  }
  if (looked.bandwidth) {
    const control::BandwidthFigures& bandwidth = *looked.bandwidth;
    if (bandwidth.trouble.empty())
      record.bandwidths.push_back(
          {.from = from, .to = to, .bytes = bandwidth.bytes, .duration_ns = bandwidth.duration_ns});
    else
      troubles.push_back("its bandwidth is unknown: " + plain(bandwidth.trouble));
  }
  return troubles;
}

std::string path_text(const record::RunRecord& record, const std::string& from) {
  std::string path;
  uint32_t hops = 0;
  bool reached = false;
  std::string pair, by;
  for (const HopRecord& hop : record.paths) {
    if (hop.from != from) continue;
    pair = hop.from + " - " + hop.to;
    add_part(path, ", ", hop_text(hop));
    hops = hop.hop;
    reached = reached || hop.reached;
    by = record::way_of(hop);
  }
  if (hops == 0) return {};
  return pair + ": " + text::amount(hops, "hop") + (reached ? "" : " and then no answer") + ", by " + by + ": " + path;
}

std::string bandwidth_text(const record::RunRecord& record, const std::string& from) {
  const auto one = std::ranges::find(record.bandwidths, from, &BandwidthRecord::from);
  if (one == record.bandwidths.end()) return {};
  return one->from + " - " + one->to + ": " + text::bytes(one->bytes_per_s()) + "/s, by " +
         text::bytes(static_cast<double>(one->bytes)) + " in " + text::duration(static_cast<double>(one->duration_ns));
}

std::vector<std::string> look_texts(const record::RunRecord& record, const std::string& from) {
  std::vector<std::string> texts;
  for (std::string text : std::array{path_text(record, from), bandwidth_text(record, from)})
    if (!text.empty()) texts.push_back(std::move(text));
  return texts;
}

}  // namespace n2nq::run
