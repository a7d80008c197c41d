#include "workers/bus/stream/listed_inlet.h"

#include <utility>

#include "broker/base/assert.h"

namespace n2nq::bus {

ListedInlet::ListedInlet(Entrance& entrance, LinkEvents& events, uint32_t number)
    : entrance_(entrance), events_(events), number_(number), alarm_(entrance.loop(), [this] { on_alarm(); }) {}

ListedInlet::~ListedInlet() {
  cut_off();
}

void ListedInlet::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::starting;
  if (auto open = entrance_.open(); !open)
    trouble_ = open.error().text;
  else
    address_ = entrance_.address_of(number_);
  alarm_.set_soon();
}

void ListedInlet::on_alarm() {
  if (state_ == State::starting && !trouble_.empty()) {
    state_ = State::closed;
    return events_.on_link_lost({.kind = Loss::Kind::local, .text = trouble_});
  }
  if (state_ == State::starting) {
    state_ = State::ready;
    entrance_.enroll(*this);
    return events_.on_link_ready();
  }
  if (state_ != State::finishing) return;
  cut_off();
  events_.on_link_closed();
}

void ListedInlet::finish() {
  if (state_ == State::finishing || state_ == State::closed) return;
  state_ = State::finishing;
  entrance_.strike(*this);
  if (guests_.empty()) return alarm_.set_soon();
  alarm_.set_in(kFarewellNs);
  for (Guest* guest : guests_) guest->farewell();
}

void ListedInlet::cut_off() {
  entrance_.strike(*this);
  state_ = State::closed;
  alarm_.cancel();
  while (!guests_.empty()) guests_.back()->cut();
}

int ListedInlet::fd() const {
  return guests_.empty() ? -1 : guests_.front()->stream().fd();
}

void ListedInlet::read_on() {
  for (Guest* guest : guests_) guest->read_on();
}

void ListedInlet::tell_nowhere(const std::string& whose) {
  if (state_ == State::ready && !std::exchange(told_nowhere_, true))
    events_.on_told("a reply has nowhere to go: the connection of its " + whose +
                    " has ended; if it happens again, that is not told again");
}

void ListedInlet::add(Guest& guest) {
  guest.place = guests_.size();
  guests_.push_back(&guest);
}

void ListedInlet::remove(Guest& guest) {
  N2NQ_ASSERT(guests_[guest.place] == &guest);
  guests_.back()->place = guest.place;
  guests_[guest.place] = guests_.back();
  guests_.pop_back();
  if (state_ == State::finishing && guests_.empty()) alarm_.set_soon();
}

}  // namespace n2nq::bus
