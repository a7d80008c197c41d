#include "app/cli/host_trust.h"

#include <QCoreApplication>
#include <cstdio>

namespace n2nq::cli {

using launch::HostLink;

HostTrust::HostTrust(HostAccess& access, std::string name, std::string fingerprint)
    : access_(access), name_(std::move(name)), fingerprint_(std::move(fingerprint)) {
  connect(&access_.links, &run::HostLinks::asked, this, &HostTrust::on_asked);
}

BenchExit HostTrust::execute() {
  HostLink& link = access_.links.to(name_);
  connect(&link, &HostLink::step_passed, this, &HostTrust::on_step);
  connect(&link, &HostLink::failed, this, &HostTrust::on_failed);
  link.open();
  if (!over_) QCoreApplication::exec();
  link.disconnect(this);
  link.close();
  return code_;
}

// The other questions are those of the login, which is not looked at here.
void HostTrust::on_asked(const launch::LinkQuestion& question, const launch::LinkAnswer& answer) {
  if (question.kind != launch::LinkQuestion::Kind::host_key) return;
  if (question.host == name_ && question.fingerprint == fingerprint_) {
    taken_ = true;
    return answer("yes");
  }
  answer({});
  if (question.host != name_)
    return end(BenchExit::unknown_key, question.host + ", which is on the way to " + name_ +
                                           ", shows an unknown key: " + question.fingerprint +
                                           "; trust that one first");
  end(BenchExit::unknown_key, name_ + " shows another key, " + question.fingerprint + ", and not " + fingerprint_ +
                                  ": nothing was changed; ask its owner which is right");
}

void HostTrust::on_step(const launch::StepReport& report) {
  if (!report.ok || report.step != launch::LinkStep::host_key) return;
  if (!report.lasting)
    return end(BenchExit::local_trouble, "the key of " + name_ + " matches, but cannot be saved: " + report.text +
                                             "; make that file writable, or name another with --known-hosts");
  end(BenchExit::passed, taken_ ? "the key of " + name_ + " is now trusted: " + fingerprint_
                                : "the key of " + name_ + " was already trusted; nothing was changed");
}

void HostTrust::on_failed(const launch::LinkFailure& failure) {
  end(exit_code_of(failure.trouble), failure.text);
}

void HostTrust::end(BenchExit code, const std::string& text) {
  if (std::exchange(over_, true)) return;
  code_ = code;
  std::fprintf(code == BenchExit::passed ? stdout : stderr, "%s%s\n",
               code == BenchExit::passed ? "" : "n2nq-bench: ", text.c_str());
  QCoreApplication::exit();
}

}  // namespace n2nq::cli

#include "moc_host_trust.cpp"
