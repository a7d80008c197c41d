// Makes the pictures of the docs: the real window, with a real run in it. Usage: screenshots FOLDER, of all that
// the docs show, or FOLDER NAME, of those with that in their names, and of campaigns and searches not in the docs too.
#include <QApplication>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <clocale>
#include <cstdio>
#include <fstream>

#include "tests/gui/campaign_picture.h"
#include "tests/gui/picture_watch.h"
#include "tests/gui/small_png.h"
#include "tests/gui/widgets.h"
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/temp_dir.h"
#include "ui/logs/log_view.h"
#include "ui/window/window.h"

namespace n2nq::test {
namespace {

constexpr int kPatienceMs = 60'000;
constexpr QSize kUsual{1280, 800};

// What the plans have beside ten senders and ten receivers.
const char* const kPlain = R"(}, "runs": [])";
const char* const kRequests =
    R"(, "queue": {"requests": true, "filters": [{"receivers": "1-5", "filter": "senders=self"},
    {"receivers": "6", "filter": "senders=1..5;size=10B..1KiB"}]}}, "runs": [])";
const char* const kThreeBuses = R"(, "warmup": "2s"}, "runs": [{"name": "on N2NQ", "senders": {"messages": 700}},
    {"name": "on RabbitMQ", "bus": {"kind": "rabbitmq"}, "senders": {"messages": 700}},
    {"name": "on Kafka", "bus": {"kind": "kafka"}, "senders": {"messages": 700}}])";

// By itself: four receivers that take 400 messages a second together.
const char* const kThrottled = R"({"version": 1, "base": {"name": "throttled bus", "log": "summary",
    "senders": {"count": 4, "duration": "1s"}, "receivers": {"count": 4, "service_time": "fixed:10ms"},
    "queue": {"mode": "load-balancer", "requests": true, "at_a_time": 1, "retention": "60s"}}, "runs": []})";

// Three servers, the leader of which is killed.
const char* const kKilled = R"({"version": 1, "base": {"name": "kill leader", "warmup": "2s",
    "bus": {"kind": "kafka", "servers": 3, "replicas": 3, "kill": "leader:5s"},
    "senders": {"count": 3, "size": "50B", "delay": "5ms", "duration": "20s"}, "receivers": {"count": 3}}, "runs": []})";

const char* const kTwoHosts = R"(}, "runs": [{"queue": {"host": "box"}, "look": {"path": true, "bandwidth": true},
    "receivers": {"hosts": ["this computer", "box"]}}])";

struct Picture {
  const char* name;
  QSize size;
  const char* appearance;
  const char* plan;
};

bool wait(const char* what, const std::function<bool()>& condition, int patience_ms = kPatienceMs) {
  const bool came = QTest::qWaitFor(condition, patience_ms);
  if (!came) std::fprintf(stderr, "screenshots: waited in vain for %s\n", what);
  return came;
}

bool save(QWidget& window, const QString& path) {
  // What is new is laid out before the window is painted the next time, and what scrolls once more after that.
  for (int i = 0; i < 2; i++) {
    const PaintCount paints(window);
    window.update();
    if (!wait("the window's picture", [&] { return paints.count() > 0; })) return false;
  }
  std::printf("%s\n", qPrintable(path));
  return save_small(window.grab().toImage(), path);
}

QString shown_text(const char* name) {
  const auto* label = qobject_cast<QLabel*>(named(name));
  return label != nullptr ? label->text() : QString();
}

// A window of its own over a plan of its own; ten senders, ten receivers.
class Scene {
 public:
  explicit Scene(const Picture& picture, bool with_hosts = false) {
    std::filesystem::create_directories(dir_ / "data");
    if (with_hosts) write_hosts();
    std::ofstream(dir_ / "data" / "window.ini") << "[window]\nappearance=" << picture.appearance << "\n";
    std::ofstream file(dir_ / "plan.json");
    if (picture.plan[0] == '{')
      file << picture.plan;
    else
      file << R"({"version": 1, "base": {"name": "ten by ten",
        "senders": {"count": 10, "messages": 1500, "size": "50B..400B", "delay": "10ms"}, "receivers": {"count": 10})"
           << picture.plan << "}";
    file.close();
    window_ = ui::make_main_window({.data_dir = (dir_ / "data").string(),
                                    .programs = N2NQ_BUILT_BIN_DIR,
                                    .open_file = (dir_ / "plan.json").string(),
                                    .metrics_port = std::nullopt});
    window_->resize(picture.size);
    window_->show();
    if (shows("Not now")) press("Not now");
  }

  QWidget& window() { return *window_; }
  bool run_into_the_middle(const char* until = "00:09") {
    press("Start all");
    return wait("the middle of the run", [&] { return shown_text("Elapsed").startsWith(until); });
  }
  static void press(const char* name) { QTest::mouseClick(named(name), Qt::LeftButton); }

 private:
  // A command host that is this computer once more can be tested anywhere.
  void write_hosts() const {
    std::ofstream(dir_ / "data" / "hosts.json") << R"({"version": 1, "hosts": [
      {"name": "gate", "address": "127.0.0.1", "port": 1, "user": "lab", "notes": "the way into the lab"},
      {"name": "vm1", "address": "10.7.0.11", "user": "lab", "jump": "gate", "data_address": "192.168.7.11",
       "data_ports": "7400-7410"},
      {"name": "box", "kind": "command", "command": "env {command}", "data_address": "127.0.0.1", "work_folder": ")"
                                                << (dir_ / "box").string() << R"(", "notes": "a container"}]})";
  }

  TempDir dir_;
  std::unique_ptr<QWidget> window_;
};

bool make_run(const QString& folder, const Picture& picture) {
  Scene scene(picture);
  return scene.run_into_the_middle() && save(scene.window(), folder + picture.name);
}

bool make_killed(const QString& folder, const Picture& picture) {
  Scene scene(picture);
  return scene.run_into_the_middle("00:18") && save(scene.window(), folder + picture.name);
}

bool make_buses(const QString& folder, const Picture& picture) {
  Scene scene(picture);
  Scene::press("Page Buses");
  auto* list = qobject_cast<QTableView*>(named("Buses"));
  if (list == nullptr) return false;
  const auto row_of = [list](const char* bus) {
    int row = 0;
    while (row < list->model()->rowCount() && list->model()->index(row, 0).data() != bus) row++;
    return row;
  };
  for (const char* bus : {"RabbitMQ", "Kafka"}) {
    list->selectRow(row_of(bus));
    Scene::press("Test bus");
    const auto tested = [] { return named("Test bus") != nullptr && named("Test bus")->isEnabled(); };
    if (!wait("the test of a bus", tested)) return false;
  }
  return save(scene.window(), folder + picture.name);
}

QWidget* log_window() {
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (widget->isVisible() && widget->windowTitle().contains("receiver-3")) return widget;
  return nullptr;
}

// What a label of the log's window says.
QString said(const char* label) {
  return log_window()->findChild<QLabel*>(label)->text();
}

bool make_log(const QString& folder, const Picture& picture) {
  Scene scene({picture.name, kUsual, picture.appearance, picture.plan});
  if (!scene.run_into_the_middle()) return false;
  auto* receivers = qobject_cast<QTableView*>(named("Receivers"));
  if (receivers == nullptr) return false;
  receivers->selectRow(2);
  QTest::keyClick(receivers, Qt::Key_Return);
  if (!wait("the log's window", [] { return log_window() != nullptr; })) return false;
  log_window()->resize(picture.size);
  const auto* slowest = named("Slowest");
  if (!wait("times in the log", [&] { return slowest->isEnabled(); })) return false;
  Scene::press("Slowest");
  // It is searched, and then its surroundings are read.
  const auto* lines = log_window()->findChild<ui::LogView*>();
  if (!wait("the slowest message",
            [&] { return lines->selection().has_value() && said("note").startsWith("slowest"); }))
    return false;
  return save(*log_window(), folder + picture.name);
}

bool make_matrix(const QString& folder, const Picture& picture) {
  Scene scene(picture);
  if (!scene.run_into_the_middle()) return false;
  Scene::press("Edit filters");
  auto* tabs = qobject_cast<QTabBar*>(named("Filters as text or as a matrix tabs"));
  if (tabs == nullptr) return false;
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  return save(scene.window(), folder + picture.name);
}

bool make_layers(const QString& folder, const Picture& picture) {
  Scene scene(picture, true);
  Scene::press("Figures");
  auto* tabs = qobject_cast<QTabBar*>(named("Figure"));
  if (tabs == nullptr) return false;
  int layers = 0;
  while (layers < tabs->count() && tabs->tabText(layers) != "Layers") layers++;
  tabs->setTabVisible(layers, true);
  tabs->setCurrentIndex(layers);  // its tab may have found no room
  return scene.run_into_the_middle() && save(scene.window(), folder + picture.name);
}

// Each bus three times, and what that shows.
bool make_comparison(const QString& folder, const Picture& picture) {
  Scene scene(picture);
  qobject_cast<QSpinBox*>(named("Repeats of the plan"))->setValue(3);
  Scene::press("Start all");
  const auto can_compare = [] { return shows("Compare runs") && named("Compare runs")->isEnabled(); };
  if (!wait("runs to compare", can_compare, 5 * kPatienceMs)) return false;
  Scene::press("Compare runs");
  if (!wait("what they show", [] { return shown_text("Statement").contains("3 runs each"); })) return false;
  return save(scene.window(), folder + picture.name);
}

bool make_hosts(const QString& folder, const Picture& picture) {
  Scene scene(picture, true);
  Scene::press("Page Hosts");
  auto* list = qobject_cast<QTableView*>(named("Hosts"));
  if (list == nullptr) return false;
  for (const int row : {0, 2}) {
    list->selectRow(row);
    Scene::press("Test host");
    const auto tested = [list, row] {
      const QString said = list->model()->index(row, 1).data().toString();
      return said != "never tested" && said != "testing";
    };
    if (!wait("the test of a host", tested)) return false;
  }
  return save(scene.window(), folder + picture.name);
}

void choose_new_campaign(const char* entry) {
  Scene::press("Page Campaigns");
  for (auto* action : qobject_cast<QPushButton*>(named("New campaign"))->menu()->findChildren<QAction*>())
    if (action->text().startsWith(entry)) action->trigger();
}

bool begin_case(const char* entry) {
  choose_new_campaign(entry);
  return wait("the case", [] { return shows("Campaign name") && named("Start campaign")->isEnabled(); });
}

// Twice: an answer to an earlier question about findings may still have been on its way, but no second one.
bool draws_all_runs(const QWidget& window) {
  for (int time = 0; time < 2; time++) {
    const LookAnew anew(window);
    Scene::press("Page Results");
    Scene::press("Page Campaigns");
    if (!wait("the last figure", [&] { return anew.drawn(); })) return false;
  }
  return true;
}

// A case of the thesis: made up, in the middle, or over.
bool make_campaign(const QString& folder, const Picture& picture) {
  Scene scene(picture);
  const QString name = picture.name;
  const bool live = name.contains("run");
  if (!begin_case(live ? "From the plan" : "Case 1, quick")) return false;
  if (name.contains("editor")) return begin_case("Case 3:") && save(scene.window(), folder + name);
  Scene::press("Start campaign");
  const auto made = [](const char* runs) { return shown_text("Runs completed").startsWith(runs); };
  if (!wait("its begin", [] { return shows("Parts of the campaign"); })) return false;
  auto* tabs = qobject_cast<QTabWidget*>(named("Parts of the campaign"));
  if (name.contains("points")) tabs->setCurrentIndex(1);
  if (live) {
    tabs->setCurrentIndex(2);
    return wait("eight seconds of a run", [] { return drawn_ns() >= 8e9; }) && save(scene.window(), folder + name);
  }
  const bool middle = name.contains("points");
  if (!wait("the runs",
            [&] { return made(middle ? "9 of" : "36 of") && (middle || !named("Stop campaign")->isEnabled()); }))
    return false;
  if (middle ? !wait("the runs in the table", [] { return runs_in_table() >= 9; }) : !draws_all_runs(scene.window()))
    return false;
  return save(scene.window(), folder + name);
}

void enter(const char* name, const char* text) {
  QWidget* field = named(name);
  field->setFocus();
  QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(field, text);
}

// A search: in the form with something wrong, on its way, or over.
bool make_search(const QString& folder, const Picture& picture) {
  Scene scene(picture);
  const QString name = picture.name;
  choose_new_campaign("From the plan");
  if (!wait("the form", [] { return shows("Points by a search"); })) return false;
  Scene::press("Points by a search");
  if (name.contains("begun"))
    return wait("the hints", [] { return shown_text("Limit 1 note").contains("needed"); }) &&
           save(scene.window(), folder + name);
  Scene::press("Add limit");
  if (!wait("limits", [] { return shows("Limit 2 value"); })) return false;
  enter("Search from", "100");
  enter("Search to", "1,600");
  enter("Limit 1 value", "150 ms");
  QTest::keyClick(named("Limit 2 metric"), Qt::Key_L);
  QTest::keyClick(named("Limit 2 comparison"), Qt::Key_End);
  enter("Limit 2 value", name.contains("wrong") ? "5 ms" : "0");
  enter("Confirmation runs text", name.contains("wrong") ? "30" : "2");
  if (name.contains("wrong"))
    return wait("what is wrong",
                [] { return shown_text("Precision and confirmation, note").contains("will not do"); }) &&
           save(scene.window(), folder + name);
  if (!wait("the check", [] { return named("Start campaign")->isEnabled(); })) return false;
  if (name.contains("form")) return save(scene.window(), folder + name);
  Scene::press("Start campaign");
  const int runs = name.contains("running") ? 5 : 100;
  if (!wait("the runs", [&] {
        const QString made = shown_text("Runs completed");
        return made.section(' ', 0, 0).toInt() >= runs ||
               (runs == 100 && made.endsWith("runs") && !made.contains("most"));
      }))
    return false;
  if (name.contains("points")) {
    qobject_cast<QTabWidget*>(named("Parts of the campaign"))->setCurrentIndex(1);
    if (!wait("the runs in the table", [&] { return runs_in_table() >= runs; })) return false;
  } else if (runs < 100 ? !wait("a figure", draws_points) : !draws_all_runs(scene.window())) {
    return false;
  }
  return save(scene.window(), folder + name);
}

int make_campaigns(const QString& folder, const QString& wanted) {
  const Picture pictures[] = {{"campaign-dark.png", kUsual, "dark", kPlain},
                              {"campaign-wide.png", {1920, 1080}, "light", kPlain},
                              {"campaign-points-light.png", kUsual, "light", kPlain},
                              {"campaign-points-wide.png", {1920, 1080}, "dark", kPlain},
                              {"campaign-wide-dark.png", {1920, 1080}, "dark", kPlain},
                              {"campaign-run-light.png", kUsual, "light", kPlain},
                              {"campaign-run-dark.png", kUsual, "dark", kPlain},
                              {"campaign-run-wide.png", {1920, 1080}, "light", kPlain},
                              {"campaign-run-wide-dark.png", {1920, 1080}, "dark", kPlain},
                              {"campaign-editor-light.png", kUsual, "light", kPlain},
                              {"campaign-editor-dark.png", {1920, 1080}, "dark", kPlain}};
  for (const Picture& picture : pictures)
    if (QString(picture.name).contains(wanted) && !make_campaign(folder, picture)) return 1;
  const Picture searches[] = {{"search-form-light.png", kUsual, "light", kThrottled},
                              {"search-form-begun-light.png", kUsual, "light", kThrottled},
                              {"search-form-begun-dark.png", kUsual, "dark", kThrottled},
                              {"search-form-wrong-dark.png", kUsual, "dark", kPlain},
                              {"search-form-wide.png", {1920, 1080}, "dark", kThrottled},
                              {"search-running-dark.png", kUsual, "dark", kThrottled},
                              {"search-running-points-wide.png", {1920, 1080}, "light", kThrottled},
                              {"search-light.png", kUsual, "light", kThrottled},
                              {"search-wide.png", {1920, 1080}, "dark", kThrottled}};
  for (const Picture& picture : searches)
    if (QString(picture.name).contains(wanted) && !make_search(folder, picture)) return 1;
  return 0;
}

// What the docs show.
const struct {
  bool (*make)(const QString& folder, const Picture& picture);
  Picture picture;
} kOfTheDocs[] = {{make_run, {"run-light.png", kUsual, "light", kPlain}},
                  {make_killed, {"kill-leader-dark.png", {1440, 900}, "dark", kKilled}},
                  {make_comparison, {"comparison-dark.png", kUsual, "dark", kThreeBuses}},
                  {make_layers, {"layers-light.png", kUsual, "light", kTwoHosts}},
                  {make_hosts, {"hosts-light.png", kUsual, "light", kPlain}},
                  {make_buses, {"buses-light.png", kUsual, "light", kPlain}},
                  {make_campaign, {"campaign-light.png", kUsual, "light", kPlain}},
                  {make_log, {"log-light.png", {1100, 560}, "light", kPlain}},
                  {make_matrix, {"matrix-dark.png", kUsual, "dark", kRequests}}};

// `wanted`: a part of its name; empty: all of the docs.
int make_pictures(const QString& folder, const QString& wanted) {
  for (const auto& [make, picture] : kOfTheDocs) {
    if (!QString(picture.name).contains(wanted) || make(folder, picture)) continue;
    std::fprintf(stderr, "%s could not be made\n", picture.name);
    return 1;
  }
  return wanted.isEmpty() ? 0 : make_campaigns(folder, wanted);
}

}  // namespace
}  // namespace n2nq::test

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: screenshots FOLDER [NAME]\n");
    return 2;
  }
  QApplication application(argc, argv);
  std::setlocale(LC_NUMERIC, "C");
  n2nq::test::put_servers_into_path();
  return n2nq::test::make_pictures(QString::fromLocal8Bit(argv[1]) + "/",
                                   argc == 3 ? QString::fromLocal8Bit(argv[2]) : QString());
}
