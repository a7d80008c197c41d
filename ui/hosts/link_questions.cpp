#include "ui/hosts/link_questions.h"

#include <QDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>
#include <utility>
#include <vector>

#include "ui/hosts/secret_question.h"
#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/questions.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using launch::LinkQuestion;
using theme::kGrid;
using theme::qt;

constexpr const char* kYes = "yes";
constexpr int kWidest = 600;

// Nothing of a question for a secret.
std::pair<std::string, std::string> key_of(const LinkQuestion& question) {
  if (question.kind != LinkQuestion::Kind::host_key) return {};
  return {question.host, question.fingerprint};
}

// Links that lead through one host ask alike. A prompt may want another answer each time.
bool same(const LinkQuestion& a, const LinkQuestion& b) {
  return a.kind == b.kind && a.kind != LinkQuestion::Kind::prompt && a.host == b.host && a.text == b.text &&
         a.fingerprint == b.fingerprint;
}

bool leads_through(const hosts::HostList& list, const hosts::Host& host, const std::string& name) {
  return std::ranges::any_of(hosts::way_to(list, host),
                             [&name](const hosts::Host* each) { return each->name == name; });
}

// Can be marked and copied, to be compared.
QLineEdit* shown(const QString& name, const QString& text, QWidget* parent) {
  auto* edit = new QLineEdit(text, parent);
  edit->setReadOnly(true);
  edit->setFont(theme::figure_font());
  edit->setAccessibleName(name);
  edit->setCursorPosition(0);
  return edit;
}

// Whether a key that is not known yet is the host's: accepted for good, or refused.
QDialog* key_question(const LinkQuestion& question, QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setWindowTitle(LinkQuestions::tr("Unknown host key of %1").arg(qt(question.host)));
  auto* text = new QLabel(qt(question.text), dialog);
  text->setWordWrap(true);
  text->setTextFormat(Qt::PlainText);
  text->setAccessibleName(LinkQuestions::tr("Question"));
  auto* key = new QGridLayout;
  key->setHorizontalSpacing(kGrid);
  key->addWidget(new QLabel(LinkQuestions::tr("Key type"), dialog), 0, 0);
  key->addWidget(shown(LinkQuestions::tr("Key type"), qt(question.key_type), dialog), 0, 1);
  key->addWidget(new QLabel(LinkQuestions::tr("Fingerprint"), dialog), 1, 0);
  key->addWidget(shown(LinkQuestions::tr("Fingerprint"), qt(question.fingerprint), dialog), 1, 1);
  auto* advice =
      new QLabel(LinkQuestions::tr(
                     "Compare the fingerprint with the one shown on the host itself, or ask its administrator. If you "
                     "accept, it is added to the known hosts file, and you are not asked again."),
                 dialog);
  advice->setWordWrap(true);
  auto* accept = theme::push_button(nullptr, LinkQuestions::tr("Accept"),
                                    LinkQuestions::tr("This is the host's key: connect, and remember it."), dialog,
                                    LinkQuestions::tr("Accept key"));
  auto* refuse = new QPushButton(LinkQuestions::tr("Refuse"), dialog);
  refuse->setAccessibleName(LinkQuestions::tr("Refuse key"));
  refuse->setToolTip(LinkQuestions::tr("This may not be the host's key: do not log in."));
  refuse->setDefault(true);
  QObject::connect(accept, &QPushButton::clicked, dialog, &QDialog::accept);
  QObject::connect(refuse, &QPushButton::clicked, dialog, &QDialog::reject);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(accept);
  buttons->addWidget(refuse);
  auto* column = theme::column_in(dialog, kGrid);
  column->addWidget(text);
  column->addLayout(key);
  column->addWidget(advice);
  column->addLayout(buttons);
  refuse->setFocus();
  return dialog;
}

}  // namespace

LinkQuestions::LinkQuestions(run::HostLinks& links, QWidget* window) : QObject(window), links_(links), window_(window) {
  connect(&links_, &run::HostLinks::asked, this,
          [this](const LinkQuestion& question, const launch::LinkAnswer& answer) {
            waiting_.push_back({.question = question, .answer = answer});
            watch(question);
            if (dialog_ == nullptr) ask_next();
          });
  connect(&links_, &run::HostLinks::withdrawn, this, &LinkQuestions::withdraw);
}

// A link that has given up wants no answer any more. Which one asks is not said: one whose way leads through the host.
void LinkQuestions::watch(const LinkQuestion& question) {
  for (const hosts::Host& host : links_.list().hosts)
    if (leads_through(links_.list(), host, question.host))
      connect(&links_.to(host.name), &launch::HostLink::state_changed, this, &LinkQuestions::look,
              Qt::UniqueConnection);
}

bool LinkQuestions::still_asked(const LinkQuestion& question) const {
  if (question.kind == LinkQuestion::Kind::server) return true;  // of a run, which waits
  return std::ranges::any_of(links_.list().hosts, [&](const hosts::Host& host) {
    return leads_through(links_.list(), host, question.host) &&
           links_.to(host.name).state() == launch::HostLink::State::opening;
  });
}

void LinkQuestions::look() {
  forget_those([this](const LinkQuestion& each) { return !still_asked(each); });
}

// Of a run that is over.
void LinkQuestions::withdraw(const LinkQuestion& question) {
  forget_those([&question](const LinkQuestion& each) { return same(each, question); });
}

void LinkQuestions::forget_those(const std::function<bool(const LinkQuestion&)>& which) {
  const bool first_gone = !waiting_.empty() && which(waiting_.front().question);
  std::erase_if(waiting_, [&which](const Question& each) { return which(each.question); });
  if (!first_gone || dialog_ == nullptr) return;
  dialog_->disconnect(this);
  dialog_->close();
  dialog_ = nullptr;
  ask_next();
}

// One that was asked before the same key was accepted for another link is answered already.
void LinkQuestions::answer_known() {
  while (!waiting_.empty() && accepted_.contains(key_of(waiting_.front().question))) {
    const launch::LinkAnswer said = std::move(waiting_.front().answer);
    waiting_.pop_front();
    said(kYes);
  }
}

void LinkQuestions::ask_next() {
  answer_known();
  if (waiting_.empty()) return;
  const LinkQuestion& question = waiting_.front().question;
  if (question.kind == LinkQuestion::Kind::host_key) {
    QDialog* dialog = key_question(question, window_);
    connect(dialog, &QDialog::finished, this, [this](int result) {
      if (result == QDialog::Accepted && !waiting_.empty()) accepted_.insert(key_of(waiting_.front().question));
      answer(result == QDialog::Accepted ? std::optional<std::string>(kYes) : std::nullopt);
    });
    dialog_ = dialog;
  } else {
    auto* dialog = new SecretQuestion(question, window_);
    connect(dialog, &SecretQuestion::answered, this, &LinkQuestions::answer);
    dialog_ = dialog;
  }
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  theme::ask(*window_, dialog_, kWidest);
}

void LinkQuestions::answer(std::optional<std::string> text) {
  dialog_ = nullptr;
  window_->activateWindow();
  if (waiting_.empty()) return;
  const LinkQuestion question = waiting_.front().question;
  std::vector<launch::LinkAnswer> askers;
  for (Question& each : waiting_)
    if (&each == &waiting_.front() || same(each.question, question)) askers.push_back(std::move(each.answer));
  waiting_.pop_front();
  std::erase_if(waiting_, [&question](const Question& each) { return same(each.question, question); });
  for (size_t i = 1; i < askers.size(); i++) askers[i](text);
  askers.front()(std::move(text));
  if (dialog_ == nullptr) ask_next();
}

}  // namespace n2nq::ui

#include "moc_link_questions.cpp"
