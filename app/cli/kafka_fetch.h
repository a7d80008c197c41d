// `buses fetch kafka`: the jars of a Kafka server, which no package of Debian has, from Maven's central repository into
// the user's data folder, where n2nq-broker finds them. There whole, or not at all. UI thread.
#pragma once

#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <memory>
#include <string>

#include "app/cli/exit_code.h"

namespace n2nq::cli {

class KafkaFetch : public QObject {
  Q_OBJECT

 public:
  KafkaFetch();
  ~KafkaFetch() override;  // ends Maven, and what it has fetched so far is removed
  // Runs the event loop; says on stdout what there is now, and on stderr what is wrong and what to do.
  BenchExit execute();
  void stop();

 private:
  Result<void> start();
  BenchExit on_finished();
  void end_maven();

  std::string goal_;                       // folder of Kafka: its jars are in libs
  std::unique_ptr<QTemporaryDir> folder_;  // beside it, so that they can be renamed into place
  QProcess maven_;
  bool stopped_ = false;
};

}  // namespace n2nq::cli
