#include "app/figures/setting_text.h"

#include <algorithm>

#include "app/plan/exact_text.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string setting_name(std::string_view key) {
  const plan::PlanField* field = plan::find_field(key);
  return std::string(field == nullptr ? key : field->name);
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
