#include "ui/hosts/secret_question.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <utility>

#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using launch::LinkQuestion;
using theme::kGrid;
using theme::qt;

QString title_of(const LinkQuestion& question) {
  switch (question.kind) {
    case LinkQuestion::Kind::password:
      return SecretQuestion::tr("Password for %1").arg(qt(question.host));
    case LinkQuestion::Kind::server:
      return qt(question.text);
    case LinkQuestion::Kind::passphrase:
      return SecretQuestion::tr("Passphrase of the key for %1").arg(qt(question.host));
    case LinkQuestion::Kind::host_key:
    case LinkQuestion::Kind::prompt:
      break;
  }
  return SecretQuestion::tr("%1 asks").arg(qt(question.host));
}

}  // namespace

SecretQuestion::SecretQuestion(const LinkQuestion& question, QWidget* parent)
    : QDialog(parent), edit_(new QLineEdit(this)) {
  setWindowTitle(title_of(question));
  const bool server = question.kind == LinkQuestion::Kind::server;
  auto* text =
      new QLabel(server ? tr("The plan names no file with this password. What you type is kept in memory until "
                             "the bench is closed; it does not become part of the plan.")
                        : qt(question.text),
                 this);
  text->setWordWrap(true);
  text->setTextFormat(Qt::PlainText);
  text->setAccessibleName(tr("Question"));
  edit_->setEchoMode(question.secret ? QLineEdit::Password : QLineEdit::Normal);
  edit_->setAccessibleName(tr("Answer"));
  edit_->setToolTip(tr("Kept only in memory, until the bench is closed."));
  auto* go = new QPushButton(tr("Log in"), this);
  go->setAccessibleName(tr("Log in"));
  go->setToolTip(server ? tr("Senders and receivers log in with this.") : tr("Sends this to the host."));
  go->setDefault(true);
  auto* cancel = theme::push_button(nullptr, tr("Cancel"), tr("Does not log in."), this, tr("Cancel login"));
  connect(go, &QPushButton::clicked, this, &QDialog::accept);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(go);
  buttons->addWidget(cancel);
  auto* column = theme::column_in(this, kGrid);
  column->addWidget(text);
  column->addWidget(edit_);
  column->addLayout(buttons);
  edit_->setFocus();
}

void SecretQuestion::done(int result) {
  std::optional<std::string> text;
  if (result == Accepted) text = edit_->text().toStdString();
  edit_->setText(QString(edit_->text().size(), u'*'));
  edit_->clear();
  const bool first = !std::exchange(over_, true);
  QDialog::done(result);
  if (first) Q_EMIT answered(std::move(text));
}

}  // namespace n2nq::ui

#include "moc_secret_question.cpp"
