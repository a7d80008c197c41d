#include "app/cli/metrics_server.h"

#include <sys/socket.h>

#include <QHostAddress>
#include <QTcpSocket>
#include <QTimer>

#include "app/cli/metrics_text.h"

namespace n2nq::cli {
namespace {

constexpr const char* kPlainText = "text/plain; charset=utf-8";

bool complete(const QByteArray& request) {
  return request.contains("\r\n\r\n") || request.contains("\n\n");
}

std::string response(const char* status, const std::string& body, bool head_only = false,
                     const std::string& more_headers = {}) {
  const bool good = std::string_view(status).starts_with("200");
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: " + (good ? kMetricsType : kPlainText) +
         "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n" + more_headers +
         "Connection: close\r\n\r\n" + (head_only ? std::string() : body);
}

std::string answer_to(const QByteArray& request, const MetricsServer::Text& text) {
  const QList<QByteArray> words = request.left(request.indexOf('\n')).trimmed().split(' ');
  if (words.size() != 3 || !words[2].startsWith("HTTP/1.")) return response("400 Bad Request", "bad HTTP request\n");
  const bool head = words[0] == "HEAD";
  if (!head && words[0] != "GET")
    return response("405 Method Not Allowed", "only GET and HEAD\n", false, "Allow: GET, HEAD\r\n");
  const QByteArray path = words[1].split('?').first();
  if (path != "/metrics") return response("404 Not Found", "the figures are at /metrics\n", head);
  return response("200 OK", text(), head);
}

// One connection: reads a request, answers, says that it will say no more, and waits for the other end to go, so that
// the answer is not lost in a reset. Over when its socket is; owns it.
class Client : public QObject {
 public:
  Client(QTcpSocket* socket, const MetricsServer::Text& text, const MetricsServer::Limits& limits, QObject* parent)
      : QObject(parent), socket_(*socket), text_(text), longest_(limits.request_bytes) {
    socket_.setParent(this);
    socket_.setReadBufferSize(longest_ + 1);  // nothing is read beyond this, however much is sent
    connect(&socket_, &QTcpSocket::disconnected, this, &QObject::deleteLater);
    connect(&socket_, &QTcpSocket::readyRead, this, &Client::read);
    connect(&socket_, &QTcpSocket::bytesWritten, this, [this] {
      if (socket_.bytesToWrite() == 0) ::shutdown(static_cast<int>(socket_.socketDescriptor()), SHUT_WR);
    });
    QTimer::singleShot(limits.patience, this, [this] { delete this; });
    read();
  }

 private:
  void read() {
    if (answered_) {
      socket_.readAll();
      return;
    }
    const QByteArray request = socket_.peek(longest_ + 1);
    if (complete(request))
      write(answer_to(request, text_));
    else if (request.size() > longest_)
      write(response("431 Request Header Fields Too Large", "the request is too long\n"));
  }
  void write(const std::string& answer) {
    answered_ = true;
    socket_.readAll();
    socket_.write(answer.data(), static_cast<qint64>(answer.size()));
  }

  QTcpSocket& socket_;
  const MetricsServer::Text& text_;
  qint64 longest_;
  bool answered_ = false;
};

}  // namespace

MetricsServer::MetricsServer(Text text, Limits limits) : text_(std::move(text)), limits_(limits) {
  connect(&server_, &QTcpServer::newConnection, this, &MetricsServer::take_connections);
}

Result<std::unique_ptr<MetricsServer>> MetricsServer::listen(uint16_t port, Text text) {
  return listen(port, std::move(text), Limits());
}

Result<std::unique_ptr<MetricsServer>> MetricsServer::listen(uint16_t port, Text text, Limits limits) {
  std::unique_ptr<MetricsServer> server(new MetricsServer(std::move(text), limits));
  if (server->server_.listen(QHostAddress::LocalHost, port)) return server;
  const bool taken = server->server_.serverError() == QAbstractSocket::AddressInUseError;
  return fail("cannot serve metrics on port " + std::to_string(port) + " of 127.0.0.1: " +
              (taken ? std::string("it is in use; choose another with --metrics PORT")
                     : server->server_.errorString().toStdString()));
}

void MetricsServer::take_connections() {
  while (QTcpSocket* socket = server_.nextPendingConnection()) {
    if (open_ >= limits_.connections) {
      socket->abort();
      socket->deleteLater();
      continue;
    }
    open_++;
    connect(new Client(socket, text_, limits_, &server_), &QObject::destroyed, this, [this] { open_--; });
  }
}

}  // namespace n2nq::cli

#include "moc_metrics_server.cpp"
