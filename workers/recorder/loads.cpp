#include "workers/recorder/loads.h"

#include "workers/control/line_writer.h"

namespace n2nq::recorder {

Result<control::Token> Loads::admit(const std::string& word) const {
  if (sinks_.size() + fills_.size() >= kMost) return fail("a recorder takes part in at most 256 background loads");
  auto token = control::Token::parse(word);
  if (!token) return fail("field \"word\": 1 to 64 printable characters are expected");
  return token;
}

Result<void> Loads::obey(const control::SinkCommand& command) {
  auto word = admit(command.word);
  if (!word) return std::unexpected(word.error());
  auto sink = std::make_unique<Sink>(loop_, command, std::move(*word), say_);
  if (const auto listens = sink->start(); !listens)
    say_(control::to_line(control::Sunk{.id = command.id, .trouble = listens.error().text}));
  sinks_.push_back(std::move(sink));
  return {};
}

Result<void> Loads::obey(const control::FillCommand& command) {
  if (const auto word = admit(command.word); !word) return std::unexpected(word.error());
  fills_.push_back(std::make_unique<Fill>(loop_, command, say_));
  fills_.back()->start();
  return {};
}

void Loads::stop() {
  for (const auto& fill : fills_) fill->stop();
  for (const auto& sink : sinks_) sink->stop();
}

}  // namespace n2nq::recorder
