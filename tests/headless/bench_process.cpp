#include "tests/headless/bench_process.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/helpers/run.h"

namespace n2nq::test {

Json BenchEnded::result() const {
  const size_t before = out.rfind('\n', out.size() < 2 ? 0 : out.size() - 2);
  return parse_line(before == std::string::npos ? out : out.substr(before + 1)).value_or(Json::object());
}

Process BenchPlace::start(std::vector<std::string> arguments, std::vector<std::string> environment) const {
  std::vector<std::string> argv{"/usr/bin/env",    "-u", "DISPLAY",         "-u",
                                "WAYLAND_DISPLAY", "-u", "QT_QPA_PLATFORM", "N2NQ_DATA_DIR=" + data().string()};
  argv.insert(argv.end(), environment.begin(), environment.end());
  argv.push_back(program("n2nq-bench"));
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return Process(argv);
}

BenchEnded BenchPlace::finish(Process& process) {
  BenchEnded ended{.exit = process.wait_exit(240s)};
  ended.out = process.out();
  ended.err = process.err();
  return ended;
}

BenchEnded BenchPlace::run(std::vector<std::string> arguments, std::vector<std::string> environment) const {
  Process process = start(std::move(arguments), std::move(environment));
  return finish(process);
}

std::string BenchPlace::stored(const std::string& query) const {
  return output_of({"/usr/bin/sqlite3", (data() / "results.sqlite").string(), query});
}

std::string BenchPlace::plan(const Json& base, const Json& runs) const {
  Json whole = Json::parse(R"({"name": "test", "senders": {"count": 4, "messages": 50, "delay": "2ms"},
                               "receivers": {"count": 3}})");
  whole.merge_patch(base);
  Json file{{"version", 1}, {"base", whole}};
  if (!runs.is_null()) file["runs"] = runs;
  const std::string path = dir_ / "plan.json";
  std::ofstream(path) << file.dump(2);
  return path;
}

namespace {

pid_t look_for_child_of(const Process& bench, const std::string& name) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::error_code gone;
    const std::string exe = std::filesystem::read_symlink(entry.path() / "exe", gone).filename();
    if (gone || exe != name) continue;
    std::ifstream stat(entry.path() / "stat");
    std::string pid, command, state;
    pid_t parent = 0;
    if (stat >> pid >> command >> state >> parent && parent == bench.pid()) return std::atoi(pid.c_str());
  }
  return 0;
}

}  // namespace

pid_t child_of(const Process& bench, const std::string& name) {
  const pid_t pid = look_for_child_of(bench, name);
  if (pid == 0) ADD_FAILURE() << name << " is not there";
  return pid;
}

pid_t await_child_of(const Process& bench, const std::string& name, Deadline deadline) {
  pid_t pid = 0;
  while (pid == 0 && !deadline.passed()) pid = look_for_child_of(bench, name);
  return pid;
}

}  // namespace n2nq::test
