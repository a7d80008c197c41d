#include "app/run/place_finder.h"

#include <utility>

#include "app/launch/run_token.h"
#include "broker/base/assert.h"

namespace n2nq::run {

using record::Severity;

PlaceFinder::PlaceFinder(const plan::RunPlan& plan, HostLinks* links, std::string run_name, Tell tell)
    : plan_(plan), links_(links), run_name_(std::move(run_name)), tell_(std::move(tell)) {}

void PlaceFinder::start() {
  const auto problems = host_problems(plan_, links_ != nullptr ? links_->list() : hosts::HostList{});
  if (!problems.empty()) return tell_.failed(problems.front().key + ": " + problems.front().text);
  if (plan_.bus.asks_for_password()) return ask_password();
  find_places();
}

launch::LinkQuestion PlaceFinder::question() const {
  const std::string user = plan_.bus.setting("user");
  const std::string who = (user.empty() ? "the server " : user + " at ") + plan_.bus.attached_server();
  return {.kind = launch::LinkQuestion::Kind::server,
          .host = who,
          .text = "Password for " + who + (plan_.bus.encrypts_queue() ? "" : " (not encrypted)")};
}

void PlaceFinder::ask_password() {
  if (links_ == nullptr) return take_password({});
  asks_ = std::make_shared<bool>(true);
  links_->ask(question(), [this, waits = std::weak_ptr(asks_)](std::optional<std::string> typed) {
    if (!waits.expired()) take_password(std::move(typed));
  });
  if (asks_) tell_.changed();
}

void PlaceFinder::take_password(std::optional<std::string> typed) {
  asks_.reset();
  if (!typed)
    return fail_password("bus.password_file: the password of " + question().host +
                         " was not given; give it when the run starts, or name a file that holds it");
  if (const auto good = launch::check_typed_password(*typed); !good) {
    links_->doubt(question());
    return fail_password(good.error().text);
  }
  password_ = std::move(typed);
  find_places();
}

// As a host that cannot be used it says nothing of the plan, and the next runs would lack it too.
void PlaceFinder::fail_password(const std::string& text) {
  failure_ = {.trouble = launch::LinkTrouble::login_refused, .step = launch::LinkStep::login, .text = text};
  failures_ = {*failure_};
  tell_.failed(text);
}

void PlaceFinder::judge_password(bool began) {
  if (!password_) return;
  if (began)
    links_->trust(question());
  else
    links_->doubt(question());
}

void PlaceFinder::find_places() {
  if (hosts_of(plan_).empty()) return look_up(plan_.queue.listen);
  prepare_hosts();
}

std::string PlaceFinder::status_text() const {
  if (asks_) return "waits for the password of " + question().host;
  return setup_ ? setup_->status_text() : std::string();
}

void PlaceFinder::prepare_hosts() {
  N2NQ_ASSERT(links_ != nullptr);  // where there are none, each host is a problem of the plan
  setup_ = std::make_unique<HostSetup>(plan_, *links_, run_name_);
  HostSetup* setup = setup_.get();
  QObject::connect(setup, &HostSetup::changed, setup, [this] { tell_.changed(); });
  QObject::connect(setup, &HostSetup::noted, setup,
                   [this](const QString& text) { tell_.note(Severity::info, text.toStdString()); });
  QObject::connect(setup, &HostSetup::failed, setup, [this](const QString& text) { tell_.failed(text.toStdString()); });
  QObject::connect(setup, &HostSetup::finished, setup, [this] { on_prepared(); });
  tell_.note(Severity::info, setup_->status_text());
  setup_->start();
}

void PlaceFinder::on_prepared() {
  const Places& places = setup_->places();
  if (places.queue_host.empty()) return look_up(places.listen);
  tell_.note(Severity::info, "the queue will listen at " + places.listen + " on " + places.queue_host);
  tell_.found({});
}

void PlaceFinder::look_up(const std::string& listen) {
  if (const auto known = AddressLookup::known(listen)) return take(*known);
  tell_.note(Severity::info, "looking up the queue's address " + listen);
  lookup_.emplace(listen, [this](const Result<net::Endpoint>& found) { take(found); });
}

void PlaceFinder::take(const Result<net::Endpoint>& listen) {
  if (!listen) return tell_.failed("the queue's address: " + listen.error().text);
  tell_.found(*listen);
}

void PlaceFinder::give_up() {
  if (std::exchange(asks_, nullptr)) links_->withdraw(question());
  if (setup_) setup_->give_up();
}

std::vector<FarFolder> PlaceFinder::folders() const {
  std::vector<FarFolder> folders;
  for (const auto& [host, path] : places().folders) folders.push_back({.host = host, .path = path});
  return folders;
}

const std::string& PlaceFinder::better_queue_host() const {
  static const std::string kNone;
  return setup_ ? setup_->better_queue_host() : kNone;
}

}  // namespace n2nq::run
