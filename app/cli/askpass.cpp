#include "app/cli/askpass.h"

#include <QTimer>

#include "app/cli/status_line.h"

namespace n2nq::cli {
namespace {

// In one attempt; a wrong answer is as wrong the next time.
constexpr int kMostAsked = 3;
constexpr int kPatienceMs = 60'000;

}  // namespace

Askpass::Askpass(run::HostLinks& links, const std::string& command, Keys keys) : command_(command), keys_(keys) {
  connect(&links, &run::HostLinks::asked, this, &Askpass::answer);
  connect(&links, &run::HostLinks::opening, this, [this](const QStringList& way) {
    std::erase_if(asked_,
                  [&way](const auto& asked) { return way.contains(QString::fromStdString(asked.first.first)); });
  });
}

Askpass::~Askpass() {
  for (const auto& process : running_) {
    process->disconnect();
    process->kill();
    process->waitForFinished(1000);
  }
}

void Askpass::answer(const launch::LinkQuestion& question, const launch::LinkAnswer& answer) {
  const bool key = question.kind == launch::LinkQuestion::Kind::host_key;
  if (key && keys_ == Keys::left) return;
  if (key || command_.empty()) return answer({});
  const bool once = question.kind == launch::LinkQuestion::Kind::server;  // of each run at most
  if (!once && asked_[{question.host, question.kind}]++ >= kMostAsked) return answer({});
  ask(question, answer);
}

void Askpass::ask(const launch::LinkQuestion& question, const launch::LinkAnswer& answer) {
  QStringList words = QProcess::splitCommand(QString::fromStdString(command_));
  if (words.isEmpty()) return answer({});
  const QString program = words.takeFirst();
  words << QString::fromStdString(question.text);
  running_.push_back(std::make_unique<QProcess>());
  QProcess* process = running_.back().get();
  process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
  auto* patience = new QTimer(process);
  patience->setSingleShot(true);
  connect(patience, &QTimer::timeout, process, [process] { process->kill(); });
  connect(process, &QProcess::errorOccurred, this, [this, answer](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    say("--askpass " + command_ + " cannot be started");
    answer({});
  });
  connect(process, &QProcess::finished, this, [process, answer](int code, QProcess::ExitStatus status) {
    if (status != QProcess::NormalExit || code != 0) return answer({});
    QByteArray line = process->readLine();
    while (line.endsWith('\n') || line.endsWith('\r')) line.chop(1);
    answer(line.toStdString());
  });
  patience->start(kPatienceMs);
  process->start(program, words);
  process->closeWriteChannel();
}

}  // namespace n2nq::cli

#include "moc_askpass.cpp"
