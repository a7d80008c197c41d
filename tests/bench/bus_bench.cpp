// bus_bench: the bus beside the floor. Prints one Markdown table: for each workload FLOOR, BUS, their ratio with its
// spread, what FLOOR differs from itself, and whether the target is met.
//
//   cmake --preset release && cmake --build --preset release --target bus_bench
//   build/release/tests/bench/bus_bench                          everything, 15 rounds, about ten minutes
//   build/release/tests/bench/bus_bench --awake                  for a table that is published
//   build/release/tests/bench/bus_bench --workloads AE --rounds 5
//
// In each round every workload runs FLOOR, BUS and FLOOR again, one right after the other; which of the three comes
// first rotates. System calls and allocations are counted in one further measurement each, since counting costs time
// (needs root). Exit code: 0 all counts right, 1 a measurement failed, 2 usage. A missed target is in the table, not in
// the exit code. See README.md here.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/bench/bench_table.h"
#include "tests/bench/measurement.h"
#include "workers/recorder/awake.h"

namespace n2nq::bench {
namespace {

struct Options {
  int rounds = 15;
  double seconds = 1;
  std::string workloads = "ABCDEFGHI";
  std::string broker;
  bool floor_only = false;
  bool skip_counts = false;
  bool awake = false;
  std::string raw_file;
};

std::filesystem::path own_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

Programs programs_of(const Options& options) {
  const auto folder = own_folder();
  Programs programs{.floor = folder / "floor_relay", .bus = options.broker, .clients = folder / "bench_clients"};
  if (programs.bus.empty()) programs.bus = (folder / "../../bin/n2nq-broker").lexically_normal();
  if (options.floor_only) programs.bus.clear();
  return programs;
}

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options),
        programs_(programs_of(options)),
        setting_{.seconds = options.seconds, .warmup_seconds = std::min(0.3, options.seconds * 0.2)} {
    if (!options.raw_file.empty()) raw_.open(options.raw_file);
    for (const Workload& workload : all_workloads())
      if (options.workloads.find(workload.letter) != std::string::npos) results_.emplace_back().workload = &workload;
  }

  Result<void> check_programs() const {
    for (const std::string& program : {programs_.floor, programs_.clients, programs_.bus})
      if (!program.empty() && !std::filesystem::exists(program))
        return fail(program + " is not there; build it, or give --broker FILE or --floor-only");
    return {};
  }

  Result<void> keep_awake() {
    auto awake = recorder::Awake::start();
    if (!awake) return fail("--awake: " + awake.error().text);
    awake_.emplace(std::move(*awake));
    return {};
  }

  Result<void> run() {
    for (int round = 0; round < options_.rounds; round++)
      for (Results& results : results_) {
        progress(round, *results.workload);
        if (auto ran = run_round(results, round); !ran) return ran;
      }
    if (::isatty(STDERR_FILENO) == 1) std::fprintf(stderr, "\r%*s\r", 40, "");
    if (options_.skip_counts) return {};
    for (Results& results : results_)
      if (auto counted = count(results); !counted) return counted;
    return {};
  }

  void print() const {
    std::cout
        << "Machine: " << machine_facts() << "\n"
        << "Commit: " << commit_of_tree() << "\n"
        << "Cores kept awake: " << (awake_ ? awake_->text() : "no") << "\n"
        << options_.rounds << " rounds, " << options_.seconds << " s each (the first " << setting_.warmup_seconds
        << " s not measured); medians. BUS: load balancer with --policy round-robin, as the floor; saturated with "
           "--retention until-collected.\n"
        << table_of(results_, !programs_.bus.empty());
  }

 private:
  void progress(int round, const Workload& workload) const {
    if (::isatty(STDERR_FILENO) == 1)
      std::fprintf(stderr, "\rround %d of %d, %c ", round + 1, options_.rounds, workload.letter);
  }

  Result<Figures> take(System system, const Results& results, const Setting& setting) {
    auto measurement = measure(programs_, system, *results.workload, setting);
    const std::string what =
        std::string(system == System::floor ? "floor" : "bus") + ", workload " + results.workload->letter;
    if (!measurement) return fail(what + ": " + measurement.error().text);
    if (raw_.is_open())
      raw_ << "{\"system\":\"" << (system == System::floor ? "floor" : "bus") << "\",\"workload\":\""
           << results.workload->letter << "\",\"counting\":" << (setting.count_calls ? "true" : "false")
           << ",\"clients\":" << measurement->clients_line << ",\"summary\":" << measurement->summary_line << "}\n"
           << std::flush;
    return std::move(measurement->figures);
  }

  Result<void> run_round(Results& results, int number) {
    Round round;
    const std::pair<System, Figures*> turns[] = {
        {System::floor, &round.floor}, {System::bus, &round.bus}, {System::floor, &round.floor_again}};
    for (int i = 0; i < 3; i++) {
      const auto& [system, figures] = turns[(i + number) % 3];
      if (system == System::bus && programs_.bus.empty()) continue;
      auto taken = take(system, results, setting_);
      if (!taken) return std::unexpected(taken.error());
      *figures = std::move(*taken);
    }
    results.rounds.push_back(std::move(round));
    return {};
  }

  Result<void> count(Results& results) {
    Setting counting = setting_;
    counting.count_calls = true;
    auto floor = take(System::floor, results, counting);
    if (!floor) return std::unexpected(floor.error());
    results.counted_floor = std::move(*floor);
    if (programs_.bus.empty()) return {};
    auto bus = take(System::bus, results, counting);
    if (!bus) return std::unexpected(bus.error());
    results.counted_bus = std::move(*bus);
    return {};
  }

  const Options options_;
  const Programs programs_;
  const Setting setting_;
  std::optional<recorder::Awake> awake_;
  std::ofstream raw_;
  std::vector<Results> results_;
};

}  // namespace
}  // namespace n2nq::bench

int main(int argc, char** argv) {
  n2nq::bench::Options options;
  CLI::App app("the bus beside the floor: one table of ratios");
  app.add_option("--rounds", options.rounds, "each is FLOOR, BUS, FLOOR")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "of one measurement")
      ->check(CLI::Range(0.1, 600.0))
      ->capture_default_str();
  app.add_option("--workloads", options.workloads, "letters")->capture_default_str();
  app.add_option("--broker", options.broker, "n2nq-broker to measure (default: the one of this build)");
  app.add_flag("--floor-only", options.floor_only, "FLOOR beside itself, no bus");
  app.add_flag("--skip-counts", options.skip_counts, "no measurement for system calls and allocations");
  app.add_flag("--awake", options.awake, "spinners that give way to everything keep the cores from halting");
  app.add_option("--raw", options.raw_file, "file for every measurement, a JSON object a line");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  n2nq::bench::Bench bench(options);
  if (auto there = bench.check_programs(); !there) {
    std::fprintf(stderr, "bus_bench: %s\n", there.error().text.c_str());
    return 2;
  }
  if (options.awake) {
    if (auto awake = bench.keep_awake(); !awake) {
      std::fprintf(stderr, "bus_bench: %s\n", awake.error().text.c_str());
      return 1;
    }
  }
  if (auto ran = bench.run(); !ran) {
    std::fprintf(stderr, "bus_bench: %s\n", ran.error().text.c_str());
    return 1;
  }
  bench.print();
  return 0;
}
