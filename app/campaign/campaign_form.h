// A campaign as a person edits it: each axis in lines of text, durations and limits as they were typed, whole or half.
// Pure; any thread.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/search_form.h"
#include "broker/base/result.h"

namespace n2nq::campaign {

// With fields, each value is given to all of them: "senders.count, receivers.count" and "1, 10, 100". Without, each
// value says what it sets: "plain: base | pinned: queue.requests=true, senders.size=50B". What has a comma in it stands
// in "quotes".
struct AxisForm {
  std::string name{};
  std::string fields{};
  std::string values{};
  bool operator==(const AxisForm&) const = default;
};

struct CampaignForm {
  Campaign rest{};  // all but what follows
  std::vector<AxisForm> axes{};
  SearchForm search{};  // while it is on, what belongs to axes is kept, and is not a part of the campaign
  std::string repeats = "1";
  std::string tries = "2";
  std::string pause = "0s";
  std::string every{};  // "10min from 08:00"; empty: one run after another
  std::string limit{};
  std::string external_senders{};    // "vm2, vm3"
  std::string external_receivers{};  // empty: those of the senders
  std::string figures_for{};         // a metric: figures are made from the axes; empty: as they stand in the rest
  bool operator==(const CampaignForm&) const = default;
};

CampaignForm form_of(const Campaign& campaign);
// The error names the place: "axis 2: senders.count: ...". Whether the campaign can be started is for problem_of().
Result<Campaign> campaign_of(const CampaignForm& form);
Result<Axis> axis_of(const AxisForm& form, const plan::RunPlan& base);
// A plan by itself, with nothing that varies yet.
CampaignForm form_of_plan(const plan::RunPlan& plan);
// What it is called as long as nobody gave it a name: "night over Kafka and NATS", after its plan and its buses.
std::string made_name(const CampaignForm& form);
// The load of a plan over its bus and over another one, each with default settings and after both are warm, by turns;
// of a plan of our own bus over the two between which most have to choose.
using TwoBuses = std::array<std::string, 2>;  // kinds of workers/bus/bus_table.h
TwoBuses buses_for(const plan::RunPlan& plan);
CampaignForm form_of_buses(const plan::RunPlan& plan, const TwoBuses& buses);
// What of the plan that leaves aside, and what its runs lack; for people, empty: nothing.
std::string note_of_buses(const plan::RunPlan& plan, const TwoBuses& buses);
// The two between which most have to choose, of those whose server is one of these (BusTraits::server) or that need
// none.
TwoBuses buses_with(std::span<const std::string> servers);

std::string to_json(const CampaignForm& form);
Result<CampaignForm> parse_form(std::string_view json);

}  // namespace n2nq::campaign
