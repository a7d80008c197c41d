// The bench's end of the control protocol (docs/control.md) over any byte stream: a child's pipes, a TCP socket,
// an SSH channel. Says hello, pings, parses what comes; what comes that is not a line of the protocol is reported and
// passed over. Thread of the device. States: open -> closed (end of the stream, or it failed).
#pragma once

#include <QIODevice>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <string>

#include "workers/control/commands.h"
#include "workers/control/messages.h"

namespace n2nq::launch {

// What came over the channel so far.
struct HeardSoFar {
  int64_t bytes = 0;
  int64_t lines = 0;
};

class ControlClient : public QObject {
  Q_OBJECT

 public:
  static constexpr qint64 kLongestLine = 1 << 20;

  // `device` outlives the client and is open. Says hello at once.
  ControlClient(QIODevice& device, const control::HelloCommand& hello, QObject* parent = nullptr);

  // Signs of life that are not answered, so that a broker writes nothing on account of them.
  void ping_every(std::chrono::milliseconds interval);
  void send(const control::Command& command);  // queued by the device; nothing is sent once closed
  // Reads what the device still holds; call when the stream has ended.
  void drain();
  const HeardSoFar& heard() const { return heard_; }

 Q_SIGNALS:
  void received(const n2nq::control::Message& message);
  void nonsense(const QString& text);  // a line that could not be read; says which and why

 private:
  void read_in_turn();
  void read_soon();
  void read_some();
  void take(const QByteArray& whole_line);

  QIODevice& device_;
  QTimer ping_;
  HeardSoFar heard_;
  QByteArray rest_;          // the beginning of a line whose end has not come
  bool discarding_ = false;  // the rest of a line that was too long
  bool again_ = false;       // read_in_turn() is on its way
};

}  // namespace n2nq::launch
