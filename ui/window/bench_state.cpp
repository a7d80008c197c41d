#include "ui/window/bench_state.h"

#include <QFile>
#include <clocale>

#include "app/cli/metrics_text.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

using theme::qt;

BenchState::BenchState(const WindowOptions& options) {
  // A QApplication takes over the user's locale; files and figures are in the C locale.
  std::setlocale(LC_NUMERIC, "C");
  open_folder(options);
  look_for_other_window();
  settings_ = std::make_unique<QSettings>(qt(folder_.path) + "/window.ini", QSettings::IniFormat);
  open_store();
  editor_ = std::make_unique<plan::PlanEditor>(folder_.last_plan());
  if (editor_->trouble()) troubles_ += qt(*editor_->trouble());
  const std::string programs = options.programs.empty() ? place::programs_folder() : options.programs;
  hosts_ = std::make_unique<hosts::HostBook>(folder_.hosts());
  links_ = std::make_unique<run::HostLinks>(hosts_->list(),
                                            launch::LinkOptions{.programs = place::programs_for_hosts(programs)});
  permissions_ = plan::Permissions(folder_.allowed());
  session_options_ = {.programs = programs,
                      .runs_folder = folder_.runs(),
                      .begun_folder = {},
                      .links = links_.get(),
                      .permissions = &permissions_};
  sequence_ = std::make_unique<run::RunSequence>(session_options_, store_.get());
  if (store_) desk_ = std::make_unique<campaign::CampaignDesk>(session_options_, *store_, folder_.path);
  draft_ = std::make_unique<campaign::CampaignDraft>(folder_.last_campaign());
  if (const auto found = place::check_programs(programs); !found) troubles_ += qt(found.error().text);
  if (options.metrics_port) serve_metrics(*options.metrics_port);
}

void BenchState::open_folder(const WindowOptions& options) {
  auto folder = place::open_data_folder(place::data_folder_path(options.data_dir));
  if (folder) {
    folder_ = std::move(*folder);
  } else {
    troubles_ += qt(folder.error().text);
    folder_.path = place::data_folder_path(options.data_dir);
    open_temporary_folder();
  }
  first_start_ = !QFile::exists(qt(folder_.last_plan())) && !QFile::exists(qt(folder_.store()));
}

// A window that keeps its results for a while is better than none.
void BenchState::open_temporary_folder() {
  auto folder = place::open_temporary_folder();
  if (!folder) {
    troubles_ += qt(folder.error().text);
    return;
  }
  folder_ = std::move(*folder);
  troubles_ +=
      QObject::tr("Results and plans are being saved in %1 for now, which the computer may empty when it restarts.")
          .arg(qt(folder_.path));
}

// Both go on: what the store keeps is everybody's. Each window has a lock of its own, so that one sees the others
// whichever of them were closed since.
void BenchState::look_for_other_window() {
  constexpr int kMostWindows = 8;
  bool others = false;
  for (int i = 1; i <= kMostWindows; i++) {
    const QString file = qt(folder_.path) + QStringLiteral("/window-%1.lock").arg(i);
    if (in_use_ && !QFile::exists(file)) continue;  // a lock is written to disk: no more of them than it takes
    auto lock = std::make_unique<QLockFile>(file);
    lock->setStaleLockTime(0);  // however long the other one is open; one whose process is gone counts as none
    if (lock->tryLock(0)) {
      if (!in_use_) in_use_ = std::move(lock);
    } else {
      others |= lock->error() == QLockFile::LockFailedError;
    }
  }
  if (!others) return;
  troubles_ += QObject::tr(
      "Another window of the bench uses this data folder. Both save their results. They share the plan, the campaign "
      "draft, the hosts and the settings: the window that changes one of these last overwrites the other.");
}

void BenchState::open_store() {
  auto store = store::ResultStore::open(folder_.store());
  if (!store) {
    const QString trouble = QObject::tr("Results are not being saved: %1").arg(qt(store.error().text));
    if (store.error().error_number == store::kDamaged)
      damaged_store_ = trouble;
    else
      troubles_ += trouble;
    return;
  }
  store_ = std::move(*store);
  if (store_->read_only()) troubles_ += qt(*store_->read_only());
}

bool BenchState::busy() const {
  return sequence_->active() || (desk_ && desk_->active());
}

void BenchState::serve_metrics(uint16_t port) {
  auto server = cli::MetricsServer::listen(port, [this] {
    const bool campaign = desk_ && desk_->making() && desk_->run()->sequence() != nullptr;
    return cli::metrics_text(campaign ? *desk_->run()->sequence() : *sequence_);
  });
  if (server)
    metrics_ = std::move(*server);
  else
    troubles_ += qt(server.error().text);
}

}  // namespace n2nq::ui
