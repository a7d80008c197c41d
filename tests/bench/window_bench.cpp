// What the window costs, and whether it changes what is measured; see README.md. Drives the real window by a key.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QElapsedTimer>
#include <QScreen>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QWidget>
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/helpers/process.h"
#include "tests/helpers/run.h"
#include "tests/helpers/temp_dir.h"
#include "ui/window/window.h"

namespace n2nq::bench {
namespace {

using test::Json;

struct Options {
  int rounds = 15;
  int services = 100;   // of each role, for the cost
  double seconds = 20;  // of looking at the cost
  std::string child{};  // "cost" or "window": what this process is to measure for its parent
  std::string plan{};
  std::string data{};
};

// How long this thread waited for a core, by the kernel's account; nothing where it keeps none.
class RunQueue {
 public:
  RunQueue() : file_(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;
  ~RunQueue() {
    if (file_ >= 0) ::close(file_);
  }
  std::optional<double> waited_ms() const {
    char text[96] = {};
    long long ran_ns = 0;
    long long waited_ns = 0;
    if (file_ < 0 || ::pread(file_, text, sizeof text - 1, 0) <= 0) return std::nullopt;
    if (std::sscanf(text, "%lld %lld", &ran_ns, &waited_ns) != 2) return std::nullopt;
    return static_cast<double>(waited_ns) / 1e6;
  }

 private:
  int file_;
};

double own_cpu_ms() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

// What events took: the thread's own work, its wait for a core, and all in all; the rest is the X server's.
struct Taken {
  std::vector<double> cpu_ms, queued_ms, wall_ms;
};

// Times what each event holds the loop for.
class TimedApplication : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override {
    // A paint may be asked for within another event.
    const bool is_outermost = depth_ == 0;
    const bool is_paint = event->type() == QEvent::UpdateRequest && !painting_;
    if (!is_outermost && !is_paint) return QApplication::notify(receiver, event);
    depth_++;
    painting_ = painting_ || is_paint;
    QElapsedTimer timer;
    timer.start();
    const double cpu_ms = own_cpu_ms();
    const auto queued_ms = queue_.waited_ms();
    const bool done = QApplication::notify(receiver, event);
    depth_--;
    if (is_paint) painting_ = false;
    if (!watching) return done;
    const auto note = [&](Taken& taken) {
      taken.cpu_ms.push_back(own_cpu_ms() - cpu_ms);
      if (queued_ms) taken.queued_ms.push_back(queue_.waited_ms().value_or(*queued_ms) - *queued_ms);
      taken.wall_ms.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    };
    if (is_outermost) note(events);
    if (is_paint) note(paints);
    return done;
  }
  bool watching = false;
  Taken events, paints;

 private:
  RunQueue queue_;
  int depth_ = 0;
  bool painting_ = false;
};

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1))];
}

std::string write_plan(const std::filesystem::path& path, int services, int messages, const std::string& delay,
                       const std::string& mode) {
  const Json plan{{"version", 1},
                  {"base",
                   {{"name", "bench"},
                    {"senders", {{"count", services}, {"messages", messages}, {"delay", delay}}},
                    {"queue", {{"mode", mode}}},
                    {"receivers", {{"count", services}}}}}};
  std::ofstream(path) << plan.dump();
  return path.string();
}

std::unique_ptr<QWidget> open_and_start(const Options& options) {
  auto window = ui::make_main_window({.data_dir = options.data,
                                      .programs = N2NQ_BUILT_BIN_DIR,
                                      .open_file = options.plan,
                                      .metrics_port = std::nullopt});
  window->resize(1920, 1080);
  window->show();
  if (!QTest::qWaitForWindowExposed(window.get())) return nullptr;
  window->activateWindow();
  if (!QTest::qWaitForWindowActive(window.get())) return nullptr;
  QTest::keyClick(window.get(), Qt::Key_F5);
  return window;
}

std::optional<double> median_in_store(const std::string& folder) {
  static QSqlDatabase store = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("bench"));
  store.setDatabaseName(QString::fromStdString(folder + "/results.sqlite"));
  store.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=5000"));
  if (!store.isOpen() && !store.open()) return std::nullopt;
  QSqlQuery query(store);
  if (!query.exec(QStringLiteral("SELECT p50_ns FROM figures WHERE name = 'latency_ns'")) || !query.next())
    return std::nullopt;
  return query.value(0).toDouble();
}

// Prints {"p50_ns": ...} of the one run that the window made.
int measure_with_window(int argc, char** argv, const Options& options) {
  QApplication application(argc, argv);
  std::setlocale(LC_NUMERIC, "C");
  const auto window = open_and_start(options);
  if (!window) return 1;
  std::optional<double> p50;
  if (!QTest::qWaitFor([&] { return (p50 = median_in_store(options.data)).has_value(); }, 60'000)) return 1;
  std::printf("%s\n", Json{{"p50_ns", *p50}}.dump().c_str());
  return 0;
}

Json quantiles(const std::vector<double>& values) {
  if (values.empty()) return nullptr;
  return {quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)};
}

Json figures_of(const Taken& taken) {
  return {{"cpu", quantiles(taken.cpu_ms)}, {"queued", quantiles(taken.queued_ms)}, {"wall", quantiles(taken.wall_ms)}};
}

// All have joined, and tables and charts are full: each receiver has had two messages of each sender, one a second.
bool is_in_full_flow(const QWidget& window) {
  const auto tables = window.findChildren<QTableView*>();
  const auto table = std::ranges::find_if(tables, [](const QTableView* one) {
    return one->isVisible() && one->accessibleName() == QStringLiteral("Receivers");
  });
  if (table == tables.end()) return false;
  const QAbstractItemModel& model = *(*table)->model();
  int received = 0;
  while (received < model.columnCount() && model.headerData(received, Qt::Horizontal).toString() != "Received")
    received++;
  const int rows = model.rowCount();
  for (int row = 0; row < rows; row++)
    if (model.index(row, received).data().toString().remove(',').toInt() < 2 * rows) return false;
  return rows > 0;
}

int measure_cost(int argc, char** argv, const Options& options) {
  TimedApplication application(argc, argv);
  std::setlocale(LC_NUMERIC, "C");
  const auto window = open_and_start(options);
  if (!window) return 1;
  if (!QTest::qWaitFor([&] { return is_in_full_flow(*window); }, 60'000)) return 1;
  application.watching = true;
  const double cpu_before = cpu_seconds();
  QElapsedTimer timer;
  timer.start();
  QTest::qWait(static_cast<int>(options.seconds * 1000));
  const double seconds = static_cast<double>(timer.nsecsElapsed()) / 1e9;
  const double cpu = cpu_seconds() - cpu_before;
  application.watching = false;
  std::printf("%s\n", Json{{"cpu_share", cpu / seconds},
                           {"paints_per_s", static_cast<double>(application.paints.wall_ms.size()) / seconds},
                           {"event", figures_of(application.events)},
                           {"paint", figures_of(application.paints)}}
                          .dump()
                          .c_str());
  std::fflush(stdout);
  ::_exit(0);  // the run goes on for minutes; its processes end with their stdin
}

Json child(const std::string& what, const Options& options) {
  test::Process process({"/proc/self/exe", "--child", what, "--plan", options.plan, "--data", options.data, "--seconds",
                         std::to_string(options.seconds)});
  process.wait_exit(std::chrono::minutes(3));
  const auto lines = process.out_lines();
  const auto said = lines.empty() ? std::nullopt : test::parse_line(lines.back());
  if (said) return *said;
  std::fprintf(stderr, "no figures from the window: %s\n", process.err().c_str());
  std::exit(3);
}

constexpr int kMessages = 100;
constexpr int kFew = 10;

// The programs alone: no bench, no control, no telemetry.
double bare_p50() {
  test::Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(test::receivers(kFew));
  stage.start(test::senders(kFew, {"--messages", std::to_string(kMessages), "--size", "50B", "--delay", "20ms"}));
  const test::RunEnded run = stage.finish();
  return run.fleets.front().summary["latency_ns"]["p50"].get<double>();
}

double headless_p50() {
  const test::TempDir dir;
  const std::string plan = write_plan(dir / "plan.json", kFew, kMessages, "20ms", "broadcaster");
  test::Process bench({test::program("n2nq-bench"), "run", plan, "--json", "--data-dir", (dir / "data").string()});
  bench.wait_exit(std::chrono::minutes(1));
  const Json said = Json::parse(bench.out());
  return said["runs"][0]["latency_ns"]["p50"].get<double>();
}

double window_p50() {
  const test::TempDir dir;
  Options options;
  options.plan = write_plan(dir / "plan.json", kFew, kMessages, "20ms", "broadcaster");
  options.data = (dir / "data").string();
  return child("window", options).value("p50_ns", 0.0);
}

void print_ratio(const char* name, std::vector<double> ratios, const std::vector<double>& p50s) {
  std::printf("| %s | %.1f | %.3f (%.3f-%.3f) |\n", name, quantile(p50s, 0.5) / 1000, quantile(ratios, 0.5),
              quantile(ratios, 0.05), quantile(ratios, 0.95));
}

void compare_medians(const Options& options) {
  std::vector<double> bare, again, headless, window, aa, with_headless, with_window;
  for (int round = 0; round < options.rounds; round++) {
    // Who comes first rotates, so that no arm has the warm machine.
    double values[4] = {};
    for (int i = 0; i < 4; i++) {
      const int arm = (round + i) % 4;
      values[arm] = arm < 2 ? bare_p50() : arm == 2 ? headless_p50() : window_p50();
    }
    bare.push_back(values[0]);
    again.push_back(values[1]);
    headless.push_back(values[2]);
    window.push_back(values[3]);
    aa.push_back(values[1] / values[0]);
    with_headless.push_back(values[2] / values[0]);
    with_window.push_back(values[3] / values[0]);
  }
  std::printf("\n%d rounds, broadcaster, %d x %d services, 20 ms, 50 B\n\n", options.rounds, kFew, kFew);
  std::printf("| | p50 us | to the programs alone (5-95 %%) |\n|---|---|---|\n");
  print_ratio("programs alone, again (A/A)", aa, again);
  print_ratio("under the bench without a screen", with_headless, headless);
  print_ratio("under the window", with_window, window);
}

constexpr double kLongestEventMs = 16;  // of the thread's own work

void print_taken(const char* name, const Json& figures) {
  const auto cell = [&](const char* column, size_t row) {
    const Json& values = figures.at(column);
    if (!values.is_array()) return QByteArray("not known");
    return QByteArray::number(values.at(row).get<double>(), 'f', 2) + " ms";
  };
  const char* const names[] = {"p50", "p99", "max"};
  for (size_t row = 0; row < std::size(names); row++)
    std::printf("| %s, %s | %s | %s | %s |\n", name, names[row], cell("cpu", row).constData(),
                cell("queued", row).constData(), cell("wall", row).constData());
}

void show_cost(Options options) {
  const test::TempDir dir;
  options.plan = write_plan(dir / "plan.json", options.services, 100'000, "1s", "broadcaster");
  options.data = (dir / "data").string();
  const Json cost = child("cost", options);
  std::printf("\nthe window at 1920x1080, %d services, %d deliveries/s, %.0f s\n\n", 2 * options.services,
              options.services * options.services, options.seconds);
  std::printf("| figure | value |\n|---|---|\n");
  std::printf("| processor time, of one core | %.1f %% |\n", 100 * cost.value("cpu_share", 0.0));
  std::printf("| paints | %.1f /s |\n", cost.value("paints_per_s", 0.0));
  std::printf("\n| | own processor time | waited for a core | all in all |\n|---|---|---|---|\n");
  print_taken("an event", cost.at("event"));
  print_taken("a paint", cost.at("paint"));
  const double longest_ms = cost.at("event").at("cpu").at(2).get<double>();
  std::printf("\nthe longest event's own work: %.2f ms, %s\n", longest_ms,
              longest_ms < kLongestEventMs ? "under 16 ms as wanted" : "which is not under 16 ms");
}

int run(int argc, char** argv) {
  Options options;
  bool only_cost = false;
  bool only_medians = false;
  CLI::App app("What the window costs, and whether it changes what is measured.");
  app.add_option("--rounds", options.rounds, "Rounds of comparing medians");
  app.add_option("--services", options.services, "Senders, and as many receivers, for the cost");
  app.add_option("--seconds", options.seconds, "How long to look at the cost");
  app.add_flag("--only-cost", only_cost);
  app.add_flag("--only-medians", only_medians);
  app.add_option("--child", options.child)->group("");
  app.add_option("--plan", options.plan)->group("");
  app.add_option("--data", options.data)->group("");
  CLI11_PARSE(app, argc, argv);
  if (options.child == "window") return measure_with_window(argc, argv, options);
  if (options.child == "cost") return measure_cost(argc, argv, options);
  if (!only_medians) show_cost(options);
  if (!only_cost) compare_medians(options);
  return 0;
}

}  // namespace
}  // namespace n2nq::bench

int main(int argc, char** argv) {
  return n2nq::bench::run(argc, argv);
}
