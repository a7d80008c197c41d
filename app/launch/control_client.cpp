#include "app/launch/control_client.h"

#include <QPointer>
#include <algorithm>
#include <utility>

namespace n2nq::launch {
namespace {

constexpr qint64 kPiece = 64 * 1024;
constexpr qint64 kBytesATurn = 4 * kPiece;

// Enough of a strange line to recognise it by.
QString beginning_of(const QByteArray& line) {
  constexpr qsizetype kShown = 120;
  return QString::fromUtf8(line.left(kShown)) + (line.size() > kShown ? QStringLiteral("...") : QString());
}

}  // namespace

ControlClient::ControlClient(QIODevice& device, const control::HelloCommand& hello, QObject* parent)
    : QObject(parent), device_(device) {
  connect(&device_, &QIODevice::readyRead, this, &ControlClient::read_in_turn);
  connect(&ping_, &QTimer::timeout, this, [this] { send(control::PingCommand{}); });
  send(hello);
}

void ControlClient::ping_every(std::chrono::milliseconds interval) {
  ping_.start(interval);
}

void ControlClient::send(const control::Command& command) {
  if (!device_.isWritable()) return;
  device_.write(QByteArray::fromStdString(control::to_line(command) + "\n"));
}

void ControlClient::drain() {
  ping_.stop();
  const QPointer<ControlClient> there(this);
  while (there && device_.bytesAvailable() > 0) read_some();
  if (there && !rest_.isEmpty() && !discarding_)
    Q_EMIT nonsense(QStringLiteral("the last line is incomplete; it was dropped"));
}

// So much and no more in one go, however much there is: others in this thread have their turn between.
void ControlClient::read_in_turn() {
  again_ = false;
  const QPointer<ControlClient> there(this);
  for (qint64 left = kBytesATurn; left > 0 && device_.bytesAvailable() > 0; left -= kPiece) {
    read_some();
    if (!there) return;
  }
  if (device_.bytesAvailable() > 0) read_soon();
}

void ControlClient::read_soon() {
  if (std::exchange(again_, true)) return;
  QMetaObject::invokeMethod(this, &ControlClient::read_in_turn, Qt::QueuedConnection);
}

// One piece, and the lines that end in it.
void ControlClient::read_some() {
  const qsizetype before = rest_.size();
  rest_.resize(before + kPiece);
  const qint64 got = device_.read(rest_.data() + before, kPiece);
  rest_.resize(before + std::max<qint64>(got, 0));
  heard_.bytes += std::max<qint64>(got, 0);
  const QPointer<ControlClient> there(this);
  qsizetype begin = 0;
  for (qsizetype end = before; (end = rest_.indexOf('\n', end)) >= 0; begin = ++end) {
    heard_.lines++;
    if (std::exchange(discarding_, false)) continue;
    take(QByteArray::fromRawData(rest_.constData() + begin, end - begin));
    if (!there) return;
  }
  rest_.remove(0, begin);
  if (rest_.size() <= kLongestLine) return;
  rest_.clear();
  if (!std::exchange(discarding_, true)) Q_EMIT nonsense(QStringLiteral("a line of more than 1 MiB was dropped"));
}

void ControlClient::take(const QByteArray& whole_line) {
  const QByteArray line = whole_line.trimmed();
  if (line.isEmpty()) return;
  const auto message = control::parse_message(std::string_view(line.constData(), static_cast<size_t>(line.size())));
  if (message)
    Q_EMIT received(*message);
  else
    Q_EMIT nonsense(QString::fromStdString(message.error().text) + QStringLiteral(": ") + beginning_of(line));
}

}  // namespace n2nq::launch

#include "moc_control_client.cpp"
