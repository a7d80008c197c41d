#include "ui/hosts/link_questions.h"

#include <QDialog>
#include <algorithm>
#include <utility>
#include <vector>

#include "ui/hosts/key_question.h"
#include "ui/hosts/secret_question.h"
#include "ui/theme/questions.h"

namespace n2nq::ui {
namespace {

using launch::LinkQuestion;

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
    auto* dialog = new KeyQuestion(question, window_);
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
