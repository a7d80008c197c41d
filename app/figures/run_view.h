// A run as whoever draws it looks at it: before it, while it goes on, when it is over, or as a moment of it was. Each
// part is made when it is asked for. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/live/live_figures.h"
#include "app/record/live_record.h"
#include "app/record/run_record.h"
#include "app/record/shown_latency.h"

namespace n2nq::figures {

enum class Stage : uint8_t { planned, going_on, over };

class RunView {
 public:
  RunView() = default;
  RunView(const RunView&) = delete;
  RunView& operator=(const RunView&) = delete;
  virtual ~RunView() = default;

  virtual Stage stage() const = 0;
  virtual bool began() const = 0;
  virtual const plan::RunPlan& plan() const = 0;                        // with the filters that held at BEGIN
  virtual std::span<const record::RequestRecord> requests() const = 0;  // made in it, oldest first
  virtual std::span<const record::RunNote> notes() const = 0;
  virtual std::span<const record::PassedLimit> passed_limits() const = 0;  // by now
  virtual live::ClockState clocks() const = 0;
  virtual bool rate_reached() const = 0;                       // false: a sender is known to have stayed behind
  virtual const record::RunTotals& totals() const = 0;         // as far as they are known by now
  virtual std::optional<uint64_t> received_bytes() const = 0;  // of payload; nothing: a record without receivers
  virtual std::optional<int64_t> length_ns() const = 0;        // since BEGIN; nothing: before it
  virtual int64_t known_until_ns() const = 0;  // what is younger is not complete, and would look like a fall

  // Of the time that is looked at, in at most so many points where the slots are still there to be merged; of a record
  // all points that it has.
  virtual std::vector<live::SeriesPoint> series(int64_t from_ns, int64_t to_ns, size_t most) const = 0;
  virtual const measure::Histogram& histogram(Latency latency) const = 0;
  virtual const measure::LatencySummary& summary(Latency latency) const = 0;
  virtual bool intended() const = 0;  // the latency that is shown first is that from the intended send
  virtual std::span<const live::WaitingBatch> waiting_batches() const = 0;
  virtual std::span<const live::ServiceFigures> services(Role role) const = 0;
  virtual std::vector<record::LayerRecord> layers() const = 0;
  // With the series of these names alone; none stands for all.
  virtual std::vector<live::HostHistory> hosts(std::span<const std::string_view> names) const = 0;
  virtual std::span<const live::HostHistory> host_sums() const = 0;  // for whoever looks at no time of theirs
  virtual std::string queue_place() const = 0;                       // which of the hosts is the queue's

  // What it is made of, for whoever asks for more than that; null: of something else.
  virtual const live::LiveFigures* live() const { return nullptr; }
  virtual const record::RunRecord* record() const { return nullptr; }
};

// What is kept of a run.
class RecordView : public RunView {
 public:
  explicit RecordView(const record::RunRecord& run) : run_(run) {}

  Stage stage() const override { return Stage::over; }
  bool began() const override { return run_.began_utc_ns.has_value(); }
  const plan::RunPlan& plan() const override { return run_.plan; }
  std::span<const record::RequestRecord> requests() const override { return run_.requests; }
  std::span<const record::RunNote> notes() const override { return run_.notes; }
  std::span<const record::PassedLimit> passed_limits() const override { return run_.passed_limits; }
  live::ClockState clocks() const override { return {.kind = run_.clock_kind, .bound_ns = run_.clock_bound_ns}; }
  bool rate_reached() const override { return run_.rate_reached; }
  const record::RunTotals& totals() const override { return run_.totals; }
  std::optional<uint64_t> received_bytes() const override { return record::received_bytes(run_); }
  std::optional<int64_t> length_ns() const override;
  int64_t known_until_ns() const override { return INT64_MAX; }
  std::vector<live::SeriesPoint> series(int64_t, int64_t, size_t) const override { return run_.series; }
  const measure::Histogram& histogram(Latency latency) const override;
  const measure::LatencySummary& summary(Latency latency) const override { return run_.latencies[latency]; }
  bool intended() const override { return record::shows_intended(run_); }
  std::span<const live::WaitingBatch> waiting_batches() const override { return run_.waiting_batches; }
  std::span<const live::ServiceFigures> services(Role role) const override { return record::services_of(run_, role); }
  std::vector<record::LayerRecord> layers() const override { return run_.layers; }
  std::vector<live::HostHistory> hosts(std::span<const std::string_view>) const override { return run_.hosts; }
  std::span<const live::HostHistory> host_sums() const override { return run_.hosts; }
  std::string queue_place() const override { return record::queue_place(run_); }
  const record::RunRecord* record() const override { return &run_; }

 private:
  const record::RunRecord& run_;
  mutable std::map<Latency, measure::Histogram> histograms_;  // that were asked for
};

// A run that goes on, from what its workers have said; or one that is planned, of which nobody has said anything. For
// one look: what is asked for again is what it was.
class RunningView : public RunView {
 public:
  // `record` as far as it is made: the plan, how many messages it means, when the run began, its requests. All of them
  // stay.
  RunningView(const record::RunRecord& record, std::span<const record::RunNote> notes, const live::LiveFigures& live,
              Stage stage, bool intended = false)
      : record_(record), notes_(notes), live_(live), stage_(stage), intended_(intended) {}

  record::RunRecord record_so_far() const;  // without a series

  Stage stage() const override { return stage_; }
  bool began() const override { return record_.began_utc_ns.has_value(); }
  const plan::RunPlan& plan() const override { return record_.plan; }
  std::span<const record::RequestRecord> requests() const override { return record_.requests; }
  std::span<const record::RunNote> notes() const override { return notes_; }
  std::span<const record::PassedLimit> passed_limits() const override { return record_.passed_limits; }
  live::ClockState clocks() const override { return live_.clocks(); }
  bool rate_reached() const override { return true; }
  const record::RunTotals& totals() const override;
  std::optional<uint64_t> received_bytes() const override { return control::whole(live_.all_receivers().bytes); }
  std::optional<int64_t> length_ns() const override;
  int64_t known_until_ns() const override { return live_.complete_until_ns(); }
  std::vector<live::SeriesPoint> series(int64_t from_ns, int64_t to_ns, size_t most) const override {
    return live_.series().points(from_ns, to_ns, most);
  }
  const measure::Histogram& histogram(Latency latency) const override { return live_.histogram(latency); }
  const measure::LatencySummary& summary(Latency latency) const override { return live_.summary(latency); }
  bool intended() const override { return intended_; }
  std::span<const live::WaitingBatch> waiting_batches() const override;
  std::span<const live::ServiceFigures> services(Role role) const override {
    return role == Role::sender ? live_.senders() : live_.receivers();
  }
  std::vector<record::LayerRecord> layers() const override { return record::layers_of(live_); }
  std::vector<live::HostHistory> hosts(std::span<const std::string_view> names) const override {
    return live_.hosts().histories(names);
  }
  std::span<const live::HostHistory> host_sums() const override;
  std::string queue_place() const override { return live_.queue_host(); }
  const live::LiveFigures* live() const override { return &live_; }

 private:
  const record::RunRecord& record_;
  std::span<const record::RunNote> notes_;
  const live::LiveFigures& live_;
  Stage stage_;
  bool intended_;
  mutable std::optional<record::RunTotals> totals_{};  // that were asked for
  mutable std::optional<std::vector<live::HostHistory>> host_sums_{};
  mutable std::optional<std::vector<live::WaitingBatch>> waiting_batches_{};
};

// A moment of a run that goes on: what there was then, and its time, cut there, as fine as it is still known.
class HeldView : public RecordView {
 public:
  explicit HeldView(const RunningView& now);  // what that is made of stays

  Stage stage() const override { return Stage::going_on; }
  int64_t known_until_ns() const override { return until_ns_; }
  std::vector<live::SeriesPoint> series(int64_t from_ns, int64_t to_ns, size_t most) const override {
    return live_.series().points(from_ns, to_ns, most);
  }
  std::optional<int64_t> length_ns() const override { return length_ns_; }
  std::string queue_place() const override { return live_.queue_host(); }
  bool intended() const override { return intended_; }
  const record::RunRecord* record() const override { return nullptr; }  // it has not ended

 private:
  record::RunRecord then_;
  const live::LiveFigures& live_;
  int64_t until_ns_;
  std::optional<int64_t> length_ns_;
  bool intended_;
};

}  // namespace n2nq::figures
