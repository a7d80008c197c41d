#include "ui/run/plan_binding.h"

#include <QStringList>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/plan/exact_text.h"
#include "app/plan/plan_fields.h"
#include "app/text/quantity.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

const char* const kUntilCollected = "until collected";
constexpr std::string_view kDelay = "senders.delay";  // which is a rate too

const plan::PlanField& field_of(const std::string& key) {
  const plan::PlanField* field = plan::find_field(key);
  if (field == nullptr) qFatal("the plan has no field %s", key.c_str());
  return *field;
}

// Of a duration; what is meant is in the words of the field.
bool has_no_unit(const plan::PlanField& field, const std::string& text) {
  return field.unit == plan::FieldUnit::duration_ns && !text.empty() &&
         text.find_first_not_of("0123456789.") == text.npos;
}

// Beside its field an error need not say its key.
Result<void> set_text(const plan::PlanField& field, plan::RunPlan& plan, const std::string& text) {
  auto taken = field.take(plan, nlohmann::json(text));
  if (taken) return taken;
  if (has_no_unit(field, text))
    return fail(text + " has no unit; enter " + text + " ms or " + text + " s" +
                (field.key == kDelay ? ", or a rate: " + text + "/s" : ""));
  return taken;
}

std::string size_text(const SizeRange& range) {
  plan::RunPlan plan;
  plan.senders.size_bytes = range;
  return plan::text_of(field_of("senders.size"), plan);
}

Result<uint64_t> size_from(const QString& text) {
  return parse_size(plain_quantity(text.toStdString()));
}

}  // namespace

QString spaced(const std::string& text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string unit = text.substr(digits);
  const bool whole = digits > 0 && digits < 18 && (unit.empty() || unit == "/s" || unit == "%");
  const std::string blank = unit.empty() ? "" : " ";
  return QString::fromStdString(whole ? text::count(std::stoll(text)) + blank + unit : plan::told(text));
}

PlanBinding binding_of(const std::string& key) {
  const plan::PlanField& field = field_of(key);
  return {.key = key,
          .text = [&field](const plan::RunPlan& plan) { return spaced(plan::text_of(field, plan)); },
          .set = [&field](plan::RunPlan& plan,
                          const QString& text) { return set_text(field, plan, text.trimmed().toStdString()); }};
}

PlanBinding plain_binding_of(const std::string& key) {
  PlanBinding binding = binding_of(key);
  binding.text = [&field = field_of(key)](const plan::RunPlan& plan) {
    return QString::fromStdString(plan::text_of(field, plan));
  };
  return binding;
}

PlanBinding smallest_size_binding() {
  return {.key = "senders.size",
          .text =
              [](const plan::RunPlan& plan) {
                const uint64_t size = plan.senders.size_bytes.min;
                return spaced(size_text({.min = size, .max = size}));
              },
          .set = [](plan::RunPlan& plan, const QString& text) -> Result<void> {
            const auto size = size_from(text);
            if (!size) return std::unexpected(size.error());
            SizeRange& range = plan.senders.size_bytes;
            // One size stays one size: only a range has two ends of its own.
            if (range.min == range.max || *size > range.max) range.max = *size;
            range.min = *size;
            return {};
          }};
}

PlanBinding largest_size_binding() {
  return {.key = "senders.size",
          .text =
              [](const plan::RunPlan& plan) {
                const uint64_t size = plan.senders.size_bytes.max;
                return spaced(size_text({.min = size, .max = size}));
              },
          .set = [](plan::RunPlan& plan, const QString& text) -> Result<void> {
            const auto size = size_from(text);
            if (!size) return std::unexpected(size.error());
            if (*size < plan.senders.size_bytes.min)
              return fail("the largest size is smaller than the smallest; enter " +
                          plan::told(plan::exact_size(plan.senders.size_bytes.min)) + " or more");
            plan.senders.size_bytes.max = *size;
            return {};
          }};
}

PlanBinding retention_binding() {
  PlanBinding binding = binding_of("queue.retention");
  const auto by_time = binding;
  binding.text = [by_time](const plan::RunPlan& plan) {
    return plan.queue.retention_ns ? by_time.text(plan) : QString(kUntilCollected);
  };
  return binding;
}

PlanBinding service_time_binding() {
  PlanBinding binding = binding_of("receivers.service_time");
  binding.text = [](const plan::RunPlan& plan) {
    return spaced(plan::exact_service_time(plan.receivers.service_time));
  };
  return binding;
}

QString help_of(const std::string& key) {
  const QString help = theme::qt(field_of(key).help);
  return key == kDelay ? help.chopped(1) + QStringLiteral(", such as 20 ms or 50/s.") : help;
}

}  // namespace n2nq::ui
