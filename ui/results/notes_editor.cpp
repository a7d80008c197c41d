#include "ui/results/notes_editor.h"

#include <QLabel>
#include <QSignalBlocker>

#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr std::chrono::milliseconds kSaveSoon{500};
constexpr std::chrono::seconds kAgain{3};

}  // namespace

NotesEditor::NotesEditor(store::ResultStore& store, QWidget* parent)
    : QWidget(parent),
      store_(store),
      edit_(new QPlainTextEdit(this)),
      said_(new QLabel(this)),
      keep_soon_(new QTimer(this)) {
  edit_->setAccessibleName(tr("Notes on this result"));
  edit_->setPlaceholderText(tr("Your notes on this run. Saved as you type."));
  edit_->setToolTip(tr("Your notes on this run; saved as you type."));
  edit_->setTabChangesFocus(true);
  said_->setAccessibleName(tr("Whether the notes are saved"));
  said_->setTextFormat(Qt::PlainText);
  if (store_.read_only()) {
    said_->setText(theme::qt(*store_.read_only()));
  }
  said_->setWordWrap(true);
  auto* column = theme::column_in(this, theme::kGrid / 2);
  column->addWidget(edit_, 1);
  column->addWidget(said_);
  keep_soon_->setObjectName("keep soon");
  keep_soon_->setSingleShot(true);
  connect(keep_soon_, &QTimer::timeout, this, &NotesEditor::keep);
  connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
    unsaved_[*result_] = edit_->toPlainText();
    say(tr("not saved yet"));
    keep_soon_->start(kSaveSoon);
  });
  setFocusProxy(edit_);
}

NotesEditor::~NotesEditor() {
  disconnect();  // who listened may be gone already
  keep();
}

void NotesEditor::show_notes(std::optional<int64_t> result) {
  if (result == result_) return;
  keep();
  result_ = result;
  const auto unsaved = result ? unsaved_.find(*result) : unsaved_.end();
  QString text;
  if (unsaved != unsaved_.end())
    text = unsaved->second;
  else if (result)
    text = theme::qt(store_.notes(*result));
  const QSignalBlocker silent(edit_);
  edit_->setPlainText(text);
  edit_->setEnabled(result.has_value());
  edit_->setReadOnly(store_.read_only().has_value());
  if (!store_.read_only()) say(unsaved != unsaved_.end() ? tr("not saved yet") : QString());
}

void NotesEditor::keep() {
  keep_soon_->stop();
  std::map<int64_t, QString> saved;
  std::vector<int64_t> gone;
  std::string why_not;
  for (const auto& [result, text] : unsaved_) {
    if (const auto done = store_.set_notes(result, theme::utf8(text)))
      saved.emplace(result, text);
    else if (store_.presence(result) == store::Presence::gone)
      gone.push_back(result);
    else
      why_not = done.error().text;
  }
  for (const auto& [result, text] : saved) unsaved_.erase(result);
  for (const int64_t result : gone) give_up(result);
  const bool failed = !unsaved_.empty();
  if (failed) keep_soon_->start(kAgain);
  if (failed && !std::exchange(failing_, true))
    Q_EMIT trouble(tr("The notes are not saved yet: %1").arg(theme::qt(why_not)));
  failing_ = failed;
  for (const auto& [result, text] : saved) {
    if (result == result_) say(tr("saved"));
    Q_EMIT kept(result, text);
  }
}

void NotesEditor::give_up(int64_t result) {
  unsaved_.erase(result);
  if (result == result_) {
    edit_->setReadOnly(true);
    say(tr("not saved: the result was deleted permanently"));
  }
  Q_EMIT trouble(tr("The notes on result #%1 were not saved: the result was deleted permanently.").arg(result));
}

void NotesEditor::say(const QString& text) {
  if (said_->text() != text) said_->setText(text);
}

}  // namespace n2nq::ui

#include "moc_notes_editor.cpp"
