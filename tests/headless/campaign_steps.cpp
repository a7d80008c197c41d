// n2nq_campaign_steps DATA_DIR PROGRAMS CAMPAIGN KILL_AT: makes the campaign of a file, or of a number, as
// `n2nq-bench campaign` does, says each step that it has come to, and kills itself at the step of that number (0: at
// none). The last line is how it ended.
#include <QCoreApplication>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "app/campaign/campaign_file.h"
#include "app/campaign/campaign_run.h"
#include "app/place/data_folder.h"
#include "app/results/store.h"
#include "app/run/cut_off_search.h"

namespace {

using namespace n2nq;

// Of all threads.
class Steps {
 public:
  explicit Steps(int kill_at) : kill_at_(kill_at) {}
  void reached(const std::string& step) {
    const std::lock_guard lock(mutex_);
    std::printf("step %d %s\n", ++count_, step.c_str());
    std::fflush(stdout);
    if (count_ == kill_at_) std::raise(SIGKILL);
  }

 private:
  std::mutex mutex_;
  int count_ = 0;
  int kill_at_;
};

int trouble(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  if (argc != 5) return trouble("DATA_DIR PROGRAMS CAMPAIGN KILL_AT");
  Steps steps(std::atoi(argv[4]));
  const auto folder = place::open_data_folder(argv[1]);
  if (!folder) return trouble(folder.error().text);
  const auto store = results::ResultStore::open(folder->store());
  if (!store) return trouble(store.error().text);
  const auto campaigns = results::CampaignStore::open(folder->store());
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
