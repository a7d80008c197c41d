#include "app/remote/exec.h"

#include <QPointer>
#include <algorithm>

namespace n2nq::remote {
namespace {

constexpr qsizetype kLongestErrorLine = 4096;

}  // namespace

Exec::Exec(std::shared_ptr<Wire> wire) : wire_(std::move(wire)) {
  open(QIODevice::ReadWrite);
  wire_->attach(box_, [this] { take_news(); });
}

Exec::~Exec() {
  wire_->detach();
}

void Exec::take_news() {
  if (out_.size() >= Wire::kMostWaiting) {
    pulling_ = false;
    return;
  }
  const QPointer<Exec> there(this);
  Wire::News news = wire_->take_news();
  err_ += news.err;
  tell_error_lines(news.end.has_value());
  if (!there) return;
  if (const QByteArray answer = behind_mark(news.out); !answer.isEmpty()) {
    out_ += answer;
    Q_EMIT readyRead();
    if (!there) return;
  }
  if (!news.end) return;
  over_ = true;
  Q_EMIT ended(*news.end);
}

QByteArray Exec::behind_mark(const QByteArray& bytes) {
  if (mark_.isEmpty()) return bytes;
  before_ += bytes;
  const qsizetype at = before_.indexOf(mark_);
  if (at < 0) {
    before_ = before_.right(mark_.size() - 1);
    return {};
  }
  const QByteArray answer = before_.mid(at + mark_.size());
  mark_.clear();
  before_.clear();
  return answer;
}

void Exec::tell_error_lines(bool all) {
  const QPointer<Exec> there(this);
  while (there && !err_.isEmpty()) {
    const qsizetype newline = err_.indexOf('\n');
    if (newline < 0 && !all && err_.size() < kLongestErrorLine) return;
    const qsizetype length = std::min(newline < 0 ? err_.size() : newline, kLongestErrorLine);
    const QByteArray line = err_.left(length).trimmed();
    err_.remove(0, length + (length == newline ? 1 : 0));
    if (!line.isEmpty()) Q_EMIT error_line(line);
  }
}

qint64 Exec::readData(char* data, qint64 most) {
  const qint64 n = std::min<qint64>(most, out_.size());
  std::copy_n(out_.constData(), n, data);
  out_.remove(0, n);
  if (!pulling_ && out_.size() < Wire::kMostWaiting) {
    pulling_ = true;
    box_.put([this] { take_news(); });
  }
  return n;
}

qint64 Exec::writeData(const char* data, qint64 size) {
  if (over_) return -1;
  wire_->write(data, size);
  return size;
}

}  // namespace n2nq::remote

#include "moc_exec.cpp"
