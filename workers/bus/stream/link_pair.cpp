#include "workers/bus/stream/link_pair.h"

namespace n2nq::bus {

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

AskingOutlet::AskingOutlet(LinkEvents& events, const MakeReplies& replies, const MakeRequests& requests)
    : pair_(events), replies_(replies(pair_.first_events())), requests_(requests(pair_.second_events())) {
  pair_.join(*replies_, *requests_);
}

ReplyingInlet::ReplyingInlet(LinkEvents& events, const MakeReplies& replies, const MakeRequests& requests)
    : pair_(events), replies_(replies(pair_.first_events())), requests_(requests(pair_.second_events())) {
  pair_.join(*replies_, *requests_);
}

bool ReplyingInlet::reply(std::span<const uint8_t> frame) {
  return pair_.note_reply(replies_->hand_over(frame));
}

}  // namespace n2nq::bus
