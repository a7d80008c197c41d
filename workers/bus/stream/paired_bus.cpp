#include "workers/bus/stream/paired_bus.h"

#include <span>
#include <vector>

#include "workers/bus/batch.h"

namespace n2nq::bus {
namespace {

// Thread: the loop's.
class LinkPair {
 public:
  explicit LinkPair(LinkEvents& events) : events_(events), first_events_(*this), second_events_(*this) {}
  LinkPair(const LinkPair&) = delete;
  LinkPair& operator=(const LinkPair&) = delete;

  // What the two are made with, before anything else.
  LinkEvents& first_events() { return first_events_; }
  LinkEvents& second_events() { return second_events_; }
  void join(Link& first, Link& second) {
    first_ = &first;
    second_ = &second;
  }

  void start() { first_->start(); }
  void finish();
  void cut_off();
  LinkCounters counters() const;
  int fd() const { return second_->fd(); }
  // A reply that is not taken now has its turn before the first ends.
  bool note_reply(bool taken) {
    owes_reply_ = !taken;
    return taken;
  }

 private:
  // Of the link for replies, which are not accounted for as messages are.
  class First : public LinkEvents {
   public:
    explicit First(LinkPair& pair) : pair_(pair) {}
    void on_link_ready() override;
    void on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) override {
      events().on_frame(header, frame, read_ns);
    }
    void on_read_end() override { events().on_read_end(); }
    void on_writable() override;
    void on_told(const std::string& what) override { events().on_told(what); }
    void on_link_closed() override { events().on_link_closed(); }
    void on_link_lost(const Loss& loss) override;

   protected:
    LinkEvents& events() { return pair_.events_; }
    LinkPair& pair_;
  };
  class Second final : public First {
   public:
    using First::First;
    void on_link_ready() override { events().on_link_ready(); }
    bool wants_bytes() override { return events().wants_bytes(); }
    void on_accepted(uint64_t count, int64_t answered_ns) override { events().on_accepted(count, answered_ns); }
    void on_refused() override { events().on_refused(); }
    void on_unanswered(uint64_t count) override { events().on_unanswered(count); }
    void on_answered(const wire::DataHeader& message) override { events().on_answered(message); }
    void on_writable() override { events().on_writable(); }
    void on_link_closed() override;
    void on_link_lost(const Loss& loss) override;
  };

  LinkEvents& events_;
  First first_events_;
  Second second_events_;
  Link* first_ = nullptr;
  Link* second_ = nullptr;
  bool finishing_ = false;
  bool owes_reply_ = false;
  bool second_closed_ = false;
};

void LinkPair::finish() {
  finishing_ = true;
  second_->finish();
}

void LinkPair::cut_off() {
  finishing_ = true;
  first_->cut_off();
  second_->cut_off();
}

LinkCounters LinkPair::counters() const {
  LinkCounters both = first_->counters();
  return both += second_->counters();
}

void LinkPair::First::on_link_ready() {
  if (!pair_.finishing_) pair_.second_->start();
}

void LinkPair::First::on_writable() {
  pair_.owes_reply_ = false;
  events().on_writable();
  if (pair_.second_closed_ && !pair_.owes_reply_) pair_.first_->finish();
}

void LinkPair::Second::on_link_closed() {
  pair_.second_closed_ = true;
  if (!pair_.owes_reply_) pair_.first_->finish();
}

void LinkPair::First::on_link_lost(const Loss& loss) {
  pair_.second_->cut_off();
  events().on_link_lost(loss);
}

void LinkPair::Second::on_link_lost(const Loss& loss) {
  pair_.first_->cut_off();
  events().on_link_lost(loss);
}

// A link of a service that is such a pair.
template <class Link, class Replies, class Requests>
class Paired : public Link {
 public:
  template <class MakeReplies, class MakeRequests>
  Paired(LinkEvents& events, const MakeReplies& replies, const MakeRequests& requests)
      : pair_(events), replies_(replies(pair_.first_events())), requests_(requests(pair_.second_events())) {
    pair_.join(*replies_, *requests_);
  }

  void start() final { pair_.start(); }
  void finish() final { pair_.finish(); }
  void cut_off() final { pair_.cut_off(); }
  LinkCounters counters() const final { return pair_.counters(); }
  int fd() const final { return pair_.fd(); }

 protected:
  LinkPair pair_;
  std::unique_ptr<Replies> replies_;
  std::unique_ptr<Requests> requests_;
};

// A requester: its replies come by an inlet.
class AskingOutlet final : public Paired<ForeignOutlet, ForeignInlet, ForeignOutlet> {
 public:
  using Paired::Paired;
  bool writable() const override { return requests_->writable(); }
  size_t hand_over(Batch& batch) override { return requests_->hand_over(batch); }
  std::vector<wire::Tally::Stretch> unanswered() const override { return requests_->unanswered(); }
};

// A replier: its replies go by an outlet.
class ReplyingInlet final : public Paired<ForeignInlet, ReplyOutlet, ForeignInlet> {
 public:
  using Paired::Paired;
  void read_on() override { requests_->read_on(); }
  bool reply(std::span<const uint8_t> frame) override { return pair_.note_reply(replies_->hand_over(frame)); }
  void done(size_t count) override { requests_->done(count); }
};

}  // namespace

std::unique_ptr<ForeignOutlet> PairedBus::make_outlet(LinkEvents& events, uint32_t number) {
  if (!replies_ || !has_reply_inlets()) return make_sender(events, number);
  return std::make_unique<AskingOutlet>(
      events, [this, number](LinkEvents& of) { return make_reply_inlet(of, number); },
      [this, number](LinkEvents& of) { return make_sender(of, number); });
}

std::unique_ptr<ForeignInlet> PairedBus::make_inlet(LinkEvents& events, uint32_t number) {
  if (!replies_) return make_receiver(events, number);
  return std::make_unique<ReplyingInlet>(
      events, [this, number](LinkEvents& of) { return make_reply_outlet(of, number); },
      [this, number](LinkEvents& of) { return make_receiver(of, number); });
}

}  // namespace n2nq::bus
