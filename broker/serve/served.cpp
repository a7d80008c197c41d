#include "broker/serve/served.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "broker/base/clock.h"
#include "broker/net/resolve.h"
#include "broker/net/socket.h"

namespace n2nq::serve {
namespace {

constexpr int64_t kAskAgainNs = 20'000'000;
constexpr size_t kLongestAnswer = 64 * 1024;
constexpr size_t kLastWords = 300;

// The last line that is not empty.
std::string last_words(const std::string& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) last = line;
  return last.substr(0, kLastWords);
}

}  // namespace

// One connection over which it is asked once.
class Served::Question final : private net::EventLoop::Handler {
 public:
  Question(Served& served, Fd fd) : served_(served), fd_(std::move(fd)) {
    served_.loop_.add(fd_.get(), net::EventLoop::kReadWrite, this);
  }
  ~Question() override { close(); }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  void close() {
    if (!fd_.valid()) return;
    served_.loop_.remove(fd_.get(), this);
    fd_.reset();
  }

 private:
  void on_events(uint32_t) override {
    if (!asked_) {
      if (auto connected = net::connect_outcome(fd_.get(), served_.site_.listen); !connected)
        return served_.not_answered(connected.error().text);
      asked_ = true;
      const std::string question = served_.recipe().question(served_.site_);
      if (::send(fd_.get(), question.data(), question.size(), MSG_NOSIGNAL) < 0)
        return served_.not_answered(std::strerror(errno));
    }
    char bytes[4096];
    while (true) {
      const ssize_t n = ::recv(fd_.get(), bytes, sizeof bytes, 0);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return served_.answered(answer_);
      if (n <= 0 || answer_.size() > kLongestAnswer) return served_.not_answered("it closed the connection");
      answer_.append(bytes, static_cast<size_t>(n));
    }
  }

  Served& served_;
  Fd fd_;
  bool asked_ = false;
  std::string answer_;
};

class Served::EndWatch final : private net::EventLoop::Handler {
 public:
  explicit EndWatch(Served& served) : served_(served), fd_(served.cage_->end_fd()) {
    served_.loop_.add(fd_, net::EventLoop::kRead, this);
  }
  ~EndWatch() override { served_.loop_.remove(fd_, this); }
  EndWatch(const EndWatch&) = delete;
  EndWatch& operator=(const EndWatch&) = delete;

 private:
  void on_events(uint32_t) override { served_.ended(); }
  Served& served_;
  int fd_;
};

Served::Served(net::EventLoop& loop, Wish wish, Callbacks callbacks)
    : loop_(loop), wish_(std::move(wish)), callbacks_(std::move(callbacks)), again_(loop, [this] { on_due(); }) {}

Served::~Served() {
  end();
}

Result<void> Served::start() {
  auto program = find_program(recipe());
  if (!program) return std::unexpected(program.error());
  program_ = *program;
  if (auto chosen = choose_ports(); !chosen) return chosen;
  if (auto made = make_folder(); !made) return made;
  site_.password = wish_.password;
  site_.settings = wish_.settings;
  if (wish_.log_file.empty()) wish_.log_file = site_.folder + "/server.log";
  auto cage = Cage::start({.argv = recipe().command(site_, *program),
                           .input = recipe().input(site_),
                           .output_file = wish_.log_file,
                           .folder = site_.folder});
  if (!cage) {
    std::error_code ignored;
    std::filesystem::remove_all(site_.folder, ignored);
    return std::unexpected(cage.error());
  }
  cage_.emplace(std::move(*cage));
  end_watch_ = std::make_unique<EndWatch>(*this);
  until_ns_ = now_ns() + recipe().patience_ns;
  again_.arm_now();
  return {};
}

// Free when they are looked at; whoever takes one before the server does is told of by the server's log.
Result<void> Served::choose_ports() {
  auto own = net::listen_tcp(wish_.listen);
  if (!own) return std::unexpected(own.error());
  auto chosen = net::local_endpoint(own->get());
  if (!chosen) return std::unexpected(chosen.error());
  site_.listen = *chosen;
  auto anywhere = net::resolve("0.0.0.0:0");
  if (!anywhere) return std::unexpected(anywhere.error());
  std::vector<Fd> held;
  while (held.size() < recipe().more_ports) {
    auto another = net::listen_tcp(*anywhere);
    if (!another) return std::unexpected(another.error());
    auto endpoint = net::local_endpoint(another->get());
    if (!endpoint) return std::unexpected(endpoint.error());
    site_.more_ports.push_back(endpoint->port());
    held.push_back(std::move(*another));
  }
  return {};
}

Result<void> Served::make_folder() {
  std::error_code error;
  // What it is to write to a disk goes beside the logs: a folder for what is temporary may be memory.
  const bool beside_logs = (recipe().writes || !wish_.settings.empty()) && !wish_.log_file.empty();
  const auto parent = beside_logs
                          ? std::filesystem::absolute(std::filesystem::path(wish_.log_file).parent_path(), error)
                          : std::filesystem::temp_directory_path(error);
  std::string pattern = (parent / "n2nq-server-XXXXXX").string();
  if (error || ::mkdtemp(pattern.data()) == nullptr)
    return fail(
        "no folder for a server can be made in " + pattern + ": " + (error ? error.message() : std::strerror(errno)),
        errno);
  site_.folder = pattern;
  return {};
}

void Served::on_due() {
  if (question_) return not_answered("it takes connections and says nothing");
  ask();
}

void Served::ask() {
  asked_before_.reset();
  auto fd = net::start_connect(site_.listen, 0);
  if (!fd) return not_answered(fd.error().text);
  question_ = std::make_unique<Question>(*this, std::move(*fd));
  again_.arm_at(until_ns_);
}

void Served::answered(const std::string& so_far) {
  const auto said = recipe().said(so_far);
  if (!said) return;
  if (said->mark != recipe().mark(site_, pid())) return not_answered("somebody else's server answers there");
  version_ = !said->version.empty() ? said->version : recipe().version(program_);
  answered_ = true;
  question_->close();
  again_.disarm();
  callbacks_.on_ready();
}

void Served::not_answered(const std::string& why) {
  last_failure_ = why;
  if (question_) {
    question_->close();
    asked_before_ = std::move(question_);
  }
  if (now_ns() < until_ns_) return again_.arm_at(now_ns() + kAskAgainNs);
  lose("has not answered at " + address() + " in time: " + last_failure_);
}

void Served::ended() {
  const std::string words = last_words(wish_.log_file);
  lose((!answered_ ? "has not started: it ended " : "has ended by itself ") + cage_->how_it_ended() +
       (words.empty() ? "" : "; the last line of its log: " + words));
}

// Its cage and watches go with end(), as they may be calling.
void Served::lose(const std::string& why) {
  again_.disarm();
  const auto on_lost = std::exchange(callbacks_.on_lost, nullptr);
  if (on_lost) on_lost("the server of this run, " + std::string(recipe().title) + ", " + why);
}

void Served::end() {
  again_.disarm();
  callbacks_ = {};
  question_.reset();
  asked_before_.reset();
  end_watch_.reset();
  if (!cage_) return;
  cage_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(site_.folder, ignored);  // if its guard could not
}

}  // namespace n2nq::serve
