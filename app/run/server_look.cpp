#include "app/run/server_look.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/launch/local_launcher.h"
#include "broker/base/join.h"

namespace n2nq::run {
namespace {

using launch::HostLink;

std::string text_at(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

Result<InstalledServers> read_servers(const QByteArray& printed) {
  InstalledServers servers;
  for (const QByteArray& text : printed.split('\n')) {
    if (text.trimmed().isEmpty()) continue;
    const auto line = nlohmann::json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
    if (!line.is_object() || text_at(line, "type") != "server")
      return fail("its n2nq-broker says something else: " + text.left(120).toStdString());
    servers.push_back({.kind = text_at(line, "kind"),
                       .program = text_at(line, "program"),
                       .file = text_at(line, "file"),
                       .version = text_at(line, "version"),
                       .install = text_at(line, "install")});
  }
  return servers;
}

const InstalledServer* server_for(const bus::BusTraits& bus, const InstalledServers& servers) {
  const auto found = std::ranges::find(servers, bus.server, &InstalledServer::kind);
  return bus.server.empty() || found == servers.end() ? nullptr : &*found;
}

std::string name_of(const InstalledServer& server) {
  return server.program + (server.version.empty() ? " (version not known)" : " " + server.version);
}

std::string modes_of(const bus::BusTraits& bus) {
  std::string modes;
  for (const auto& [has, mode] :
       {std::pair(bus.broadcaster, "broadcaster"), std::pair(bus.load_balancer, "load balancer"),
        std::pair(bus.request_reply, "requests")})
    if (has) add_part(modes, ", ", mode);
  return modes;
}

ServerLook::ServerLook(const std::string& programs, QObject* parent)
    : QObject(parent), here_(std::make_unique<launch::LocalLauncher>(programs)) {}

ServerLook::ServerLook(HostLink& link, QObject* parent) : QObject(parent), link_(&link) {}

ServerLook::~ServerLook() = default;

void ServerLook::start() {
  patience_.setSingleShot(true);
  connect(&patience_, &QTimer::timeout, this, [this] {
    conclude(fail("its n2nq-broker has not said within " + std::to_string(kPatience.count() / 1000) +
                  " s which servers are installed; is the computer very busy?"));
  });
  if (link_ == nullptr) return ask(*here_);
  if (link_->state() == HostLink::State::open) return ask(*link_);
  connect(link_, &HostLink::state_changed, this, &ServerLook::on_link);
  connect(link_, &HostLink::failed, this, [this](const launch::LinkFailure& failure) { conclude(fail(failure.text)); });
  link_->open();
}

void ServerLook::on_link() {
  if (found_ || process_) return;
  if (link_->state() == HostLink::State::open) return ask(*link_);
  if (link_->state() == HostLink::State::closed) conclude(fail("the link to it was closed"));
}

void ServerLook::ask(launch::Launcher& launcher) {
  patience_.start(kPatience);
  process_ = launcher.launch({.role = Role::broker, .arguments = {"--list-servers"}});
  connect(process_.get(), &launch::WorkerProcess::started, this, [this] {
    connect(&process_->channel(), &QIODevice::readyRead, this, [this] { printed_ += process_->channel().readAll(); });
  });
  connect(process_.get(), &launch::WorkerProcess::error_output, this,
          [this](const QString& line) { complaint_ = line; });
  connect(process_.get(), &launch::WorkerProcess::finished, this, &ServerLook::on_finished);
}

void ServerLook::on_finished(const launch::ProcessEnd& end) {
  if (!end.started) return conclude(fail(end.text));
  printed_ += process_->channel().readAll();
  if (end.exit_code == 0) return conclude(read_servers(printed_));
  conclude(fail("its n2nq-broker does not say which servers are installed: " +
                (complaint_.isEmpty() ? end.text : complaint_.toStdString())));
}

void ServerLook::conclude(Result<InstalledServers> found) {
  if (found_) return;
  found_ = std::move(found);
  patience_.stop();
  if (link_ != nullptr) link_->disconnect(this);
  if (process_) process_->disconnect(this);
  QMetaObject::invokeMethod(this, &ServerLook::over, Qt::QueuedConnection);
}

}  // namespace n2nq::run

#include "moc_server_look.cpp"
