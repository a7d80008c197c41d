#include "app/launch/attached_worker.h"

#include <QTcpSocket>

#include "broker/net/resolve.h"

namespace n2nq::launch {
namespace {

class AttachedWorker : public WorkerProcess {
 public:
  explicit AttachedWorker(std::string address) : address_(std::move(address)) {
    connect(&socket_, &QTcpSocket::connected, this, [this] {
      connected_ = true;
      socket_.setSocketOption(QAbstractSocket::KeepAliveOption, 1);
      Q_EMIT started();
    });
    connect(&socket_, &QTcpSocket::disconnected, this, [this] { finish("the connection ended"); });
    connect(&socket_, &QTcpSocket::errorOccurred, this, &AttachedWorker::on_error);
  }
  ~AttachedWorker() override {
    socket_.disconnect(this);
    socket_.abort();
  }

  void start() {
    if (!net::check_endpoint(address_))
      return finish("\"" + address_ + "\" is not an address; enter HOST:PORT as given to the worker's --control");
    const size_t colon = address_.rfind(':');
    std::string host = address_.substr(0, colon);
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    socket_.setReadBufferSize(kMostUnread);
    socket_.connectToHost(QString::fromStdString(host), static_cast<quint16>(std::stoi(address_.substr(colon + 1))));
  }

  std::string place() const override { return "attached at " + address_; }
  QIODevice& channel() override { return socket_; }
  int64_t pid() const override { return 0; }
  bool over() const override { return over_; }
  void terminate() override { let_go(); }
  void kill() override { let_go(); }

 private:
  static constexpr qint64 kMostUnread = 1 << 20;  // what comes beyond waits at the other end

  void let_go() {
    socket_.disconnect(this);
    socket_.abort();
    QMetaObject::invokeMethod(this, [this] { finish("detached"); }, Qt::QueuedConnection);
  }

  void on_error(QAbstractSocket::SocketError error) {
    if (error == QAbstractSocket::RemoteHostClosedError && connected_) return;  // `disconnected` follows
    if (connected_)
      return finish("the connection to " + address_ + " was lost: " + socket_.errorString().toStdString() +
                    "; check that computer and its network");
    finish("no worker answers at " + address_ + ": " + socket_.errorString().toStdString() +
           "; start it there with --control " + address_ + " and --token-file");
  }

  void finish(const std::string& text) {
    if (std::exchange(over_, true)) return;
    Q_EMIT finished({.started = connected_, .text = text});
  }

  QTcpSocket socket_;
  std::string address_;
  bool connected_ = false;
  bool over_ = false;
};

}  // namespace

std::unique_ptr<WorkerProcess> attach_worker(const std::string& address) {
  auto worker = std::make_unique<AttachedWorker>(address);
  AttachedWorker* raw = worker.get();
  QMetaObject::invokeMethod(raw, [raw] { raw->start(); }, Qt::QueuedConnection);
  return worker;
}

}  // namespace n2nq::launch
