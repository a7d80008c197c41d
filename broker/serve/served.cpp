#include "broker/serve/served.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "broker/base/clock.h"
#include "broker/base/units.h"
#include "broker/net/resolve.h"
#include "broker/net/socket.h"

namespace n2nq::serve {
namespace {

constexpr int64_t kAskAgainNs = 20'000'000;
constexpr int64_t kAnswersWithinNs = 2'000'000'000;  // or it is asked again, as it may have dropped the question
constexpr int64_t kContainerStartsWithinNs = 20'000'000'000;  // beside what its server takes
constexpr size_t kLastWords = 300;
constexpr std::streamoff kEndOfLog = 64 * 1024;  // of which the last words are
constexpr uint64_t kFull = 16 * 1024 * 1024;     // bytes that are free at most
constexpr uint64_t kNearlyFullShare = 100;       // of the disk at most a hundredth is free

// Whatever it says behind such a line is where in its program it was, or that it ends; but Erlang's very last line is
// its shortest.
bool tells_trouble(std::string_view line) {
  static constexpr std::string_view kWords[] = {"ERROR",
                                                "FATAL",
                                                "[ERR]",
                                                "[FTL]",
                                                "[error]",
                                                "[critical]",
                                                "No space",
                                                "no space",
                                                "enospc",
                                                "init terminating in",
                                                "Kernel pid terminated"};
  return std::ranges::any_of(kWords, [line](std::string_view word) { return line.contains(word); });
}

// Java programs say that there was trouble, and in the next line which: "java.net.BindException: Address already in
// use".
bool names_exception(std::string_view line) {
  const std::string_view name = line.substr(0, line.find_first_of(": "));
  return name.contains('.') && (name.ends_with("Exception") || name.ends_with("Error"));
}

// The last line of trouble at the end of the file, or where there is none the last that is not empty.
std::string last_words(const std::string& file) {
  std::ifstream in(file, std::ios::ate);
  const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : 0;
  in.seekg(std::max<std::streamoff>(0, size - kEndOfLog));
  std::string last, trouble;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    if (names_exception(line) && !trouble.empty() && last == trouble)
      trouble += " " + line;
    else if (tells_trouble(line))
      trouble = line;
    last = std::move(line);
  }
  return (trouble.empty() ? last : trouble).substr(0, kLastWords);
}

// "12 KiB"
std::string size_text(uint64_t bytes) {
  std::string text = format_size(bytes);
  return text.insert(text.find_first_not_of("0123456789."), " ");
}

}  // namespace

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

// Ports are free when they are looked at, and the kernel gives them to nobody else. Somebody may still take one before
// the server does: the server's log says so, and that program gets no question.
Result<void> Served::hold_port() {
  auto own = net::listen_for_later(wish_.listen);
  if (!own) return std::unexpected(own.error());
  auto chosen = net::local_endpoint(own->get());
  if (!chosen) return std::unexpected(chosen.error());
  site_.listen = *chosen;
  held_.push_back(std::move(*own));
  return {};
}

Result<void> Served::prepare() {
  while (site_.more_ports.size() < recipe().more_ports) {
    auto another = listen_at_more();
    if (!another) return std::unexpected(another.error());
    auto endpoint = net::local_endpoint(another->get());
    if (!endpoint) return std::unexpected(endpoint.error());
    site_.more_ports.push_back(endpoint->port());
    held_.push_back(std::move(*another));
  }
  if (auto made = make_folder(); !made) return made;
  site_.password = wish_.password;
  site_.settings = wish_.settings;
  site_.apart = wish_.apart.has_value();
  if (wish_.apart) site_.common_port = wish_.apart->common_port;
  return {};
}

// At a free port, as far as can be chosen.
Result<Fd> Served::listen_at_more() const {
  auto anywhere = net::resolve("0.0.0.0:0");
  if (!anywhere) return std::unexpected(anywhere.error());
  if (!wish_.apart || wish_.apart->first_port == 0) return net::listen_for_later(*anywhere);
  for (uint32_t port = wish_.apart->first_port; port <= wish_.apart->last_port; port++) {
    if (port == wish_.apart->common_port || std::ranges::find(wish_.apart->taken, port) != wish_.apart->taken.end())
      continue;
    anywhere->set_port(static_cast<uint16_t>(port));
    if (auto free = net::listen_tcp(*anywhere)) return free;
  }
  return fail("of its data ports none is left for the servers of a cluster to reach each other; widen them");
}

Result<void> Served::start(const std::vector<Site::Member>& members, size_t index, const std::string& cookie,
                           std::string log) {
  log_file_ = log.empty() ? site_.folder + "/server.log" : std::move(log);
  site_.members = members;
  site_.cookie = cookie;
  site_.index = index;
  held_.clear();
  CagedProgram program{.argv = recipe().command(site_, wish_.program),
                       .input = recipe().input(site_),
                       .output_file = log_file_,
                       .folder = site_.folder};
  if (wish_.container) put_into(*wish_.container, site_, program);
  auto cage = Cage::start(program);
  if (!cage) return std::unexpected(cage.error());
  cage_.emplace(std::move(*cage));
  end_watch_ = std::make_unique<EndWatch>(*this);
  process_ = process::ProcessHandle(cage_->pid());
  until_ns_ = now_ns() + recipe().patience_ns + (wish_.container ? kContainerStartsWithinNs : 0);
  again_.arm_now();
  return {};
}

Result<void> Served::make_folder() {
  std::error_code error;
  // What it is to write to a disk goes beside the logs: a folder for what is temporary may be memory.
  const bool beside_logs = (recipe().writes || !wish_.settings.empty()) && !wish_.beside.empty();
  const auto parent =
      beside_logs ? std::filesystem::absolute(wish_.beside, error) : std::filesystem::temp_directory_path(error);
  std::string pattern = (parent / "n2nq-server-XXXXXX").string();
  if (error || ::mkdtemp(pattern.data()) == nullptr)
    return fail(
        "no folder for a server can be made in " + pattern + ": " + (error ? error.message() : std::strerror(errno)),
        errno);
  site_.folder = pattern;
  return {};
}

void Served::on_due() {
  if (question_ && asks_for_others_) return not_answered("it does not say how many servers of its cluster it knows");
  if (question_) return not_answered("it takes connections and says nothing");
  ask();
}

void Served::ask() {
  asked_before_.reset();
  asks_for_others_ = false;
  auto question = Question::ask(loop_, site_.listen, recipe().question(site_),
                                {.may_ask = [this] { return has_its_port(); },  // it brings the password of the run
                                 .on_answer = [this](const std::string& so_far) { answered(so_far); },
                                 .on_failed = [this](const std::string& why) { not_answered(why); }});
  if (!question) return not_answered(question.error().text);
  question_ = std::move(*question);
  again_.arm_at(
      std::min(until_ns_, now_ns() + (site_.members.size() > 1 ? recipe().answers_within_ns : kAnswersWithinNs)));
}

void Served::close_question() {
  if (!question_) return;
  question_->close();
  asked_before_ = std::move(question_);
}

void Served::answered(const std::string& so_far) {
  const auto said = recipe().said(so_far);
  if (!said) return;
  if (wish_.container && process_.pid() == cage_->pid()) {
    // The image may write what it likes there.
    const pid_t told = watched_in(site_.folder);
    const std::vector<pid_t> caged = cage_->processes();
    if (std::ranges::find(caged, told) == caged.end()) return not_answered("its process is not known yet");
    process_ = process::ProcessHandle(told);
  }
  if (said->mark != recipe().mark(site_, pid())) return not_answered("somebody else's server answers there");
  version_ = said->version;
  if (recipe().known_command != nullptr && wanted() > 1) return ask_for_others();
  knows(said->servers);
}

// Of its cluster, itself among them.
size_t Served::wanted() const {
  return recipe().one_first && site_.index == 0 ? 1 : site_.members.size();
}

void Served::ask_for_others() {
  close_question();
  asks_for_others_ = true;
  auto question =
      Question::ask_by(loop_, recipe().known_command(site_),
                       {.on_answer = [this](const std::string& all) { knows(recipe().known(all).value_or(0)); },
                        .on_failed = [this](const std::string& why) { not_answered(why); }});
  if (!question) return not_answered(question.error().text);
  question_ = std::move(*question);
  again_.arm_at(std::min(until_ns_, now_ns() + kAnswersWithinNs));
}

void Served::knows(size_t servers) {
  if (servers < wanted())
    return not_answered("of the " + std::to_string(wanted()) + " servers of its cluster it knows " +
                        std::to_string(servers));
  if (version_.empty()) version_ = recipe().version(file_of_program());
  answered_ = true;
  close_question();
  if (wish_.container) {
    if (auto held = process::check_limits(wish_.container->limits, pid(), {.prefix = "bus.", .runner = "the queue"});
        !held)
      return lose(held.error().text);
    version_ += " in " + wish_.container->image + " (" + wish_.container->digest + ")";
  }
  again_.disarm();
  callbacks_.on_ready();
}

// As this process sees it.
std::string Served::file_of_program() const {
  const bool elsewhere = wish_.container && wish_.program.starts_with('/');
  return elsewhere ? "/proc/" + std::to_string(pid()) + "/root" + wish_.program : wish_.program;
}

std::optional<std::string> Served::full_disk() const {
  struct statvfs disk{};
  if (site_.folder.empty() || ::statvfs(site_.folder.c_str(), &disk) != 0) return std::nullopt;
  const uint64_t free = static_cast<uint64_t>(disk.f_bavail) * disk.f_frsize;
  const uint64_t all = static_cast<uint64_t>(disk.f_blocks) * disk.f_frsize;
  if (free >= kFull && free >= all / kNearlyFullShare) return std::nullopt;
  return std::string("keeps its files on a disk that is ") + (free < kFull ? "full" : "nearly full") + ": " +
         size_text(free) + " free at " + site_.folder;
}

void Served::not_answered(const std::string& why) {
  last_failure_ = why;
  close_question();
  if (now_ns() < until_ns_) return again_.arm_at(now_ns() + kAskAgainNs);
  lose("has not answered at " + address() + " in time: " + last_failure_);
}

void Served::ended() {
  over_ = true;
  close_question();
  // Workers that connect again find nobody there, not somebody else.
  if (auto held = net::hold_port(site_.listen)) held_.push_back(std::move(*held));
  const std::string words = last_words(log_file_);
  lose((!answered_ ? "has not started: it ended " : "has ended by itself ") + cage_->how_it_ended() +
       (words.empty() ? "" : "; its log says: " + words));
}

// Its cage and watches go with end(), as they may be calling.
void Served::lose(const std::string& why) {
  again_.disarm();
  const auto on_lost = std::exchange(callbacks_.on_lost, nullptr);
  if (on_lost) on_lost(why);
}

void Served::begin_to_end() {
  again_.disarm();
  callbacks_ = {};
  question_.reset();
  asked_before_.reset();
  end_watch_.reset();
  held_.clear();
  if (cage_) cage_->begin_to_end();
}

void Served::end() {
  begin_to_end();
  cage_.reset();
  if (site_.folder.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(site_.folder, ignored);  // if its guard could not, or was never there
}

}  // namespace n2nq::serve
