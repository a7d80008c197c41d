#include "tests/unit/app/hosts_page/fake_host_link.h"

#include <QTimer>
#include <map>
#include <utility>

namespace n2nq::test {
namespace {

std::map<std::string, FakeHost>& all() {
  static std::map<std::string, FakeHost> hosts;
  return hosts;
}

}  // namespace

FakeHost& fake_host(const std::string& name) {
  return all()[name];
}

void forget_fake_hosts() {
  all().clear();
}

}  // namespace n2nq::test

namespace n2nq::launch {

using test::fake_host;
using test::FakeHost;

class HostLink::Inside {
 public:
  Inside(HostLink& of, const hosts::Host& to) : owner(of), host(to) {}

  FakeHost& script() { return fake_host(host.name); }
  void later(std::function<void()> call) {
    QTimer::singleShot(0, &owner, [this, call = std::move(call), begun = attempt] {
      if (begun == attempt) call();
    });
  }
  void set(State next) {
    state = next;
    Q_EMIT owner.state_changed();
  }
  void begin() {
    Q_EMIT owner.state_changed();
    if (!pass(LinkStep::reach)) return;
    if (!script().question) return go_on();
    Q_EMIT owner.asked(*script().question, [this](std::optional<std::string> answer) {
      script().answers.push_back(answer);
      if (state != State::opening) return;
      if (answer) return go_on();
      fail({.trouble = LinkTrouble::login_refused,
            .step = LinkStep::login,
            .text = "nobody answered",
            .host = host.name});
    });
  }
  void go_on() {
    for (const LinkStep step :
         {LinkStep::host_key, LinkStep::login, LinkStep::architecture, LinkStep::work_folder, LinkStep::upload})
      if (!pass(step)) return;
    set(State::open);
  }
  bool pass(LinkStep step) {
    if (script().failure && script().failure->step == step) {
      fail(*script().failure);
      return false;
    }
    Q_EMIT owner.step_passed({.step = step, .ok = true, .text = to_text(step) + " found"});
    return true;
  }
  void fail(const LinkFailure& why) {
    failure = why;
    Q_EMIT owner.step_passed({.step = why.step, .ok = false, .text = why.text});
    set(State::lost);
    Q_EMIT owner.failed(why);
  }
  // Nothing is heard any more of a job that was destroyed.
  struct KeptJob : HostJob {
    std::shared_ptr<int> kept = std::make_shared<int>(0);
  };
  Job job(std::function<void()> call) {
    auto job = std::make_unique<KeptJob>();
    later([call = std::move(call), kept = std::weak_ptr(job->kept)] {
      if (kept.lock()) call();
    });
    return job;
  }

  HostLink& owner;
  hosts::Host host;
  State state = State::closed;
  std::optional<LinkFailure> failure;
  int attempt = 0;
};

HostLink::HostLink(const hosts::Host& host, const std::vector<hosts::Host>&, const LinkOptions&)
    : inside_(std::make_unique<Inside>(*this, host)) {
  inside_->script().link = this;
}
HostLink::~HostLink() = default;
const hosts::Host& HostLink::host() const {
  return inside_->host;
}
HostLink::State HostLink::state() const {
  return inside_->state;
}
const std::optional<LinkFailure>& HostLink::failure() const {
  return inside_->failure;
}
void HostLink::open(std::chrono::milliseconds) {
  if (inside_->state == State::opening || inside_->state == State::open) return;
  inside_->state = State::opening;
  inside_->attempt++;
  inside_->script().opened++;
  inside_->later([this] { inside_->begin(); });
}
void HostLink::close() {
  if (inside_->state == State::closed) return;
  inside_->attempt++;
  inside_->state = State::closed;
  inside_->later([this] { Q_EMIT state_changed(); });
}
std::unique_ptr<WorkerProcess> HostLink::launch(const WorkerCommand&) {
  return nullptr;
}
bool HostLink::has_shell() const {
  return true;
}
std::string HostLink::work_folder() const {
  return "/work";
}
std::string HostLink::run_folder(const std::string& name) const {
  return work_folder() + "/runs/" + name;
}
Job HostLink::fetch(const std::string& remote, const std::string&, std::function<void(const FetchProgress&)>, Done done,
                    int64_t most) {
  inside_->script().fetched.emplace_back(remote, most);
  return inside_->job([done] { done({}); });
}
Job HostLink::tail(const std::string&, int64_t, std::function<void(const TailPiece&)>,
                   std::function<void(const Error&)>) {
  return std::make_unique<HostJob>();
}
Job HostLink::make_run_folder(const std::string&, Done done) {
  return inside_->job([done] { done({}); });
}
Job HostLink::list(const std::string&, std::function<void(const Result<std::vector<FolderEntry>>&)> done) {
  return inside_->job([this, done] { done(inside_->script().files); });
}
Job HostLink::left_runs(std::function<void(const Result<std::vector<LeftRun>>&)> done) {
  return inside_->job([this, done] { done(inside_->script().left); });
}
Job HostLink::remove_run_folder(const std::string&, Done done) {
  inside_->script().folder_removed = true;
  return inside_->job([done] { done({}); });
}
Job HostLink::find_port(const std::string& address, const PortRange&,
                        std::function<void(const Result<uint16_t>&)> done) {
  return inside_->job([this, done, anywhere = address == "0.0.0.0"] {
    done(anywhere ? inside_->script().port_anywhere : inside_->script().port_there);
  });
}
Job HostLink::clock_state(std::function<void(const Result<ClockState>&)> done) {
  return inside_->job([this, done] {
    const auto lost = inside_->script().lost_at_clock;
    if (!lost) return done(inside_->script().clock);
    inside_->fail(*lost);
    done(n2nq::fail(lost->text));
  });
}

}  // namespace n2nq::launch
