#include "broker/control/line_channel.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "broker/base/assert.h"

namespace n2nq::control {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kReadBytes = 16 * 1024;
constexpr size_t kReadBytesPerTurn = 256 * 1024;  // then other handlers of the loop get their turn
constexpr size_t kForgetBytes = 64 * 1024;
constexpr int kMostTimeouts = 12;  // for which a slow reader of the last lines is waited for in all

void ignore_broken_pipes() {
  struct sigaction present{};
  ::sigaction(SIGPIPE, nullptr, &present);
  if (present.sa_handler == SIG_DFL) std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace

LineChannel::LineChannel(net::EventLoop& loop, int input_fd, int output_fd, Callbacks callbacks, LineLimits limits)
    : loop_(loop),
      callbacks_(std::move(callbacks)),
      limits_(limits),
      output_(output_fd, StreamEnd::Direction::output),
      again_(loop, [this] { read_some(); }) {
  ignore_broken_pipes();
  if (input_fd >= 0) {
    input_ = StreamEnd(input_fd, StreamEnd::Direction::input);
    reading_ = true;
  }
  output_broken_ = !output_.valid();
}

LineChannel::LineChannel(net::EventLoop& loop, Fd socket, Callbacks callbacks, LineLimits limits)
    : LineChannel(loop, socket.get(), socket.get(), std::move(callbacks), limits) {
  socket_ = std::move(socket);
}

LineChannel::~LineChannel() {
  N2NQ_ASSERT(!in_callback_);
  unlisten(input_ear_);
  unlisten(output_ear_);
}

void LineChannel::start() {
  if (reading_ && !input_.valid()) again_.arm_now();
  if (both_ways()) {
    listen(input_ear_, input_, net::EventLoop::kReadWrite);
    return;
  }
  if (output_.valid()) listen(output_ear_, output_, EPOLLOUT | EPOLLET);
  if (!reading_ || !input_.valid()) return;
  if (input_.watchable())
    listen(input_ear_, input_, net::EventLoop::kRead);
  else
    again_.arm_now();
}

void LineChannel::listen(Ear& ear, const StreamEnd& end, uint32_t events) {
  if (!end.watchable() || ear.registered_fd >= 0) return;
  ear.registered_fd = end.fd();
  loop_.add(ear.registered_fd, events, &ear);
}

void LineChannel::unlisten(Ear& ear) {
  if (ear.registered_fd < 0) return;
  loop_.remove(ear.registered_fd, &ear);
  ear.registered_fd = -1;
}

void LineChannel::on_events(uint32_t events, const Ear& ear) {
  const bool output = &ear == &output_ear_ || both_ways();
  if (output) flush();
  if (&ear == &output_ear_ && (events & EPOLLERR) != 0) break_output();  // the reader of the pipe is gone
  if (&ear == &input_ear_) read_some();
}

void LineChannel::read_now() {
  if (!in_callback_) read_some();
}

void LineChannel::read_some() {
  if (!reading_) return;
  if (!input_.valid()) return finish_input("there is no input");
  char bytes[kReadBytes];
  for (size_t total = 0; total < kReadBytesPerTurn;) {
    const ssize_t n = input_.read(bytes, sizeof bytes);
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) return finish_input(std::string("cannot read: ") + std::strerror(errno));
    if (n == 0) {
      if (!partial_.empty()) take_piece({}, true);
      return finish_input("end of input");
    }
    take({bytes, static_cast<size_t>(n)});
    if (!reading_) return;
    total += static_cast<size_t>(n);
  }
  again_.arm_now();
}

void LineChannel::take(std::string_view bytes) {
  while (!bytes.empty() && reading_) {
    const size_t newline = bytes.find('\n');
    take_piece(bytes.substr(0, newline), newline != std::string_view::npos);
    bytes.remove_prefix(newline == std::string_view::npos ? bytes.size() : newline + 1);
  }
}

void LineChannel::take_piece(std::string_view piece, bool ends_line) {
  if (!skipping_line_ && partial_.size() + piece.size() > limits_.max_line_bytes) take_bad_line();
  if (skipping_line_) {
    skipping_line_ = !ends_line;
    return;
  }
  if (!ends_line || !partial_.empty()) partial_.append(piece);
  if (!ends_line) return;
  const std::string whole = std::exchange(partial_, {});
  std::string_view line = whole.empty() ? piece : std::string_view(whole);
  if (line.ends_with('\r')) line.remove_suffix(1);
  in_callback_ = true;
  if (callbacks_.on_line) callbacks_.on_line(line);
  in_callback_ = false;
}

void LineChannel::take_bad_line() {
  partial_.clear();
  skipping_line_ = true;
  in_callback_ = true;
  if (callbacks_.on_bad_line)
    callbacks_.on_bad_line("a line is longer than " + std::to_string(limits_.max_line_bytes) +
                           " bytes; it was dropped");
  in_callback_ = false;
}

void LineChannel::finish_input(std::string reason) {
  if (!reading_) return;
  stop_reading();
  in_callback_ = true;
  if (callbacks_.on_end) callbacks_.on_end(std::move(reason));
  in_callback_ = false;
}

void LineChannel::stop_reading() {
  reading_ = false;
  partial_.clear();
  again_.disarm();
  if (!both_ways()) unlisten(input_ear_);
}

bool LineChannel::send(std::string_view line) {
  N2NQ_ASSERT(line.find('\n') == std::string_view::npos);
  if (output_broken_ || output_ending_ || queued_bytes() + line.size() + 1 > limits_.max_queued_bytes) {
    dropped_lines_++;
    return false;
  }
  out_.append(line).push_back('\n');
  flush();
  return true;
}

bool LineChannel::finish(std::string_view line, std::chrono::milliseconds timeout) {
  if (output_broken_ || output_ending_) return false;
  out_.append(line).push_back('\n');
  const auto last_deadline = Clock::now() + kMostTimeouts * timeout;
  auto deadline = Clock::now() + timeout;
  flush();
  while (!output_broken_ && queued_bytes() > 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::min(deadline, last_deadline) - Clock::now());
    if (left.count() <= 0) return false;
    output_.wait_writable(static_cast<int>(std::min<int64_t>(left.count(), 1000)));
    const size_t before = queued_bytes();
    flush();
    if (queued_bytes() < before) deadline = Clock::now() + timeout;
  }
  return !output_broken_;
}

void LineChannel::flush() {
  while (!output_broken_ && queued_bytes() > 0) {
    const ssize_t n = output_.write(out_.data() + out_at_, queued_bytes());
    if (n < 0 && errno == EAGAIN) break;
    if (n < 0)
      break_output();
    else
      out_at_ += static_cast<size_t>(n);
  }
  forget_written();
  if (output_ending_ && !output_ended_ && queued_bytes() == 0) {
    output_ended_ = true;
    output_.end_output();
  }
}

void LineChannel::forget_written() {
  if (queued_bytes() > 0 && out_at_ < kForgetBytes) return;
  out_.erase(0, out_at_);
  out_at_ = 0;
}

void LineChannel::end_output() {
  output_ending_ = true;
  if (!output_broken_) flush();
}

void LineChannel::break_output() {
  output_broken_ = true;
  out_.clear();
  out_at_ = 0;
  if (!both_ways()) unlisten(output_ear_);
}

void LineChannel::close() {
  stop_reading();
  break_output();
  unlisten(input_ear_);
  unlisten(output_ear_);
  socket_.reset();
}

}  // namespace n2nq::control
