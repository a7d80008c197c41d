#include "app/figures/setting_text.h"

#include <algorithm>

#include "app/plan/exact_text.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Of a path, a longer word, or what somebody else has written.
bool goes_on(char c) {
  return (c >= 'A' && c <= 'Z') || c == '/' || c == '-' || c == '"';
}

}  // namespace

std::string setting_name(std::string_view key) {
  const plan::PlanField* field = plan::find_field(key);
  return std::string(field == nullptr ? key : field->name);
}

std::string with_names(std::string_view text) {
  constexpr std::string_view kOfKeys = "abcdefghijklmnopqrstuvwxyz0123456789_.";
  std::string told;
  while (!text.empty()) {
    const size_t before = std::min(text.find_first_of(kOfKeys), text.size());
    told += text.substr(0, before);
    text.remove_prefix(before);
    const bool in_a_word = !told.empty() && goes_on(told.back());
    std::string_view word = text.substr(0, text.find_first_not_of(kOfKeys));
    while (word.ends_with('.')) word.remove_suffix(1);  // of a sentence
    const plan::PlanField* field = in_a_word || !word.contains('.') ? nullptr : plan::find_field(word);
    told += field == nullptr ? word : std::string_view(field->name);
    const size_t dots = word.empty() ? std::min(text.find_first_not_of('.'), text.size()) : 0;
    told += text.substr(0, dots);
    text.remove_prefix(word.size() + dots);
    if (field == nullptr || !text.starts_with('=')) continue;
    text.remove_prefix(1);
    const std::string_view value = text.substr(0, text.find_first_not_of(kOfKeys));
    told += value == "true" ? " on" : value == "false" ? " off" : " ";
    if (value == "true" || value == "false") text.remove_prefix(value.size());
  }
  return told;
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
