// The forms that a plan's fields have: each reads its value from JSON (text is always taken, also as the window writes
// it: "20 ms") and shows it as JSON. All that people write of a plan is read here: files, --set, fields, runs, axes.
// Errors say what the form takes; the field puts its key before them. `trouble` is what is wrong with a value that was
// not read here; it costs no more than a comparison. `words` is the form for people, where it says all. Any thread.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/plan/exact_text.h"
#include "app/plan/filter_text.h"
#include "app/plan/plain_text.h"
#include "app/plan/plan_fields.h"
#include "app/plan/plan_limits.h"
#include "app/plan/run_plan.h"

namespace n2nq::plan {

using Json = nlohmann::json;

// Of a name that may be missing.
inline std::vector<std::string> if_given(const std::string& name) {
  return name.empty() ? std::vector<std::string>() : std::vector{name};
}

// As it stands in an error, cut to a length that a person reads.
inline std::string quoted(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

template <class Form, class Value>
Result<Value> within_bounds(const Json& given, Value value) {
  if (const auto trouble = Form::trouble(value)) return fail(quoted(given) + " " + *trouble);
  return value;
}

inline bool is_below_zero(std::string_view text) {
  return text.starts_with('-') && parse_whole(text.substr(1)).has_value();
}

inline std::string out_of_range(const std::string& expected) {
  return "is out of range; expected " + expected;
}

// A word as it stands in a list of the window, as plans have it: "Round robin" is "round-robin".
inline std::string with_hyphens(std::string_view text) {
  std::string word(trimmed(text));
  for (char& c : word)
    if (c == ' ')
      c = '-';
    else if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return word;
}

template <uint64_t kMin, uint64_t kMax>
struct WholeForm {
  static constexpr FieldUnit kUnit = FieldUnit::whole;
  static constexpr uint64_t kLeast = kMin;
  static constexpr uint64_t kMost = kMax;
  static Result<uint64_t> take(const Json& value) {
    Result<uint64_t> number = fail("");
    if (value.is_number_unsigned()) number = value.get<uint64_t>();
    if (value.is_string()) number = parse_whole(plain_quantity(value.get_ref<const std::string&>()));
    const bool below =
        value.is_number_integer() || (value.is_string() && is_below_zero(value.get_ref<const std::string&>()));
    if (!number)
      return fail(quoted(value) + (below ? " is out of range" : " is not a whole number") + "; expected " + range());
    return within_bounds<WholeForm>(value, *number);
  }
  static std::optional<std::string> trouble(uint64_t number) {
    if (number >= kMin && number <= kMax) return {};
    return out_of_range(range());
  }
  static std::string range() {
    return std::to_string(kMin) + (kMax == UINT64_MAX ? " or more" : " to " + std::to_string(kMax));
  }
  static std::string words() { return "whole number" + (kMax == UINT64_MAX ? "" : ", " + range()); }
  static Json show(uint64_t value) { return value; }
};

template <int64_t kMin, int64_t kMax>
struct DurationForm {
  static constexpr FieldUnit kUnit = FieldUnit::duration_ns;
  static Result<int64_t> take(const Json& value) {
    Result<int64_t> ns = fail("");
    if (value.is_string()) ns = parse_duration(plain_quantity(value.get_ref<const std::string&>()));
    if (value == Json(0)) ns = 0;
    if (!ns)
      return fail(quoted(value) + " is not a duration; expected a number with a unit, such as \"20ms\" or \"5s\"");
    return within_bounds<DurationForm>(value, *ns);
  }
  static std::optional<std::string> trouble(int64_t ns) {
    if (ns >= kMin && ns <= kMax) return {};
    return out_of_range(exact_duration(kMin) + " to " + exact_duration(kMax));
  }
  static Json show(int64_t ns) { return exact_duration(ns); }
};

// A rate is the delay between two of what it counts: "200/s" is 5 ms.
struct DelayForm : DurationForm<0, kLongestDelay> {
  using Inner = DurationForm<0, kLongestDelay>;
  static Result<int64_t> take(const Json& value) {
    if (value.is_string())
      if (const auto ns = delay_of_rate(value.get_ref<const std::string&>()); ns) return Inner::take(Inner::show(*ns));
    return Inner::take(value);
  }
};

// A duration, or a word for that there is none.
template <class Inner, const char* kWord>
struct DurationOr {
  static constexpr FieldUnit kUnit = FieldUnit::duration_ns;
  static Result<std::optional<int64_t>> take(const Json& value) {
    if (value.is_string() && with_hyphens(value.get_ref<const std::string&>()) == kWord) return std::nullopt;
    auto ns = Inner::take(value);
    if (!ns) return fail(ns.error().text + ", or \"" + kWord + "\"");
    return std::optional(*ns);
  }
  static std::optional<std::string> trouble(const std::optional<int64_t>& ns) {
    return ns ? Inner::trouble(*ns) : std::nullopt;
  }
  static Json show(const std::optional<int64_t>& ns) { return ns ? Inner::show(*ns) : Json(kWord); }
};

inline constexpr char kUntilCollected[] = "until-collected";
inline constexpr char kNever[] = "never";
using RetentionForm = DurationOr<DurationForm<kShortestRetention, kLongestRetention>, kUntilCollected>;
using TakeOverForm = DurationOr<DurationForm<kShortestTakeOver, kLongestTakeOver>, kNever>;

template <uint64_t kMin, uint64_t kMax>
struct SizeForm {
  static constexpr FieldUnit kUnit = FieldUnit::bytes;
  static Result<uint64_t> take(const Json& value) {
    Result<uint64_t> bytes = fail("");
    if (value.is_number_unsigned()) bytes = value.get<uint64_t>();
    if (value.is_string()) bytes = parse_size(plain_quantity(value.get_ref<const std::string&>()));
    if (!bytes)
      return fail(quoted(value) + " is not a size; expected a number with a unit, such as \"50B\" or \"1MiB\"");
    return within_bounds<SizeForm>(value, *bytes);
  }
  static std::optional<std::string> trouble(uint64_t bytes) {
    if (bytes >= kMin && bytes <= kMax) return {};
    return out_of_range(exact_size(kMin) + " to " + exact_size(kMax));
  }
  static Json show(uint64_t bytes) { return exact_size(bytes); }
};

inline constexpr const char* kNoLimitOfProcess = "none";
inline bool is_no_limit(const Json& value) {
  return value.is_string() && with_hyphens(value.get_ref<const std::string&>()) == kNoLimitOfProcess;
}

// How many processors' time, in thousandths.
struct CpusForm {
  static constexpr bool kZeroIsNone = true;
  static Result<int64_t> take(const Json& value);
  static std::optional<std::string> trouble(int64_t thousandths) {
    if (thousandths == 0 || (thousandths >= kLeastCpuThousandths && thousandths <= kMostCpuThousandths)) return {};
    return out_of_range(words());
  }
  static std::string words() { return "number, 0.01 to 1024, or none"; }
  static Json show(int64_t thousandths);
};

template <uint64_t kLeast, uint64_t kMost>
struct SizeOrNoneForm {
  static constexpr bool kZeroIsNone = true;
  static constexpr FieldUnit kUnit = FieldUnit::bytes;
  static Result<uint64_t> take(const Json& value) {
    if (is_no_limit(value)) return 0;
    auto bytes = SizeForm<0, UINT64_MAX>::take(value);
    if (!bytes) return bytes;
    return within_bounds<SizeOrNoneForm>(value, *bytes);
  }
  static std::optional<std::string> trouble(uint64_t bytes) {
    if (bytes == 0 || (bytes >= kLeast && bytes <= kMost)) return {};
    return out_of_range(words());
  }
  static std::string words() { return "size, " + exact_size(kLeast) + " to " + exact_size(kMost) + ", or none"; }
  static Json show(uint64_t bytes) { return bytes == 0 ? kNoLimitOfProcess : exact_size(bytes); }
};
using ProcessMemoryForm = SizeOrNoneForm<kLeastProcessMemory, kMostMemory>;
using SocketBufferForm = SizeOrNoneForm<kLeastSocketBuffer, kMostSocketBuffer>;

struct SizeRangeForm {
  static constexpr FieldUnit kUnit = FieldUnit::bytes;
  static Result<SizeRange> take(const Json& value) {
    if (value.is_number_unsigned()) return take(Json(std::to_string(value.get<uint64_t>())));
    Result<SizeRange> size = fail("");
    if (value.is_string()) size = parse_size_range(plain_quantity(value.get_ref<const std::string&>()));
    if (!size) return fail(quoted(value) + " is not a size or range of sizes, such as \"50B\" or \"10B..1KiB\"");
    return within_bounds<SizeRangeForm>(value, *size);
  }
  static std::optional<std::string> trouble(const SizeRange& size) {
    if (size.min > size.max) return "is in the wrong order; enter the smaller size first";
    if (size.max > kLargestMessage) return out_of_range("up to " + exact_size(kLargestMessage));
    return {};
  }
  static Json show(const SizeRange& size) { return exact_size_range(size); }
};

struct ServiceTimeForm {
  static Result<measure::ServiceTime> take(const Json& value) {
    if (!value.is_string())
      return fail(quoted(value) + " is not a service time; enter \"none\", \"fixed:5ms\" or \"busy:5ms\"");
    return measure::parse_service_time(with_colon(value.get_ref<const std::string&>()));
  }
  static Json show(const measure::ServiceTime& time) { return exact_service_time(time); }

 private:
  // "fixed 5 ms + 10 us/1 KiB" is "fixed:5ms+10us/1KiB".
  static std::string with_colon(std::string_view text) {
    text = trimmed(text);
    if (!text.empty() && text.front() >= '0' && text.front() <= '9') return plain_parts(text);
    const size_t end = text.find_first_of(" :");
    const std::string kind = with_hyphens(text.substr(0, end));
    return end == std::string_view::npos ? kind : kind + ":" + plain_parts(text.substr(end + 1));
  }
  static std::string plain_parts(std::string_view text) {
    const size_t end = text.find_first_of("+/");
    if (end == std::string_view::npos) return plain_quantity(text);
    return plain_quantity(text.substr(0, end)) + text[end] + plain_parts(text.substr(end + 1));
  }
};

struct SharedLimitForm {
  static Result<measure::SharedLimit> take(const Json& value) {
    if (!value.is_string())
      return fail(quoted(value) + " is not a shared limit; enter \"none\", \"pool:4\" or \"rate:200/s\"");
    std::string text(trimmed(value.get_ref<const std::string&>()));
    if (const size_t blank = text.find(' '); blank != std::string::npos && !text.contains(':')) text[blank] = ':';
    return measure::parse_shared_limit(text);
  }
  static Json show(const measure::SharedLimit& limit) { return measure::exact_shared_limit(limit); }
};

// Of a load shape, in its JSON and as a part of its own.
struct RateForm {
  static constexpr FieldUnit kUnit = FieldUnit::rate_per_s;
  static Result<double> take(const Json& value) {
    if (value.is_number()) return take(Json(measure::exact_rate(value.get<double>())));
    if (!value.is_string()) return fail(quoted(value) + " is not a rate; expected such as \"5000/s\"");
    return measure::parse_rate(value.get_ref<const std::string&>());
  }
  static Json show(double per_s) { return measure::exact_rate(per_s); }
};

// What a file had in it stands beside its name, so that a result's plan needs the file no more.
struct PayloadForm {
  static Result<measure::Payload> take(const Json& value);
  static Json show(const measure::Payload& payload);
  static std::string text(const measure::Payload& payload) { return measure::exact_payload(payload); }
  static std::vector<std::string> reads(const measure::Payload& payload) { return if_given(payload.file.read_from); }
};

struct ShapeForm {
  static Result<measure::LoadShape> take(const Json& value);
  static Json show(const measure::LoadShape& shape);
  static std::string text(const measure::LoadShape& shape) { return measure::exact_shape(shape); }
  static std::vector<std::string> reads(const measure::LoadShape& shape) { return if_given(shape.recorded.read_from); }
};

struct TruthForm {
  static Result<bool> take(const Json& value) {
    if (value == Json(true) || value == Json("true") || value == Json("on")) return true;
    if (value == Json(false) || value == Json("false") || value == Json("off")) return false;
    return fail(quoted(value) + " is neither true nor false");
  }
  static std::string words() { return "true or false"; }
  static Json show(bool value) { return value; }
};

struct TextForm {
  static Result<std::string> take(const Json& value) {
    if (!value.is_string()) return fail(quoted(value) + " is not a text; put it in quotes");
    return within_bounds<TextForm>(value, without_turns(value.get_ref<const std::string&>()));
  }
  static std::optional<std::string> trouble(const std::string& text) { return trouble_with_text(text); }
  static Json show(const std::string& text) { return text; }
};

// As the kernel calls it, which has 15 characters for that.
struct CongestionForm : TextForm {
  static Result<std::string> take(const Json& value);
  static std::optional<std::string> trouble(const std::string& name);
};

struct SourcePortsForm {
  static Result<PortRange> take(const Json& value);
  static Json show(const PortRange& ports) { return to_text(ports); }
  static std::string words() { return "range such as 20000-20099, or empty"; }
};

// The path of a file that is read for a run.
struct FileForm : TextForm {
  static std::vector<std::string> reads(const std::string& path) { return if_given(path); }
};

// Of a worker that was started by hand.
struct AttachForm : TextForm {
  static std::vector<std::string> sends_to(const std::string& address) { return if_given(address); }
};

// Nobody but this computer reaches what listens at a loopback address.
struct ListenForm : TextForm {
  static std::vector<std::string> sends_to(const std::string& address) {
    return if_given(is_loopback(address) ? std::string() : address);
  }
};

// A name, without what separates names in a list.
struct HostForm {
  static Result<std::string> take(const Json& value) {
    auto text = TextForm::take(value);
    if (!text) return text;
    if (text->find(',') != std::string::npos) return fail(quoted(value) + " is more than one host; expected one name");
    return std::string(trimmed(*text));
  }
  static Json show(const std::string& name) { return name; }
  static std::vector<std::string> sends_to(const std::string& name) { return if_given(name); }
};

struct HostsForm {
  static Result<std::vector<std::string>> take(const Json& value);
  static Json show(const std::vector<std::string>& names) { return names; }
  static std::vector<std::string> sends_to(const std::vector<std::string>& names) { return names; }
};

struct FiltersForm {
  static Result<std::vector<ReceiverFilter>> take(const Json& value);
  static Json show(const std::vector<ReceiverFilter>& filters);
  static std::string text(const std::vector<ReceiverFilter>& filters) { return to_text(filters); }
};

struct SpansForm {
  static Result<std::vector<ReceiverSpan>> take(const Json& value);
  static Json show(const std::vector<ReceiverSpan>& spans);
  static std::string text(const std::vector<ReceiverSpan>& spans) { return to_text(spans); }
};

struct ScalingForm {
  static Result<ReceiverScaling> take(const Json& value) {
    return parse_scaling(value.is_string() ? value.get_ref<const std::string&>() : quoted(value));
  }
  static Json show(const ReceiverScaling& scaling) { return to_text(scaling); }
  static std::string text(const ReceiverScaling& scaling) { return to_text(scaling); }
};

struct LoadsForm {
  static Result<std::vector<BackgroundLoad>> take(const Json& value);
  static Json show(const std::vector<BackgroundLoad>& loads);
  static std::string text(const std::vector<BackgroundLoad>& loads) { return to_text(loads); }
};

struct LimitsForm {
  static Result<std::vector<RunLimit>> take(const Json& value);
  static Json show(const std::vector<RunLimit>& limits);
  static std::string text(const std::vector<RunLimit>& limits) { return to_text(limits); }
};

template <class Word>
struct Words;
template <>
struct Words<Mode> {
  static constexpr std::string_view kNoun = "mode";
  static constexpr std::array kAll{Mode::broadcaster, Mode::load_balancer, Mode::request_reply};
};
template <>
struct Words<ReplyFrom> {
  static constexpr std::string_view kNoun = "choice of repliers";
  static constexpr std::array kAll{ReplyFrom::one, ReplyFrom::first, ReplyFrom::all};
};
template <>
struct Words<Policy> {
  static constexpr std::string_view kNoun = "policy";
  static constexpr std::array kAll{Policy::random, Policy::round_robin, Policy::least_outstanding};
};
template <>
struct Words<Pacing> {
  static constexpr std::string_view kNoun = "pacing";
  static constexpr std::array kAll{Pacing::fixed, Pacing::poisson};
};
template <>
struct Words<Phase> {
  static constexpr std::string_view kNoun = "phase";
  static constexpr std::array kAll{Phase::even, Phase::together, Phase::random};
};
template <>
struct Words<measure::LoadShape::Kind> {
  using Kind = measure::LoadShape::Kind;
  static constexpr std::string_view kNoun = "load shape";
  // recorded has its file with it: it is a value of the whole shape alone.
  static constexpr std::array kAll{Kind::constant, Kind::ramp, Kind::steps, Kind::spike, Kind::burst};
};
template <>
struct Words<LogLevel> {
  static constexpr std::string_view kNoun = "log level";
  static constexpr std::array kAll{LogLevel::full, LogLevel::summary, LogLevel::off};
};

// Of what is in workers/bus/bus_table.h.
struct BusKindForm {
  static Result<std::string> take(const Json& value);
  static std::string words() { return bus::bus_names(); }
  static Json show(const std::string& kind) { return kind; }
};

// One setting of a bus, as text; what it may be says the table.
struct BusSettingForm {
  static Result<std::string> take(const bus::Setting& setting, const Json& value);
  static Json show(const bus::Setting& setting, const BusPlan& bus);
};

template <class Word>
struct WordForm {
  static Result<Word> take(const Json& value) {
    const std::string given = value.is_string() ? with_hyphens(value.get_ref<const std::string&>()) : std::string();
    for (const Word word : Words<Word>::kAll)
      if (given == to_text(word)) return word;
    return fail(quoted(value) + " is not a " + std::string(Words<Word>::kNoun) + "; there are " + listed(" and "));
  }
  static std::string words() { return listed(" or "); }
  static Json show(Word word) { return to_text(word); }

 private:
  static std::string listed(const char* before_last) {
    std::string all;
    for (const Word word : Words<Word>::kAll) {
      if (!all.empty()) all += word == Words<Word>::kAll.back() ? before_last : ", ";
      all += to_text(word);
    }
    return all;
  }
};

}  // namespace n2nq::plan
