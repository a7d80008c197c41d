#include "app/remote/pump.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

namespace n2nq::remote {
namespace {

constexpr qsizetype kMostUnwrittenForPing = 64 * 1024;
constexpr std::chrono::milliseconds kGentleFor{500};

}  // namespace

Pump::~Pump() {
  if (!channel_ || over_ || !begun_) return;
  if (gentle_)
    channel_->let_end(kGentleFor);
  else
    channel_->signal(SIGKILL);
}

bool Pump::turn(Wire::Clock::time_point now) {
  if (over_) return false;
  const Channel::State state = channel_->advance();
  Wire::Wishes wishes = wire_->take_wishes();
  gentle_ = wishes.gentle;
  if (wishes.cancelled && state != Channel::State::opening) {
    for (const int number : wishes.signals) channel_->signal(number);
    return leave(state);
  }
  // What is wished while it opens is kept for when it is open.
  input_ += wishes.input;
  if (state == Channel::State::opening) {
    early_signals_.insert(early_signals_.end(), wishes.signals.begin(), wishes.signals.end());
    return false;
  }
  begun_ = true;
  wishes.signals.insert(wishes.signals.begin(), early_signals_.begin(), early_signals_.end());
  early_signals_.clear();
  obey(wishes, now);
  ping_if_due(now);
  bool moved = !wishes.signals.empty();  // which may be the end of it
  moved |= write_input();
  moved |= read(Channel::Stream::err);
  moved |= read(Channel::Stream::out);
  // What still waits for the reader comes before the end.
  if (state == Channel::State::over && !moved && has_room()) {
    wire_->put_end(channel_->end());
    over_ = true;
  }
  return moved;
}

// Nobody listens any more.
bool Pump::leave(Channel::State state) {
  if (!gentle_ && state == Channel::State::open) channel_->signal(SIGKILL);
  over_ = !gentle_ || state == Channel::State::over;
  if (over_) return true;
  if (!std::exchange(input_ended_, true)) channel_->end_input();
  std::array<char, 4096> nowhere;
  bool moved = false;
  for (const auto stream : {Channel::Stream::out, Channel::Stream::err})
    if (channel_->read(stream, nowhere.data(), nowhere.size()) > 0) moved = true;
  return moved;
}

void Pump::obey(const Wire::Wishes& wishes, Wire::Clock::time_point now) {
  for (const int number : wishes.signals) channel_->signal(number);
  input_ends_ = wishes.input_ends;
  if (wishes.ping_interval != ping_interval_ || ping_.isEmpty()) {
    ping_interval_ = wishes.ping_interval;
    ping_ = wishes.ping;
    ping_at_ = now + ping_interval_;
  }
}

std::optional<Wire::Clock::time_point> Pump::next_ping() const {
  if (over_ || ping_interval_.count() == 0 || input_ends_ || input_refused_) return {};
  return ping_at_;
}

// Only between whole lines, and not into a stream that takes nothing.
void Pump::ping_if_due(Wire::Clock::time_point now) {
  const auto due = next_ping();
  if (!due || now < *due) return;
  ping_at_ = now + ping_interval_;
  const char last = input_.isEmpty() ? last_written_ : input_.back();
  if (last == '\n' && input_.size() < kMostUnwrittenForPing) input_ += ping_;
}

bool Pump::write_input() {
  bool moved = false;
  while (has_input()) {
    const ssize_t n = channel_->write(input_.constData(), static_cast<size_t>(input_.size()));
    if (n == 0) return moved;
    if (n < 0) {
      input_refused_ = true;
      return moved;
    }
    last_written_ = input_[n - 1];
    input_.remove(0, n);
    moved = true;
  }
  if (input_ends_ && !input_ended_ && !input_refused_) {
    channel_->end_input();
    input_ended_ = true;
  }
  return moved;
}

bool Pump::read(Channel::Stream stream) {
  std::array<char, 32 * 1024> bytes;
  bool moved = false;
  while (true) {
    const qsizetype room = wire_->room();
    if (room <= 0) return moved;
    const ssize_t n = channel_->read(stream, bytes.data(), std::min<size_t>(bytes.size(), static_cast<size_t>(room)));
    if (n <= 0) return moved;
    if (stream == Channel::Stream::out)
      wire_->put_out(bytes.data(), n);
    else
      wire_->put_err(bytes.data(), n);
    moved = true;
  }
}

void Pump::kill() {
  if (!gentle_) channel_->signal(SIGKILL);
}

void Pump::lose(const std::string& why) {
  if (over_) return;
  over_ = true;
  wire_->put_end({.lost = true, .begun = begun_, .text = why});
}

}  // namespace n2nq::remote
