// What must be there on other hosts before a run can start: open links, a folder for the run on each, a port for the
// queue, and where its address is. UI thread; every step has its bound, and destroying it gives up at once.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plan/run_plan.h"
#include "app/run/address_lookup.h"
#include "app/run/host_links.h"

namespace n2nq::run {

// Where a server of the run is that is on a host: the queue's, or one of bus.hosts.
struct ServerPlace {
  std::string host{};
  std::string listen{};   // HOST:PORT there
  std::string address{};  // how others reach it, without a port
  PortRange ports{};      // of that host

  // Without a port: `address`, or of a server that listens on all addresses its host's own for who is on that.
  std::string address_from(const std::string& from) const;
};

// Where a run takes place, once that is known. Addresses are without a port.
struct Places {
  std::string queue_host{};                        // empty: this computer
  std::string listen{};                            // HOST:PORT on the queue's host; empty: as the plan says
  uint16_t port = 0;                               // of a queue on another host
  std::vector<ServerPlace> servers{};              // in order; empty: on this computer, or none is started
  uint16_t common_port = 0;                        // that none of those of bus.hosts has for itself
  std::string address{};                           // how workers reach that one
  std::map<std::string, std::string> addresses{};  // and those of some hosts, by host, in another way
  std::map<std::string, std::string> folders{};    // of the run, on the hosts; none on one without a shell
};

// "10.0.0.5:7400", "[fe80::5]:7400"
std::string host_and_port(const std::string& address, uint16_t port);

class HostSetup : public QObject {
  Q_OBJECT

 public:
  // `plan` has no problems with these hosts. finished() or failed() comes once, from the event loop.
  HostSetup(const plan::RunPlan& plan, HostLinks& links, std::string run_name);
  ~HostSetup() override;

  void start();
  // Nothing is said any more; links that are not open yet are closed.
  void give_up();
  const Places& places() const { return places_; }
  // "connecting to vm1 (login) and vm2 (upload)"
  std::string status_text() const;
  const std::optional<launch::LinkFailure>& failure() const { return failure_; }
  // The same first; then those of other hosts, whose keys are not known either.
  const std::vector<launch::LinkFailure>& failures() const { return failures_; }
  // After failed(): where the queue could be instead; empty: nowhere that is known.
  const std::string& better_queue_host() const { return better_queue_host_; }

 Q_SIGNALS:
  void changed();                   // status_text()
  void noted(const QString& text);  // for the run's log
  void finished();                  // places() is complete
  void failed(const QString& text);

 private:
  struct Site {
    std::string name{};
    launch::HostLink* link = nullptr;
    std::string step{};                        // that was passed last
    bool asks = false;                         // somebody, who may take their time
    std::optional<launch::LinkFailure> key{};  // unknown, and asked about
    bool failed = false;
    bool open = false;
    int waits_for = 0;              // jobs
    size_t wanted_ports = 0;        // for servers of the run there, and for what bus.hosts have in common
    std::string listen{};           // on which of its addresses
    std::vector<uint16_t> ports{};  // of those, so far
    std::vector<launch::Job> jobs{};
    std::optional<AddressLookup> lookup{};
  };

  void on_state(Site& site);
  void on_step(Site& site, const launch::StepReport& report);
  void on_asked(Site& site, const launch::LinkQuestion& question);
  void on_failed(Site& site, const launch::LinkFailure& failure);
  void tell_unknown_keys();
  void find_port(Site& site, const std::string& address, int tries);
  void find_server_ports(Site& site, int tries);
  void listen_at(Site& site, const std::string& address);
  void find_route(Site& site);
  bool is_taken(uint16_t port) const;
  void place_servers();
  void note_clock(Site& site);
  void add(Site& site, launch::Job job);
  void done(Site& site);
  void fail(const Site& site, launch::LinkTrouble trouble, const std::string& text);
  void fail(const std::string& text);
  void make_folder(Site& site);
  bool queue_is_here() const { return places_.queue_host.empty(); }
  bool routes_matter(const Site& site) const;
  void choose_listening();
  void fail_without_address(const Site& site);
  void news();

  plan::RunPlan plan_;
  HostLinks& links_;
  Places places_;
  std::string run_name_;
  std::vector<std::unique_ptr<Site>> sites_;
  QTimer patience_;
  std::optional<launch::LinkFailure> failure_;
  std::vector<launch::LinkFailure> failures_;
  std::string better_queue_host_;
  bool over_ = false;
};

}  // namespace n2nq::run
