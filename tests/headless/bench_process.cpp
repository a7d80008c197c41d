#include "tests/headless/bench_process.h"

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

}  // namespace n2nq::test
