#include "broker/serve/question.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "broker/process/commands.h"

namespace n2nq::serve {
namespace {

constexpr size_t kLongestAnswer = 256 * 1024;

}  // namespace

Result<std::unique_ptr<Question>> Question::ask(net::EventLoop& loop, const net::Endpoint& server, std::string text,
                                                Callbacks callbacks) {
  auto fd = net::start_connect(server, 0);
  if (!fd) return std::unexpected(fd.error());
  std::unique_ptr<Question> question(new Question(loop, std::move(callbacks), std::move(*fd)));
  question->server_ = server;
  question->text_ = std::move(text);
  loop.add(question->fd_.get(), net::EventLoop::kReadWrite, question.get());
  return question;
}

Result<std::unique_ptr<Question>> Question::ask_by(net::EventLoop& loop, const std::vector<std::string>& command,
                                                   Callbacks callbacks) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(std::string("no pipe: ") + std::strerror(errno), errno);
  Fd output(ends[0]);
  const Fd input(ends[1]);
  ::fcntl(output.get(), F_SETFL, O_NONBLOCK);  // at this end alone
  const pid_t program = process::start_alone(command, input.get());
  if (program == 0) return fail(command.front() + " cannot be started");
  std::unique_ptr<Question> question(new Question(loop, std::move(callbacks), std::move(output)));
  question->program_ = program;
  question->asked_ = true;
  loop.add(question->fd_.get(), net::EventLoop::kRead, question.get());
  return question;
}

void Question::close() {
  if (!fd_.valid()) return;
  loop_.remove(fd_.get(), this);
  fd_.reset();
  if (program_ != 0) process::end_alone(program_);
}

void Question::on_events(uint32_t) {
  if (!asked_ && !send_question()) return;
  char bytes[4096];
  while (true) {
    const ssize_t n = ::read(fd_.get(), bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) return on_end();
    if (answer_.size() > kLongestAnswer) return callbacks_.on_failed("it says too much");
    answer_.append(bytes, static_cast<size_t>(n));
  }
  if (program_ == 0) callbacks_.on_answer(answer_);
}

// False: it is over.
bool Question::send_question() {
  const auto fails = [this](const std::string& why) {
    callbacks_.on_failed(why);
    return false;
  };
  if (auto connected = net::connect_outcome(fd_.get(), server_); !connected) return fails(connected.error().text);
  asked_ = true;
  if (!callbacks_.may_ask()) return fails("somebody else listens there");
  if (::send(fd_.get(), text_.data(), text_.size(), MSG_NOSIGNAL) < 0) return fails(std::strerror(errno));
  return true;
}

void Question::on_end() {
  if (program_ == 0) return callbacks_.on_failed("it closed the connection");
  callbacks_.on_answer(answer_);
  if (fd_.valid()) callbacks_.on_failed("it does not say");
}

}  // namespace n2nq::serve
