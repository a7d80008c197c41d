// Servers of a test's own: the distribution's programs on free ports of the loopback address, each with a folder that
// goes with it. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/helpers/certificates.h"
#include "tests/helpers/process.h"
#include "tests/helpers/run.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::test {

class BusServer {
 public:
  virtual ~BusServer() = default;
  BusServer(const BusServer&) = delete;
  BusServer& operator=(const BusServer&) = delete;

  uint16_t port() const { return port_.number(); }
  std::string address() const { return "127.0.0.1:" + std::to_string(port()); }
  std::string address_by_name() const { return "localhost:" + std::to_string(port()); }
  Process& process() { return *process_; }
  // Until it says so.
  void start();

 protected:
  explicit BusServer(std::string ready) : ready_(std::move(ready)) {}

  const TempDir& dir() const { return dir_; }
  std::vector<std::string> arguments_{};

 private:
  TempDir dir_;
  ReservedPort port_;
  std::string ready_;
  std::optional<Process> process_;
};

class RedisServer final : public BusServer {
 public:
  // `more`: its options beyond those that leave it nothing to keep, and no subscriber cut off.
  explicit RedisServer(const Options& more = {}, bool tls = false);

  // What redis-cli says to this command.
  std::string ask(const Options& command) const;
  // How often it has carried out a command, by its own count.
  int64_t calls(const std::string& command) const;
};

class NatsServer : public BusServer {
 public:
  // `more`: lines of its settings, in which {folder} is its folder.
  explicit NatsServer(const std::string& more = "max_payload: 16777216");

  // What its monitoring has at this path: "varz", "subsz", "connz".
  Json ask(const std::string& path) const;

 private:
  ReservedPort monitoring_;
};

class JetStreamServer final : public NatsServer {
 public:
  // `more`: of what it keeps: "max_file_store: 1MB".
  explicit JetStreamServer(const std::string& more = {})
      : NatsServer("max_payload: 16777216\njetstream { store_dir: \"{folder}\"\n" + more + " }") {}

  // All that it has.
  void remove_streams() const;
};

// A load balancer that shows a certificate for localhost to whoever asks for that name, refuses others, and passes
// requests on, without TLS, to those of these ports of the loopback address that answer at /health.
class HaProxy final : public BusServer {
 public:
  explicit HaProxy(const std::vector<uint16_t>& receivers);

  std::string authority() const { return certificates_.authority(); }
  // Of what it passed on to the receiver of that place, by its own count: "stot" connections, "hrsp_2xx" answers.
  int64_t count(size_t receiver, const std::string& what) const;

 private:
  Certificates certificates_;
};

// A cluster of two, that know each other.
class NatsPair final {
  ReservedPort one_, two_;

 public:
  NatsServer first, second;
  NatsPair();
  std::string addresses() const { return first.address() + "," + second.address(); }
};

class RabbitServer final : public BusServer {
 public:
  // `tls`: for TLS alone.
  explicit RabbitServer(const Certificates* tls = nullptr);

  // What this Erlang expression is there: "rabbit_amqqueue:count()".
  std::string ask(const std::string& expression) const;
  // A list of texts, sorted, each in a line.
  std::string texts(const std::string& expression) const;
  // Of each queue, in a line: its name, and this of it: "messages_ready".
  std::string queues(const std::string& field) const;
  // Messages so far, by its own count, of all protocols and kinds of queues: "messages_confirmed_total".
  int64_t count(const std::string& of) const;
  // The names of what runs have there, queues and exchanges.
  std::string of_runs() const;
  void publish(const std::string& exchange, const std::string& key, const std::string& payload) const;
  // Those that hold messages of runs.
  void remove_queues() const;

 private:
  ReservedPort names_, nodes_;
  std::string node_;
};

class KafkaServer final : public BusServer {
 public:
  // `more`: lines of its settings. `tls`: for TLS alone, advertised by its name.
  explicit KafkaServer(const std::string& more = {}, const Certificates* tls = nullptr);

  // What a program of its own says: "org.apache.kafka.tools.GetOffsetShell", with these arguments and where it is.
  std::string ask(const std::string& program, const Options& arguments) const;
  // Messages in a topic.
  int64_t messages_in(const std::string& topic) const;
  // Topics, or topics and groups of receivers, that runs have there, each in a line.
  std::string topics_of_runs() const;
  std::string of_runs() const;
  // The only one of a run.
  std::string topic_of_run() const;
  void produce(const std::string& topic, const std::string& payload) const;
  void remove(const std::string& topic) const;
  // By its files, of all runs, and for a minute of those too whose topics are gone: messages, and how many of them
  // groups have told it that they have, together.
  struct Counts {
    int64_t messages = 0, committed = 0;
    bool operator==(const Counts&) const = default;
  };
  Counts counts() const;

 private:
  // What its program says of all log files of topics whose names begin with this.
  std::string dump(const std::string& topics, const Options& how) const;

  ReservedPort controller_;
};

class RelayServer final : public BusServer {
 public:
  // `token`: whoever has it not is refused.
  explicit RelayServer(const std::string& token = {});
};

// A new one for TLS alone, whose certificate is for its name.
std::unique_ptr<BusServer> tls_server(std::string_view kind, const Certificates& certificates);

// A new one, whose streams outlast it where it can keep any.
std::unique_ptr<BusServer> new_server(std::string_view kind);

// One of the kind for all tests of this program; not among processes_left(). Kinds as in a bus's `server`.
BusServer& shared_server(std::string_view kind);

// From now on programs that this one starts find these servers in PATH.
void put_servers_into_path();

}  // namespace n2nq::test
