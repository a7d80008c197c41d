#include "app/run/kafka_fetch.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <QDir>
#include <QStandardPaths>
#include <filesystem>
#include <fstream>

#include "app/text/quantity.h"

namespace n2nq::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstall = "sudo apt install maven default-jre-headless";
constexpr const char* kServerJar = "kafka_2.13-3.7.0.jar";
constexpr int kEndMs = 2000;
constexpr const char* kPom = R"(<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>n2nq</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>3.7.0</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-tools</artifactId><version>3.7.0</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-reload4j</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
)";

std::string kafka_folder() {
  const QString data = qEnvironmentVariable("XDG_DATA_HOME");
  return (data.isEmpty() ? QDir::homePath() + "/.local/share" : data).toStdString() + "/n2nq/kafka";
}

bool has_server(const fs::path& libs) {
  std::error_code ignored;
  if (!fs::is_directory(libs, ignored)) return false;
  for (const auto& entry : fs::directory_iterator(libs, ignored))
    if (entry.path().filename().string().starts_with("kafka_") && entry.path().extension() == ".jar") return true;
  return false;
}

// "61 files, 98.2 MiB"
std::string amount_in(const fs::path& folder) {
  std::error_code ignored;
  int64_t files = 0;
  double bytes = 0;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    files++;
    bytes += static_cast<double>(entry.file_size(ignored));
  }
  return text::count(files) + " files, " + text::bytes(bytes);
}

}  // namespace

KafkaFetch::KafkaFetch() : goal_(kafka_folder()) {}

KafkaFetch::~KafkaFetch() {
  end_maven();
}

void KafkaFetch::start() {
  if (has_server(goal_ + "/libs"))
    return end("Kafka is there already: " + goal_ + "/libs (" + amount_in(goal_ + "/libs") + ")");
  if (const auto started = start_maven(); !started) end(std::unexpected(started.error()));
}

void KafkaFetch::end(Result<std::string> outcome) {
  outcome_ = std::move(outcome);
  folder_.reset();
  QMetaObject::invokeMethod(this, &KafkaFetch::over, Qt::QueuedConnection);
}

Result<void> KafkaFetch::start_maven() {
  for (const char* program : {"mvn", "java"})
    if (QStandardPaths::findExecutable(program).isEmpty())
      return fail(std::string(program) +
                  " is not installed, and is needed to fetch Kafka; install it with: " + kInstall);
  const std::string parent = fs::path(goal_).parent_path();
  std::error_code error;
  if (fs::exists(goal_ + "/libs", error))
    return fail(goal_ + "/libs is there, and has no Kafka server in it; remove that folder");
  fs::create_directories(parent, error);
  folder_ = std::make_unique<QTemporaryDir>(QString::fromStdString(parent + "/kafka-being-fetched-XXXXXX"));
  if (error || !folder_->isValid())
    return fail("no folder can be made in " + parent + ": " +
                (error ? error.message() : folder_->errorString().toStdString()));
  const std::string folder = folder_->path().toStdString();
  if (!(std::ofstream(folder + "/pom.xml") << kPom).flush()) return fail(folder + "/pom.xml cannot be written");
  connect(&maven_, &QProcess::finished, this, [this] { end(put_in_place()); });
  maven_.setProcessChannelMode(QProcess::MergedChannels);
  maven_.setWorkingDirectory(folder_->path());
  maven_.setChildProcessModifier([bench = ::getpid()] {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != bench) ::_exit(127);
  });
  maven_.start("mvn", {"-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=" + folder_->path() + "/libs"});
  if (!maven_.waitForStarted()) return fail("mvn cannot be started: " + maven_.errorString().toStdString());
  return {};
}

Result<std::string> KafkaFetch::put_in_place() {
  const std::string libs = folder_->path().toStdString() + "/libs";
  if (maven_.exitStatus() != QProcess::NormalExit || maven_.exitCode() != 0) {
    QString why = QString::fromUtf8(maven_.readAll());
    why = why.mid(std::max<qsizetype>(0, why.indexOf("[ERROR]"))).section('\n', 0, 0).trimmed();
    return fail("Maven has not fetched Kafka; is there a connection to repo.maven.apache.org? It says: " +
                why.toStdString());
  }
  if (!fs::exists(libs + "/" + kServerJar))
    return fail(std::string("Maven has ended well, but has not fetched ") + kServerJar);
  const std::string amount = amount_in(libs);
  std::error_code error;
  fs::create_directories(goal_, error);
  if (!error) fs::rename(libs, goal_ + "/libs", error);
  if (error && has_server(goal_ + "/libs")) return "Kafka is there already: " + goal_ + "/libs";
  if (error) return fail(goal_ + "/libs cannot be put in place: " + error.message());
  return "Kafka 3.7.0 fetched: " + goal_ + "/libs (" + amount + ")";
}

void KafkaFetch::stop() {
  if (outcome_) return;
  stopped_ = true;
  end_maven();
  end(fail("this was stopped"));
}

// With all that it has started.
void KafkaFetch::end_maven() {
  maven_.disconnect(this);
  if (maven_.state() == QProcess::NotRunning) return;
  ::kill(-static_cast<pid_t>(maven_.processId()), SIGKILL);
  maven_.waitForFinished(kEndMs);
}

}  // namespace n2nq::run

#include "moc_kafka_fetch.cpp"
