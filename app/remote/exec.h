// A process on another computer as the UI thread sees it: a stream that is its stdin and stdout, its stderr in lines,
// its end. Destroying it kills what runs. UI thread.
#pragma once

#include <QIODevice>
#include <QString>
#include <memory>
#include <string_view>

#include "app/remote/wire.h"

namespace n2nq::remote {

class Exec : public QIODevice {
  Q_OBJECT

 public:
  explicit Exec(std::shared_ptr<Wire> wire);
  ~Exec() override;

  void end_input() { wire_->end_input(); }
  void send_signal(int number) { wire_->signal(number); }
  // For what cleans up after itself when its input ends: destroyed, it is left to that and not killed.
  void be_gentle() { wire_->be_gentle(); }
  // A line that the connection's thread writes between others, first an interval after the first whole line was
  // written.
  void ping_every(std::chrono::milliseconds interval, const QByteArray& line) { wire_->ping_every(interval, line); }
  // What it writes up to and including this is not its answer, and is passed over: a login's shell may greet. Before
  // the event loop is entered.
  void begin_after(std::string_view mark) { mark_ = QByteArray(mark.data(), static_cast<qsizetype>(mark.size())); }
  bool over() const { return over_; }

  bool isSequential() const override { return true; }
  qint64 bytesAvailable() const override { return out_.size() + QIODevice::bytesAvailable(); }
  bool canReadLine() const override { return out_.contains('\n') || QIODevice::canReadLine(); }

 Q_SIGNALS:
  void error_line(const QByteArray& line);       // of its stderr, without the newline
  void ended(const n2nq::remote::ExecEnd& end);  // once, last; what it wrote is readable still

 protected:
  qint64 readData(char* data, qint64 most) override;
  qint64 writeData(const char* data, qint64 size) override;

 private:
  void take_news();
  void tell_error_lines(bool all);
  QByteArray behind_mark(const QByteArray& bytes);

  std::shared_ptr<Wire> wire_;
  threads::PostBox box_;
  QByteArray out_, err_;
  QByteArray mark_;      // empty: it has come, or there is none
  QByteArray before_;    // the end of what came before it, which may be its beginning
  bool pulling_ = true;  // false: the reader is behind, and the rest stays where it is
  bool over_ = false;
};

}  // namespace n2nq::remote
