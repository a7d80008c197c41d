#include "app/launch/host_link.h"

#include <QCryptographicHash>
#include <QPointer>
#include <QTimer>
#include <algorithm>
#include <list>
#include <utility>

#include "app/launch/host_jobs.h"
#include "app/launch/host_opening.h"
#include "app/launch/host_scripts.h"
#include "app/launch/remote_worker.h"
#include "app/remote/command_carrier.h"
#include "app/ssh/ssh_carrier.h"
#include "broker/base/assert.h"

namespace n2nq::launch {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kBetweenAttempts = 2s;

bool is_plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
}

bool may_pass(const LinkFailure& failure) {
  return failure.trouble == LinkTrouble::unreachable || failure.trouble == LinkTrouble::broken;
}

// The jump hosts from the host outwards; or what is wrong with them.
Result<std::vector<hosts::Host>> way_to(const hosts::Host& host, const std::vector<hosts::Host>& list) {
  std::vector<hosts::Host> way;
  for (std::string next = host.jump; !next.empty(); next = way.back().jump) {
    const auto found = std::ranges::find(list, next, &hosts::Host::name);
    if (found == list.end()) return fail("the jump host " + next + " is not in the list of hosts");
    if (found->kind != hosts::Host::Kind::ssh) return fail("the jump host " + next + " is not reached by SSH");
    if (way.size() >= list.size() || next == host.name)
      return fail("the jump hosts of " + host.name + " lead in a circle");
    way.push_back(*found);
  }
  return way;
}

ssh::Options ssh_options(const LinkOptions& options) {
  return {.known_hosts = options.known_hosts,
          .use_agent = options.use_agent,
          .agent_socket = options.agent_socket,
          .ask = options.ask,
          .connect_timeout = options.connect_timeout,
          .silence = options.silence};
}

}  // namespace

class HostLink::Inside {
 public:
  Inside(HostLink& link, const hosts::Host& host, const std::vector<hosts::Host>& list, const LinkOptions& options)
      : link_(link), host_(host), options_(options), way_(way_to(host, list)) {
    again_.setSingleShot(true);
    QObject::connect(&again_, &QTimer::timeout, &again_, [this] { attempt(); });
    carrier_ = make_carrier();
  }

  const hosts::Host& host() const { return host_; }
  State state() const { return state_; }
  const std::optional<LinkFailure>& failure() const { return failure_; }
  const std::string& work_folder() const { return ready_.work_folder; }
  bool has_shell() const { return ready_.shell; }

  void open(std::chrono::milliseconds within) {
    if (state_ == State::opening || state_ == State::open) return;
    until_ = Clock::now() + within;
    again_.start(0);
    state_ = State::opening;
    tell_state();
  }

  void close() {
    again_.stop();
    box_ = std::make_unique<threads::PostBox>();
    opening_.reset();
    carrier_->close();
    farewells_.clear();
    if (std::exchange(state_, State::closed) != State::closed) tell_state();
  }

  std::unique_ptr<remote::Exec> exec(const std::vector<std::string>& arguments, const remote::Occasion& occasion = {}) {
    if (state_ != State::open) return nullptr;
    return answering(carrier_->exec(arguments, occasion), arguments);
  }
  Run run() {
    // A job may outlive the link.
    return [this, link = QPointer(&link_)](const std::vector<std::string>& arguments) {
      return link ? exec(arguments) : nullptr;
    };
  }

  std::string program_path(const std::string& name) const {
    const auto found = ready_.programs.find(name);
    return found == ready_.programs.end() ? name : found->second;
  }

  // What starts a program there; its own arguments follow.
  std::vector<std::string> start_of(const std::string& program) const {
    if (!ready_.shell) return {program_path(program)};
    return shell(scripts::kStart, {ready_.work_folder, program_path(program)});
  }

  std::unique_ptr<WorkerProcess> launch(const WorkerCommand& command) {
    const std::string program = program_of(command.role);
    std::vector<std::string> arguments = start_of(program);
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    std::string why = program + " cannot be started on " + host_.name + ": " + kNotOpen;
    if (failure_) why += "; " + failure_->text;
    return std::make_unique<RemoteWorker>(
        RemoteWorker::Way{.host = host_.name,
                          .program = program,
                          .tells_pid = ready_.shell,
                          .signals_reach = carrier_->signals_reach(),
                          .signal_by_command =
                              [this, link = QPointer(&link_)](int signal, int64_t pid) {
                                if (link) signal_by_command(signal, pid);
                              }},
        exec(arguments, {.role = command.role == Role::broker ? "queue" : control::to_text(command.role),
                         .cpus = command.cpus,
                         .memory = command.memory}),
        why);
  }

 private:
  struct Farewell {
    std::unique_ptr<ScriptRun> script;
    bool over = false;
  };

  std::unique_ptr<remote::Carrier> make_carrier() {
    remote::CarrierEvents events;
    events.step_passed = [this](const StepReport& report) { Q_EMIT link_.step_passed(report); };
    events.asked = [this](const LinkQuestion& question, const LinkAnswer& answer) {
      Q_EMIT link_.asked(question, answer);
    };
    events.opened = [this] { on_carried(); };
    events.failed = [this](const LinkFailure& failure) { fail_with(failure); };
    if (host_.kind == hosts::Host::Kind::command)
      return std::make_unique<remote::CommandCarrier>(host_.name, host_.command, std::move(events));
    return std::make_unique<ssh::SshCarrier>(host_, way_.value_or(std::vector<hosts::Host>()), ssh_options(options_),
                                             std::move(events));
  }

  void attempt() {
    state_ = State::opening;
    tell_state();
    if (!way_) return fail_with({.trouble = LinkTrouble::unreachable, .text = way_.error().text, .host = host_.name});
    carrier_->open();
  }

  void on_carried() {
    opening_ = std::make_unique<HostOpening>(
        host_, options_.programs,
        HostOpening::Bounds{
            .shell = options_.shell_timeout, .piece = options_.upload_piece, .upload = options_.upload_timeout},
        [this](const auto& arguments) { return answering(carrier_->exec(arguments, {}), arguments); },
        [this](const StepReport& report) { Q_EMIT link_.step_passed(report); }, [this] { Q_EMIT link_.upload_moved(); },
        [this](const std::expected<HostReady, LinkFailure>& ready) { later([this, ready] { on_ready(ready); }); });
  }

  void on_ready(const std::expected<HostReady, LinkFailure>& ready) {
    opening_.reset();
    if (!ready) {
      carrier_->close();
      return fail_with(ready.error());
    }
    ready_ = *ready;
    failure_.reset();
    state_ = State::open;
    tell_state();
  }

  void fail_with(const LinkFailure& failure) {
    later([this, failure] {
      const bool was_open = state_ == State::open;
      opening_.reset();
      farewells_.clear();
      failure_ = failure;
      state_ = State::lost;
      if (!was_open) Q_EMIT link_.step_passed({.step = failure.step, .ok = false, .text = failure.text});
      if (may_pass(failure) && !was_open && Clock::now() + kBetweenAttempts < until_) again_.start(kBetweenAttempts);
      tell_state();
      Q_EMIT link_.failed(failure);
    });
  }

  // Never from within a call of what it ends; and not at all when it was closed meanwhile.
  void later(std::function<void()> call) { box_->put(std::move(call)); }
  void tell_state() {
    told_.put([this] { Q_EMIT link_.state_changed(); });
  }

  void signal_by_command(int signal, int64_t pid) {
    std::erase_if(farewells_, [](const auto& one) { return one->over; });
    auto exec = this->exec(shell(scripts::kSignal, {std::to_string(signal), std::to_string(pid)}));
    if (!exec) return;
    farewells_.push_back(std::make_unique<Farewell>());
    Farewell* one = farewells_.back().get();
    one->script =
        std::make_unique<ScriptRun>(std::move(exec), QByteArray(), [one](const ScriptEnd&) { one->over = true; });
  }

  HostLink& link_;
  const hosts::Host host_;
  const LinkOptions options_;
  const Result<std::vector<hosts::Host>> way_;
  State state_ = State::closed;
  std::optional<LinkFailure> failure_;
  HostReady ready_;
  Clock::time_point until_;
  QTimer again_;
  std::unique_ptr<threads::PostBox> box_ = std::make_unique<threads::PostBox>();
  threads::PostBox told_;
  std::unique_ptr<remote::Carrier> carrier_;
  std::unique_ptr<HostOpening> opening_;
  std::list<std::unique_ptr<Farewell>> farewells_;
};

HostLink::HostLink(const hosts::Host& host, const std::vector<hosts::Host>& list, const LinkOptions& options)
    : inside_(std::make_unique<Inside>(*this, host, list, options)) {}

HostLink::~HostLink() = default;

const hosts::Host& HostLink::host() const {
  return inside_->host();
}

HostLink::State HostLink::state() const {
  return inside_->state();
}

const std::optional<LinkFailure>& HostLink::failure() const {
  return inside_->failure();
}

void HostLink::open(std::chrono::milliseconds within) {
  inside_->open(within);
}

void HostLink::close() {
  inside_->close();
}

std::unique_ptr<WorkerProcess> HostLink::launch(const WorkerCommand& command) {
  return inside_->launch(command);
}

bool HostLink::has_shell() const {
  return inside_->has_shell();
}

std::string HostLink::work_folder() const {
  return inside_->work_folder();
}

std::string HostLink::run_folder(const std::string& name) const {
  N2NQ_ASSERT(is_plain_name(name));
  // Several hosts may have one home, on a shared disk: what one has fetched and removes must not be another's.
  const QByteArray hash = QCryptographicHash::hash(QByteArray::fromStdString(host().name), QCryptographicHash::Sha256);
  return work_folder() + "/runs/" + name + "-" + hash.toHex().left(8).toStdString();
}

Job HostLink::fetch(const std::string& remote, const std::string& local,
                    std::function<void(const FetchProgress& progress)> progress, Done done, int64_t most) {
  return std::make_unique<FetchJob>(inside_->run(), remote, local, most, std::move(progress), std::move(done));
}

Job HostLink::tail(const std::string& remote, int64_t offset, std::function<void(const TailPiece& piece)> more,
                   std::function<void(const Error& error)> failed) {
  return std::make_unique<TailJob>(inside_->run(), remote, offset, std::move(more), std::move(failed));
}

namespace {

// What a command without an output has come to.
ScriptRun::Done outcome(const std::string& what, HostLink::Done done) {
  return [what, done = std::move(done)](const ScriptEnd& end) {
    if (end.exit_code == 0) return done({});
    done(fail(what + ": " + end.complaint));
  };
}

}  // namespace

Job HostLink::make_run_folder(const std::string& name, Done done) {
  const std::string folder = run_folder(name);
  return std::make_unique<FolderJob>(inside_->run(), folder,
                                     outcome(folder + " cannot be created on " + host().name, std::move(done)));
}

Job HostLink::remove_run_folder(const std::string& name, Done done) {
  const std::string folder = run_folder(name);
  return std::make_unique<CommandJob>(inside_->run(), shell(scripts::kRemoveFolder, {folder}),
                                      outcome(folder + " cannot be removed from " + host().name, std::move(done)));
}

Job HostLink::list(const std::string& remote_folder,
                   std::function<void(const Result<std::vector<FolderEntry>>& entries)> done) {
  return std::make_unique<CommandJob>(inside_->run(), shell(scripts::kList, {remote_folder}),
                                      [done = std::move(done), remote_folder](const ScriptEnd& end) {
                                        if (end.exit_code != 0)
                                          return done(fail(remote_folder + " cannot be listed: " + end.complaint));
                                        done(entries_of(end.output));
                                      });
}

Job HostLink::left_runs(std::function<void(const Result<std::vector<LeftRun>>& runs)> done) {
  // What comes after the name of a run in those of this host.
  const std::string runs_folder = work_folder() + "/runs/";
  const std::string suffix = run_folder("x").substr(runs_folder.size() + 1);
  return std::make_unique<CommandJob>(inside_->run(), shell(scripts::kLeftRuns, {work_folder()}),
                                      [done = std::move(done), runs_folder, suffix](const ScriptEnd& end) {
                                        if (end.exit_code != 0)
                                          return done(fail(runs_folder + " cannot be examined: " + end.complaint));
                                        std::vector<LeftRun> runs;
                                        for (const QByteArray& line : end.output.split('\n')) {
                                          const std::string name = line.mid(line.indexOf(' ') + 1).toStdString();
                                          const bool ours = name.size() > suffix.size() && name.ends_with(suffix);
                                          if (!ours || !is_plain_name(name)) continue;
                                          runs.push_back({.name = name.substr(0, name.size() - suffix.size()),
                                                          .folder = runs_folder + name,
                                                          .busy = line.startsWith("runs ")});
                                        }
                                        std::ranges::sort(runs, {}, &LeftRun::name);
                                        done(runs);
                                      });
}

Job HostLink::find_port(const std::string& address, const PortRange& range,
                        std::function<void(const Result<uint16_t>& port)> done) {
  return std::make_unique<FindPortJob>(inside_->run(), inside_->start_of(program_of(Role::broker)), address, range,
                                       std::move(done));
}

Job HostLink::clock_state(std::function<void(const Result<ClockState>& state)> done) {
  if (state() == State::open && !has_shell())
    return std::make_unique<AnswerJob>(
        [done = std::move(done)] { done(ClockState{.text = "unknown: there is no shell to query"}); });
  return std::make_unique<CommandJob>(inside_->run(), shell(scripts::kClock),
                                      [done = std::move(done)](const ScriptEnd& end) {
                                        if (end.exit_code != 0)
                                          return done(fail("the clock's state cannot be read: " + end.complaint));
                                        done(clock_of(end.output));
                                      });
}

}  // namespace n2nq::launch
