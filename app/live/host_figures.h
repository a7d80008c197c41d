// What the recorders of one run have said, on the run's time axis: a history for each host. Memory is bounded: at most
// kMostSlots slots (fewer where there are very many processes), neighbours merged when they run out, as in the series
// of the run. What cannot be (a clock or a counter that falls) gives no reading. A sum is given only if it is of the
// whole run. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/live/host_history.h"

namespace n2nq::live {

class HostFigures {
 public:
  static constexpr size_t kMostSlots = 1200;
  static constexpr size_t kMostSubjects = 1040;       // of a host: what comes beyond is passed over
  static constexpr size_t kFullSubjects = 64;         // so many have all slots; more have fewer, in proportion
  static constexpr size_t kMostWaiting = 256;         // lines of a host before its BEGIN is known; the oldest go
  static constexpr int64_t kShortestNs = 50'000'000;  // a slot that is shorter joins its neighbour

  // That there is a host, in the order of the run's roles.
  void add(const std::string& place);
  // Nothing (more) will come of it, and no sum is known. The first word counts.
  void lacks(const std::string& place, const std::string& why);
  void take(const std::string& place, const control::Recorded& recorded);
  // BEGIN on the monotonic clock of a host that was added, or on one that this one is ahead of by `offset_ns`. The
  // first word counts.
  void begin(const std::string& place, int64_t origin_monotonic_ns, int64_t offset_ns = 0);
  bool knows_begin(const std::string& place) const;
  // A process of the run said at its end what it needed in all: sums go up to there. Nothing: it did not say.
  struct AtEnd {
    int64_t cpu_ns = 0;
    std::optional<int64_t> disk_written_bytes{};
    std::optional<int64_t> cpu_user_ns{}, cpu_system_ns{}, context_switches{}, disk_read_bytes{};
  };
  void ended(const std::string& place, const std::string& process, const std::optional<AtEnd>& said);
  // How its cores are kept from halting; or why they are not, from then on.
  void awake(const std::string& place, const std::string& how);
  void not_awake(const std::string& place, const std::string& why);
  // Nothing: they are.
  std::optional<std::string> why_not_awake(const std::string& place) const;
  // Two names are of one computer: each recorder there may see the connections of both.
  void same_computer(const std::string& place, const std::string& other);
  // Messages so far, as of the last reading of a host.
  struct Counts {
    double sent = 0;
    double received = 0;
  };
  void count(const std::string& place, const Counts& counts);
  std::optional<Counts> counts(const std::string& place) const;

  uint64_t revision() const { return revision_; }
  // Of all readings so far; every series has values or a sentence why it has none.
  // Of the series of these names alone, for whoever looks often; none stands for all.
  std::vector<HostHistory> histories(std::span<const std::string_view> names = {}) const;
  // The same without series over time, for whoever wants sums alone.
  std::vector<HostHistory> sums() const;
  // The last reading of a host whose recorder is still there, for exports.
  const control::Recorded* last(const std::string& place) const;
  const std::vector<std::string>& places() const { return places_; }

 private:
  // What is added up of one column.
  struct Sum {
    double value = 0;     // counter: the sum; gauge: time times value, or the least or largest
    double width_ns = 0;  // of the time that a gauge is known of
    bool known = false;
    bool incomplete = false;  // of a counter: a part of the run is not in it
    int64_t last = control::kNoFigure;
    int64_t last_ns = 0;  // when that was read, by the recorder's clock
  };
  struct Slots {
    std::vector<double> values{};
    std::vector<float> known{};  // which share of its time the value is of
  };
  struct Subject {
    RecordedOf of = RecordedOf::host;
    std::string name{};
    std::vector<Sum> sums{};                   // by column
    std::vector<Slots> slots{};                // by column
    std::map<std::string, std::string> why{};  // by column
  };
  // One reading: when, and how much of the time since the one before it is in the run.
  struct Moment {
    int64_t time_ns = 0;
    int64_t since_begin_ns = 0;
    int64_t width_ns = 0;  // 0: before BEGIN, or the first
  };
  struct Host {
    std::optional<int64_t> origin_ns{};
    std::deque<control::Recorded> waiting{};
    std::optional<control::Recorded> last{};
    std::vector<int64_t> start_ns{}, width_ns{};
    std::vector<Subject> subjects{};
    std::map<std::string, std::optional<AtEnd>> ended{};  // by process
    std::optional<Counts> counts{};
    std::vector<std::string> beside{};  // other names of its computer
    std::string why{};
    std::string awake{};
    std::string not_awake{};
  };

  void take_line(Host& host, const control::Recorded& recorded);
  void add_slot(Host& host, int64_t start_ns, int64_t width_ns);
  void read(Host& host, RecordedOf of, const control::RecordedSubject& said, size_t guess, const Moment& moment);
  static void take_gauge(const Host& host, int64_t now, const Moment& moment, Sum& sum, Slots& slots);
  static void take_of_interval(const control::HostColumn& column, int64_t now, const Moment& moment, Sum& sum,
                               Slots& slots);
  static void take_counter(const Host& host, const control::HostColumn& column, int64_t now, const Moment& moment,
                           Sum& sum, Slots& slots);
  Subject* subject(Host& host, RecordedOf of, const std::string& name, size_t guess = 0);
  void take_reasons(Host& host, const control::Recorded& recorded);
  static void add_rest(const Host& host, const Subject& subject, size_t column, std::vector<double>& values);
  static void fill(const Host& host, int64_t from_ns, double value, Slots& slots);
  HostSeries series_of(const Host& host, const Subject& subject, size_t column) const;
  std::string why_counted_twice(const Host& host, const Subject& subject) const;  // empty: it is not
  static bool ends_early(const Host& host, const Sum& sum);
  static size_t most_slots(const Host& host);
  static void merge_slots(Host& host, size_t into);
  static void halve(Host& host);
  // `names`: none stands for all.
  HostHistory history(const std::string& place, const Host& host, bool with_values,
                      std::span<const std::string_view> names = {}) const;

  uint64_t revision_ = 0;
  std::vector<std::string> places_;
  std::map<std::string, Host> hosts_;
};

}  // namespace n2nq::live
