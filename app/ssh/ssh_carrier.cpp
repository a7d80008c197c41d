#include "app/ssh/ssh_carrier.h"

#include <algorithm>

namespace n2nq::ssh {

using remote::LinkFailure;
using remote::LinkStep;
using remote::LinkTrouble;

struct SshCarrier::Line {
  std::unique_ptr<Connection> connection;
};

SshCarrier::SshCarrier(const hosts::Host& host, const std::vector<hosts::Host>& via, const Options& options,
                       remote::CarrierEvents events)
    : host_(host), options_(options), events_(std::move(events)) {
  if (via.empty()) return;
  remote::CarrierEvents of_jump;
  of_jump.asked = [this](const auto& question, const auto& answer) { events_.asked(question, answer); };
  of_jump.opened = [this] {
    jump_open_ = true;
    lines_.push_back(std::make_unique<Line>());
    connect(*lines_.back(), true);
  };
  of_jump.failed = [this](const LinkFailure& failure) {
    LinkFailure mine = failure;
    mine.step = jump_open_ ? LinkStep::upload : LinkStep::reach;
    mine.text = "on the way there: " + failure.text;
    fail(mine);
  };
  jump_ =
      std::make_unique<SshCarrier>(via.front(), std::vector(via.begin() + 1, via.end()), options, std::move(of_jump));
}

// The connections end while the way through the jump host is still there to say so.
SshCarrier::~SshCarrier() {
  for (const auto& line : lines_) line->connection->abort();
  lines_.clear();
  leaving_.clear();
}

void SshCarrier::open() {
  failing_ = false;
  wanted_ = true;
  if (jump_) {
    jump_->close();  // it may still be there for connections of an earlier attempt, which have ended
    return jump_->open();
  }
  lines_.push_back(std::make_unique<Line>());
  connect(*lines_.back(), true);
}

void SshCarrier::close() {
  failing_ = false;
  wanted_ = false;
  while (!lines_.empty()) {
    let_go(std::move(lines_.back()));
    lines_.pop_back();
  }
  jump_open_ = false;
  if (jump_ && leaving_.empty()) jump_->close();
}

void SshCarrier::let_go(std::unique_ptr<Line> line) {
  line->connection->abort();
  leaving_.push_back(std::move(line));
}

Connection::Events SshCarrier::first_events() {
  return {.step_passed = events_.step_passed,
          .asked = events_.asked,
          .opened = events_.opened,
          .failed = [this](const LinkFailure& failure) { fail(failure); }};
}

// Further connections ask for what cannot be said twice, as a code that is good once, and else say nothing but that
// they are lost; then all is.
Connection::Events SshCarrier::further_events(Line& line) {
  return {.asked = events_.asked, .failed = [this, &line](const LinkFailure& failure) {
            if (failure.trouble == LinkTrouble::broken) return fail(failure);
            // It was not let in: what was asked of it has ended with the reason.
            const auto found = std::ranges::find_if(lines_, [&](const auto& one) { return one.get() == &line; });
            if (found == lines_.end()) return;
            let_go(std::move(*found));
            lines_.erase(found);
          }};
}

void SshCarrier::connect(Line& line, bool first) {
  Connection::Events events = first ? first_events() : further_events(line);
  events.gone = [this, &line] {
    // Not from within its own call.
    box_.put([this, &line] {
      std::erase_if(leaving_, [&](const auto& one) { return one.get() == &line; });
      if (jump_ && !wanted_ && leaving_.empty()) jump_->close();
    });
  };
  line.connection = std::make_unique<Connection>(host_, options_, secrets_, std::move(events),
                                                 jump_ ? Connection::Way::given : Connection::Way::straight);
  if (!jump_) return;
  jump_->forward(host_.address, host_.port, [this, &line](Result<Fd> socket) {
    const auto is_it = [&](const auto& one) { return one.get() == &line; };
    if (!std::ranges::any_of(lines_, is_it)) return;
    if (!socket) socket = n2nq::fail("through " + jump_->host_.name + ": " + socket.error().text);
    line.connection->take_way(std::move(socket));
  });
}

// By its turn, never from within the call of a connection that it ends.
void SshCarrier::fail(const LinkFailure& failure) {
  if (std::exchange(failing_, true)) return;
  box_.put([this, failure] {
    if (!failing_) return;  // closed meanwhile
    close();
    events_.failed(failure);
  });
}

SshCarrier::Line& SshCarrier::line_with_room() {
  for (const auto& line : lines_)
    if (line->connection->channels() < Connection::kMostChannels) return *line;
  lines_.push_back(std::make_unique<Line>());
  connect(*lines_.back(), false);
  return *lines_.back();
}

std::unique_ptr<remote::Exec> SshCarrier::exec(const std::vector<std::string>& arguments,
                                               const remote::Occasion& /*occasion*/) {
  if (lines_.empty()) {  // lost, and who asks does not know it yet
    auto wire = std::make_shared<remote::Wire>(std::make_shared<remote::Wake>());
    auto exec = std::make_unique<remote::Exec>(wire);
    wire->put_end({.lost = true, .text = "the other side disconnected"});
    return exec;
  }
  return line_with_room().connection->exec(arguments);
}

void SshCarrier::forward(const std::string& address, uint16_t port, Connection::Forwarded done) {
  if (lines_.empty()) {
    box_.put([done = std::move(done)] { done(n2nq::fail("it disconnected")); });
    return;
  }
  line_with_room().connection->forward(address, port, std::move(done));
}

}  // namespace n2nq::ssh
