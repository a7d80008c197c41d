// One receiver: checks, counts, times and logs each message, asks for more and answers where it is to do so. With a
// service time it does so once the message has been served, and what comes meanwhile waits in its line; what is in the
// line at the end of the run is served after the connection is gone, unless it was told to stop.
// Thread: its loop's. States once running: taking -> asked to leave (after stop) -> ended (after END).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "workers/fleet/service.h"
#include "workers/log/log_record.h"
#include "workers/receiver/account.h"
#include "workers/receiver/distinct.h"
#include "workers/receiver/sender_table.h"
#include "workers/receiver/service_line.h"

namespace n2nq::receiver {

class ReceiverLoop;

class ReceiverService final : public fleet::Service {
 public:
  ReceiverService(ReceiverLoop& loop, uint32_t slot, wire::Hello hello);

  ReceiverCounters counters() const;
  // A request made by hand, beside those it makes by itself. One that comes before it has joined is kept until then.
  void request(const wire::Request& request);
  void retry_log();
  // The loop's: a service that began with serve_at() was to end by now.
  void serve();

  const std::map<uint32_t, SenderLosses>& losses() const { return losses_; }

 private:
  struct Unlogged {
    log::LogRecord record;
    std::vector<uint8_t> payload;
  };

  Result<void> accept(const wire::Welcome& welcome) override;
  void begin(const fleet::Beginning& beginning) override;
  void stop_running() override;
  uint64_t bye_count() const override { return counters_.received; }
  bool takes_bytes() override { return unlogged_.empty() && !(line_ && line_->full()); }
  bool drained() const override { return unlogged_.empty() && !serves(); }
  void stop_draining() override;
  void on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) override;
  void on_read_end() override;

  void on_data(wire::Frame frame, int64_t read_ns);
  uint32_t judge(const wire::DataHeader& data, bool good, bool again);
  void count_delivery(const Delivered& delivered);
  void serve_or_pass(const Delivered& delivered);
  void begin_service(int64_t now_ns);
  void drop_line();
  bool serves() const { return line_ && !line_->empty() && state() != control::kGone; }
  void on_again(wire::Frame frame);
  void on_skip(wire::Frame frame);
  void on_clock(wire::Frame frame);
  void on_end(wire::Frame frame);
  void keep_early(const wire::Request& request);
  void send_request(const wire::Request& request);
  void send_responses();
  void ask_for_more();
  void log_message(const wire::DataHeader& data, wire::Frame frame, int64_t read_ns, int64_t latency_ns,
                   uint32_t flags);

  ReceiverLoop& loop_;
  ReceiverCounters counters_;
  // Apart, because a thousand receivers times a thousand senders make a million of each.
  SenderTable<uint64_t> highest_;   // index of each sender
  SenderTable<Distinct> distinct_;  // of the broadcaster; the load balancer counts for the fleet
  std::map<uint32_t, SenderLosses> losses_;
  bool load_balancer_ = false;
  int64_t begin_ns_ = 0;  // broker's clock
  std::optional<wire::Again> again_;
  uint64_t round_ = 0;                  // how many it asks for each time; 0: it does not ask by itself
  uint64_t asked_ = 0;                  // messages asked for that have not come
  std::optional<wire::Request> early_;  // what was requested before it joined
  std::set<std::pair<uint32_t, uint64_t>> refused_;
  std::vector<wire::ResponseItem> answers_;
  std::unique_ptr<ServiceLine> line_;  // with a service time
  std::vector<Unlogged> unlogged_;
};

}  // namespace n2nq::receiver
