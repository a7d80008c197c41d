#include "app/remote/command_carrier.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>

#include "app/remote/child_channel.h"
#include "broker/base/assert.h"

namespace n2nq::remote {
namespace {

constexpr const char* kPlaceholder = "{command}";
constexpr int kMostTurns = 64;  // of one, before the others and the inbox are looked after
constexpr const char* kClosed = "it was closed";
constexpr std::chrono::milliseconds kFarewell{500};  // of all children together

struct Running {
  explicit Running(const ExecRequest& request)
      : channel(new ChildChannel(request.arguments)), pump(request.wire, std::unique_ptr<Channel>(channel)) {}

  ChildChannel* channel;
  Pump pump;
};

int milliseconds_to(const std::vector<std::unique_ptr<Running>>& running) {
  std::optional<Wire::Clock::time_point> first;
  for (const auto& one : running)
    if (const auto due = one->pump.next_ping(); due && (!first || *due < *first)) first = due;
  if (!first) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*first - Wire::Clock::now()).count();
  return static_cast<int>(std::max<long long>(left, 0));
}

void wait(const Wake& wake, const std::vector<std::unique_ptr<Running>>& running) {
  std::vector<pollfd> fds{{.fd = wake.fd(), .events = POLLIN, .revents = 0}};
  for (const auto& one : running) {
    if (one->pump.has_room()) {
      fds.push_back({.fd = one->channel->out_fd(), .events = POLLIN, .revents = 0});
      fds.push_back({.fd = one->channel->err_fd(), .events = POLLIN, .revents = 0});
    }
    if (one->pump.has_input()) fds.push_back({.fd = one->channel->in_fd(), .events = POLLOUT, .revents = 0});
    fds.push_back({.fd = one->channel->exit_fd(), .events = POLLIN, .revents = 0});
  }
  ::poll(fds.data(), fds.size(), milliseconds_to(running));
  wake.clear();
}

std::string filled(std::string word, const std::map<std::string, std::string>& values) {
  for (const auto& [placeholder, value] : values)
    for (size_t at = 0; (at = word.find(placeholder, at)) != std::string::npos; at += value.size())
      word.replace(at, placeholder.size(), value);
  return word;
}

// That no other command of any bench on this computer has had lately.
std::string number_of_command() {
  static std::atomic<uint64_t> last{0};
  return std::to_string(::getpid()) + "-" + std::to_string(++last);
}

}  // namespace

Result<std::vector<std::string>> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < command.size(); i++) {
    const char c = command[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == '\\' && quote != '\'' && i + 1 < command.size())
      word += command[++i];
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      word += c;
  }
  if (quote != 0) return fail("the command \"" + command + "\" has an unclosed quote");
  if (in_word) words.push_back(word);
  if (std::count(words.begin(), words.end(), kPlaceholder) != 1)
    return fail("the command \"" + command + "\" needs {command} once, as a separate word, as in: docker exec -i box " +
                kPlaceholder);
  return words;
}

CommandCarrier::CommandCarrier(std::string host, std::string command, CarrierEvents events)
    : host_(std::move(host)), command_(std::move(command)), events_(std::move(events)) {}

CommandCarrier::~CommandCarrier() {
  close();
}

void CommandCarrier::open() {
  close();
  box_.put([this] {
    const auto words = words_of(command_);
    if (!words) return events_.failed({.trouble = LinkTrouble::unreachable, .text = words.error().text, .host = host_});
    words_ = *words;
    inbox_ = std::make_unique<Inbox<ExecRequest>>();
    if (!inbox_->wake()->valid()) {
      inbox_.reset();
      return events_.failed({.trouble = LinkTrouble::unreachable, .text = host_ + ": " + kNoFiles, .host = host_});
    }
    thread_ = std::thread([this] { run(); });
    events_.opened();
  });
}

// The thread answers at once: it sits in poll(), and its children are killed, and waited for half a second at most.
void CommandCarrier::close() {
  if (!inbox_) return;
  inbox_->abort();
  thread_.join();
  inbox_.reset();
}

std::unique_ptr<Exec> CommandCarrier::exec(const std::vector<std::string>& arguments, const Occasion& occasion) {
  N2NQ_ASSERT(inbox_);
  auto wire = std::make_shared<Wire>(inbox_->wake());
  auto exec = std::make_unique<Exec>(wire);
  const std::map<std::string, std::string> values{{"{role}", occasion.role},
                                                  {"{number}", number_of_command()},
                                                  {"{cpus}", occasion.cpus},
                                                  {"{memory}", occasion.memory}};
  std::vector<std::string> all;
  for (const std::string& word : words_) {
    if (word == kPlaceholder)
      all.insert(all.end(), arguments.begin(), arguments.end());
    else
      all.push_back(filled(word, values));
  }
  ExecRequest request{.wire = std::move(wire), .arguments = std::move(all)};
  N2NQ_ASSERT(inbox_->put(request));
  return exec;
}

void CommandCarrier::run() {
  // A child that has gone shows in the result of write().
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);

  std::vector<std::unique_ptr<Running>> running;
  while (!inbox_->aborted()) {
    for (const ExecRequest& request : inbox_->take()) running.push_back(std::make_unique<Running>(request));
    const auto now = Wire::Clock::now();
    for (const auto& one : running)
      for (int i = 0; i < kMostTurns && one->pump.turn(now); i++) {
      }
    std::erase_if(running, [](const auto& one) { return one->pump.over(); });
    wait(*inbox_->wake(), running);
  }
  for (const ExecRequest& request : inbox_->close()) request.wire->put_end({.lost = true, .text = kClosed});
  const auto now = Wire::Clock::now();
  for (const auto& one : running) {
    one->pump.turn(now);  // the last wishes
    one->pump.kill();
    one->pump.lose(kClosed);
    one->channel->hurry(now + kFarewell);
  }
  // What cleans up after itself has this time for it.
  for (const auto& one : running) one->channel->let_end(kFarewell);
}

}  // namespace n2nq::remote
