// Fetches the jars of a Kafka server, which no package of Debian has, from Maven's central repository into the user's
// data folder, where n2nq-broker finds them. There whole, or not at all. UI thread; never blocks but to end Maven.
#pragma once

#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq::run {

// What installs the server, as a list of servers says it.
inline constexpr std::string_view kFetchKafka = "n2nq-bench buses fetch kafka";

class KafkaFetch : public QObject {
  Q_OBJECT

 public:
  KafkaFetch();
  ~KafkaFetch() override;  // ends Maven
  void start();
  // over() follows.
  void stop();
  // What there is now, or what is wrong and what to do; nothing: it has not ended.
  const std::optional<Result<std::string>>& outcome() const { return outcome_; }
  bool stopped() const { return stopped_; }

 Q_SIGNALS:
  void over();

 private:
  Result<void> start_maven();
  Result<std::string> put_in_place();
  void end_maven();
  void end(Result<std::string> outcome);

  std::string goal_;                       // folder of Kafka: its jars are in libs
  std::unique_ptr<QTemporaryDir> folder_;  // beside it, so that they can be renamed into place
  QProcess maven_;
  std::optional<Result<std::string>> outcome_;
  bool stopped_ = false;
};

}  // namespace n2nq::run
