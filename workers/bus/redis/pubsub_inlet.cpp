#include "workers/bus/redis/pubsub_inlet.h"

namespace n2nq::bus {

PubSubInlet::PubSubInlet(ServerSite& server, LinkEvents& events, uint32_t number, std::string_view channel,
                         bool replies)
    : InletOver(server, events, number), channel_(channel) {
  if (replies) take_replies_to(number);
}

void PubSubInlet::on_talk_ready() {
  if (state_ == State::joining) talk_.write(begin_command({"SUBSCRIBE", channel_}));
}

void PubSubInlet::on_token(const RespToken& token, int64_t read_ns) {
  using Kind = RespToken::Kind;
  switch (next_) {
    case Next::push:
      if (token.kind != Kind::array || token.number != 3) break;
      next_ = Next::kind;
      return;
    case Next::kind:
      subscribing_ = token.kind == Kind::bulk && token.text() == "subscribe";
      if (!subscribing_ && (token.kind != Kind::bulk || token.text() != "message")) break;
      if (subscribing_ != (state_ == State::joining) && state_ != State::finishing) break;
      next_ = Next::channel;
      return;
    case Next::channel:
      if (token.kind != Kind::bulk || token.text() != channel_) break;
      next_ = subscribing_ ? Next::subscribed : Next::message;
      return;
    case Next::subscribed:
      if (token.kind != Kind::integer) break;
      next_ = Next::push;
      if (state_ != State::joining) return;
      state_ = State::ready;
      return events_.on_link_ready();
    case Next::message:
      if (token.kind != Kind::bulk) break;
      next_ = Next::push;
      if (state_ == State::ready && !take(token.bytes, read_ns)) tell_stranger("published to " + channel_);
      return;
  }
  talk_.refuse(token, "SUBSCRIBE");
}

}  // namespace n2nq::bus
