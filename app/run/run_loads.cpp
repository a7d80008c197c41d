#include "app/run/run_loads.h"

#include <algorithm>
#include <utility>

#include "app/hosts/host_list.h"
#include "app/record/background_loads.h"
#include "broker/base/random.h"
#include "broker/net/resolve.h"

namespace n2nq::run {
namespace {

using record::Severity;

std::string place_of(const std::string& host) {
  return hosts::is_local(host) ? hosts::kThisComputer : host;
}

std::string untold_by(const std::string& place) {
  return "the recorder on " + place + " did not say how much arrived";
}

}  // namespace

RunLoads::RunLoads(const plan::RunPlan& plan, HostLinks* links, const RunStage& stage, HostRecorders& recorders,
                   record::RunRecord& record, TakeNote note, Elapsed elapsed)
    : links_(links),
      stage_(stage),
      recorders_(recorders),
      record_(record),
      note_(std::move(note)),
      elapsed_(std::move(elapsed)),
      timer_([this] { begin_due(); }) {
  for (const plan::BackgroundLoad& asked : plan.background)
    loads_.push_back({.asked = asked,
                      .from = place_of(asked.from),
                      .to = place_of(asked.to),
                      .id = loads_.size() + 1,
                      .word = id_text(random_id()) + id_text(random_id())});
  connect(&recorders_, &HostRecorders::said, this, &RunLoads::on_message);
  connect(&recorders_, &HostRecorders::lost, this, &RunLoads::on_lost);
}

void RunLoads::begin() {
  begin_due();
}

void RunLoads::end() {
  if (!elapsed_() || std::exchange(ending_, true)) return;
  timer_.stop();
  for (Load& load : loads_)
    if (load.state == State::waiting) finish(load, "the run ended before it was to begin");
}

void RunLoads::settle() {
  end();
  if (!ending_) return;
  for (Load& load : loads_)
    if (load.state == State::flowing)
      finish(load, load.lost.empty() ? untold_by(load.to) : load.lost);
    else if (load.state == State::asked)
      finish(load, "the recorder on " + load.to + " did not answer before the run ended");
    else if (load.state != State::over)
      finish(load, "the run ended before there was a connection");
}

void RunLoads::begin_due() {
  const int64_t now_ns = elapsed_().value_or(0);
  std::optional<int64_t> next_ns;
  for (Load& load : loads_) {
    if (load.state != State::waiting) continue;
    if (load.asked.at_ns <= now_ns)
      begin(load);
    else
      next_ns = std::min(next_ns.value_or(load.asked.at_ns), load.asked.at_ns);
  }
  if (next_ns) timer_.wait(*next_ns - elapsed_().value_or(0));
}

void RunLoads::begin(Load& load) {
  load.state = State::asked;
  for (const std::string& place : {load.to, load.from})
    if (!recorders_.is_there(place)) return finish(load, "there is no recorder on " + place);
  recorders_.tell(load.to, sink_of(load));
}

control::SinkCommand RunLoads::sink_of(const Load& load) const {
  control::SinkCommand sink{.id = load.id, .word = load.word, .for_ns = load.asked.for_ns, .listen = address_of(load)};
  if (load.from != load.to && !hosts::is_local(load.to))
    sink.ports = to_text(hosts::find_host(links_->list(), load.to)->data_ports);
  return sink;
}

std::string RunLoads::address_of(const Load& load) const {
  if (load.from == load.to) return "127.0.0.1";
  const bool at_queue = place_of(record_.plan.queue.host) == load.to;
  const hosts::Host* host = at_queue || hosts::is_local(load.to) ? nullptr : hosts::find_host(links_->list(), load.to);
  if (host != nullptr && !hosts::data_address_of(*host).empty()) return hosts::data_address_of(*host);
  return net::host_in(stage_.queue_address(hosts::is_local(load.from) ? "" : load.from));
}

RunLoads::Load* RunLoads::find(uint64_t id, const std::string& place, std::string Load::* end) {
  const auto found = std::ranges::find_if(loads_, [&](const Load& load) {
    return load.id == id && load.*end == place && load.state != State::waiting && load.state != State::over;
  });
  return found == loads_.end() ? nullptr : &*found;
}

void RunLoads::on_message(const std::string& place, const control::Message& message) {
  if (const auto* sinking = std::get_if<control::Sinking>(&message)) {
    if (Load* load = find(sinking->id, place, &Load::to)) connect_to(*load, sinking->port);
  } else if (const auto* flowing = std::get_if<control::Flowing>(&message)) {
    if (Load* load = find(flowing->id, place, &Load::to)) flow(*load);
  } else if (const auto* sunk = std::get_if<control::Sunk>(&message)) {
    Load* load = find(sunk->id, place, &Load::to);
    if (load == nullptr) return;
    load->sunk = *sunk;
    end_if_told(*load);
  } else if (const auto* filled = std::get_if<control::Filled>(&message)) {
    Load* load = find(filled->id, place, &Load::from);
    if (load == nullptr) return;
    load->filled = *filled;
    end_if_told(*load);
  }
}

void RunLoads::connect_to(Load& load, uint16_t port) {
  if (load.state != State::asked) return;
  load.state = State::connecting;
  recorders_.tell(
      load.from,
      control::FillCommand{
          .id = load.id, .to = host_and_port(address_of(load), port), .word = load.word, .for_ns = load.asked.for_ns});
}

void RunLoads::flow(Load& load) {
  if (load.state != State::connecting) return;
  load.state = State::flowing;
  load.began_ns = elapsed_().value_or(0);
  note_(record::load_begins_note(load.from, load.to));
}

void RunLoads::on_lost(const std::string& place) {
  for (Load& load : loads_) {
    if (load.state == State::waiting || load.state == State::over) continue;
    if (load.from != place && load.to != place) continue;
    if (!ending_) load.lost = "the recorder on " + place + " was lost";
    end_if_told(load);
  }
}

// Once it flows both ends are heard, as far as they are there: the bytes are known to the one, and why it ended perhaps
// to the other.
void RunLoads::end_if_told(Load& load) {
  const std::string sending = load.filled ? load.filled->trouble : "";
  const std::string taking = load.sunk ? load.sunk->trouble : "";
  const auto first_of = [](const std::string& one, const std::string& other) { return one.empty() ? other : one; };
  const std::string trouble = first_of(load.lost, first_of(sending.empty() ? "" : load.from + ": " + sending,
                                                           taking.empty() ? "" : load.to + ": " + taking));
  if (load.state != State::flowing) {
    if (!trouble.empty()) finish(load, ending_ ? "the run ended before there was a connection" : trouble);
    return;
  }
  const bool all_told =
      (load.sunk || !recorders_.is_there(load.to)) && (load.filled || !recorders_.is_there(load.from));
  if (!all_told) return;
  load.cut_short = ending_ && load.lost.empty() && (sending == control::kToldToEnd || taking == control::kToldToEnd);
  if (!load.sunk && trouble.empty()) return finish(load, untold_by(load.to));
  finish(load, load.cut_short && load.sunk ? "" : trouble);
}

void RunLoads::finish(Load& load, std::string trouble) {
  load.state = State::over;
  record::BackgroundLoad one{.from = load.from,
                             .to = load.to,
                             .asked_ns = load.asked.for_ns,
                             .at_ns = load.began_ns,
                             .cut_short = load.cut_short,
                             .trouble = std::move(trouble)};
  if (load.began_ns && load.sunk) {
    one.bytes = load.sunk->bytes;
    one.duration_ns = load.sunk->duration_ns;
  }
  note_(record::load_ends_note(one, !ending_));
  record_.background_loads.push_back(std::move(one));
}

}  // namespace n2nq::run
