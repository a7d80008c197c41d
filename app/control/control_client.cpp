#include "app/control/control_client.h"

namespace n2nq::control {
namespace {

// Enough of a strange line to recognise it by.
QString beginning_of(const QByteArray& line) {
  constexpr qsizetype kShown = 120;
  return QString::fromUtf8(line.left(kShown)) + (line.size() > kShown ? QStringLiteral("...") : QString());
}

}  // namespace

ControlClient::ControlClient(QIODevice& device, const std::string& token, QObject* parent)
    : QObject(parent), device_(device) {
  connect(&device_, &QIODevice::readyRead, this, &ControlClient::read_lines);
  connect(&ping_, &QTimer::timeout, this, [this] { send(PingCommand{}); });
  send(HelloCommand{token});
}

void ControlClient::ping_every(std::chrono::milliseconds interval) {
  ping_.start(interval);
}

void ControlClient::send(const Command& command) {
  if (!device_.isWritable()) return;
  device_.write(QByteArray::fromStdString(to_line(command) + "\n"));
}

void ControlClient::drain() {
  ping_.stop();
  read_lines();
  if (device_.bytesAvailable() > 0) Q_EMIT nonsense(QStringLiteral("the last line has no end; it was left out"));
}

void ControlClient::read_lines() {
  while (device_.canReadLine() || device_.bytesAvailable() > kLongestLine) {
    QByteArray line = device_.readLine(kLongestLine);
    const bool whole = line.endsWith('\n');
    if (discarding_ || !whole) {
      if (!discarding_) Q_EMIT nonsense(QStringLiteral("a line of more than 1 MiB was left out"));
      discarding_ = !whole;
      continue;
    }
    take(std::move(line));
  }
}

void ControlClient::take(QByteArray line) {
  line = line.trimmed();
  if (line.isEmpty()) return;
  const auto message = parse_message(std::string_view(line.constData(), static_cast<size_t>(line.size())));
  if (message)
    Q_EMIT received(*message);
  else
    Q_EMIT nonsense(QString::fromStdString(message.error().text) + QStringLiteral(": ") + beginning_of(line));
}

}  // namespace n2nq::control
