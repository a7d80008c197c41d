#include "tests/bench/bench_table.h"

#include <sys/utsname.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "tests/bench/statistics.h"

namespace n2nq::bench {
namespace {

constexpr double kWidestJudged = 1.3;  // A/A: above it, p99 and D are only reported

std::string first_line(const std::string& path, const std::string& otherwise) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? line : otherwise;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

std::string number(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string range(const Spread& spread) {
  return number(spread.median, 2) + " (" + number(spread.low, 2) + "-" + number(spread.high, 2) + ")";
}

bool is_counted(Figure figure) {
  const std::set<Figure> counted = {Figure::writes, Figure::reads, Figure::waits, Figure::allocations};
  return counted.contains(figure);
}

std::optional<double> value_in(const Figures& figures, Figure figure) {
  const auto found = figures.find(figure);
  return found == figures.end() ? std::nullopt : std::optional(found->second);
}

struct Row {
  std::vector<double> floor;
  std::vector<double> bus;
  std::vector<double> ratios;  // BUS to each FLOOR of its round
  std::vector<double> against_itself;
};

Row gather(const Results& results, Figure figure) {
  Row row;
  if (is_counted(figure)) {
    if (auto value = value_in(results.counted_floor, figure)) row.floor = {*value};
    if (auto value = value_in(results.counted_bus, figure)) row.bus = {*value};
    return row;
  }
  for (const Round& round : results.rounds) {
    const auto floor = value_in(round.floor, figure);
    const auto bus = value_in(round.bus, figure);
    const auto again = value_in(round.floor_again, figure);
    if (floor) row.floor.push_back(*floor);
    if (again) row.floor.push_back(*again);
    if (bus) row.bus.push_back(*bus);
    if (floor && again && *floor > 0) row.against_itself.push_back(*again / *floor);
    if (bus && floor && *floor > 0) row.ratios.push_back(*bus / *floor);
    if (bus && again && *again > 0) row.ratios.push_back(*bus / *again);
  }
  return row;
}

// How far FLOOR is from itself, in either direction: 1 and more.
double widest(const Row& row) {
  const Spread spread = spread_of(row.against_itself);
  return spread.low > 0 ? std::max(spread.high, 1 / spread.low) : spread.high;
}

std::string limit_text(const Target& target) {
  std::string text = std::string(target.at_least ? ">= " : "<= ") + number(target.limit, target.limit < 0.01 ? 3 : 2);
  if (target.ratio) text += "x";
  if (!target.because.empty()) text += " (" + std::string(target.because) + ")";
  return text;
}

std::string verdict(const Workload& workload, Figure figure, const std::optional<Target>& target, const Row& row) {
  const bool time = figure == Figure::p50 || figure == Figure::p99;
  if (!target)
    return time && !row.against_itself.empty() && widest(row) >= kWidestJudged ? "reported; A/A too wide" : "reported";
  const std::vector<double>& values = target->ratio ? row.ratios : row.bus;
  if (values.empty()) return "not judged";
  if (!workload.times_judged && target->ratio && widest(row) >= kWidestJudged) return "not judged";
  const double value = spread_of(values).median;
  return (target->at_least ? value >= target->limit : value <= target->limit) ? "met" : "**missed**";
}

std::string row_text(const Results& results, Figure figure, bool with_bus) {
  const Workload& workload = *results.workload;
  const Row row = gather(results, figure);
  const FigureText figure_text = text_of(figure, workload);
  const auto target = target_of(workload, figure);
  const auto cell = [&](const std::vector<double>& values) {
    return values.empty() ? std::string("-") : number(spread_of(values).median, figure_text.decimals);
  };
  std::string text =
      std::string("| ") + workload.letter + " | " + std::string(figure_text.name) + " | " + cell(row.floor);
  if (with_bus) text += " | " + cell(row.bus) + " | " + (row.ratios.empty() ? "-" : range(spread_of(row.ratios)));
  text += " | " + (row.against_itself.empty() ? "-" : range(spread_of(row.against_itself)));
  if (with_bus) text += " | " + (target ? limit_text(*target) : "-") + " | " + verdict(workload, figure, target, row);
  return text + " |\n";
}

}  // namespace

std::string machine_facts() {
  utsname kernel{};
  ::uname(&kernel);
  return processor() + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores, " + kernel.sysname + " " +
         kernel.release + ", governor " +
         first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "not visible") + ", congestion control " +
         first_line("/proc/sys/net/ipv4/tcp_congestion_control", "unknown") + ", load " +
         first_line("/proc/loadavg", "unknown");
}

std::string commit_of_tree() {
  const std::string command = "git -C '" N2NQ_SOURCE_FOLDER
                              "' -c safe.directory='*' describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null";
  std::string text;
  if (FILE* git = ::popen(command.c_str(), "re")) {
    char bytes[128];
    while (std::fgets(bytes, sizeof bytes, git) != nullptr) text += bytes;
    ::pclose(git);
  }
  while (text.ends_with('\n')) text.pop_back();
  return text.empty() ? "unknown" : text;
}

std::string table_of(const std::vector<Results>& results, bool with_bus) {
  std::string text;
  for (const Results& one : results)
    text += std::string("- ") + one.workload->letter + ": " + std::string(one.workload->title) + "\n";
  text += with_bus ? "\n| | figure | FLOOR | BUS | BUS/FLOOR (5-95 %) | FLOOR/FLOOR (5-95 %) | target | verdict |\n"
                     "|---|---|---|---|---|---|---|---|\n"
                   : "\n| | figure | FLOOR | FLOOR/FLOOR (5-95 %) |\n|---|---|---|---|\n";
  for (const Results& one : results)
    for (const Figure figure : figures_of(*one.workload)) text += row_text(one, figure, with_bus);
  return text;
}

}  // namespace n2nq::bench
