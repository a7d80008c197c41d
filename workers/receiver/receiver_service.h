// One receiver: checks, counts, times and logs each message, asks for more and answers where it is to do so. With a
// service time it does so once the message has been served, and what comes meanwhile waits in its line; what is in the
// line at the end of the run is served after the connection is gone, or before it goes where another bus is told then,
// unless it was told to stop. In request-reply its answer is a reply, and while the bus takes none it takes no further
// requests. It may be away for a while: then it has no link to another bus, and asks our own queue for nothing.
// Thread: its loop's. States once running: taking -> asked to leave (after stop) -> ended (after END); and as long as
// it takes: here -> going -> away -> coming -> here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "workers/bus/bus.h"
#include "workers/fleet/log_room.h"
#include "workers/fleet/service.h"
#include "workers/log/log_record.h"
#include "workers/measure/distinct.h"
#include "workers/measure/number_table.h"
#include "workers/receiver/account.h"
#include "workers/receiver/replier.h"
#include "workers/receiver/service_line.h"
#include "workers/receiver/workplace.h"

namespace n2nq::receiver {

class ReceiverLoop;

class ReceiverService final : public fleet::Service {
 public:
  ReceiverService(ReceiverLoop& loop, uint32_t slot, wire::Hello hello);

  ReceiverCounters counters() const;
  // A request made by hand, beside those it makes by itself. One that comes before it has joined is kept until then.
  void request(const wire::Request& request);
  void retry_log();
  // What the bus has for it stays there until it resumes; what it has taken already it goes on with.
  void pause();
  void resume();
  // It goes, after what is on its way to it and what it works on; or it comes.
  void be_away(bool away);
  // Over another bus, once the last sender is done: ends where nothing has come for long, and where that bus chose who
  // gets what, says how much it has had.
  void check_end(int64_t now_ns, int64_t quiet_ns);
  // The loop's: a service was to begin, or to end, by now, as it was told by serve_at().
  void serve();

  bus::LinkCounters carried() override;
  bool announces_clock() override { return replier_ && connection().open() && !counters_.stopped; }

  const std::map<uint32_t, SenderLosses>& losses() const { return losses_; }
  const measure::NumberTable<uint64_t>& highest() const { return highest_; }  // index of each sender; 0: none
  // Of messages that were meant for this receiver.
  Tallied tallied(const Tallies& tallies);

 private:
  bus::Link* link() override { return inlet_.get(); }
  void make_link(bus::Bus& bus, bus::LinkEvents& events) override { inlet_ = bus.make_inlet(events, number()); }
  void on_linked() override;
  void on_unlinked() override;
  bool comes_later() const override { return presence_ == Presence::away; }
  void on_readable() override { read_on(); }
  void read_on();
  void leave_if_all_came();
  bool may_have_unsent();
  Result<void> accept(const wire::Welcome& welcome) override;
  void begin(const fleet::Beginning& beginning) override;
  void stop_running() override;
  uint64_t bye_count() const override { return elsewhere_ ? had() : counters_.received(); }
  // Of all that the fleet has had, what came to this one first.
  uint64_t had() const { return firsts_; }
  void on_share(wire::Frame frame);
  void on_tally(wire::Frame frame);
  void on_cut_off() override;
  void on_gone() override;
  void say_had();
  bool takes_bytes() override {
    return !paused() && unlogged_.empty() && !(line_ && line_->full()) && !(replier_ && !replier_->empty()) &&
           presence_ != Presence::going;
  }
  bool paused() const override { return paused_ && running(); }
  bool away() const override { return presence_ == Presence::away || presence_ == Presence::coming; }
  bool drained() const override { return unlogged_.empty() && !serves(); }
  void stop_draining() override;
  void on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) override;
  void on_read_end() override;
  void on_writable() override;

  void on_data(wire::Frame frame, int64_t read_ns);
  uint32_t judge(const wire::DataHeader& data, bool good, bool again);
  void count_delivery(const Delivered& delivered);
  void serve_or_pass(const Delivered& delivered);
  void begin_service(int64_t now_ns);
  bool may_begin(int64_t now_ns);
  void begin_first(int64_t now_ns);
  void on_place();
  void leave_place();
  void break_off();
  void drop_line();
  void tell_done();
  void drop_replies();
  // Something that it acknowledges once it has worked on it.
  bool has_undone() const { return acknowledges_late_ && !hurries_ && line_ && !line_->empty(); }
  bool serves() const { return line_ && !line_->empty() && (cut_off_ || state() != control::kGone); }
  void on_again(wire::Frame frame);
  void on_skip(wire::Frame frame);
  void on_clock(wire::Frame frame);
  void on_end(wire::Frame frame);
  bool may_go() const;
  void follow();
  void go();
  void go_on_going();
  void come();
  void keep_early(const wire::Request& request);
  void send_request(const wire::Request& request);
  void send_responses();
  void send_replies();
  size_t hand_over(bus::Batch& batch);
  bool bus_takes_replies();
  void leave_for_good();
  void ask_for_more();
  void log_message(const wire::DataHeader& data, wire::Frame frame, int64_t read_ns, int64_t latency_ns,
                   uint32_t flags);
  void log_reply(std::span<const uint8_t> frame);
  void log_line(const log::LogRecord& record, std::span<const uint8_t> payload);

  enum class Presence { here, going, away, coming };

  ReceiverLoop& loop_;
  const bool elsewhere_;                             // its messages come over a bus other than our own
  std::unique_ptr<bus::ForeignInlet> inlet_;         // out of that, unless it is away
  std::unique_ptr<bus::ForeignInlet> former_inlet_;  // is closed
  bus::LinkCounters formerly_carried_;               // by all that are
  bool acknowledges_late_ = false;                   // of that: once a message is worked on
  size_t done_ = 0;                                  // of that: messages worked on that it has not been told of
  int64_t done_ns_ = INT64_MIN;                      // the last of those that it acknowledges late
  bool cut_off_ = false;                             // of that: nothing comes out of it any more
  std::optional<int64_t> ended_ns_;                  // of that: when it heard that no sender sends any more
  ReceiverCounters counters_;
  // Apart, because a thousand receivers times a thousand senders make a million of each.
  measure::NumberTable<uint64_t> highest_;            // index of each sender
  measure::NumberTable<measure::Distinct> distinct_;  // of the broadcaster; the load balancer counts for the fleet
  std::map<uint32_t, SenderLosses> losses_;
  bool load_balancer_ = false;
  Presence presence_;
  bool to_be_away_;
  bool paused_ = false;
  int64_t resumed_ns_ = INT64_MIN;  // what it held until then was not taken before
  int64_t begin_ns_ = 0;            // broker's clock
  int64_t own_begin_ns_ = 0;        // the same in this worker's
  std::optional<wire::Again> again_;
  uint64_t firsts_ = 0;                  // good ones that nobody in the fleet had before
  std::optional<wire::Share> had_said_;  // over another bus
  bool had_asked_ = false;
  bool hurries_ = false;                // the queue was stopped, and waits for nobody's work
  uint64_t round_ = 0;                  // how many it asks for each time; 0: it does not ask by itself
  uint64_t asked_;                      // messages asked for that have not come
  std::optional<wire::Request> early_;  // what was requested before it joined, or while it is away
  std::set<std::pair<uint32_t, uint64_t>> refused_;
  std::vector<wire::ResponseItem> answers_;
  std::unique_ptr<ServiceLine> line_;  // with a service time
  bool has_place_ = false;             // in the pool that receivers share
  std::shared_ptr<Workplace::Work> work_;
  std::unique_ptr<Replier> replier_;  // in request-reply
  bool leaves_once_replied_ = false;
  int64_t leaves_at_ns_ = 0;  // then at the latest
  bool leaves_ = false;       // over another bus: as soon as its inlet is closed
  bool bus_full_ = false;     // of another bus: it took no reply, and has not said that it does again
  std::vector<fleet::Unlogged> unlogged_;
};

}  // namespace n2nq::receiver
