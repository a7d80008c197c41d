#include "broker/relay/relay.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "broker/base/assert.h"
#include "broker/base/clock.h"
#include "broker/base/units.h"
#include "broker/net/socket.h"
#include "broker/wire/relay.h"

namespace n2nq::relay {

using Part = wire::RelayHello::Part;
using wire::RelayPiece;

namespace {

constexpr size_t kReadBytes = 256 * 1024;
constexpr size_t kBacklogBytes =
    64 * 1024 * 1024;  // in a channel's log or outboxes, above which no sender of it is read
constexpr size_t kLogBytes = kBacklogBytes + wire::kRelayLengthBytes + wire::kLongestRelayMessage +
                             2 * kReadBytes;  // beyond the backlog, a read
constexpr size_t kUsualOutbox = 1024 * 1024;  // what an outbox keeps while it is empty
constexpr size_t kMostUnreadAnswers = 64 * 1024;
constexpr unsigned kDeadAfterMs = 10'000;
constexpr int64_t kTickNs = kSecond;
constexpr int64_t kStrangerNs = 10 * kSecond;
constexpr uint64_t kMostTold = 100;

}  // namespace

// Bytes for one peer; empty again after almost every turn.
struct Outbox {
  std::vector<uint8_t> bytes;
  size_t begin = 0;
  size_t end = 0;

  bool empty() const { return begin == end; }
  size_t size() const { return end - begin; }
  void append(const void* from, size_t count) {
    if (end + count > bytes.size() && begin >= size()) {
      if (!empty()) std::memcpy(bytes.data(), bytes.data() + begin, size());
      end -= std::exchange(begin, 0);
    }
    if (end + count > bytes.size()) bytes.resize(std::max(end + count, bytes.size() * 2));
    if (count > 0) std::memcpy(bytes.data() + end, from, count);
    end += count;
  }
  void clear() {
    begin = end = 0;
    if (bytes.size() > kUsualOutbox) bytes = {};
  }
};

struct Peer {
  Fd fd;
  std::string address;
  int64_t came_ns = 0;
  Channel* channel = nullptr;  // none: it has not said who it is
  Part part = Part::asker;
  bool readable = false;
  bool hung_up = false;  // it has bytes yet, or none
  bool writable = true;
  bool held_up = false;  // since the last tick
  bool leaves = false;
  bool gone = false;
  size_t cursor = 0;               // receiver: how far into the log it is
  Outbox outbox;                   // what is not in the log
  std::vector<uint8_t> partial;    // the begin of a piece whose rest is still under way
  std::unique_ptr<uint8_t[]> one;  // a message that is longer than a read
  size_t one_whole = 0;
  size_t one_came = 0;
};

struct Channel {
  std::string name;
  std::unique_ptr<uint8_t[]> log = std::make_unique_for_overwrite<uint8_t[]>(kLogBytes);
  size_t log_end = 0;
  std::vector<Peer*> receivers{};
  std::vector<Peer*> sharers{};
  size_t next_sharer = 0;
  size_t outbox_bytes = 0;
  size_t peers = 0;

  bool full() const { return log_end > kBacklogBytes || outbox_bytes > kBacklogBytes; }
};

Relay::Relay(Fd listener, control::Token token)
    : listener_(std::move(listener)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      token_(std::move(token)),
      scratch_(std::make_unique_for_overwrite<uint8_t[]>(2 * kReadBytes)) {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGTERM, SIGINT}) sigaddset(&ends, signal);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  signals_ = Fd(::signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC));
  N2NQ_ASSERT(signals_.valid() && epoll_.valid());
  watch(signals_.get(), EPOLLIN, &over_);
  watch(listener_.get(), EPOLLIN | EPOLLET, &listener_);
}

Relay::~Relay() = default;

void Relay::watch(int fd, uint32_t events, void* what) {
  epoll_event event{.events = events, .data = {.ptr = what}};
  N2NQ_ASSERT(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0);
}

void Relay::run() {
  epoll_event ready[256];
  while (!over_) {
    const int n = ::epoll_wait(epoll_.get(), ready, 256, patience_ms());
    for (int i = 0; i < n; i++) notice(ready[i]);
    read_turn();
    for (auto& [name, channel] : channels_) write_log(*channel);
    write_outboxes();
    if (strangers_ > 0 || !unread_.empty() || no_descriptors_) tick();
    if (anybody_gone_) bury();
  }
}

// Those whose channel is full wait for their receivers, and are told so once in a while.
int Relay::patience_ms() const {
  const bool anybody = std::ranges::any_of(unread_, [](const Peer* peer) {
    return peer->part != Part::sender || peer->channel == nullptr || !peer->channel->full();
  });
  if (anybody) return 0;
  return unread_.empty() && strangers_ == 0 && !no_descriptors_ ? -1 : static_cast<int>(kTickNs / kMs);
}

void Relay::tick() {
  const int64_t now = now_ns();
  if (now - ticked_ns_ < kTickNs) return;
  ticked_ns_ = now;
  if (std::exchange(no_descriptors_, false)) accept_all();
  for (const auto& peer : peers_) {
    if (std::exchange(peer->held_up, false)) say_number(*peer, wire::kRelayHeldUp);
    if (peer->channel == nullptr && now - peer->came_ns > kStrangerNs) refuse(*peer, "it has not said who it is");
  }
}

void Relay::notice(const epoll_event& event) {
  if (event.data.ptr == &over_) {
    over_ = true;
    return;
  }
  if (event.data.ptr == &listener_) return accept_all();
  Peer& peer = *static_cast<Peer*>(event.data.ptr);
  if ((event.events & EPOLLOUT) != 0) peer.writable = true;
  if ((event.events & ~static_cast<uint32_t>(EPOLLOUT)) == 0) return;
  if ((event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) peer.hung_up = true;
  if (!std::exchange(peer.readable, true)) unread_.push_back(&peer);
}

void Relay::accept_all() {
  while (true) {
    Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!fd.valid()) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      if (errno != EAGAIN) no_descriptors_ = true;
      return;
    }
    net::prepare_stream(fd.get(), kDeadAfterMs);
    auto peer = std::make_unique<Peer>();
    const auto address = net::peer_endpoint(fd.get());
    peer->address = address ? address->text() : "an unknown address";
    peer->came_ns = now_ns();
    peer->fd = std::move(fd);
    strangers_++;
    watch(peer->fd.get(), EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, peer.get());
    peers_.push_back(std::move(peer));
  }
}

// One read of each peer that has bytes; who filled the buffer has its turn again.
void Relay::read_turn() {
  size_t left = 0;
  for (size_t i = 0; i < unread_.size(); i++) {
    Peer& peer = *unread_[i];
    if (peer.gone) continue;
    if (peer.part == Part::sender && peer.channel->full())
      peer.held_up = true;
    else if (peer.one != nullptr)
      read_long(peer);
    else
      read(peer);
    if (peer.readable && !peer.gone) unread_[left++] = &peer;
  }
  unread_.resize(left);
}

// Straight into the log, where it is a sender.
void Relay::read(Peer& peer) {
  const bool sends = peer.part == Part::sender;
  uint8_t* const at = sends ? peer.channel->log.get() + peer.channel->log_end : scratch_.get();
  const size_t kept = peer.partial.size();
  if (kept > 0) std::memcpy(at, peer.partial.data(), kept);
  const ssize_t n = ::recv(peer.fd.get(), at + kept, kReadBytes, 0);
  if (!came(peer, n, kReadBytes)) return;
  size_t count = kept + static_cast<size_t>(n);
  if (peer.channel == nullptr) return greet(peer, at, count);
  if (!sends) return take_from_receiver(peer, at, count);
  Channel& channel = *peer.channel;
  const size_t whole = take_from_sender(peer, at, count);
  const RelayPiece next = wire::next_relay_piece(at + whole, count - whole);
  if (!peer.gone && next.whole > kReadBytes)
    assemble(peer, at + whole, count - whole, next.whole);
  else
    peer.partial.assign(at + whole, at + count);
  if (!channel.receivers.empty()) channel.log_end += whole;
}

// Whether there is something to take; else the peer has gone, or has nothing.
bool Relay::came(Peer& peer, long n, size_t wanted) {
  if (n < 0 && errno == EINTR) return false;
  if (n < 0 && errno == EAGAIN) {
    peer.readable = false;
    return false;
  }
  if (n <= 0) {
    lose(peer, !peer.partial.empty() || peer.one != nullptr ? "it has gone in the middle of what it said" : "");
    return false;
  }
  if (static_cast<size_t>(n) < wanted && !peer.hung_up) peer.readable = false;
  return true;
}

// A message that is longer than a read is put together where it lies.
void Relay::assemble(Peer& peer, const uint8_t* bytes, size_t count, size_t whole) {
  peer.one = std::make_unique_for_overwrite<uint8_t[]>(whole);
  std::memcpy(peer.one.get(), bytes, count);
  peer.one_whole = whole;
  peer.one_came = count;
  peer.partial.clear();
}

void Relay::read_long(Peer& peer) {
  const size_t wanted = peer.one_whole - peer.one_came;
  const ssize_t n = ::recv(peer.fd.get(), peer.one.get() + peer.one_came, wanted, 0);
  if (!came(peer, n, wanted)) return;
  peer.one_came += static_cast<size_t>(n);
  if (peer.one_came < peer.one_whole) return;
  Channel& channel = *peer.channel;
  messages_++;
  if (channel.receivers.empty() && channel.sharers.empty()) to_nobody_++;
  if (!channel.sharers.empty()) deal(channel, peer.one.get(), peer.one_whole);
  if (!channel.receivers.empty()) {
    std::memcpy(channel.log.get() + channel.log_end, peer.one.get(), peer.one_whole);
    channel.log_end += peer.one_whole;
  }
  peer.one.reset();
}

void Relay::greet(Peer& peer, const uint8_t* bytes, size_t count) {
  const auto* newline = static_cast<const uint8_t*>(std::memchr(bytes, '\n', count));
  if (newline == nullptr) {
    if (count >= wire::kLongestRelayLine) return refuse(peer, "that is no greeting");
    peer.partial.assign(bytes, bytes + count);
    return;
  }
  const auto length = static_cast<size_t>(newline - bytes);
  const auto hello = wire::read_relay_hello({reinterpret_cast<const char*>(bytes), length});
  if (!hello || length + 1 < count) return refuse(peer, "that is no greeting");
  if (!token_.empty() && !token_.matches(hello->token)) return refuse(peer, "the token is not that of this relay");
  peer.partial.clear();
  peer.part = hello->part;
  welcome(peer, hello->channel);
}

// From here on it gets what comes.
void Relay::welcome(Peer& peer, const std::string& name) {
  auto& channel = channels_[name];
  if (channel == nullptr) channel = std::make_unique<Channel>(Channel{.name = name});
  strangers_--;
  channel->peers++;
  peer.channel = channel.get();
  peer.cursor = channel->log_end;
  if (peer.part == Part::receiver) channel->receivers.push_back(&peer);
  if (peer.part == Part::sharer) channel->sharers.push_back(&peer);
  const std::string line = wire::relay_welcome({.version = N2NQ_VERSION, .pid = std::to_string(::getpid())});
  if (write(peer, reinterpret_cast<const uint8_t*>(line.data()), line.size()) < line.size() && !peer.gone)
    lose(peer, "it takes no greeting");
}

// It leaves, and takes with it what was there for it by then.
void Relay::take_from_receiver(Peer& peer, const uint8_t* bytes, size_t count) {
  if (count < wire::kRelayLengthBytes && !peer.leaves) return peer.partial.assign(bytes, bytes + count);
  const bool mark = wire::next_relay_piece(bytes, count).kind == RelayPiece::Kind::mark;
  if (peer.part == Part::asker || peer.leaves || !mark || count > wire::kRelayLengthBytes)
    return lose(peer, "it says what no receiver says");
  peer.partial.clear();
  peer.leaves = true;
  Channel& channel = *peer.channel;
  if (peer.part == Part::receiver && peer.cursor < channel.log_end)
    say(peer, channel.log.get() + peer.cursor, channel.log_end - peer.cursor);
  std::erase(channel.receivers, &peer);
  std::erase(channel.sharers, &peer);
  say_number(peer, wire::kRelayMark);
}

// Passes on the whole messages among `count` bytes, takes out what is meant for the relay, and says where the last one
// ends.
size_t Relay::take_from_sender(Peer& peer, uint8_t* bytes, size_t& count) {
  Channel& channel = *peer.channel;
  const bool shared = !channel.sharers.empty();
  uint64_t messages = 0;
  size_t at = 0;
  while (true) {
    const RelayPiece piece = wire::next_relay_piece(bytes + at, count - at);
    if (piece.kind == RelayPiece::Kind::message) {
      messages++;
      if (shared) deal(channel, bytes + at, piece.whole);
      at += piece.whole;
    } else if (piece.kind == RelayPiece::Kind::mark) {
      say_number(peer, wire::kRelayMark);
      if (peer.gone) break;
      count -= piece.whole;
      std::memmove(bytes + at, bytes + at + piece.whole, count - at);
    } else {
      if (piece.kind != RelayPiece::Kind::partial) {
        lose(peer, "it says that a message is longer than 64 MiB, or what no sender says");
        count = at;
      }
      break;
    }
  }
  messages_ += messages;
  if (!shared && channel.receivers.empty()) to_nobody_ += messages;
  return at;
}

void Relay::deal(Channel& channel, const uint8_t* piece, size_t count) {
  if (channel.next_sharer >= channel.sharers.size()) channel.next_sharer = 0;
  say(*channel.sharers[channel.next_sharer++], piece, count);
}

// Behind what is in its outbox already.
void Relay::say(Peer& peer, const void* bytes, size_t count) {
  if (peer.gone) return;
  if (peer.outbox.empty()) outboxes_.push_back(&peer);
  peer.outbox.append(bytes, count);
  peer.channel->outbox_bytes += count;
  if (peer.part == Part::sender && peer.outbox.size() > kMostUnreadAnswers) lose(peer, "it reads no answer");
}

void Relay::write_log(Channel& channel) {
  if (channel.log_end == 0) return;
  size_t slowest = channel.log_end;
  for (Peer* receiver : channel.receivers) {
    if (receiver->writable && receiver->cursor < channel.log_end)
      receiver->cursor += write(*receiver, channel.log.get() + receiver->cursor, channel.log_end - receiver->cursor);
    slowest = std::min(slowest, receiver->cursor);
  }
  // Start at the front again, where the log is cache-warm: when everybody has everything (almost always), or when what
  // is left is little beside what is through.
  if (channel.log_end - slowest > slowest / 4) return;
  std::memcpy(channel.log.get(), channel.log.get() + slowest, channel.log_end - slowest);
  channel.log_end -= slowest;
  for (Peer* receiver : channel.receivers) receiver->cursor -= slowest;
}

void Relay::write_outboxes() {
  size_t left = 0;
  for (size_t i = 0; i < outboxes_.size(); i++) {
    Peer& peer = *outboxes_[i];
    if (peer.writable && !peer.gone) {
      const size_t written = write(peer, peer.outbox.bytes.data() + peer.outbox.begin, peer.outbox.size());
      peer.outbox.begin += written;
      peer.channel->outbox_bytes -= written;
    }
    if (peer.outbox.empty())
      peer.outbox.clear();
    else
      outboxes_[left++] = &peer;
  }
  outboxes_.resize(left);
}

size_t Relay::write(Peer& peer, const uint8_t* from, size_t count) {
  if (peer.gone) return 0;
  const ssize_t n = ::send(peer.fd.get(), from, count, MSG_NOSIGNAL);
  if (n < 0 && errno != EAGAIN && errno != EINTR) {
    lose(peer);
    return 0;
  }
  const size_t written = n < 0 ? 0 : static_cast<size_t>(n);
  peer.writable = written == count || (n < 0 && errno == EINTR);
  written_bytes_ += written;
  return written;
}

void Relay::refuse(Peer& peer, const std::string& why) {
  const std::string line = std::string(wire::kRelayRefuses) + why + "\n";
  write(peer, reinterpret_cast<const uint8_t*>(line.data()), line.size());
  lose(peer, why);
}

void Relay::lose(Peer& peer, const std::string& why) {
  if (std::exchange(peer.gone, true)) return;
  anybody_gone_ = true;
  if (peer.channel != nullptr) std::erase(peer.channel->sharers, &peer);
  if (!why.empty()) tell(peer.address + " is sent away: " + why);
}

void Relay::tell(const std::string& text) {
  if (told_++ >= kMostTold) return;
  std::fprintf(stderr, "n2nq-relay: %s%s\n", text.c_str(), told_ == kMostTold ? "; no more of that is told" : "");
}

void Relay::bury() {
  const auto gone = [](const auto& peer) { return peer->gone; };
  std::erase_if(unread_, gone);
  std::erase_if(outboxes_, gone);
  for (const auto& peer : peers_) {
    if (!peer->gone) continue;
    Channel* channel = peer->channel;
    if (channel == nullptr) {
      strangers_--;
      continue;
    }
    const bool behind = peer->part == Part::receiver && !peer->leaves;
    const size_t unsent = peer->outbox.size() + (behind ? channel->log_end - peer->cursor : 0);
    if (unsent > 0 && peer->part != Part::sender) {
      unsent_bytes_ += unsent;
      tell("the receiver at " + peer->address + " has gone, and " + format_size(unsent) + " for it with it");
    }
    channel->outbox_bytes -= peer->outbox.size();
    std::erase(channel->receivers, peer.get());
    if (--channel->peers == 0) channels_.erase(channels_.find(channel->name));
  }
  std::erase_if(peers_, gone);
  anybody_gone_ = false;
}

std::string Relay::totals() const {
  return std::to_string(messages_) + " messages came, " + std::to_string(to_nobody_) + " of them for nobody; " +
         std::to_string(written_bytes_) + " B were passed on, and " + std::to_string(unsent_bytes_) +
         " B went with receivers that had gone";
}

}  // namespace n2nq::relay
