#include "ui/hosts/host_exchange.h"

#include <QDir>
#include <QFile>
#include <algorithm>
#include <utility>

#include "app/hosts/import_choice.h"
#include "app/hosts/ssh_config.h"
#include "app/plan/whole_file.h"
#include "ui/hosts/host_fields.h"
#include "ui/hosts/import_dialog.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/questions.h"

namespace n2nq::ui {

using theme::qt;
using theme::Status;

namespace {

QString user_config() {
  return QDir::homePath() + "/.ssh/config";
}

QString with_tilde(const QString& path) {
  const QString home = QDir::homePath() + '/';
  return path.startsWith(home) ? "~/" + path.sliced(home.size()) : path;
}

// What keeps all of them out, one a line.
QString nothing_new(const QString& path, const hosts::ImportChoice& choice, const std::vector<std::string>& notes) {
  constexpr qsizetype kMostLines = 6;
  QStringList lines{HostExchange::tr("Nothing new in %1.").arg(path)};
  std::vector<std::string> there;
  for (const auto& one : choice.all()) {
    if (one.there_already) there.push_back(one.host.name);
    if (!one.refused.empty())
      lines += HostExchange::tr("Not imported: %1.").arg(qt(one.host.name + ": " + one.refused));
  }
  if (!there.empty()) lines += HostExchange::tr("Already in the list, left unchanged: %1.").arg(few_names(there));
  for (const std::string& note : notes) lines += qt(note);
  if (lines.size() > kMostLines) lines = QStringList(lines.mid(0, kMostLines)) << HostExchange::tr("\u2026 and more.");
  return lines.join('\n');
}

}  // namespace

HostExchange::HostExchange(Parts parts, QWidget* page) : QObject(page), parts_(std::move(parts)), page_(page) {}

void HostExchange::import_user_config() {
  if (!QFile::exists(user_config()))
    return complain(tr("%1 does not exist; import another file, or add hosts by hand.").arg(user_config()));
  import_from(user_config());
}

QFileDialog* HostExchange::dialog(const QString& title) {
  delete dialog_;
  dialog_ = theme::file_dialog(page_, title);
  return dialog_;
}

void HostExchange::ask_for_import() {
  QFileDialog* open = dialog(tr("Hosts to import"));
  open->setFileMode(QFileDialog::ExistingFile);
  open->setFilter(QDir::Files | QDir::AllDirs | QDir::Hidden);
  connect(open, &QFileDialog::fileSelected, this, &HostExchange::import_from);
  open->open();
}

void HostExchange::import_from(const QString& path) {
  const std::string file = path.toStdString();
  const auto text = plan::read_whole_file(file);
  if (!text) return complain(qt(text.error().text));
  if (QString::fromStdString(*text).trimmed().startsWith('{')) {
    const auto list = hosts::parse_host_list(*text);
    if (!list) return complain(tr("%1: %2").arg(path, qt(list.error().text)));
    return choose(path, list->hosts, {});
  }
  const auto imported = hosts::import_ssh_config(file, QDir::homePath().toStdString());
  if (!imported) return complain(qt(imported.error().text));
  choose(path, imported->hosts, imported->notes);
}

void HostExchange::choose(const QString& path, const std::vector<hosts::Host>& found,
                          const std::vector<std::string>& notes) {
  const hosts::ImportChoice choice(parts_.book.list(), found);
  if (choice.chosen().empty())
    return parts_.message.say(notes.empty() ? Status::info : Status::warning,
                              nothing_new(with_tilde(path), choice, notes));
  auto* asked = new ImportDialog(with_tilde(path), choice, notes, page_);
  asked->setAttribute(Qt::WA_DeleteOnClose);
  connect(asked, &QDialog::accepted, this, [this, asked, path] { take_in(with_tilde(path), asked->chosen()); });
  theme::ask(*page_->window(), asked, ImportDialog::kWidest);
}

// The list may be another one than when they were chosen: what is there by now stays as it is.
void HostExchange::take_in(const QString& path, const std::vector<hosts::Host>& chosen) {
  hosts::HostList next = parts_.book.list();
  const hosts::Merged merged = hosts::merge(next, chosen);
  if (merged.added.empty()) return parts_.message.say(Status::info, tr("Nothing new in %1.").arg(path));
  if (!parts_.change(tr("import %1").arg(few_names(merged.added)), std::move(next))) return;
  Q_EMIT imported(merged.added.front());
  parts_.message.offer(Status::info, tr("Added from %1: %2.").arg(path, few_names(merged.added)), tr("Undo"),
                       parts_.undo);
}

void HostExchange::ask_for_export() {
  QFileDialog* save = dialog(tr("Export hosts"));
  save->setAcceptMode(QFileDialog::AcceptSave);
  save->setDefaultSuffix(QStringLiteral("json"));
  save->setNameFilter(QStringLiteral("JSON (*.json)"));
  save->selectFile(QStringLiteral("hosts.json"));
  connect(save, &QFileDialog::fileSelected, this, &HostExchange::export_to);
  save->open();
}

void HostExchange::export_to(const QString& path) {
  const auto written =
      plan::write_whole_file(path.toStdString(), hosts::to_json(parts_.book.list(), hosts::KeyFiles::left_out));
  if (!written) return complain(qt(written.error().text));
  parts_.message.say_written(tr("Hosts exported to %1, without key file paths.").arg(path), path);
}

void HostExchange::complain(const QString& text) {
  parts_.message.say(Status::bad, text);
}

}  // namespace n2nq::ui

#include "moc_host_exchange.cpp"
