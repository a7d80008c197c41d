// One sender: sends what its schedule says is due, as far as the socket takes it, and sees to it that the broker has
// all of it. A message is stamped right before the write that begins to carry it, never before the socket can take it.
// In request-reply it stays for the replies to its messages, and in closed loop they say when the next one goes.
// Thread: its loop's. States once running: sending (or paused) -> done (DONE sent) -> leaving.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "broker/base/ring.h"
#include "workers/bus/bus.h"
#include "workers/fleet/log_room.h"
#include "workers/fleet/message_source.h"
#include "workers/fleet/service.h"
#include "workers/log/log_record.h"
#include "workers/measure/pacer.h"
#include "workers/sender/requester.h"

namespace n2nq::sender {

class SenderLoop;

struct SenderCounters : ReplyCounters {
  uint64_t refused = 0;     // over a bus that answers
  uint64_t unanswered = 0;  // and neither of both, as it says at its end
  uint64_t delays = 0;
  int64_t delay_sum_ns = 0;     // their mean is the measured delay
  int64_t lateness_sum_ns = 0;  // over all sent, where there is a schedule
  int64_t state = 0;
  std::optional<int64_t> last_sent_ns{};
  bool finished = false;  // sent all it was to send
  bool late = false;      // for the asked rate: the last message, or of a load shape any
  bool idle = false;      // nothing was asked of it
  uint64_t sent() const { return static_cast<uint64_t>(count); }
  bool all_accepted() const { return accepted >= count; }
};

class SenderService final : public fleet::Service {
 public:
  SenderService(SenderLoop& loop, uint32_t slot);

  SenderCounters counters() const;

  // Sends whatever is due; asks the loop to be called again when more will be.
  void send_due();
  void pause();
  void resume();
  // Gives the broker up if it owes an answer and has been silent for long. Now and then, from the loop.
  void check_broker(int64_t now_ns);
  // Says so if its log has taken nothing for long.
  void check_log(int64_t now_ns);
  // Room in the log again, perhaps.
  void retry_log();
  // The loop knows all receivers that there are.
  void meet();
  bool announces_clock() override { return connection().open() && !done_sent_; }
  // The loop's: a request was to time out by now.
  void time_out();

  // The loop's: when it calls send_due() next, as far as asked for.
  int64_t call_ns = measure::DueQueue::kNever;

 private:
  Result<void> accept(const wire::Welcome& welcome) override;
  void begin(const fleet::Beginning& beginning) override;
  void stop_running() override;
  uint64_t bye_count() const override { return counters_.sent(); }
  bool paused() const override { return paused_at_ns_.has_value(); }
  bool drained() const override { return unlogged_.empty(); }
  void on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) override;
  void on_read_end() override;
  // Over another bus there is no reading on.
  bool takes_bytes() override { return !requester_ || outlet_ || unlogged_.empty(); }
  void on_writable() override { send_due(); }

  void follow_delay(uint64_t place, uint64_t places);
  void follow_shape(uint64_t place, uint64_t places);
  bool fill_batch(int64_t now_ns);
  uint64_t batch_end() const;
  bool due(uint64_t i, int64_t now_ns) const;
  bool beyond_end(uint64_t i) const;
  int64_t intended(uint64_t i) const;
  void write_batch();
  void say_done();
  // Our own bus is called directly, as this is what each message passes.
  bool bus_writable() { return outlet_ ? outlet_->writable() : connection().writable(); }
  size_t hand_over(bus::Batch& batch) { return outlet_ ? outlet_->hand_over(batch) : connection().hand_over(batch); }
  bus::Link* link() override { return outlet_.get(); }
  void make_link(bus::Bus& bus, bus::LinkEvents& events) override;
  bool starts_link() const override;
  void on_unlinked() override;
  void on_gone() override {
    if (requester_) requester_->give_up();
  }
  void on_bus_accepted(uint64_t count, int64_t answered_ns) override;
  void on_bus_refused() override;
  void on_bus_unanswered(uint64_t count) override;
  void on_bus_answered(const wire::DataHeader& message) override;
  void on_cut_off() override;
  bool is_measured(const wire::DataHeader& message) const;
  void note_sent(size_t i);
  void note_held(int64_t until_ns);
  void tell_held();
  bool keeps_rate(int64_t late_ns, int64_t due_ns) const;
  void log_message(const wire::DataHeader& header, std::span<const uint8_t> payload);
  void log_line(const log::LogRecord& record, std::span<const uint8_t> payload);
  void on_reply(wire::Frame frame, int64_t read_ns);
  bool awaits_replies() const { return requester_ && !requester_->settled(); }
  void settle();
  void finish_sending();
  void finish_link();
  void end_sending();
  void leave_if_done();

  static constexpr int kBatchesPerTurn = 8;
  static constexpr int64_t kQuietNs = 10'000'000'000;
  static constexpr int64_t kLeastLateNs = 10'000'000;  // a computer that does other things too may take as long

  SenderLoop& loop_;
  std::unique_ptr<bus::ForeignOutlet> outlet_;  // into a bus other than our own
  fleet::MessageSource source_;
  std::unique_ptr<Requester> requester_;  // once it runs, in request-reply
  measure::Schedule schedule_;
  SenderCounters counters_;
  uint64_t planned_ = 0;
  int64_t begin_ns_ = 0;
  int64_t origin_ns_ = 0;       // of the schedule: later for who joined late
  int64_t end_ns_ = INT64_MAX;  // where only the time tells
  int64_t length_ns_ = 0;       // of a Poisson schedule that goes by time
  std::optional<int64_t> paused_at_ns_;
  std::optional<int64_t> full_since_ns_;  // the socket takes nothing
  int64_t held_ns_ = 0;                   // by a full socket, since it was on its schedule
  int64_t heard_ns_ = 0;
  int64_t unaccepted_since_ns_ = 0;
  bool sending_ = false;
  bool done_sent_ = false;
  bool link_finished_ = false;  // over another bus
  bool end_received_ = false;
  bool count_said_ = false;        // over another bus: DONE
  bool count_known_ = false;       // and the broker has it
  int64_t log_waited_for_ns_ = 0;  // since when
  bool log_wait_told_ = false;
  std::vector<fleet::Unlogged> unlogged_;  // the log had no room
  struct Unanswered {
    int64_t sent_ns = 0;
    bool measured = false;
  };
  Ring<Unanswered> unanswered_;  // over another bus, where its server answers in order
  bool times_answers_ = false;
  bool answers_in_order_ = false;
};

}  // namespace n2nq::sender
