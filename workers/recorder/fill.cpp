#include "workers/recorder/fill.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "broker/base/clock.h"
#include "broker/base/random.h"
#include "broker/net/resolve.h"
#include "workers/control/line_writer.h"
#include "workers/recorder/fill_bounds.h"

namespace n2nq::recorder {
namespace {

constexpr int kLookupMs = 2000;

// Nothing that a network on the way could compress.
std::vector<char> random_piece() {
  std::vector<char> piece(kPieceBytes);
  Random random(random_id());
  for (size_t at = 0; at < piece.size(); at += sizeof(uint64_t)) {
    const uint64_t word = random.next();
    std::memcpy(piece.data() + at, &word, sizeof word);
  }
  return piece;
}

}  // namespace

Fill::Fill(net::EventLoop& loop, control::FillCommand wish, Say say)
    : loop_(loop), wish_(std::move(wish)), say_(std::move(say)), deadline_(loop, [this] { on_deadline(); }) {}

Fill::~Fill() {
  if (fd_.valid()) loop_.remove(fd_.get(), this);
}

// A name server may take its time, and readings may not.
void Fill::start() {
  deadline_.arm_at(now_ns() + kPatienceNs);
  lookup_ = std::jthread(
      [this, to = wish_.to] { loop_.post([this, found = net::resolve(to, kLookupMs)] { connect(found); }); });
}

void Fill::stop() {
  if (state_ != State::over) finish(std::string(control::kToldToEnd));
}

void Fill::connect(const Result<net::Endpoint>& to) {
  if (state_ == State::over) return;
  if (!to) return finish(to.error().text);
  to_ = *to;
  auto fd = net::start_connect(to_, 0);
  if (!fd) return finish("cannot connect to " + to_.text() + ": " + std::strerror(fd.error().error_number));
  fd_ = std::move(*fd);
  loop_.add(fd_.get(), EPOLLOUT, this);
}

void Fill::on_events(uint32_t) {
  if (state_ == State::connecting) begin();
  if (state_ == State::filling)
    fill();
  else if (state_ == State::ending)
    await_end();
}

void Fill::begin() {
  if (const auto outcome = net::connect_outcome(fd_.get(), to_); !outcome)
    return finish("cannot connect to " + to_.text() + ": " + std::strerror(outcome.error().error_number) +
                  "; a firewall may be in between");
  net::bound_unsent(fd_.get(), kUnsentBytes);
  if (::send(fd_.get(), wish_.word.data(), wish_.word.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(wish_.word.size()))
    return finish("the other side closed the connection");
  piece_ = random_piece();
  ends_ns_ = now_ns() + wish_.for_ns;
  deadline_.arm_at(ends_ns_);
  state_ = State::filling;
}

void Fill::fill() {
  for (int piece = 0; piece < kPiecesATurn; piece++) {
    if (now_ns() >= ends_ns_) return end();
    const ssize_t count = ::send(fd_.get(), piece_.data(), piece_.size(), MSG_NOSIGNAL);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count < 0) return finish(std::string("the connection was lost: ") + std::strerror(errno));
    bytes_ += static_cast<uint64_t>(count);
  }
}

void Fill::end() {
  state_ = State::ending;
  loop_.remove(fd_.get(), this);
  ::shutdown(fd_.get(), SHUT_WR);
  loop_.add(fd_.get(), EPOLLIN | EPOLLRDHUP, this);
  deadline_.arm_at(now_ns() + kGraceNs);
}

void Fill::await_end() {
  char nothing = 0;
  const ssize_t count = ::read(fd_.get(), &nothing, 1);
  if (count == 0) return finish("");
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  finish(count < 0 ? std::string("the connection was lost: ") + std::strerror(errno)
                   : "the other side is no recorder that takes it");
}

void Fill::on_deadline() {
  if (state_ == State::connecting)
    finish("no connection to " + wish_.to + " within " + std::to_string(kPatienceNs / 1'000'000'000) +
           " s; a firewall may be in between");
  else if (state_ == State::filling)
    end();
  else if (state_ == State::ending)
    finish("the other side did not take all of it within " + std::to_string(kGraceNs / 1'000'000'000) + " s");
}

void Fill::finish(const std::string& trouble) {
  state_ = State::over;
  deadline_.disarm();
  if (fd_.valid()) {
    loop_.remove(fd_.get(), this);
    if (!trouble.empty()) net::reset_on_close(fd_.get());
    fd_.reset();
  }
  say_(control::to_line(control::Filled{.id = wish_.id, .bytes = bytes_, .trouble = trouble}));
}

}  // namespace n2nq::recorder
