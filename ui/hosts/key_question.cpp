#include "ui/hosts/key_question.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

// Can be marked and copied, to be compared.
QLineEdit* shown(const QString& name, const QString& text, QWidget* parent) {
  auto* edit = new QLineEdit(text, parent);
  edit->setReadOnly(true);
  edit->setFont(theme::figure_font());
  edit->setAccessibleName(name);
  edit->setCursorPosition(0);
  return edit;
}

}  // namespace

KeyQuestion::KeyQuestion(const launch::LinkQuestion& question, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Unknown host key of %1").arg(qt(question.host)));
  auto* text = new QLabel(qt(question.text), this);
  text->setWordWrap(true);
  text->setTextFormat(Qt::PlainText);
  text->setAccessibleName(tr("Question"));
  auto* key = new QGridLayout;
  key->setHorizontalSpacing(kGrid);
  key->addWidget(new QLabel(tr("Key type"), this), 0, 0);
  key->addWidget(shown(tr("Key type"), qt(question.key_type), this), 0, 1);
  key->addWidget(new QLabel(tr("Fingerprint"), this), 1, 0);
  key->addWidget(shown(tr("Fingerprint"), qt(question.fingerprint), this), 1, 1);
  auto* advice =
      new QLabel(tr("Compare the fingerprint with the one shown on the host itself, or ask its administrator. If you "
                    "accept, it is added to the known hosts file, and you are not asked again."),
                 this);
  advice->setWordWrap(true);
  auto* accept = theme::push_button(nullptr, tr("Accept"), tr("This is the host's key: connect, and remember it."),
                                    this, tr("Accept key"));
  auto* refuse = new QPushButton(tr("Refuse"), this);
  refuse->setAccessibleName(tr("Refuse key"));
  refuse->setToolTip(tr("This may not be the host's key: do not log in."));
  refuse->setDefault(true);
  connect(accept, &QPushButton::clicked, this, &QDialog::accept);
  connect(refuse, &QPushButton::clicked, this, &QDialog::reject);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(accept);
  buttons->addWidget(refuse);
  auto* column = theme::column_in(this, kGrid);
  column->addWidget(text);
  column->addLayout(key);
  column->addWidget(advice);
  column->addLayout(buttons);
  refuse->setFocus();
}

}  // namespace n2nq::ui

#include "moc_key_question.cpp"
