#include "workers/bus/redis/redis_outlet.h"

#include <utility>

namespace n2nq::bus {

void RedisOutlet::append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) {
  out.insert(out.end(), way_.command.begin(), way_.command.end());
  append_bulk(out, frame);
}

void RedisOutlet::on_token(const RespToken& token, int64_t) {
  if (!owes_answers()) return talk_.refuse(token, way_.name);
  if (token.kind == RespToken::Kind::nil && !way_.gone.empty()) return refuse_next({.text = way_.gone});
  if (token.kind == RespToken::Kind::error) return refuse_next({.text = talk_.refusal(token, way_.name)});
  if (token.kind != way_.answer) return talk_.refuse(token, way_.name);
  if (token.kind == RespToken::Kind::integer && token.number == 0 && !std::exchange(told_nobody_, true))
    events().on_told("message " + std::to_string(next_answer()) +
                     " went to nobody: no receiver is subscribed at the server "
                     "any more; that is not told again");
  accept_next();
}

void RedisReplies::append(std::vector<uint8_t>& out, std::span<const uint8_t> frame) {
  const uint32_t requester = wire::read_reply_header(frame.data()).requester;
  auto command = commands_.find(requester);
  if (command == commands_.end()) command = commands_.emplace(requester, command_(requester)).first;
  out.insert(out.end(), command->second.begin(), command->second.end());
  append_bulk(out, frame);
}

void RedisReplies::on_token(const RespToken& token, int64_t) {
  using Kind = RespToken::Kind;
  if (!owes_answers()) return talk_.refuse(token, "a reply");
  if (token.kind == Kind::error) return refuse_next({.text = talk_.refusal(token, "a reply")});
  if (token.kind != Kind::integer && token.kind != Kind::bulk && token.kind != Kind::nil)
    return talk_.refuse(token, "a reply");
  accept_next();
}

}  // namespace n2nq::bus
