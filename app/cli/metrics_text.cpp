#include "app/cli/metrics_text.h"

#include <charconv>
#include <utility>
#include <vector>

#include "app/figures/metric.h"
#include "app/live/live_figures.h"
#include "app/run/run_sequence.h"
#include "workers/measure/latency_summary.h"

namespace n2nq::cli {
namespace {

using Labels = std::vector<std::pair<const char*, std::string>>;

// The shortest form that reads back the same, whatever the locale.
std::string number(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

class OpenMetrics {
 public:
  void family(const std::string& name, const char* type, const char* help, const char* unit = nullptr) {
    name_ = "n2nq_" + name;
    text_ += "# TYPE " + name_ + " " + type + "\n";
    if (unit != nullptr) text_ += "# UNIT " + name_ + " " + unit + "\n";
    text_ += "# HELP " + name_ + " " + help + "\n";
  }
  void sample(double value, const Labels& labels = {}, const char* suffix = "") {
    text_ += name_ + suffix;
    const char* separator = "{";
    for (const auto& [key, label] : labels) {
      text_ += separator + std::string(key) + "=\"" + escaped(label) + "\"";
      separator = ",";
    }
    text_ += (labels.empty() ? " " : "} ") + number(value) + "\n";
  }
  void total(uint64_t value, const Labels& labels = {}) { sample(static_cast<double>(value), labels, "_total"); }
  void gauge(const std::string& name, const char* help, std::optional<uint64_t> value) {
    if (!value) return;
    family(name, "gauge", help);
    sample(static_cast<double>(*value));
  }
  void counter(const std::string& name, const char* help, int64_t value) {
    family(name, "counter", help);
    total(static_cast<uint64_t>(std::max<int64_t>(value, 0)));
  }
  std::string finish() { return std::move(text_) + "# EOF\n"; }

 private:
  std::string name_;
  std::string text_;
};

double seconds(double ns) {
  return ns / 1e9;
}

void put_state(OpenMetrics& out, const MetricsView& view) {
  using run::State;
  out.family("bench", "info", "The bench that these figures come from.");
  out.sample(1, {{"version", N2NQ_VERSION}}, "_info");
  out.family("run_state", "stateset", "State of the current run.");
  for (const State state :
       {State::idle, State::launching, State::connecting, State::running, State::draining, State::ending, State::over})
    out.sample(view.state == state ? 1 : 0, {{"n2nq_run_state", run::to_text(state)}});
  out.gauge("run_number", "Which of the plan's runs this is, from 1; 0 before the first.", view.number);
  out.gauge("runs", "How many runs the plan has.", view.runs);
}

void put_plan(OpenMetrics& out, const MetricsView& view) {
  const plan::RunPlan& plan = view.run->plan();
  out.family("plan", "info", "Name and mode of the current run.");
  out.sample(1,
             {{"name", plan.name},
              {"mode", plan::to_text(plan.queue.mode)},
              {"requests", plan.queue.requests.on ? "on" : "off"},
              {"responses", plan.queue.responses ? "on" : "off"}},
             "_info");
  out.gauge("plan_senders", "How many senders the plan has.", plan.senders.fleet.count);
  out.gauge("plan_receivers", "How many receivers the plan has.", plan.receivers.fleet.count);
  out.gauge("planned_messages", "Messages that all senders will send.", view.run->totals().planned);
  out.gauge("expected_deliveries", "Deliveries due, as far as known yet.", view.expected_deliveries);
  if (!view.elapsed_ns) return;
  out.family("run_elapsed_seconds", "gauge", "Time since the run began.", "seconds");
  out.sample(seconds(static_cast<double>(*view.elapsed_ns)));
}

// Figures that a run is told by at its end too.
void put_metrics(OpenMetrics& out, const figures::RunView& run) {
  for (const figures::Metric& metric : figures::all_metrics()) {
    const figures::LiveMetric& live = metric.live;
    const auto value = live.name == nullptr ? std::nullopt : metric.value(run);
    if (!value) continue;
    out.family(live.name, live.counter ? "counter" : "gauge", live.help, live.unit);
    out.sample(*value, {}, live.counter ? "_total" : "");
  }
}

void put_rates(OpenMetrics& out, const figures::RunningView& run) {
  const live::LiveFigures& live = *run.live();
  const live::ServiceFigures& receivers = live.all_receivers();
  out.family("sent_messages_per_second", "gauge", "Messages sent, over the last second.");
  out.sample(live.all_senders().rate_per_s);
  out.family("received_messages_per_second", "gauge", "Distinct messages received, over the last second.");
  out.sample(receivers.rate_per_s);
  out.counter("requests", "Requests made by the receivers.", receivers.requests);
  out.counter("responses", "Responses sent by the receivers.", receivers.responses);
  out.family("received_bytes", "counter", "Payload received by the receivers.", "bytes");
  out.total(static_cast<uint64_t>(receivers.bytes));
  if (const int64_t length_ns = run.length_ns().value_or(0); length_ns > 0) {
    out.family("received_bytes_per_second", "gauge", "Payload that the receivers got a second, since the run began.");
    out.sample(static_cast<double>(receivers.bytes) * 1e9 / static_cast<double>(length_ns));
  }
  if (!plan::asks_for_replies(run.plan())) return;
  out.family("outstanding_requests", "gauge", "Requests that wait for their reply.");
  out.sample(static_cast<double>(live.all_senders().open_requests));
}

// Negative latencies are possible between hosts; a sum that goes down is none to OpenMetrics, and left out.
void put_latency(OpenMetrics& out, const std::string& name, const char* help, const measure::LatencySummary& latency) {
  out.family(name, "summary", help, "seconds");
  const std::pair<const char*, std::optional<int64_t>> quantiles[] = {{"0.5", latency.p50},
                                                                      {"0.9", latency.p90},
                                                                      {"0.95", latency.p95},
                                                                      {"0.99", latency.p99},
                                                                      {"0.999", latency.p999}};
  for (const auto& [quantile, ns] : quantiles)
    if (ns) out.sample(seconds(static_cast<double>(*ns)), {{"quantile", quantile}});
  out.sample(static_cast<double>(latency.count), {}, "_count");
  if (latency.count == 0 || latency.min.value_or(0) >= 0)
    out.sample(seconds(latency.mean.value_or(0) * static_cast<double>(latency.count)), {}, "_sum");
}

struct LatencyFamily {
  const char* name;
  const char* help;
  Latency latency;
  plan::MetricOf of = plan::MetricOf::all;
};
constexpr LatencyFamily kLatencyFamilies[] = {
    {"latency_seconds", "From the actual time of sending, without warm-up.", Latency::latency},
    {"scheduled_latency_seconds", "From the intended time of sending, without warm-up.", Latency::scheduled_latency},
    {"publish_seconds", "From the actual send of a message to the bus's answer, without warm-up.", Latency::publish,
     plan::MetricOf::answers},
    {"turnaround_seconds", "From the actual send of a request to its reply, without warm-up.", Latency::turnaround,
     plan::MetricOf::replies},
    {"scheduled_turnaround_seconds",
     "From the intended send of a request to its reply, without warm-up; none in closed loop.",
     Latency::scheduled_turnaround, plan::MetricOf::replies},
    {"reply_latency_seconds", "The way back: from the replier's send to the requester, without warm-up.",
     Latency::reply_latency, plan::MetricOf::replies}};

void put_latencies(OpenMetrics& out, const figures::RunView& run) {
  for (const LatencyFamily& family : kLatencyFamilies)
    if (plan::has(run.plan(), family.of)) put_latency(out, family.name, family.help, run.summary(family.latency));
  const auto bound_ns = run.clocks().bound_ns;
  if (!bound_ns) return;
  out.family("latency_bound_seconds", "gauge", "Clocks of hosts differ: latencies are accurate within this.",
             "seconds");
  out.sample(seconds(static_cast<double>(*bound_ns)));
}

std::string process_name(const live::WorkerFigures& worker) {
  const std::string role = worker.role == Role::sender ? "senders " : "receivers ";
  const uint32_t last = worker.first_service + worker.services - 1;
  return role + std::to_string(worker.first_service) + "-" + std::to_string(last);
}

void put_processes(OpenMetrics& out, const live::LiveFigures& live) {
  out.family("process_cpu_seconds", "counter", "Processor time of a worker process.", "seconds");
  for (const live::WorkerFigures& worker : live.workers())
    out.sample(seconds(static_cast<double>(worker.process.cpu_ns)),
               {{"process", process_name(worker)}, {"role", control::to_text(worker.role)}}, "_total");
  out.family("process_cpu_share", "gauge", "Processor time of a worker process over the last second; 1 is one core.");
  for (const live::WorkerFigures& worker : live.workers())
    out.sample(worker.cpu_share, {{"process", process_name(worker)}, {"role", control::to_text(worker.role)}});
  out.family("process_resident_memory_bytes", "gauge", "Memory of a worker process.", "bytes");
  for (const live::WorkerFigures& worker : live.workers())
    out.sample(static_cast<double>(worker.process.rss_bytes),
               {{"process", process_name(worker)}, {"role", control::to_text(worker.role)}});
}

// A name in base units: seconds in place of nanoseconds.
struct ExportedColumn {
  std::string name{};
  const char* unit = nullptr;
  double divisor = 1;
};

ExportedColumn exported(const char* prefix, const control::HostColumn& column) {
  const std::string field(column.field);
  if (field.ends_with("_ns")) return {prefix + field.substr(0, field.size() - 3) + "_seconds", "seconds", 1e9};
  return {prefix + field, field.ends_with("_bytes") ? "bytes" : nullptr, 1};
}

// What `values` finds at a place, one sample each; a figure that nobody knows is left out.
template <class Values>
void put_recorded(OpenMetrics& out, const live::HostFigures& hosts, control::RecordedOf of, const char* prefix,
                  const Values& values) {
  const auto columns = control::columns_of(of);
  for (size_t i = 0; i < columns.size(); i++) {
    const ExportedColumn column = exported(prefix, columns[i]);
    bool named = false;
    for (const std::string& place : hosts.places()) {
      const control::Recorded* last = hosts.last(place);
      if (last == nullptr) continue;
      values(*last, [&](const control::HostValues& all, Labels labels) {
        if (i >= all.size() || all[i] == control::kNoFigure) return;
        if (!std::exchange(named, true))
          out.family(column.name, columns[i].counter ? "counter" : "gauge",
                     (std::string(columns[i].help) + ".").c_str(), column.unit);
        labels.insert(labels.begin(), {"host", place});
        out.sample(static_cast<double>(all[i]) / column.divisor, labels, columns[i].counter ? "_total" : "");
      });
    }
  }
}

void put_hosts(OpenMetrics& out, const live::HostFigures& hosts) {
  using control::Recorded;
  using control::RecordedOf;
  put_recorded(out, hosts, RecordedOf::host, "host_",
               [](const Recorded& last, const auto& take) { take(last.host, Labels{}); });
  put_recorded(out, hosts, RecordedOf::process, "recorded_process_", [](const Recorded& last, const auto& take) {
    for (const auto& [name, values] : last.processes) take(values, Labels{{"process", name}});
  });
  put_recorded(out, hosts, RecordedOf::connections, "tcp_", [](const Recorded& last, const auto& take) {
    for (const auto& [name, values] : last.connections) take(values, Labels{{"side", name}});
  });
}

}  // namespace

std::string metrics_text(const MetricsView& view) {
  OpenMetrics out;
  put_state(out, view);
  if (view.run == nullptr) return out.finish();
  const live::LiveFigures& live = *view.run->live();
  put_plan(out, view);
  put_metrics(out, *view.run);
  put_rates(out, *view.run);
  put_latencies(out, *view.run);
  put_processes(out, live);
  put_hosts(out, live.hosts());
  return out.finish();
}

std::string metrics_text(const run::RunSequence& sequence) {
  const run::RunSession* session = sequence.session();
  if (session == nullptr) return metrics_text(MetricsView{});
  const auto expected = session->expected_deliveries();
  const figures::RunningView run = session->running();
  return metrics_text(
      MetricsView{.state = session->state(),
                  .number = sequence.index() + 1,
                  .runs = sequence.count(),
                  .run = &run,
                  .elapsed_ns = session->elapsed_ns(),
                  .expected_deliveries = expected && expected->exact ? std::optional(expected->count) : std::nullopt});
}

}  // namespace n2nq::cli
