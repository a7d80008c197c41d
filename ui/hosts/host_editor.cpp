#include "ui/hosts/host_editor.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/hosts/host_line_edit.h"
#include "ui/theme/layouts.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

constexpr int kColumns = 4;      // label, field, label, field
constexpr int kLinesOfARow = 3;  // the fields, and a line of trouble for each of the two
constexpr int kLeastTextWidth = 72;
constexpr int kNoteLines = 3;

}  // namespace

HostEditor::HostEditor(QWidget* parent) : QWidget(parent), grid_(theme::grid_in(this, kGrid, kGrid / 2)) {
  grid_->setColumnStretch(1, 1);
  grid_->setColumnStretch(3, 1);
  fields_.reserve(16);  // they are referred to
  build();
  grid_->setRowStretch(row_ + kLinesOfARow, 1);
}

void HostEditor::build() {
  add_text("name", false);
  kind_ = new QComboBox(this);
  kind_->addItem(tr("SSH"), int(hosts::Host::Kind::ssh));
  kind_->addItem(tr("command"), int(hosts::Host::Kind::command));
  add("kind", "Kind", "Host kind",
      "By SSH, with nothing installed there but the SSH server, or by any command that carries stdin and stdout.",
      kind_, {}, false);
  connect(kind_, &QComboBox::activated, this, [this] {
    if (host_) Q_EMIT edited("kind", of_kind(*host_, hosts::Host::Kind(kind_->currentData().toInt())));
  });
  add_text("command", true);
  next_row();
  add_text("address", false);
  add_text("port", false);
  next_row();
  add_text("user", false);
  add_text("key_file", false);
  next_row();
  add_text("work_folder", false);
  jump_ = new QComboBox(this);
  add("jump", "Jump host", "Host jump", "The host in this list through which it is reached.", jump_,
      hosts::Host::Kind::ssh, false);
  connect(jump_, &QComboBox::activated, this, [this] {
    if (!host_) return;
    hosts::Host next = *host_;
    next.jump = jump_->currentData().toString().toStdString();
    Q_EMIT edited("jump", next);
  });
  next_row();
  add_text("data_address", false);
  add_text("data_ports", false);
  next_row();
  add_text("survive", false);
  next_row();
  notes_ = new QPlainTextEdit(this);
  notes_->setTabChangesFocus(true);
  notes_->setFixedHeight(notes_->fontMetrics().lineSpacing() * kNoteLines + 2 * kGrid);
  notes_->installEventFilter(this);
  add("notes", "Notes", "Host notes", "Your notes on this host.", notes_, {}, true);
}

void HostEditor::next_row() {
  if (column_ == 0) return;
  column_ = 0;
  row_ += kLinesOfARow;
}

HostEditor::Field& HostEditor::add(const char* key, const char* label, const char* full_name, const char* help,
                                   QWidget* widget, std::optional<hosts::Host::Kind> only, bool whole_row) {
  if (column_ >= kColumns || (whole_row && column_ > 0)) next_row();
  Field& field = fields_.emplace_back();
  field.key = key;
  field.help = tr(help);
  field.only = only;
  field.widget = widget;
  field.label = new QLabel(tr(label), this);
  field.label->setBuddy(widget);
  field.trouble = new theme::StatusLabel(this, theme::TextSize::small);
  field.trouble->hide();
  widget->setAccessibleName(tr(full_name));
  widget->setAccessibleDescription(field.help);
  grid_->addWidget(field.label, row_, column_);
  grid_->addWidget(widget, row_, column_ + 1, 1, whole_row ? kColumns - 1 : 1);
  grid_->addWidget(field.trouble, row_ + 1 + column_ / 2, 0, 1, kColumns);
  column_ += whole_row ? kColumns : 2;
  return field;
}

void HostEditor::add_text(const char* key, bool whole_row) {
  const HostField& spec = host_field(key);
  auto* line = new HostLineEdit(this);
  line->setPlaceholderText(tr(spec.placeholder));
  line->setMinimumWidth(kLeastTextWidth);
  Field& field = add(key, spec.label, spec.full_name, spec.help, line, spec.only, whole_row);
  field.line = line;
  connect(line, &QLineEdit::editingFinished, this, [this, &field] { take(field); });
  connect(line, &HostLineEdit::given_up, this, [this, &field] { give_up(field); });
}

HostEditor::Field& HostEditor::find(const std::string& key) {
  return *std::ranges::find(fields_, key, &Field::key);
}

void HostEditor::show_host(const hosts::HostList& list, std::optional<size_t> index) {
  const std::optional<hosts::Host> before = host_;
  host_.reset();
  if (index) host_ = list.hosts.at(*index);
  // One that is called otherwise now takes along what was typed for it.
  if (before && host_ && before->name != host_->name && hosts::find_host(list, before->name) == nullptr) {
    if (auto drafts = drafts_.extract(before->name); !drafts.empty()) {
      drafts.key() = host_->name;
      drafts_.insert(std::move(drafts));
    }
  }
  fill_jumps(list);
  for (Field& field : fields_) show_field(field);
  const QSignalBlocker quiet(kind_);
  kind_->setCurrentIndex(host_ ? kind_->findData(int(host_->kind)) : 0);
  const QString notes = host_ ? qt(host_->notes) : QString();
  if (notes_->toPlainText() != notes) notes_->setPlainText(notes);
  show_lock();
}

void HostEditor::fill_jumps(const hosts::HostList& list) {
  const QSignalBlocker quiet(jump_);
  jump_->clear();
  jump_->addItem(tr("none"), QString());
  for (const hosts::Host& host : list.hosts)
    if (host_ && host.name != host_->name && host.kind == hosts::Host::Kind::ssh)
      jump_->addItem(qt(host.name), qt(host.name));
  jump_->setCurrentIndex(std::max(0, host_ ? jump_->findData(qt(host_->jump)) : 0));
}

void HostEditor::show_field(Field& field) {
  const bool shown = host_ && (!field.only || *field.only == host_->kind);
  field.label->setVisible(shown || !field.only);
  field.widget->setVisible(shown || !field.only);
  if (field.line != nullptr) {
    const QString value = host_ ? host_field(field.key.c_str()).text(*host_) : QString();
    QString typed = value;
    if (host_ && drafts_.contains(host_->name) && drafts_[host_->name].contains(field.key))
      typed = drafts_[host_->name][field.key].text;
    field.line->show_value(value, typed);
  }
  show_trouble(field);
}

void HostEditor::show_trouble(Field& field) {
  QString reason;
  if (host_)
    if (const auto drafts = drafts_.find(host_->name); drafts != drafts_.end())
      if (const auto draft = drafts->second.find(field.key); draft != drafts->second.end())
        reason = draft->second.reason;
  field.trouble->show_text(theme::Status::bad, reason.toHtmlEscaped());
  field.trouble->setVisible(!reason.isEmpty() && !field.widget->isHidden());
}

void HostEditor::take(Field& field) {
  if (!host_ || field.line->text() == field.line->value()) return give_up(field);
  const HostField& spec = host_field(field.key.c_str());
  hosts::Host next = *host_;
  if (const auto set = spec.set(next, field.line->text()); !set) return refuse(field.key, qt(set.error().text));
  give_up(field);
  if (next == *host_) return field.line->show_value(field.line->value(), field.line->value());
  Q_EMIT edited(field.key, next);
}

void HostEditor::take_notes() {
  if (!host_ || notes_->toPlainText().toStdString() == host_->notes) return;
  hosts::Host next = *host_;
  next.notes = notes_->toPlainText().toStdString();
  Q_EMIT edited("notes", next);
}

void HostEditor::give_up(Field& field) {
  if (!host_) return;
  if (const auto drafts = drafts_.find(host_->name); drafts != drafts_.end()) {
    drafts->second.erase(field.key);
    if (drafts->second.empty()) drafts_.erase(drafts);
  }
  show_trouble(field);
}

void HostEditor::refuse(const std::string& key, const QString& reason) {
  if (!host_) return;
  Field& field = find(key);
  drafts_[host_->name][key] = {.text = field.line != nullptr ? field.line->text() : QString(), .reason = reason};
  show_trouble(field);
}

void HostEditor::set_locked(const QString& reason) {
  locked_ = reason;
  show_lock();
}

void HostEditor::show_lock() {
  for (Field& field : fields_) {
    field.widget->setEnabled(host_.has_value() && locked_.isEmpty());
    field.widget->setToolTip(theme::plain_tip(locked_.isEmpty() ? field.help : locked_));
  }
}

void HostEditor::ask_for_name() {
  Field& field = find("name");
  field.line->setFocus(Qt::OtherFocusReason);
  field.line->selectAll();
}

void HostEditor::hand_over() {
  for (Field& field : fields_)
    if (field.line != nullptr && field.line->hasFocus()) take(field);
  take_notes();
}

bool HostEditor::eventFilter(QObject* watched, QEvent* event) {
  if (watched == notes_ && event->type() == QEvent::FocusOut) take_notes();
  return QWidget::eventFilter(watched, event);
}

}  // namespace n2nq::ui

#include "moc_host_editor.cpp"
