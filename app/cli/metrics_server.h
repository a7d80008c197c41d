// Serves one text at http://127.0.0.1:PORT/metrics, and nothing else, to nobody but this computer. A connection is one
// request; long requests, slow clients and crowds are turned away. Thread of its owner's event loop; never blocks.
#pragma once

#include <QObject>
#include <QTcpServer>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "broker/base/result.h"

namespace n2nq::cli {

class MetricsServer : public QObject {
  Q_OBJECT

 public:
  struct Limits {
    int connections = 32;
    qint64 request_bytes = 8 * 1024;
    std::chrono::milliseconds patience{5'000};  // for the whole of a connection
  };
  using Text = std::function<std::string()>;

  // Port 0: a free one. The error says what to do.
  static Result<std::unique_ptr<MetricsServer>> listen(uint16_t port, Text text, Limits limits);
  static Result<std::unique_ptr<MetricsServer>> listen(uint16_t port, Text text);

  uint16_t port() const { return server_.serverPort(); }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port()) + "/metrics"; }

 private:
  MetricsServer(Text text, Limits limits);
  void take_connections();

  Text text_;
  Limits limits_;
  int open_ = 0;
  QTcpServer server_;
};

}  // namespace n2nq::cli
