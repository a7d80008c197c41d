// n2nq-campaign-steps DATA_DIR PROGRAMS CAMPAIGN KILL_AT: makes the campaign of a file, or of a number, as
// `n2nq-bench campaign` does, says each step that it has come to, such as "12 journal begun#2" (the second time that
// it was come to), and kills itself at the one of that number, or of that name; of several, A+B, once it has come to
// each of them. The last line is how it ended.
#include <QCoreApplication>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>

#include "app/campaign/campaign_file.h"
#include "app/campaign/campaign_run.h"
#include "app/place/data_folder.h"
#include "app/run/cut_off_search.h"
#include "app/store/store.h"

namespace {

using namespace n2nq;

// Of all threads.
class Steps {
 public:
  explicit Steps(const std::string& kill_at) {
    std::istringstream steps(kill_at);
    for (std::string one; std::getline(steps, one, '+');) awaited_.insert(one);
  }
  void reached(const std::string& step) {
    const std::lock_guard lock(mutex_);
    const std::string number = std::to_string(++count_);
    const std::string name = step + "#" + std::to_string(++times_[step]);
    std::printf("%s %s\n", number.c_str(), name.c_str());
    std::fflush(stdout);
    const bool awaited = awaited_.erase(number) + awaited_.erase(name) > 0;
    if (awaited && awaited_.empty()) std::raise(SIGKILL);
  }

 private:
  std::mutex mutex_;
  int count_ = 0;
  std::map<std::string, int> times_;
  std::set<std::string> awaited_;  // those that it has not come to yet
};

int trouble(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  if (argc != 5) return trouble("DATA_DIR PROGRAMS CAMPAIGN KILL_AT");
  Steps steps(argv[4]);
  const auto folder = place::open_data_folder(argv[1]);
  if (!folder) return trouble(folder.error().text);
  const auto store = store::ResultStore::open(folder->store());
  if (!store) return trouble(store.error().text);
  const auto campaigns = store::CampaignStore::open(folder->store());
  if (!campaigns) return trouble(campaigns.error().text);
  const run::SessionOptions options{.programs = argv[2],
                                    .runs_folder = folder->runs(),
                                    .begun_folder = folder->begun(),
                                    .at_step = [&steps](const char* step) { steps.reached(step); }};
  campaign::CampaignRun run(options, **store, **campaigns);
  QObject::connect(&run, &campaign::CampaignRun::kept, [&] { steps.reached("in the ledger"); });
  QObject::connect(&run, &campaign::CampaignRun::finished, &application, &QCoreApplication::quit, Qt::QueuedConnection);
  run::CutOffSearch search(folder->store(), folder->runs(), folder->begun());
  QObject::connect(&search, &run::CutOffSearch::taken_in, [&] { steps.reached("cut-off run taken in"); });
  QObject::connect(&search, &run::CutOffSearch::finished, [&] {
    Result<void> started;
    const std::string given = argv[3];
    if (const auto id = parse_whole(given)) {
      started = run.resume(static_cast<int64_t>(*id));
    } else if (const auto file = campaign::read_campaign_file(given)) {
      started = run.start(*file);
    } else {
      started = fail(file.error().text);
    }
    if (!started) std::exit(trouble(started.error().text));
  });
  steps.reached("search begins");
  search.start();
  QCoreApplication::exec();
  std::printf("end %s\n", run.end_text().c_str());
  return 0;
}
