// What the worker processes of one run have said of themselves, merged: rows of services, totals, histograms, the time
// series. The only source of live figures. What receivers say counts once senders have spoken of as late a time, so
// that at each moment all figures fit together and none has more received than sent. Pulled by whoever shows it:
// revision() says whether there is news. What a worker says that cannot be (a service it does not have, a counter that
// falls) is passed over and counted. UI thread (no Qt in it). Memory does not grow with the length of the run.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/live/host_figures.h"
#include "app/live/layer_figures.h"
#include "app/live/merged_histogram.h"
#include "app/live/rate_meter.h"
#include "app/live/row_update.h"
#include "app/live/service_figures.h"
#include "app/live/time_series.h"
#include "app/live/waiting_batches.h"
#include "app/plan/run_plan.h"
#include "workers/control/telemetry.h"
#include "workers/measure/histogram.h"
#include "workers/measure/latency_summary.h"

namespace n2nq::live {

// One process behind the figures.
struct WorkerFigures {
  Role role = Role::receiver;
  uint32_t first_service = 1;
  uint32_t services = 0;
  control::ProcessFigures process{};
  double cpu_share = 0;   // of one core, over the last second
  uint64_t merged = 0;    // telemetry lines that were merged because the bench was slow to read
  uint64_t waiting = 0;   // services whose news did not fit into its last line
  uint64_t nonsense = 0;  // lines, rows and histograms that were not taken
};

// How the clocks behind the latencies stand to each other, the worst of all.
struct ClockState {
  std::string kind = "same";  // same: one clock, as far as is known; measured; unknown: a sender's cannot be told
  std::optional<uint64_t> bound_ns{};  // every latency so far is right within this
  bool operator==(const ClockState&) const = default;
};

class LiveFigures {
 public:
  // A fleet of somebody else's may have more services than planned; rows are made for so many of them at most.
  static constexpr uint32_t kMostServices = 100'000;
  // For one receiver process, that wait for what senders say; when there are more, the first waits no longer.
  static constexpr size_t kMostLinesWaiting = 64;

  LiveFigures(uint32_t senders, uint32_t receivers);

  // A worker is told before its telemetry comes; returns its number. `host`: where it runs.
  uint32_t add_worker(Role role, uint32_t first_service, uint32_t services, const std::string& host = {});
  void set_queue_host(const std::string& host) { queue_host_ = host; }
  // What carries the messages, and with it what its workers can know; at first our own queue. A server of the user's
  // own, that messages go through, has host and processes that are not those of the queue.
  void set_bus(const bus::BusTraits& bus, const std::map<std::string, std::string>& settings = {}) {
    bus_ = &bus;
    answers_ = bus::answers(bus, settings);
    server_ = bus::value_of(bus, settings, "address");
    server_hosts_.clear();
    if (!server_.empty()) return;
    server_ = bus::value_of(bus, settings, bus::kHostsKey);
    server_hosts_ = bus::parts_in(server_);
  }
  void begin(uint32_t worker, int64_t origin_monotonic_ns);
  // Figures of later than an hour after `elapsed_ns` since BEGIN are nonsense: one such stamp would make the series
  // coarse for good.
  void take(uint32_t worker, const control::Telemetry& telemetry, int64_t elapsed_ns = TimeSeries::kLongestNs);
  void set_worker_gone(uint32_t worker);  // its services are gone, unless they were done or stopped
  // From now on a sender that ends before it has sent its number of messages (nothing: whenever it ends) was stopped.
  void stop_senders(std::optional<std::vector<uint64_t>> planned);

  uint64_t revision() const { return revision_; }
  bool begun() const { return begun_; }
  // The latest time since BEGIN that any worker spoke of, and the earliest of the last words of all that still speak:
  // up to there the picture is complete. A worker that is two seconds behind does not speak. What one has said and
  // waits to be taken is awaited, even if the worker is gone.
  int64_t now_ns() const { return now_ns_; }
  int64_t complete_until_ns() const;
  // How much each sender had sent at the moment that the receivers' figures are of, by its newest message and its rate:
  // never less than before, nor so little that more would be received than was sent. And how much all of them have sent
  // since.
  std::span<const int64_t> sent_then() const;
  uint64_t sent_beyond_receivers() const;
  // How often the messages of each sender are wanted. Nothing, as at first: only the queue knows.
  void set_wanted(std::optional<std::vector<uint64_t>> by_sender) { wanted_ = std::move(by_sender); }

  // Index number-1; as many as the plan has, or more where a worker has more.
  std::span<const ServiceFigures> senders() const { return senders_.rows; }
  std::span<const ServiceFigures> receivers() const { return receivers_.rows; }
  // Totals; number 0. Means are weighted by messages, percentiles those of all latencies. The state is `running` as
  // long as one service runs, and `done` only when all are.
  const ServiceFigures& all_senders() const { return senders_.all; }
  const ServiceFigures& all_receivers() const;
  uint64_t delivered() const { return static_cast<uint64_t>(receivers_.all.count); }  // all_receivers().count, at once
  // One of the above with the rate and the means of the whole run so far in place of those of the last look: messages a
  // second from BEGIN to the last message of its role; of totals the means leave warm-up out.
  ServiceFigures of_whole_run(const ServiceFigures& figures) const;
  // The means alone; the rate stays that of about the last second.
  ServiceFigures with_means_of_whole_run(const ServiceFigures& figures) const;
  std::span<const WorkerFigures> workers() const { return workers_; }
  uint64_t nonsense() const;  // of all workers

  ClockState clocks() const;

  const TimeSeries& series() const { return series_; }
  // For all workers since BEGIN; its summary is computed at most once a revision.
  const measure::Histogram& histogram(Latency latency) const { return latencies_[latency].histogram(); }
  const measure::LatencySummary& summary(Latency latency) const;
  const WaitingBatches& waiting_batches() const { return waiting_batches_; }
  const LayerFigures& layers() const { return layers_; }
  LayerFigures& layers() { return layers_; }
  // What recorders say; whoever hears them puts it in.
  const HostFigures& hosts() const { return hosts_; }
  HostFigures& hosts() { return hosts_; }
  const std::string& queue_host() const { return queue_host_; }
  const std::string& server() const { return server_; }
  // On each of which a process of the run keeps servers.
  const std::vector<std::string>& server_hosts() const { return server_hosts_; }
  const bus::BusTraits& bus() const { return *bus_; }
  // What all connections have carried, each byte once; nothing as long as not every worker has said it.
  std::optional<control::WireFigures> wire() const;

 private:
  // All services of a role.
  struct Side {
    std::vector<ServiceFigures> rows{};
    std::vector<RateMeter> meters{};  // by row
    std::vector<MeanSums> means{};    // by row, of the whole run
    int64_t last_message_ns = 0;      // since BEGIN
    int64_t most = 0;                 // messages of one of them
    ServiceFigures all{};
    std::array<uint32_t, 9> states{};  // how many rows are in each
  };
  // What is known of one worker between its lines.
  struct Account {
    std::deque<control::Telemetry> lines{};  // of a receiver process, that wait for senders
    bool heard = false;                      // it has said anything, if only before BEGIN
    std::optional<int64_t> origin_ns{};
    int64_t time_ns = 0;  // of its last line since BEGIN
    int64_t from_ns = 0;  // of the line before
    int64_t added = 0;    // messages in its last line
    int64_t replied = 0;  // replies in it
    uint64_t in_slots = 0, replies_in_slots = 0;
    ServiceFigures totals{};
    uint64_t waited = 0;  // messages whose waiting it has told of, and how long all of them did
    double waited_ns = 0;
    RateMeter rate{};
    RateMeter cpu{};  // on its own clock, from before BEGIN
    bool silent = false;
    bool gone = false;
  };

  Side& side(Role role) { return role == Role::sender ? senders_ : receivers_; }
  void grow(Role role, uint64_t services);
  ServiceFigures* find_row(uint32_t worker, int64_t service);  // null: not one of this worker
  bool is_beyond_rows(uint32_t worker, int64_t service) const;
  void set_state(ServiceFigures& row, ServiceState state);
  bool was_stopped(const ServiceFigures& row, int64_t sent) const;

  std::span<ServiceFigures> rows_of(uint32_t worker);
  RateMeter& meter_of(const ServiceFigures& row);

  int64_t since_begin_ns(uint32_t worker, const control::Telemetry& telemetry) const;
  int64_t spoke_until_ns(uint32_t worker) const;
  int64_t senders_told_until_ns() const;
  void take_what_waited();
  void take_line(uint32_t worker, const control::Telemetry& telemetry);
  void take_process(uint32_t worker, const control::Telemetry& telemetry);
  void take_states(uint32_t worker, const control::Telemetry& telemetry);
  void take_counts(uint32_t worker, const control::Telemetry& telemetry, int64_t to_ns);
  void take_totals(uint32_t worker, const control::Telemetry& telemetry, int64_t from_ns, int64_t to_ns);
  void take_slots(uint32_t worker, const control::SlotList& slots, bool timed, TimeSeries::Add add, int64_t counted,
                  uint64_t& in_slots);
  void take_service(uint32_t worker, const control::ServiceRow& row, int64_t to_ns);
  void take_histogram(uint32_t worker, const control::HistogramDelta& delta, int64_t from_ns, int64_t to_ns);
  void take_waiting(uint32_t worker, const control::HistogramMoments& moments, int64_t from_ns, int64_t to_ns);
  void let_rates_fall(uint32_t worker, bool all_told);
  void leave(uint32_t worker);
  bool behind(uint32_t worker) const;
  void silence_those_behind();
  void silence(uint32_t worker);
  void add_up(Role role);
  int64_t receivers_told_until_ns() const;
  void reckon_sent_then() const;
  void raise_sent_then(std::span<const uint64_t> wanted, int64_t received) const;

  uint64_t revision_ = 0;
  bool begun_ = false;
  int64_t now_ns_ = 0;
  int64_t latest_ns_ = TimeSeries::kLongestNs;  // since BEGIN, that the line being taken may be of
  Side senders_, receivers_;
  struct Stop {
    std::optional<std::vector<uint64_t>> planned{};  // messages by sender
  };
  std::optional<Stop> stop_;
  std::vector<WorkerFigures> workers_;
  std::vector<Account> accounts_;  // as workers_
  TimeSeries series_;
  LayerFigures layers_;
  HostFigures hosts_;
  std::string queue_host_;
  std::string server_;
  std::vector<std::string> server_hosts_;
  const bus::BusTraits* bus_ = bus::find_bus("n2nq");
  bool answers_ = true;
  control::ByLatency<MergedHistogram> latencies_;
  WaitingBatches waiting_batches_;
  std::optional<std::vector<uint64_t>> wanted_;
  mutable std::optional<uint64_t> reckoned_;  // the revision of the next two
  mutable std::vector<int64_t> sent_then_;
  mutable uint64_t sent_beyond_ = 0;
  struct Summary {
    std::optional<uint64_t> revision{};
    measure::LatencySummary figures{};
  };
  mutable control::ByLatency<Summary> summaries_;
  mutable ServiceFigures all_receivers_;
};

}  // namespace n2nq::live
