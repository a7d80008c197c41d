// Asks a computer which servers of buses are installed there: n2nq-broker --list-servers, started there as in any run.
// UI thread; never blocks. States: idle -> looking -> over. Destroying it ends the question.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/launch/host_link.h"
#include "app/plan/run_plan.h"

namespace n2nq::run {

struct InstalledServer {
  std::string kind{};     // of BusTraits::server
  std::string program{};  // "redis-server"
  std::string file{};     // empty: it is not installed there
  std::string version{};  // empty: it cannot be told
  std::string install{};  // the command that installs it
  bool installed() const { return !file.empty(); }
  bool operator==(const InstalledServer&) const = default;
};
using InstalledServers = std::vector<InstalledServer>;

// What the broker prints; the error says that it is something else. Pure.
Result<InstalledServers> read_servers(const QByteArray& printed);
// The one that the bus needs; null: it needs none, or the broker there knows of none such.
const InstalledServer* server_for(const bus::BusTraits& bus, const InstalledServers& servers);
// "redis-server 7.0.15", "redis-server (version not known)"
std::string name_of(const InstalledServer& server);
// "broadcaster, load balancer, requests"
std::string modes_of(const bus::BusTraits& bus);

class ServerLook : public QObject {
  Q_OBJECT

 public:
  static constexpr std::chrono::milliseconds kPatience{30'000};  // from when the link is open

  // Here. `programs`: their folder.
  explicit ServerLook(const std::string& programs, QObject* parent = nullptr);
  // There. The link outlives it, and is opened where it is not open.
  explicit ServerLook(launch::HostLink& link, QObject* parent = nullptr);
  ~ServerLook() override;

  void start();
  // Over: what is installed, or why that is not known. A link that could not be opened says more: HostLink::failure().
  const std::optional<Result<InstalledServers>>& found() const { return found_; }

 Q_SIGNALS:
  void over();  // once, from the event loop

 private:
  void on_link();
  void ask(launch::Launcher& launcher);
  void on_finished(const launch::ProcessEnd& end);
  void conclude(Result<InstalledServers> found);

  std::unique_ptr<launch::Launcher> here_;
  launch::HostLink* link_ = nullptr;
  std::unique_ptr<launch::WorkerProcess> process_;
  QByteArray printed_;
  QString complaint_;
  QTimer patience_;
  std::optional<Result<InstalledServers>> found_;
};

}  // namespace n2nq::run
