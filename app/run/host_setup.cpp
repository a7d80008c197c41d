#include "app/run/host_setup.h"

#include <sys/socket.h>

#include <algorithm>

#include "broker/base/fd.h"
#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::run {
namespace {

using launch::HostLink;

// Longer than any step of a link that says nothing meanwhile.
constexpr int kPatienceMs = 120'000;
constexpr uint16_t kAnyPort = 9;  // nothing is sent there
constexpr const char* kListenOn = "queue.listen (in the window \"Listen on\", in More settings of the queue)";

constexpr int kServerPortTries = 20;

// Of each server of the run that is on a host, in their order.
std::vector<std::string> hosts_of_servers(const plan::RunPlan& plan) {
  std::vector<std::string> hosts = plan.bus.server_hosts();
  if (hosts.empty() && !hosts::is_local(plan.queue.host)) hosts.push_back(plan.queue.host);
  std::vector<std::string> each;
  for (size_t i = 0; !hosts.empty() && i < plan.bus.servers(); i++) each.push_back(hosts[i % hosts.size()]);
  return each;
}

// One for each server there; the first of bus.hosts has one more, which all have in common.
size_t server_ports_on(const plan::RunPlan& plan, const std::string& host) {
  const std::vector<std::string> hosts = plan.bus.server_hosts();
  return static_cast<size_t>(std::ranges::count(hosts_of_servers(plan), host)) +
         (!hosts.empty() && hosts.front() == host ? 1 : 0);
}

std::string listen_host(const std::string& listen) {
  return listen.substr(0, listen.rfind(':'));
}

uint16_t listen_port(const std::string& listen) {
  return static_cast<uint16_t>(parse_whole(listen.substr(listen.rfind(':') + 1)).value_or(0));
}

bool is_any(const std::string& host) {
  return host == "0.0.0.0" || host == "[::]";
}

// The address of this computer from which it reaches that one; without a packet.
Result<std::string> own_address_towards(const net::Endpoint& other) {
  const Fd fd(::socket(other.address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd.valid() || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&other.address), other.length) != 0)
    return n2nq::fail("there is no way to " + other.text() + " from here");
  const auto own = net::local_endpoint(fd.get());
  if (!own) return std::unexpected(own.error());
  std::string text = listen_host(own->text());
  if (text.starts_with('[')) text = text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

std::string host_and_port(const std::string& address, uint16_t port) {
  const bool bare_v6 = address.find(':') != std::string::npos && !address.starts_with('[');
  return (bare_v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

std::string ServerPlace::address_from(const std::string& from) const {
  return from == host && is_any(listen_host(listen)) ? "127.0.0.1" : address;
}

HostSetup::HostSetup(const plan::RunPlan& plan, HostLinks& links, std::string run_name)
    : plan_(plan), links_(links), run_name_(std::move(run_name)) {
  if (!hosts::is_local(plan_.queue.host)) places_.queue_host = plan_.queue.host;
  for (const std::string& name : hosts_of(plan_)) {
    auto site = std::make_unique<Site>();
    site->name = name;
    site->link = &links_.to(name);
    site->wanted_ports = server_ports_on(plan_, name);
    sites_.push_back(std::move(site));
  }
  patience_.setSingleShot(true);
  connect(&patience_, &QTimer::timeout, this, [this] {
    const std::string text = "nothing has come of " + status_text() + " for " + std::to_string(kPatienceMs / 1000) +
                             " s; does a disk hang there, or its network? Test the host for more";
    const auto late = std::ranges::find_if(sites_, [](const auto& site) { return !site->open || site->waits_for > 0; });
    if (late != sites_.end()) failure_ = {.text = text, .host = (*late)->name};
    fail(text);
  });
}

HostSetup::~HostSetup() {
  give_up();
}

void HostSetup::give_up() {
  if (std::exchange(over_, true)) return;
  patience_.stop();
  for (const auto& site : sites_) {
    site->link->disconnect(this);
    site->jobs.clear();
    site->lookup.reset();
    if (site->link->state() == HostLink::State::opening) site->link->close();
  }
}

void HostSetup::start() {
  news();
  for (const auto& each : sites_) {
    Site& site = *each;
    connect(site.link, &HostLink::step_passed, this,
            [this, &site](const launch::StepReport& report) { on_step(site, report); });
    connect(site.link, &HostLink::upload_moved, this, &HostSetup::news);
    connect(site.link, &HostLink::asked, this,
            [this, &site](const launch::LinkQuestion& question) { on_asked(site, question); });
    connect(site.link, &HostLink::failed, this,
            [this, &site](const launch::LinkFailure& failure) { on_failed(site, failure); });
    connect(site.link, &HostLink::state_changed, this, [this, &site] { on_state(site); });
    if (site.link->state() != HostLink::State::open) site.link->open();
    // One that is open already is told from the event loop, like all else.
    QMetaObject::invokeMethod(this, [this, &site] { on_state(site); }, Qt::QueuedConnection);
  }
}

void HostSetup::news() {
  const bool asks = std::ranges::any_of(sites_, [](const auto& site) { return site->asks; });
  if (!over_ && !asks) patience_.start(kPatienceMs);
}

void HostSetup::on_step(Site& site, const launch::StepReport& report) {
  if (over_ || !report.ok) return;
  site.asks = false;
  site.key.reset();
  site.step = launch::to_text(report.step);
  news();
  Q_EMIT changed();
}

void HostSetup::on_asked(Site& site, const launch::LinkQuestion& question) {
  site.asks = true;
  if (question.kind == launch::LinkQuestion::Kind::host_key)
    site.key = launch::LinkFailure{.trouble = launch::LinkTrouble::unknown_key,
                                   .step = launch::LinkStep::host_key,
                                   .text = "the key of " + question.host + " is not known: " + question.fingerprint,
                                   .host = question.host,
                                   .fingerprint = question.fingerprint};
  patience_.stop();
  tell_unknown_keys();
}

void HostSetup::on_failed(Site& site, const launch::LinkFailure& failure) {
  if (over_) return;
  site.failed = true;
  site.asks = false;
  site.key.reset();
  if (!failure_) failure_ = failure;
  failures_.push_back(failure);
  if (failure_->trouble != launch::LinkTrouble::unknown_key) return fail(failure.text);
  news();
  tell_unknown_keys();
}

// Where a key is not known, those of the other hosts are hardly known either: they are told with it, so that whoever
// trusts them does so once. The others have their time for that; nothing waits for one that asks somebody.
void HostSetup::tell_unknown_keys() {
  if (over_ || failures_.empty()) return;
  const bool later =
      std::ranges::any_of(sites_, [](const auto& site) { return !site->open && !site->failed && !site->asks; });
  if (later) return;
  for (const auto& site : sites_)
    if (site->key) failures_.push_back(*site->key);
  std::vector<launch::LinkFailure> once;
  std::string text;
  for (const launch::LinkFailure& failure : failures_) {
    const auto same = [&](const auto& other) {
      return !failure.fingerprint.empty() && other.host == failure.host && other.fingerprint == failure.fingerprint;
    };
    if (std::ranges::any_of(once, same)) continue;
    once.push_back(failure);
    add_part(text, "; ", failure.text);
  }
  failures_ = std::move(once);
  fail(text);
}

void HostSetup::on_state(Site& site) {
  if (over_ || site.open || site.link->state() != HostLink::State::open) return;
  site.open = true;
  site.asks = false;
  site.key.reset();
  news();
  if (!failures_.empty()) return tell_unknown_keys();
  if (site.link->has_shell())
    make_folder(site);
  else
    Q_EMIT noted(QString::fromStdString(site.name + " has no shell: its processes keep no log files"));
  note_clock(site);
  if (site.name == places_.queue_host) places_.address = hosts::data_address_of(site.link->host());
  if (site.name == places_.queue_host || site.wanted_ports > 0)
    find_port(site, hosts::data_address_of(site.link->host()), kServerPortTries);
  if (routes_matter(site)) find_route(site);
  Q_EMIT changed();
}

void HostSetup::add(Site& site, launch::Job job) {
  site.waits_for++;
  site.jobs.push_back(std::move(job));
}

void HostSetup::done(Site& site) {
  site.waits_for--;
  news();
  const bool all = std::ranges::all_of(sites_, [](const auto& each) { return each->open && each->waits_for == 0; });
  if (!all || over_) return;
  choose_listening();
  if (over_) return;
  place_servers();
  over_ = true;
  patience_.stop();
  for (const auto& each : sites_) each->link->disconnect(this);
  Q_EMIT finished();
}

// Noted before it is there: should it come about when nobody waits any more, it is removed as others are.
void HostSetup::make_folder(Site& site) {
  places_.folders[site.name] = site.link->run_folder(run_name_);
  add(site, site.link->make_run_folder(run_name_, [this, &site](const Result<void>& made) {
    if (over_) return;
    if (!made) return fail(site, launch::LinkTrouble::work_folder, made.error().text);
    done(site);
  }));
}

void HostSetup::note_clock(Site& site) {
  add(site, site.link->clock_state([this, &site](const Result<launch::ClockState>& state) {
    if (over_) return;
    Q_EMIT noted(QString::fromStdString(site.name + ": clock: " + (state ? state->text : state.error().text)));
    done(site);
  }));
}

// Of the queue, or of a server of the run; on the first of them it is decided where all of that host listen.
void HostSetup::find_port(Site& site, const std::string& address, int tries) {
  const PortRange range = site.link->host().data_ports;
  add(site, site.link->find_port(address, range, [this, &site, address, tries](const Result<uint16_t>& port) {
    if (over_) return;
    const bool everywhere = is_any(address);
    if (!port && everywhere) return fail(site, launch::LinkTrouble::no_shell, port.error().text);
    const bool of_queue = site.name == places_.queue_host;
    if (port && of_queue && is_taken(*port) && tries > 0) {
      find_port(site, address, tries - 1);
    } else if (port) {
      listen_at(site, address);
      if (of_queue) {
        places_.port = *port;
        places_.listen = host_and_port(address, *port);
      } else if (!is_taken(*port)) {
        site.ports.push_back(*port);
      }
      find_server_ports(site, kServerPortTries);
    } else {
      // An address that a router translates is none of the host's own.
      find_port(site, "0.0.0.0", tries);
    }
    if (!over_) done(site);
  }));
}

void HostSetup::listen_at(Site& site, const std::string& address) {
  site.listen = address;
  if (!is_any(address)) return;
  if (site.name == places_.queue_host) places_.addresses[site.name] = "127.0.0.1";
  Q_EMIT noted(QString::fromStdString(
      site.name + " has no address " + hosts::data_address_of(site.link->host()) + " itself or no free port there: " +
      (site.name == places_.queue_host ? "the queue listens" : "its servers listen") + " on all its addresses"));
}

// Of whatever host: who speaks with several servers may know them by their ports.
bool HostSetup::is_taken(uint16_t port) const {
  return port == places_.port || std::ranges::any_of(sites_, [port](const auto& site) {
           return std::ranges::find(site->ports, port) != site->ports.end();
         });
}

// Others than the queue's, which nobody holds until they listen. The ports of a range are tried in any order.
void HostSetup::find_server_ports(Site& site, int tries) {
  if (site.ports.size() == site.wanted_ports) return;
  const PortRange range = site.link->host().data_ports;
  const size_t needed = site.wanted_ports + (site.name == places_.queue_host ? 1 : 0);
  if (tries == 0 || (range.first != 0 && size_t{range.last} - range.first + 1 < needed))
    return fail(site, launch::LinkTrouble::no_shell,
                plan_.bus.server_hosts().empty()
                    ? "the queue and each server of the bus need a port each, " + std::to_string(needed) +
                          " together, and of its data ports not so many are free; widen them"
                    : "here " + std::to_string(needed) +
                          " data ports are needed that no other server of the run has on its host, and not so many are "
                          "free; widen them, or give each host others");
  add(site, site.link->find_port(site.listen, range, [this, &site, tries](const Result<uint16_t>& port) {
    if (over_) return;
    if (!port) return fail(site, launch::LinkTrouble::no_shell, port.error().text);
    const bool taken = is_taken(*port);
    if (!taken) site.ports.push_back(*port);
    find_server_ports(site, taken ? tries - 1 : kServerPortTries);
    if (!over_) done(site);
  }));
}

void HostSetup::place_servers() {
  std::map<std::string, size_t> placed;
  for (const std::string& host : hosts_of_servers(plan_)) {
    const auto site = std::ranges::find(sites_, host, [](const auto& each) { return each->name; });
    places_.servers.push_back({.host = host,
                               .listen = host_and_port((*site)->listen, (*site)->ports.at(placed[host]++)),
                               .address = hosts::data_address_of((*site)->link->host()),
                               .ports = (*site)->link->host().data_ports});
    if (!plan_.bus.server_hosts().empty() && places_.common_port == 0) places_.common_port = (*site)->ports.back();
  }
}

// Only a queue here, whose address is not said, has to know from where it is looked at: by workers.
bool HostSetup::routes_matter(const Site& site) const {
  const auto works = [&](const plan::Fleet& fleet) {
    return fleet.attach.empty() && std::ranges::find(fleet.hosts, site.name) != fleet.hosts.end();
  };
  return queue_is_here() && (plan::is_loopback(plan_.queue.listen) || is_any(listen_host(plan_.queue.listen))) &&
         (works(plan_.senders.fleet) || works(plan_.receivers.fleet));
}

void HostSetup::find_route(Site& site) {
  const hosts::Host& first = *hosts::way_to(links_.list(), site.link->host()).front();
  // For a command host it may be known where its data goes, and no more.
  const std::string& address = first.address.empty() ? hosts::data_address_of(first) : first.address;
  if (address.empty()) return fail_without_address(site);
  site.waits_for++;
  site.lookup.emplace(host_and_port(address, kAnyPort), [this, &site](const Result<net::Endpoint>& other) {
    if (over_) return;
    const auto own = other ? own_address_towards(*other) : std::unexpected(other.error());
    if (!own)
      return fail("this computer's address as seen from " + site.name + " is not known: " + own.error().text +
                  "; write it into " + kListenOn);
    places_.addresses[site.name] = *own;
    done(site);
  });
}

void HostSetup::fail_without_address(const Site& site) {
  const std::string text = "the address at which " + site.name +
                           " reaches this computer is unknown: set its data address in the list of hosts, or enter an "
                           "address of this computer that it can reach, such as 172.17.0.1:0, into " +
                           kListenOn;
  failure_ = {
      .trouble = launch::LinkTrouble::unreachable, .step = launch::LinkStep::reach, .text = text, .host = site.name};
  better_queue_host_ = host_for_queue(plan_, links_.list(), {});
  fail(text);
}

void HostSetup::choose_listening() {
  if (!queue_is_here()) return;
  places_.listen = plan_.queue.listen;
  if (places_.addresses.empty() || is_any(listen_host(plan_.queue.listen))) return;
  const uint16_t port = listen_port(plan_.queue.listen);
  const std::string& first = places_.addresses.begin()->second;
  const bool one =
      std::ranges::all_of(places_.addresses, [&first](const auto& entry) { return entry.second == first; });
  const bool v6 = std::ranges::any_of(places_.addresses,
                                      [](const auto& entry) { return entry.second.find(':') != std::string::npos; });
  places_.listen = host_and_port(one ? first : v6 ? "::" : "0.0.0.0", port);
  Q_EMIT noted(QString::fromStdString("the queue listens at " + listen_host(places_.listen) +
                                      ", where the other hosts find it"));
}

// What keeps the run from a host that was reached is that host's trouble as well.
void HostSetup::fail(const Site& site, launch::LinkTrouble trouble, const std::string& text) {
  if (over_) return;
  failure_ = {.trouble = trouble, .step = launch::LinkStep::upload, .text = site.name + ": " + text, .host = site.name};
  fail(failure_->text);
}

void HostSetup::fail(const std::string& text) {
  if (over_) return;
  give_up();
  if (failures_.empty() && failure_) failures_.push_back(*failure_);
  Q_EMIT failed(QString::fromStdString(text));
}

std::string HostSetup::status_text() const {
  std::vector<std::string> waiting;
  for (const auto& site : sites_) {
    if (site->open && site->waits_for == 0) continue;
    const std::string step = site->open ? "its files" : site->asks ? "waiting for an answer" : site->step;
    waiting.push_back(site->name + (step.empty() ? "" : " (" + step + ")"));
  }
  std::string text;
  for (size_t i = 0; i < waiting.size(); i++)
    text += (i == 0 ? "" : i + 1 == waiting.size() ? " and " : ", ") + waiting[i];
  return "connecting to " + text;
}

}  // namespace n2nq::run

#include "moc_host_setup.cpp"
