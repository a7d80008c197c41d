#include "app/figures/setting_text.h"

#include <algorithm>
#include <array>

#include "app/plan/exact_text.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

struct NamedSetting {
  std::string_view key;
  std::string_view name;
};

// As the forms call them.
constexpr std::array kSettingNames{
    NamedSetting{"name", "Plan name"},
    NamedSetting{"bus.kind", "Bus"},
    NamedSetting{"senders.count", "Senders amount"},
    NamedSetting{"senders.processes", "Senders processes"},
    NamedSetting{"senders.loops", "Senders loops"},
    NamedSetting{"senders.hosts", "Senders source"},
    NamedSetting{"senders.attach", "Senders address"},
    NamedSetting{"senders.messages", "Senders messages"},
    NamedSetting{"senders.duration", "Senders duration"},
    NamedSetting{"senders.size", "Senders size"},
    NamedSetting{"senders.delay", "Senders delay"},
    NamedSetting{"senders.pacing", "Senders pacing"},
    NamedSetting{"senders.shape", "Senders load"},
    NamedSetting{"senders.payload", "Senders content"},
    NamedSetting{"senders.phase", "Senders phase"},
    NamedSetting{"senders.seed", "Senders seed"},
    NamedSetting{"senders.timeout", "Senders timeout"},
    NamedSetting{"senders.outstanding", "Senders outstanding"},
    NamedSetting{"queue.host", "Queue host"},
    NamedSetting{"queue.mode", "Queue mode"},
    NamedSetting{"queue.policy", "Queue policy"},
    NamedSetting{"queue.reply_from", "Reply from"},
    NamedSetting{"queue.retention", "Remove after"},
    NamedSetting{"queue.responses", "Receiver responses"},
    NamedSetting{"queue.requests", "Receiver requests"},
    NamedSetting{"queue.at_a_time", "Ask for at a time"},
    NamedSetting{"queue.filters", "Filters"},
    NamedSetting{"queue.max_memory", "Queue memory limit"},
    NamedSetting{"queue.max_message", "Queue largest message"},
    NamedSetting{"queue.tries", "Queue tries"},
    NamedSetting{"queue.response_window", "Queue response window"},
    NamedSetting{"queue.seed", "Queue seed"},
    NamedSetting{"queue.drain_timeout", "Queue drain timeout"},
    NamedSetting{"queue.stall_timeout", "Queue stall timeout"},
    NamedSetting{"queue.listen", "Queue listen"},
    NamedSetting{"queue.token_file", "Queue token file"},
    NamedSetting{"receivers.count", "Receivers amount"},
    NamedSetting{"receivers.processes", "Receivers processes"},
    NamedSetting{"receivers.loops", "Receivers loops"},
    NamedSetting{"receivers.hosts", "Receivers source"},
    NamedSetting{"receivers.attach", "Receivers address"},
    NamedSetting{"receivers.service_time", "Receivers service time"},
    NamedSetting{"receivers.seed", "Receivers seed"},
    NamedSetting{"receivers.pause", "Receivers pause"},
    NamedSetting{"receivers.reply_size", "Reply size"},
    NamedSetting{"look.path", "Trace path first"},
    NamedSetting{"look.bandwidth", "Measure bandwidth first"},
    NamedSetting{"recorder.on", "Record hosts"},
    NamedSetting{"recorder.period", "Time between readings"},
    NamedSetting{"warmup", "Warm-up"},
    NamedSetting{"log", "Log level"},
    NamedSetting{"join_timeout", "Join timeout"},
    NamedSetting{"limits", "Limits"},
    NamedSetting{"senders.shape.kind", "Load shape"},
    NamedSetting{"senders.shape.from", "Load from"},
    NamedSetting{"senders.shape.to", "Load to"},
    NamedSetting{"senders.shape.over", "Load length"},
    NamedSetting{"senders.shape.steps", "Load steps"},
    NamedSetting{"senders.shape.at", "Spike begins"},
    NamedSetting{"senders.shape.every", "Burst interval"},
    NamedSetting{"senders.shape.for", "Spike or burst length"},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "TLS 1.3" stays.
std::string lower_first(std::string_view title) {
  std::string text(title);
  if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

}  // namespace

std::string setting_name(std::string_view key) {
  const auto* const found = std::ranges::find(kSettingNames, key, &NamedSetting::key);
  if (found != kSettingNames.end()) return std::string(found->name);
  for (const bus::Setting* setting : bus::all_settings())
    if (key.starts_with("bus.") && key.substr(4) == setting->key) return "Bus " + lower_first(setting->title);
  return std::string(key);
}

std::string setting_value(const plan::PlanField& field, const plan::RunPlan& plan) {
  if (field.key == "bus.kind") return std::string(plan.bus.traits().title);
  const std::string exact = plan::text_of(field, plan);
  if (exact.empty()) return "-";
  if (exact == "true") return "on";
  if (exact == "false") return "off";
  const bool seed = field.key.ends_with(".seed");  // a name rather than an amount
  constexpr size_t kMostDigits = 18;
  if (!seed && exact.size() <= kMostDigits && std::ranges::all_of(exact, is_digit))
    return text::count(std::stoll(exact));
  return plan::told(exact);
}

}  // namespace n2nq::figures
