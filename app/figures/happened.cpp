#include "app/figures/happened.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "app/figures/figure_notes.h"
#include "app/record/moved_load.h"
#include "app/record/shown_latency.h"
#include "app/record/trust.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::figures {
namespace {

using live::HostHistory;
using live::HostSeries;
using live::SeriesPoint;

constexpr size_t kLeastSlots = 5;  // fewer do not say what is usual
constexpr double kTimes = 3;       // the usual stands out
constexpr double kFull = 0.9;      // of a host's cores
constexpr double kLongNs = 120e9;  // is read on a clock
constexpr double kLateNs = 1e6;
constexpr double kLatencyNs = 1e5;
constexpr double kLeastMessages = 10;  // in a slot; and more than chance makes of them
constexpr double kByChance = 4;        // standard deviations
constexpr double kMegabyte = 1e6;
constexpr double kLeastOnDisks = 10 * kMegabyte;  // a second
constexpr double kLeastSegments = 10;             // a second
constexpr int64_t kLeastHostNs = 500'000'000;     // of processors: the kernel counts in steps of 10 ms
constexpr std::string_view kHostSeries[] = {"cpu_user",  "cpu_system",     "cpu_iowait", "cpu_steal",
                                            "cpu_idle",  "cpu_interrupts", "cpu_bench",  "cpu",
                                            "disk_read", "disk_written",   "retransmits"};

using Values = std::vector<std::optional<double>>;  // a slot each

// A value of the slot and, as the median, of the run.
struct Beside {
  double here = 0;
  double usual = 0;
  bool is_large(double least) const { return here - usual >= least && here >= kTimes * usual; }
};

std::optional<double> usual_of(Values all) {
  std::erase(all, std::nullopt);
  if (all.size() < kLeastSlots) return std::nullopt;
  const auto median = all.begin() + std::ssize(all) / 2;
  std::ranges::nth_element(all, median);
  return *median;
}

std::optional<Beside> beside(Values all, size_t at) {
  if (at >= all.size() || !all[at]) return std::nullopt;
  const double here = *all[at];
  if (const auto usual = usual_of(std::move(all))) return Beside{.here = here, .usual = *usual};
  return std::nullopt;
}

// As along the axis of a chart.
std::string moment_text(double ns) {
  return ns < kLongNs ? text::decimals(ns / 1e9, 2) + " s" : text::elapsed(std::llround(ns));
}

std::string span_text(int64_t start_ns, int64_t width_ns) {
  const auto from = static_cast<double>(start_ns), to = static_cast<double>(start_ns + width_ns);
  if (to >= kLongNs) return text::elapsed(start_ns) + " to " + text::elapsed(start_ns + width_ns);
  return text::decimals(from / 1e9, 1) + " to " + text::decimals(to / 1e9, 1) + " s";
}

std::string beside_text(const std::string& here, const char* what, const std::string& other) {
  return here + " (" + what + " " + other + ")";
}

// 1.80 of 2 cores
std::string cores_text(double used, double cores, int decimals) {
  return text::decimals(std::min(used, cores), decimals) + " of " +
         text::amount(static_cast<uint64_t>(std::llround(cores)), "core");
}

Values others_of(std::span<const live::Bystanders> slots, size_t count) {
  Values others;
  for (const live::Bystanders& slot : slots.first(count)) others.push_back(slot.others);
  return others;
}

// The host is read on after the last message.
size_t slots_until(const HostHistory& host, int64_t end_ns) {
  return static_cast<size_t>(std::ranges::lower_bound(host.start_ns, end_ns) - host.start_ns.begin());
}

// What is told of one moment, and what could have been.
struct Told {
  std::vector<std::string> parts{};
  bool of_messages = false;  // something of them was compared
  bool of_hosts = false;
};

// Of one host in the slot of its readings where the moment lies.
class HostThen {
 public:
  // Of its slots those up to `end_ns`. `knows_others`: what the run's processes do not use there is others'.
  HostThen(const HostHistory& host, int64_t at_ns, int64_t end_ns, bool knows_others)
      : host_(host), knows_others_(knows_others), slots_(slots_until(host, end_ns)) {
    for (size_t slot = 0; slot < slots_; slot++)
      if (host.start_ns[slot] <= at_ns && at_ns < host.start_ns[slot] + host.width_ns[slot]) at_ = slot;
  }
  void tell(std::span<const std::string_view> sides, Told& told) {
    if (!at_) return;
    tell_cores();
    const auto disks = sum_of([](const HostSeries& one) {
      return one.of == live::RecordedOf::host && (one.name == "disk_read" || one.name == "disk_written");
    });
    if (disks && disks->is_large(kLeastOnDisks))
      parts_.push_back(beside_text(text::decimals(disks->here / kMegabyte, 0) + " MB/s from and to disks", "usually",
                                   text::decimals(disks->usual / kMegabyte, 1) + " MB/s"));
    const auto again =
        sum_of([&](const HostSeries& one) { return one.name == "retransmits" && live::is_of(one, sides); });
    if (again && again->is_large(kLeastSegments))
      parts_.push_back(beside_text(text::decimals(again->here, 0) + " segments a second were sent again", "usually",
                                   text::decimals(again->usual, 0)));
    told.of_hosts |= compared_ || !parts_.empty();
    if (parts_.empty()) return;
    told.parts.push_back(host_.place + ", " + span_text(host_.start_ns[*at_], host_.width_ns[*at_]) + ": " +
                         join(parts_, ", "));
  }

 private:
  void tell_cores() {
    const auto whole = live::bystanders_of(host_);
    const std::vector<live::Bystanders> slots = live::bystanders_by_slot(host_);
    const live::Bystanders& here = slots[*at_];
    if (!whole || std::isnan(here.cores) || host_.width_ns[*at_] < kLeastHostNs) return;
    const double cores = std::round(whole->cores);
    const auto share_text = [cores](double of) { return cores_text(of, cores, 2); };
    Values stolen;
    for (const live::Bystanders& slot : std::span(slots).first(slots_))
      stolen.push_back(std::isnan(slot.stolen) ? std::nullopt : std::optional(slot.stolen));
    const double least = record::kOthersShare * cores;
    const bool is_full = here.busy >= kFull * cores;
    const auto more = knows_others_ ? beside(others_of(slots, slots_), *at_) : std::nullopt;
    const auto gone = beside(std::move(stolen), *at_);
    compared_ |= gone.has_value();
    if (is_full) parts_.push_back(share_text(here.busy) + " busy");
    if (knows_others_ && here.others && *here.others >= least && (is_full || (more && more->is_large(least))))
      parts_.push_back("other programs used " + share_text(*here.others));
    if (gone && gone->is_large(least)) parts_.push_back("the hypervisor took " + share_text(gone->here));
  }

  // Of all series that are wanted together.
  template <class IsWanted>
  std::optional<Beside> sum_of(const IsWanted& is_wanted) {
    Values sums(slots_);
    for (const HostSeries& one : host_.series)
      for (size_t slot = 0; is_wanted(one) && slot < std::min(slots_, one.values.size()); slot++)
        if (!std::isnan(one.values[slot])) sums[slot] = sums[slot].value_or(0) + one.values[slot];
    const auto found = beside(std::move(sums), *at_);
    compared_ |= found.has_value();
    return found;
  }

  const HostHistory& host_;
  bool knows_others_;
  size_t slots_;
  std::optional<size_t> at_;
  bool compared_ = false;
  std::vector<std::string> parts_;
};

// What the messages of one slot of the series did.
class MessagesThen {
 public:
  MessagesThen(std::span<const SeriesPoint> slots, size_t at, const FigureContext& context, Told& told)
      : slots_(slots),
        at_(at),
        here_(slots[at]),
        end_ns_(here_.start_ns + here_.width_ns),
        context_(context),
        told_(told) {}

  void tell() {
    const auto late = of_run([](const SeriesPoint& slot) { return text::real(slot.lateness_p99_ns); });
    if (late && late->is_large(kLateNs))
      say(beside_text("sent " + text::duration(late->here) + " late at p99", "usually", text::duration(late->usual)));
    tell_sent();
    tell_received();
    tell_backlog();
    if (here_.lost > 0) {  // it was told for a tenth of a second, which may lie in two slots
      constexpr double kRounding = 1e-6;
      say("about " + text::amount(static_cast<uint64_t>(std::ceil(here_.lost - kRounding)), "delivery", "deliveries") +
          " lost");
    }
    const auto p99 = live::over_time(record::first_latency(context_.replies, context_.intended)).p99;
    const auto latency = of_run([p99](const SeriesPoint& slot) { return text::real(slot.*p99); });
    if (latency && latency->is_large(kLatencyNs))
      say(beside_text(latency_text(latency->here), "usually", text::duration(latency->usual)));
  }
  // "latency p99 90.0 µs"; empty: nothing was received.
  std::string latency_text() const {
    const auto p99 = here_.*(live::over_time(record::first_latency(context_.replies, context_.intended)).p99);
    return p99 ? latency_text(static_cast<double>(*p99)) : std::string();
  }

 private:
  std::string latency_text(double ns) const {
    return (context_.replies ? "turnaround p99" : "latency p99") +
           std::string(context_.intended ? record::kIntended : "") + " " + text::duration(ns);
  }
  void say(std::string part) { told_.parts.push_back(std::move(part)); }

  template <class ValueIn>
  std::optional<Beside> of_run(const ValueIn& value_in) {
    Values all;
    for (const SeriesPoint& slot : slots_) all.push_back(value_in(slot));
    const auto found = beside(std::move(all), at_);
    told_.of_messages |= found.has_value();
    return found;
  }

  // Messages in the slot, by the plan; nothing where that is known of longer times alone.
  std::optional<double> asked() const {
    if (end_ns_ > context_.asked_sends.until_ns || context_.asked_sends.in_rounds) return std::nullopt;
    const record::MovedLoad load(*context_.asked, context_.pauses);
    if (!load.is_known_until(end_ns_)) return std::nullopt;
    return load.messages_until(end_ns_) - load.messages_until(here_.start_ns);
  }
  // By what was sent in it.
  std::optional<double> due() const {
    if (!context_.due_per_message || end_ns_ > context_.due_until_ns) return std::nullopt;
    return *context_.due_per_message * here_.sent;
  }
  std::optional<double> usual(double SeriesPoint::* count) {
    const auto found = of_run([count](const SeriesPoint& slot) { return std::optional(slot.*count); });
    return found && found->usual > 0 ? std::optional(found->usual) : std::nullopt;
  }

  void tell_sent() {
    if (context_.asked)
      tell_rate("sent", here_.sent, asked(), "asked", 1);
    else
      tell_rate("sent", here_.sent, usual(&SeriesPoint::sent), "usually", 1);
  }
  void tell_received() {
    const double copies = std::max(context_.due_per_message.value_or(1), 1.0);
    const auto sent = due();
    if (!sent)
      tell_rate("received", here_.received, usual(&SeriesPoint::received), "usually", copies);
    else if (here_.received < *sent)  // more had waited
      tell_rate("received", here_.received, sent, "due", copies);
  }

  // Less than half or more than twice as many, and not by chance: of a message there are so many `copies`.
  void tell_rate(const char* word, double here, std::optional<double> meant, const char* what, double copies) {
    // The run begins and ends within the first and the last.
    if (!meant || at_ == 0 || at_ + 1 == slots_.size() || here_.width_ns <= 0) return;
    const double chance = kByChance * std::sqrt(std::max(here, *meant) / copies);
    const double least = copies * std::max(kLeastMessages, chance + context_.asked_sends.out_of_phase);
    if (std::fabs(here - *meant) < least || (here <= 2 * *meant && 2 * here >= *meant)) return;
    const auto per_s = [this](double messages) {
      return text::rate(messages * 1e9 / static_cast<double>(here_.width_ns));
    };
    say(beside_text(word + (" " + per_s(here)), what, per_s(*meant)));
  }

  void tell_backlog() {
    if (!due()) return;
    Values all;
    for (const record::BacklogPoint& point : record::backlog_of(slots_, *context_.due_per_message))
      if (point.at_ns <= context_.due_until_ns) all.push_back(point.deliveries);
    const auto waiting = beside(std::move(all), at_);
    if (waiting && waiting->is_large(std::max(*due(), kLeastMessages)))  // what a slot cannot tell from nothing
      say(beside_text(text::count(std::llround(waiting->here)) + " deliveries waited", "usually",
                      text::count(std::llround(waiting->usual))));
  }

  std::span<const SeriesPoint> slots_;
  size_t at_;
  const SeriesPoint& here_;
  int64_t end_ns_;
  const FigureContext& context_;
  Told& told_;
};

bool knows_others(const RunView& run, const HostHistory& host, size_t hosts) {
  if (run.record() != nullptr) return record::sees_own_processes(*run.record(), host);
  return hosts == 1 && run.plan().recorder.hosts.empty() && !plan::has_attached(run.plan());
}

// Events of the neighbours too, each at its own time: a pixel is often wider than a slot.
void tell_events(const SeriesPoint& slot, const FigureContext& context, Told& told) {
  const auto from = static_cast<double>(slot.start_ns), width = static_cast<double>(slot.width_ns);
  for (const Landmark& mark : context.landmarks.shown)
    if (from - width <= mark.x && mark.x < from + 2 * width)
      told.parts.push_back(mark.label + " at " + moment_text(mark.x));
  for (const Stretch& stretch : context.stretches)
    if (!stretch.of_host && stretch.from < from + width && from < stretch.to) told.parts.push_back(stretch.label);
}

}  // namespace

std::vector<Stretch> busy_others(const RunView& run) {
  constexpr size_t kMost = 8;  // the longest: more would hide what else the charts say
  const auto messages = run.series(0, run.known_until_ns(), live::TimeSeries::kMaxSlots);
  if (messages.empty()) return {};
  const int64_t end_ns = messages.back().start_ns + messages.back().width_ns;
  std::vector<Stretch> stretches;
  const std::vector<HostHistory> hosts = run.hosts(kHostSeries);
  for (const HostHistory& host : hosts) {
    const auto whole = live::bystanders_of(host);
    if (!whole || !knows_others(run, host, hosts.size())) continue;
    const double cores = std::round(whole->cores);
    const Values others = others_of(live::bystanders_by_slot(host), slots_until(host, end_ns));
    const auto usual = usual_of(others);
    const auto stands_out = [&](size_t slot) {
      return usual && others[slot] && host.width_ns[slot] >= kLeastHostNs &&
             host.start_ns[slot] + host.width_ns[slot] <= end_ns &&
             Beside{.here = *others[slot], .usual = *usual}.is_large(record::kOthersShare * cores);
    };
    for (size_t slot = 0; slot < others.size(); slot++) {
      if (!stands_out(slot)) continue;
      const auto from = static_cast<double>(host.start_ns[slot]);
      double used = 0, length = 0;
      for (; slot < others.size() && stands_out(slot); slot++) {
        used += *others[slot] * static_cast<double>(host.width_ns[slot]);
        length += static_cast<double>(host.width_ns[slot]);
      }
      stretches.push_back({.label = "other programs" + (hosts.size() > 1 ? " on " + host.place : "") + ": " +
                                    cores_text(used / length, cores, 1) + ", " + text::duration(length),
                           .from = from,
                           .to = from + length,
                           .trouble = true,
                           .of_host = true});
    }
  }
  const auto length_of = [](const Stretch& one) { return one.to - one.from; };
  std::ranges::stable_sort(stretches, std::greater(), length_of);
  if (stretches.size() > kMost) stretches.resize(kMost);
  std::ranges::stable_sort(stretches, {}, &Stretch::from);
  return stretches;
}

std::string happened_at(const RunView& run, const FigureContext& context, int64_t at_ns) {
  const std::vector<SeriesPoint> slots = run.series(0, run.known_until_ns(), live::TimeSeries::kMaxSlots);
  const auto slot = std::ranges::find_if(
      slots, [at_ns](const SeriesPoint& one) { return one.start_ns <= at_ns && at_ns < one.start_ns + one.width_ns; });
  if (slot == slots.end()) return {};
  Told told;
  tell_events(*slot, context, told);
  MessagesThen messages(slots, static_cast<size_t>(slot - slots.begin()), context, told);
  messages.tell();
  const int64_t end_ns = slots.back().start_ns + slots.back().width_ns;
  const std::vector<HostHistory> hosts = run.hosts(kHostSeries);
  for (const HostHistory& host : hosts)
    HostThen(host, at_ns, end_ns, knows_others(run, host, hosts.size()))
        .tell(live::sides_of(context.bus.traits()), told);

  if (told.parts.empty()) {
    if (told.of_messages) told.parts.emplace_back(told.of_hosts ? "nothing stands out" : "the messages are as usual");
    if (const std::string latency = messages.latency_text(); !latency.empty()) told.parts.push_back(latency);
    if (!told.of_messages) told.parts.emplace_back("too little is known to say what is usual");
  }
  if (!told.of_hosts && context.recorded) told.parts.emplace_back("of the hosts too little is known");
  return "At " + moment_text(static_cast<double>(slot->start_ns) + static_cast<double>(slot->width_ns) / 2) + ": " +
         join(told.parts, "; ");
}

}  // namespace n2nq::figures
