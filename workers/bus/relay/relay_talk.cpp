#include "workers/bus/relay/relay_talk.h"

#include <algorithm>
#include <string_view>

namespace n2nq::bus {

using wire::RelayPiece;

void RelayTalk::write_mark() {
  uint8_t mark[wire::kRelayLengthBytes];
  wire::put(mark, wire::kRelayMark);
  write(mark);
}

void RelayTalk::take(ServerCall& call) {
  Inbox& inbox = call.inbox();
  if (!ready() && !welcomed(call)) return;
  while (!call.over()) {
    const auto bytes = inbox.bytes();
    const RelayPiece piece = wire::next_relay_piece(bytes.data(), bytes.size());
    switch (piece.kind) {
      case RelayPiece::Kind::partial:
        return inbox.keep(piece.whole);
      case RelayPiece::Kind::too_long:
        return lose_as_stranger(bytes);
      default:
        break;
    }
    inbox.drop(piece.whole);
    if (piece.kind == RelayPiece::Kind::message)
      user_.on_message(bytes.first(piece.whole).subspan(wire::kRelayLengthBytes), call.stream().read_ns());
    else if (piece.kind == RelayPiece::Kind::mark)
      user_.on_mark();
    else
      user_.on_held_up();
  }
}

bool RelayTalk::welcomed(ServerCall& call) {
  Inbox& inbox = call.inbox();
  const auto bytes = inbox.bytes();
  const auto newline = std::ranges::find(bytes, '\n');
  if (newline == bytes.end()) {
    if (bytes.size() >= wire::kLongestRelayLine)
      lose_as_stranger(bytes);
    else
      inbox.keep(0);
    return false;
  }
  const std::string_view line(reinterpret_cast<const char*>(bytes.data()),
                              static_cast<size_t>(newline - bytes.begin()));
  if (line.starts_with(wire::kRelayRefuses)) {
    lose(server_name() + " refuses: " + shown(line.substr(wire::kRelayRefuses.size())) + "; " +
         (server().own ? server().login_advice() : "give its token in bus.password_file"));
    return false;
  }
  const auto welcome = wire::read_relay_welcome(line);
  if (!welcome) {
    lose_as_stranger(bytes);
    return false;
  }
  inbox.drop(line.size() + 1);
  const std::string version = version_of(welcome->version);
  heard_program(version.empty() ? "" : "n2nq-relay " + version);
  be_ready();
  return !call.over();
}

}  // namespace n2nq::bus
