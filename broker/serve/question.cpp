#include "broker/serve/question.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace n2nq::serve {
namespace {

constexpr size_t kLongestAnswer = 256 * 1024;

}  // namespace

Result<std::unique_ptr<Question>> Question::ask(net::EventLoop& loop, const net::Endpoint& server, std::string text,
                                                Callbacks callbacks) {
  auto fd = net::start_connect(server, 0);
  if (!fd) return std::unexpected(fd.error());
  return std::unique_ptr<Question>(new Question(loop, server, std::move(text), std::move(callbacks), std::move(*fd)));
}

Question::Question(net::EventLoop& loop, const net::Endpoint& server, std::string text, Callbacks callbacks, Fd fd)
    : loop_(loop), server_(server), text_(std::move(text)), callbacks_(std::move(callbacks)), fd_(std::move(fd)) {
  loop_.add(fd_.get(), net::EventLoop::kReadWrite, this);
}

void Question::close() {
  if (!fd_.valid()) return;
  loop_.remove(fd_.get(), this);
  fd_.reset();
}

void Question::on_events(uint32_t) {
  if (!asked_) {
    if (auto connected = net::connect_outcome(fd_.get(), server_); !connected)
      return callbacks_.on_failed(connected.error().text);
    asked_ = true;
    if (!callbacks_.may_ask()) return callbacks_.on_failed("somebody else listens there");
    if (::send(fd_.get(), text_.data(), text_.size(), MSG_NOSIGNAL) < 0)
      return callbacks_.on_failed(std::strerror(errno));
  }
  char bytes[4096];
  while (true) {
    const ssize_t n = ::recv(fd_.get(), bytes, sizeof bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return callbacks_.on_answer(answer_);
    if (n <= 0 || answer_.size() > kLongestAnswer) return callbacks_.on_failed("it closed the connection");
    answer_.append(bytes, static_cast<size_t>(n));
  }
}

}  // namespace n2nq::serve
