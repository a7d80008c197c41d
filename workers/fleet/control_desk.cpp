#include "workers/fleet/control_desk.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "broker/net/resolve.h"
#include "broker/process/summary_file.h"

namespace n2nq::fleet {

void Complaints::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  print(text);
}

void Complaints::say_one_of_many(const std::string& who, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (many_++ < kShown) print(who + ": " + text);
}

void Complaints::close() {
  const std::lock_guard lock(mutex_);
  if (many_ > kShown) print("and " + std::to_string(many_ - kShown) + " more services with problems");
  many_ = 0;
}

void Complaints::print(const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", program_.c_str(), text.c_str());
}

ControlDesk::ControlDesk(net::EventLoop& loop, const WorkerOptions& options, Callbacks callbacks)
    : loop_(loop), options_(options), callbacks_(std::move(callbacks)) {
  if (!options.controlled) {
    console_ = std::make_unique<control::ControlLink>(loop, STDOUT_FILENO);
    return;
  }
  console_ = std::make_unique<control::ControlLink>(
      loop, STDIN_FILENO, STDOUT_FILENO,
      control::ControlLink::Callbacks{
          .on_hello = [this](const control::Token& token,
                             const control::BusAccess& access) { callbacks_.on_hello(token, access); },
          .on_refused = [this](std::string text) { callbacks_.on_refused(std::move(text)); },
          .on_command = [this](const std::string& type, const nlohmann::json& message) { return take(type, message); },
          .on_lost = [this](std::string reason) { callbacks_.on_lost(std::move(reason)); }},
      control::ControlLink::Timing::patient(options.control_timeout_ns));
}

Result<void> ControlDesk::listen(const control::Token& token) {
  if (options_.control.empty()) return {};
  auto endpoint = net::resolve(options_.control);
  if (!endpoint) return fail("--control: " + endpoint.error().text);
  auto listener = control::ControlListener::open(
      loop_, {.endpoint = *endpoint, .token = token},
      {.on_attached =
           [this](control::ControlLink& link) {
             link.send(ready_);
             callbacks_.on_attached();
           },
       .on_command = [this](const std::string& type, const nlohmann::json& message) { return take(type, message); },
       .on_detached = [](const std::string&) {}});
  if (!listener) return fail("--control: " + listener.error().text);
  listener_ = std::move(*listener);
  return {};
}

std::optional<uint16_t> ControlDesk::port() const {
  if (!listener_) return std::nullopt;
  return listener_->local().port();
}

Result<void> ControlDesk::take(const std::string& type, const nlohmann::json& message) {
  auto command = control::parse_command(type, message);
  if (!command) return std::unexpected(command.error());
  return callbacks_.on_command(*command);
}

void ControlDesk::say(std::string_view line) {
  if (ready_.empty()) ready_ = line;
  console_->send(line);
  if (auto* link = visitor()) link->send(line);
}

void ControlDesk::say_live(std::string_view line) {
  if (options_.tells_live()) console_->send(line);
  if (auto* link = visitor()) link->send(line);
}

void ControlDesk::say_telemetry(const std::string& line, uint64_t sequence) {
  if (options_.keep_summary) {
    unheard_.push_back({.sequence = sequence, .line = line});
    unheard_bytes_ += line.size();
    if (console_->gone()) return;
  }
  say_live(line);
}

void ControlDesk::heard(uint64_t sequence) {
  while (!unheard_.empty() && unheard_.front().sequence <= sequence) {
    unheard_bytes_ -= unheard_.front().line.size();
    unheard_.pop_front();
  }
}

void ControlDesk::say_last(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) last_lines_.append(line).push_back('\n');
}

bool ControlDesk::idle() const {
  if (auto* link = visitor()) return link->idle();
  if (!options_.keep_summary) return console_->idle();
  return unheard_bytes_ < kMostUnheardBytes && (console_->gone() || console_->idle());
}

Result<void> ControlDesk::finish(const std::string& summary, const std::string& noun, bool keep) {
  const std::string path = process::summary_path(options_.log_dir.empty() ? "." : options_.log_dir,
                                                 noun + "-" + std::to_string(options_.first));
  keep = (keep || options_.keep_summary) && !options_.log_dir.empty();
  // Before it is handed on: a pipe takes it also where nobody reads what it carries.
  Result<void> kept;
  if (keep) {
    std::string lines;
    for (const Unheard& one : unheard_) lines.append(one.line).push_back('\n');
    kept = process::write_summary_file(path, lines + (options_.keep_summary ? last_lines_ : "") + summary);
  }
  if (auto* link = visitor()) link->finish(last_lines_ + summary);
  if (console_->finish(options_.tells_live() ? last_lines_ + summary : summary)) return kept;
  if (!keep) kept = process::write_summary_file(path, summary);
  if (!kept) return fail("stdout did not accept the summary, and " + kept.error().text);
  return fail("stdout did not accept the summary; it is in " + path);
}

}  // namespace n2nq::fleet
