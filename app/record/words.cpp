#include "app/record/words.h"

#include <span>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::record {
namespace {

template <class Enum>
struct Word {
  Enum value;
  std::string_view text;
};

constexpr Word<Role> kRoles[] = {{Role::broker, "broker"}, {Role::sender, "sender"}, {Role::receiver, "receiver"}};
constexpr Word<plan::Mode> kModes[] = {{plan::Mode::broadcaster, "broadcaster"},
                                       {plan::Mode::load_balancer, "load-balancer"},
                                       {plan::Mode::request_reply, "request-reply"}};
constexpr Word<Severity> kSeverities[] = {
    {Severity::info, "info"}, {Severity::warning, "warning"}, {Severity::error, "error"}};
constexpr Word<Layer> kLayerWords[] = {
    {Layer::network, "network"}, {Layer::tcp, "tcp"}, {Layer::probe, "probe"}, {Layer::bus, "bus"}};
constexpr Word<EventKind> kEvents[] = {{EventKind::none, ""},
                                       {EventKind::request, "request"},
                                       {EventKind::pause, "pause"},
                                       {EventKind::resume, "resume"},
                                       {EventKind::leave, "leave"},
                                       {EventKind::come, "come"},
                                       {EventKind::limit, "limit"},
                                       {EventKind::stop, "stop"},
                                       {EventKind::kill, "kill"},
                                       {EventKind::lost, "lost"},
                                       {EventKind::server, "server"},
                                       {EventKind::link_lost, "link-lost"},
                                       {EventKind::silent, "silent"},
                                       {EventKind::responding, "responding"},
                                       {EventKind::clock_step, "clock-step"},
                                       {EventKind::load, "load"},
                                       {EventKind::load_end, "load-end"}};
constexpr Word<Trust> kTrusts[] = {
    {Trust::not_judged, "not_judged"}, {Trust::sound, "sound"}, {Trust::doubtful, "doubtful"}};
constexpr Word<live::ServiceState> kStates[] = {
    {live::ServiceState::absent, "absent"},   {live::ServiceState::connecting, "connecting"},
    {live::ServiceState::joined, "joined"},   {live::ServiceState::running, "running"},
    {live::ServiceState::paused, "paused"},   {live::ServiceState::away, "away"},
    {live::ServiceState::stopped, "stopped"}, {live::ServiceState::done, "done"},
    {live::ServiceState::gone, "gone"}};

template <class Enum>
std::string_view find_word(std::span<const Word<Enum>> words, Enum value) {
  for (const auto& word : words)
    if (word.value == value) return word.text;
  N2NQ_ASSERT(false);
}

template <class Enum>
bool find_value(std::span<const Word<Enum>> words, std::string_view text, Enum& value) {
  for (const auto& word : words) {
    if (word.text != text) continue;
    value = word.value;
    return true;
  }
  return false;
}

}  // namespace

std::string_view word_of(Role role) {
  return find_word<Role>(kRoles, role);
}
std::string_view word_of(plan::Mode mode) {
  return find_word<plan::Mode>(kModes, mode);
}
std::string_view word_of(Severity severity) {
  return find_word<Severity>(kSeverities, severity);
}
std::string_view word_of(live::ServiceState state) {
  return find_word<live::ServiceState>(kStates, state);
}
std::string_view word_of(Layer layer) {
  return find_word<Layer>(kLayerWords, layer);
}
std::string_view word_of(EventKind kind) {
  return find_word<EventKind>(kEvents, kind);
}
std::string_view word_of(Trust trust) {
  return find_word<Trust>(kTrusts, trust);
}
std::string word_of(Verdict verdict) {
  return to_word(verdict);
}

bool from_word(std::string_view word, Role& role) {
  return find_value<Role>(kRoles, word, role);
}
bool from_word(std::string_view word, plan::Mode& mode) {
  return find_value<plan::Mode>(kModes, word, mode);
}
bool from_word(std::string_view word, Severity& severity) {
  return find_value<Severity>(kSeverities, word, severity);
}
bool from_word(std::string_view word, live::ServiceState& state) {
  return find_value<live::ServiceState>(kStates, word, state);
}
bool from_word(std::string_view word, Layer& layer) {
  return find_value<Layer>(kLayerWords, word, layer);
}
bool from_word(std::string_view word, EventKind& kind) {
  return find_value<EventKind>(kEvents, word, kind);
}
bool from_word(std::string_view word, Trust& trust) {
  return find_value<Trust>(kTrusts, word, trust);
}
bool from_word(std::string_view word, Verdict& verdict) {
  const auto found = parse_verdict(std::string(word));
  if (found) verdict = *found;
  return found.has_value();
}

}  // namespace n2nq::record
