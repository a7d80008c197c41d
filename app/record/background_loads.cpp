#include "app/record/background_loads.h"

#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::record {
namespace {

std::string load_name(const std::string& from, const std::string& to) {
  return "background load from " + from + " to " + to;
}

}  // namespace

RunNote load_begins_note(const std::string& from, const std::string& to) {
  return {.text = load_name(from, to) + ": begins", .kind = EventKind::load, .subject = from + " to " + to};
}

RunNote load_ends_note(const BackgroundLoad& load, bool run_goes_on) {
  return {.severity = load.trouble.empty() ? Severity::info : Severity::warning,
          .text = load_name(load.from, load.to) + ": " + load_text(load) +
                  (load.at_ns || !run_goes_on ? "" : "; the run continues without it"),
          .kind = load.at_ns ? EventKind::load_end : EventKind::none,
          .subject = load.from + " to " + load.to};
}

std::string load_text(const BackgroundLoad& load) {
  std::string text;
  if (load.bytes && load.duration_ns)
    text = text::bytes(static_cast<double>(*load.bytes)) + " arrived in " +
           text::duration(static_cast<double>(*load.duration_ns)) + " (" + text::bytes(load.bytes_per_s()) + "/s)";
  if (load.cut_short) add_part(text, ", ", "cut short by the end of the run");
  if (!load.trouble.empty()) add_part(text, "; ", load.trouble);
  return text;
}

}  // namespace n2nq::record
