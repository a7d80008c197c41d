// The pictures of one run, before it, live or stored: each takes just what it shows. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/figure.h"
#include "app/figures/run_view.h"
#include "app/figures/waiting.h"
#include "app/live/host_history.h"
#include "app/live/service_figures.h"
#include "app/live/time_series.h"
#include "app/record/backlog.h"
#include "app/record/pauses.h"
#include "app/record/run_record.h"
#include "workers/measure/histogram.h"
#include "workers/measure/load_profile.h"

namespace n2nq::figures {

inline constexpr size_t kMostPoints = 300;
inline constexpr size_t kMostBars = 60;
inline constexpr const char* kHighestName = "max";  // of latency over time: the series of the highest of each point

// Those that a figure over time has room for.
struct Landmarks {
  std::vector<Landmark> shown{};  // by x
  size_t left_out = 0;
  bool operator==(const Landmarks&) const = default;
};

// What every picture of the run must say beside its figures.
struct FigureContext {
  int64_t warmup_ns = 0;
  std::string clock_kind = "same";
  std::optional<uint64_t> clock_bound_ns{};
  Stage stage = Stage::over;
  bool began = true;                            // the run; else it is yet to, or ended before it did
  Landmarks landmarks{};                        // of figures over time
  std::vector<Stretch> stretches{};             // the same
  std::vector<plan::RunLimit> limits{};         // the same
  std::optional<measure::LoadProfile> asked{};  // the rate that the plan asks for, where it has one
  bool asked_before = false;                    // it is all known before the run: a shape
  std::optional<int64_t> asked_delay_ns{};      // between messages of a sender, on average; nothing: it changes
  std::optional<uint64_t> asked_messages{};     // in all; nothing: by chance about as many as it has
  record::Pauses pauses{};                      // which move what is asked for
  record::AskedSends asked_sends{};
  std::optional<double> due_per_message{};  // deliveries; nothing: it cannot be told
  int64_t due_until_ns = INT64_MAX;         // from then on it cannot be told either: requests changed
  std::vector<record::Pause> receiver_pauses{};
  bool replies = false;      // request-reply: turnaround is what figures of latency show first
  bool intended = false;     // they show that from the intended send first, as the figures beside them do
  uint32_t closed_loop = 0;  // requests outstanding at a time; 0: by schedule
  bool recorded = true;      // the plan wants hosts to be recorded
  plan::BusPlan bus{};       // what carried the messages, and so where they went
  bool over() const { return stage == Stage::over; }
};
FigureContext context_of(const RunView& run);
// What of it changes from look to look, while its plan and its log are those that it was made of.
void follow(FigureContext& context, const RunView& run);

// What receivers were owed and had not received, from `from_ns` on; the slots are those from BEGIN.
Figure backlog_figure(std::span<const live::SeriesPoint> series, const FigureContext& context, int64_t from_ns = 0);
// Without slots, before a run, what it will be asked alone.
Figure rate_figure(std::span<const live::SeriesPoint> series, const FigureContext& context);
// With replies that of turnaround, and of the ways there and back. With the round trips between each host with workers
// and where messages go, up to `to_ns` of the run: of the network, and of TCP the kernel's least one, as its others
// have the time in them by which acknowledgements are delayed.
Figure latency_over_time_figure(std::span<const live::SeriesPoint> series, const FigureContext& context,
                                std::span<const live::HostHistory> hosts = {}, int64_t from_ns = 0,
                                int64_t to_ns = INT64_MAX);
// Of what senders sent: how long after the message before, and how far behind the schedule.
Figure schedule_figure(std::span<const live::SeriesPoint> series, const FigureContext& context);
inline constexpr std::string_view kRoundTripSeries[] = {"network_round_trip", "rtt_least"};
struct RoundTrips {
  std::vector<Series> series{};
  bool of_tcp = false;  // of these, too
};
RoundTrips round_trips_of(std::span<const live::HostHistory> hosts, int64_t from_ns, int64_t to_ns,
                          const bus::BusTraits& bus);
// Of latency, or with replies of turnaround: from actual and from intended sending, on the tail axis up to the last
// percentile that the count supports (1 - 1/count) and, at 1 - 1/(2 count), to the longest value; at most kMostPoints
// points each; and where it is measured publish latency. The p95-trimmed mean and the largest value are notes.
Figure latency_by_percentile_figure(const measure::Histogram& latency, const measure::Histogram& scheduled,
                                    const FigureContext& context, const measure::Histogram& publish = {});
// The same in bins of equal width; what of a long tail is left out is a note.
Figure histogram_figure(const measure::Histogram& latency, const FigureContext& context);
// p50 and p99 of each receiver: bars, or lines beyond kMostBars receivers. Beyond kMostPoints a point is the slowest of
// several neighbours. The measured delay of each sender is left to its table.
Figure per_service_figure(std::span<const live::ServiceFigures> receivers, const FigureContext& context);
// Median and p99 of each layer, for each host with workers and the queue's host.
Figure layers_figure(std::span<const record::LayerRecord> layers, const FigureContext& context);

// The mean waiting time for service with its confidence interval, and what theory says; and the same as the mean number
// of messages that wait.
Figure waiting_figure(const WaitingSums& sums, const FigureContext& context);
Figure queue_length_figure(const WaitingSums& sums, const FigureContext& context);

// Over time, up to `to_ns` of the run: of each host, and of the queue, the senders and the receivers on it, the cores
// that they keep busy, their memory, and what goes to and from disks and, of a host, the network; of each side of their
// connections the round trip, the window, and what is sent again.
enum class HostLane : uint8_t { processor, memory, disks, network, round_trip, window, sent_again };
std::optional<HostLane> host_lane(const Figure& figure);
Figure hosts_figure(HostLane lane, std::span<const live::HostHistory> hosts, const FigureContext& context,
                    int64_t from_ns = 0, int64_t to_ns = INT64_MAX);

// What a picture is drawn of, and the part of the run that is looked at.
struct Look {
  const RunView& run;
  const FigureContext& context;
  int64_t from_ns = 0, to_ns = INT64_MAX;
};

// All pictures of a run in one list: the window's tabs in their order, the pictures of a run that goes on, and those of
// a stored one. Another is an entry in figures.cpp.
struct Picture {
  const char* id;
  const char* name;
  const char* tip;
  Figure (*draw)(const Look& at);
  bool over_time = false;
  const char* name_of_replies = nullptr;  // where it is another one of requests and replies
  const char* tip_of_replies = nullptr;
};
std::span<const Picture> pictures();
const char* name_of(const Picture& picture, bool replies);
Figure draw(std::string_view id, const Look& look);                      // without a title: there is no such picture
std::vector<Figure> figures_of(const record::RunRecord& record);         // of a stored run
Figure figure_of(const record::RunRecord& record, std::string_view id);  // one of them

}  // namespace n2nq::figures
