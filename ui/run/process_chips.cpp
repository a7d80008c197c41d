#include "ui/run/process_chips.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <utility>

#include "app/hosts/host_list.h"
#include "ui/theme/chip.h"
#include "ui/theme/context_menu.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::Tone;

bool same_process(const run::ProcessStatus& a, const run::ProcessStatus& b) {
  return a.name == b.name && a.place == b.place && a.pid == b.pid && a.doing == b.doing && a.state == b.state &&
         a.can_be_killed == b.can_be_killed;
}

Tone tone_of_process(const run::ProcessStatus& process) {
  if (run::ended_badly(process.doing)) return Tone::bad;
  if (run::is_over(process.doing)) return Tone::muted;
  return process.doing == run::Doing::running ? Tone::good : Tone::info;
}

QString pid_of(const run::ProcessStatus& process) {
  return process.pid != 0 ? QString::number(process.pid) : QStringLiteral("-");
}

QString chip_text(const run::ProcessStatus& process) {
  QString text = theme::qt(process.name);
  if (process.pid != 0) text += ' ' + pid_of(process);
  if (!hosts::is_local(process.place)) text += QStringLiteral(" · ") + theme::qt(process.place);
  if (process.doing != run::Doing::running && process.doing != run::Doing::ended)
    text += QStringLiteral(" · ") + theme::qt(process.state);
  if (process.can_be_killed) text += QString::fromUtf8(" ▾");
  return text;
}

QString said_of(const run::ProcessStatus& process) {
  return ProcessChips::tr("%1, process %2 on %3: %4")
      .arg(theme::qt(process.name), pid_of(process), theme::qt(process.place), theme::qt(process.state));
}

void copy_process(const QString& text) {
  QApplication::clipboard()->setText(text);
}

}  // namespace

ProcessChips::ProcessChips(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Processes"));
  new theme::FlowLayout(this);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  all_ = new theme::ContextMenu(*this, [this](QMenu& menu) {
    connect(menu.addAction(theme::icon("copy"), tr("Copy all processes")), &QAction::triggered, this,
            [this] { copy_process(as_tsv()); });
    return processes_.empty() ? QString() : tr("processes");
  });
}

void ProcessChips::grow_to(size_t chips) {
  while (chips_.size() < chips) {
    const size_t index = chips_.size();
    auto* chip = new theme::Chip(this);
    chip->set_clickable(true);
    chip->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(chip, &QAbstractButton::clicked, this, [this, index] { press(index); });
    connect(chip, &QWidget::customContextMenuRequested, this,
            [this, index, chip](const QPoint& at) { show_menu(index, chip->mapToGlobal(at)); });
    theme::set_command_text(*chip, {});  // what its menu has says more
    menus_.push_back(new theme::ContextMenu(*chip, [this, index](QMenu& menu) { return fill_menu(index, menu); }));
    layout()->addWidget(chip);
    chips_.push_back(chip);
  }
}

void ProcessChips::show_processes(std::vector<run::ProcessStatus> processes) {
  const std::vector<run::ProcessStatus> before = std::exchange(processes_, std::move(processes));
  grow_to(processes_.size());
  for (size_t i = 0; i < chips_.size(); i++) {
    chips_[i]->setVisible(i < processes_.size());
    if (i < processes_.size() && (i >= before.size() || !same_process(before[i], processes_[i]))) show_one(i);
  }
}

void ProcessChips::show_one(size_t index) {
  const run::ProcessStatus& process = processes_[index];
  theme::Chip* chip = chips_[index];
  chip->show_text(tone_of_process(process), chip_text(process), true);
  chip->setAccessibleName(tr("Process %1").arg(theme::qt(process.name)));
  chip->setAccessibleDescription(said_of(process));
  chip->setToolTip(theme::plain_tip(said_of(process) + '\n' +
                                    (process.can_be_killed          ? tr("A click opens its menu: log, kill, copy.")
                                     : process.role == Role::broker ? tr("A click opens its log.")
                                                                    : tr("A click shows what can be copied."))));
}

void ProcessChips::press(size_t index) {
  if (index >= processes_.size()) return;
  if (processes_[index].role == Role::broker && !processes_[index].can_be_killed)
    return Q_EMIT open_queue_log(processes_[index].log);
  show_menu(index, chips_[index]->mapToGlobal(QPoint(0, chips_[index]->height())));
}

void ProcessChips::show_menu(size_t index, const QPoint& global) {
  if (index < processes_.size()) menus_[index]->popup(global, [this](QMenu& menu) { all_->fill(menu); });
}

QString ProcessChips::fill_menu(size_t index, QMenu& menu) {
  if (index >= processes_.size()) return {};
  const run::ProcessStatus process = processes_[index];
  if (process.role == Role::broker)
    connect(menu.addAction(theme::icon("log"), tr("Open log")), &QAction::triggered, this,
            [this, process] { Q_EMIT open_queue_log(process.log); });
  if (process.can_be_killed) {
    connect(menu.addAction(theme::icon("kill"), tr("Kill this server (SIGKILL)")), &QAction::triggered, this,
            [this, process] { Q_EMIT kill_server(std::to_string(process.log)); });
  }
  if (process.can_be_killed && process.leads)
    connect(menu.addAction(theme::icon("kill"), tr("Kill the leader (SIGKILL)")), &QAction::triggered, this,
            [this] { Q_EMIT kill_server(std::string(bus::kLeader)); });
  QAction* id = menu.addAction(theme::icon("copy"), tr("Copy process ID"));
  id->setEnabled(process.pid != 0);
  connect(id, &QAction::triggered, this, [process] { copy_process(pid_of(process)); });
  connect(menu.addAction(theme::icon("copy"), tr("Copy state")), &QAction::triggered, this,
          [process] { copy_process(said_of(process)); });
  return theme::qt(process.name);
}

QString ProcessChips::as_tsv() const {
  QString text = tr("Process\tHost\tState\tPID\n");
  for (const run::ProcessStatus& process : processes_)
    text +=
        QStringList{theme::qt(process.name), theme::qt(process.place), theme::qt(process.state), pid_of(process)}.join(
            '\t') +
        '\n';
  return text;
}

}  // namespace n2nq::ui

#include "moc_process_chips.cpp"
