// What n2nq-bench was asked to do, from its command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace n2nq::cli {

// How hosts are found and reached.
struct HostsOptions {
  std::string file{};         // of the list; empty: that of the data folder
  std::string known_hosts{};  // their keys; empty: ~/.ssh/known_hosts
  std::string askpass{};      // a command that answers for passwords; empty: nobody does
  int64_t survive_ns = 0;     // see run::SessionOptions::survive; 0: its default
  bool operator==(const HostsOptions&) const = default;
};

// n2nq-bench [FILE]
struct WindowCommand {
  std::string file{};      // empty: the last plan
  std::string data_dir{};  // empty: see place::data_folder_path
  std::optional<uint16_t> metrics_port{};
  std::string meant{};  // the command that the file may have been meant for, where there is no such file
  bool operator==(const WindowCommand&) const = default;
};

// n2nq-bench run PLAN
struct RunCommand {
  std::string plan{};
  std::optional<int64_t> result{};     // instead of a plan: that of this result, exactly
  std::vector<std::string> sets{};     // "key=value"
  std::vector<std::string> allow{};    // files that may be sent wherever the plan says
  uint32_t repeats = 1;                // of all runs of the plan
  std::vector<std::string> fail_if{};  // conditions
  std::string out{};                   // empty: the data folder
  std::string junit{};                 // empty: no such file is written
  bool json = false;
  std::string data_dir{};
  std::optional<uint16_t> metrics_port{};
  HostsOptions hosts{};
  bool operator==(const RunCommand&) const = default;
};

// n2nq-bench hosts ACTION
struct HostsCommand {
  enum class Action { list, trust, test, collect, clean, import, export_list };
  Action action = Action::list;
  std::vector<std::string> names{};  // trust: one; test, collect, clean: none are all
  std::string fingerprint{};         // trust
  std::string queue{};               // test: where the queue of its runs is; empty: on the first
  bool bandwidth = false;            // test: of each path to the queue
  std::string file{};                // import: empty: ~/.ssh/config
  bool without_key_files = false;    // export
  HostsOptions hosts{};
  std::string data_dir{};
  bool operator==(const HostsCommand&) const = default;
};

// n2nq-bench buses [HOST...], buses test BUS, buses fetch BUS
struct BusesCommand {
  enum class Action { list, test, fetch };
  Action action = Action::list;
  std::vector<std::string> names{};  // list: hosts beside this computer
  bool all_hosts = false;            // list: those of the file
  std::string bus{};                 // test, fetch
  std::string host{};                // test: where all of it runs; empty: this computer
  bool json = false;                 // list
  HostsOptions hosts{};
  std::string data_dir{};
  bool operator==(const BusesCommand&) const = default;
};

// What n2nq-bench search PLAN looks for, as it was given.
struct SearchCommand {
  std::string vary = "rate";
  std::string from{}, to{};
  std::vector<std::string> limits{};
  std::string precision = "5%";
  uint32_t confirm = 3;
  bool operator==(const SearchCommand&) const = default;
};

// n2nq-bench campaign FILE, and search PLAN, which makes a campaign of a plan
struct CampaignCommand {
  std::string file{};
  std::optional<int64_t> id{};            // instead of a file: one that is kept, to go on with it or report it again
  std::vector<std::string> sets{};        // "key=value"
  std::vector<std::string> allow{};       // as of a run
  std::vector<std::string> external{};    // hosts; none: those of the file
  std::optional<uint32_t> repeats{};      // instead of the file's
  std::optional<SearchCommand> search{};  // the file is a plan
  std::string figures_from{};             // with `id`: the file that has its figures from now on
  std::string figures{};                  // folder for its figures; empty: none are written
  std::string table{};                    // file for its points and runs by every metric; empty: none is written
  std::string junit{};                    // empty: no such file is written
  bool json = false;
  std::string data_dir{};
  HostsOptions hosts{};
  bool operator==(const CampaignCommand&) const = default;
};

// n2nq-bench compare A B
struct CompareCommand {
  std::string a{}, b{};                // numbers of results
  std::vector<std::string> fail_if{};  // conditions
  std::string junit{};                 // empty: no such file is written
  bool json = false;
  std::string data_dir{};
  bool operator==(const CompareCommand&) const = default;
};

// n2nq-bench results
struct ResultsCommand {
  std::string filter{};  // words; see store::ResultSearch
  bool json = false;
  std::string data_dir{};
  bool operator==(const ResultsCommand&) const = default;
};

// n2nq-bench export RESULTS FILE
struct ExportCommand {
  std::vector<std::string> words{};  // as they were typed
  std::string results{};             // numbers of results
  std::optional<int64_t> campaign{};
  std::string file{};
  bool logs = false;
  std::string data_dir{};
  bool operator==(const ExportCommand&) const = default;
};

// n2nq-bench import FILE
struct ImportCommand {
  std::string file{};
  std::string data_dir{};
  bool operator==(const ImportCommand&) const = default;
};

// n2nq-bench theory [PLAN]
struct TheoryCommand {
  std::string plan{};               // empty: one shared queue, whose load the numbers say
  std::vector<std::string> sets{};  // "key=value"
  std::string arrivals{}, service{};
  std::optional<uint32_t> servers{};
  std::string wait{};  // that is not to be exceeded: how many servers?
  bool json = false;
  bool operator==(const TheoryCommand&) const = default;
};

// n2nq-bench report RESULTS
struct ReportCommand {
  std::string results{};  // numbers of results
  std::optional<int64_t> campaign{};
  std::string out{};  // empty: by the results
  std::string data_dir{};
  bool operator==(const ReportCommand&) const = default;
};

// Or an exit code: --help and --version have been printed, or one line on stderr that tells what was wrong.
using BenchCommand =
    std::variant<int, WindowCommand, RunCommand, HostsCommand, BusesCommand, CampaignCommand, CompareCommand,
                 ExportCommand, ImportCommand, ReportCommand, ResultsCommand, TheoryCommand>;
BenchCommand parse_bench_command(int argc, const char* const* argv);

}  // namespace n2nq::cli
