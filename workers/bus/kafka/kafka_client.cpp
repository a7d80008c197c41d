#include "workers/bus/kafka/kafka_client.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "broker/base/assert.h"
#include "broker/base/join.h"
#include "broker/base/units.h"
#include "broker/net/resolve.h"
#include "workers/bus/kafka/kafka_sockets.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kJoinsWithinNs = 15'000'000'000;  // a group waits for its members for 3 s as it is shipped
constexpr int64_t kLeavesWithinNs = 5'000'000'000;
constexpr int64_t kLeavesEarlyWithinNs = 2'500'000'000;  // the server answers once the group is formed
constexpr int64_t kServeAgainNs = 60'000'000'000;        // whoever asks for nothing for 5 minutes is taken for hung
constexpr std::chrono::seconds kEndsWithin{3};           // with a look at the topic
constexpr int64_t kAskAgainNs = 100'000'000;
constexpr int64_t kLookAgainNs = 20'000'000;
constexpr int kLookMs = 1'000;
constexpr int kAnswerMs = 5'000;
constexpr size_t kAtOnce = 500;
constexpr size_t kTextBytes = 512;
using Event = std::unique_ptr<rd_kafka_event_t, decltype(&rd_kafka_event_destroy)>;
using Error = std::unique_ptr<rd_kafka_error_t, decltype(&rd_kafka_error_destroy)>;
// Whatever the server of the run calls itself, it is where the run says.
constexpr std::string_view kOwnName = "n2nq";
constexpr std::string_view kHasToAdvertise =
    "a server of Kafka has to advertise a name that senders and receivers can resolve (advertised.listeners)";
// In librdkafka's words.
constexpr std::string_view kNoLength = "Invalid response size ";
constexpr std::string_view kNoVersions = "ApiVersionRequest failed: Local: Timed out";

// Of how long a server is not heard of, and then has to answer, until it is taken for gone.
struct Patience {
  int64_t silent_ns;
  int answer_ms;
};
constexpr Patience kWithOwn{.silent_ns = 100'000'000, .answer_ms = 1'000};
constexpr Patience kWithTheirs{.silent_ns = 2'000'000'000, .answer_ms = 3'000};

const Patience& patience_with(const ServerSite& server) {
  return server.own && server.places.size() == 1 ? kWithOwn : kWithTheirs;
}

std::string bootstrap_of(const ServerSite& server) {
  if (!server.own) return server.addresses();
  return join(server.places, ",", [](const NamedServer& place) {
    return std::string(kOwnName) + ":" + std::to_string(place.endpoint.port());
  });
}

// "host:9092/1: Connect to ipv4#1.2.3.4:9092 failed: Connection refused (after 0ms in state CONNECT)"
std::string plain(std::string_view text) {
  // Which of its threads it was, and which server by its number.
  if (const size_t at = text.find(": "); at != std::string_view::npos && text.substr(0, at).contains('/'))
    text.remove_prefix(at + 2);
  text = text.substr(0, text.find(" (after "));
  return std::string(text.substr(0, text.find(" (_")));
}

// For one that joins: trying on does not help.
bool is_final(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED ||
         error == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED || error == RD_KAFKA_RESP_ERR_INVALID_SESSION_TIMEOUT;
}

addrinfo* address_of(const net::Endpoint& endpoint) {
  struct Found {
    addrinfo info;
    sockaddr_storage address;
  };
  auto* found = static_cast<Found*>(std::calloc(1, sizeof(Found)));
  if (found == nullptr) return nullptr;
  std::memcpy(&found->address, &endpoint.address, endpoint.length);
  found->info.ai_family = endpoint.address.ss_family;
  found->info.ai_socktype = SOCK_STREAM;
  found->info.ai_protocol = IPPROTO_TCP;
  found->info.ai_addrlen = endpoint.length;
  found->info.ai_addr = reinterpret_cast<sockaddr*>(&found->address);
  return &found->info;
}

// Those that have not ended yet. It is never destroyed, as one of them may outlive everything else.
struct OnTheirWayOut {
  std::mutex mutex{};
  std::condition_variable ended{};
  int count = 0;
};
OnTheirWayOut& on_their_way_out() {
  static auto& all = *new OnTheirWayOut;
  return all;
}

// Of "sasl_ssl://a:9092/bootstrap", as librdkafka calls a broker: "a:9092"; empty where there is none.
std::string host_and_port(std::string_view broker) {
  if (const size_t scheme = broker.find("://"); scheme != std::string_view::npos) broker.remove_prefix(scheme + 3);
  const size_t slash = broker.find('/');
  return slash == std::string_view::npos ? std::string() : std::string(broker.substr(0, slash));
}

// Empty: what it was asked to remove is gone, or somebody else has removed it or uses it yet.
std::string why_not_removed(rd_kafka_event_t& event) {
  if (const auto error = rd_kafka_event_error(&event)) return rd_kafka_err2str(error);
  size_t count = 0;
  if (const auto* removed = rd_kafka_event_DeleteTopics_result(&event)) {
    const auto* const* topics = rd_kafka_DeleteTopics_result_topics(removed, &count);
    for (const auto* topic : std::span(topics, count))
      if (const auto error = rd_kafka_topic_result_error(topic);
          error != 0 && error != RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)
        return rd_kafka_err2str(error);
  }
  if (const auto* removed = rd_kafka_event_DeleteGroups_result(&event)) {
    const auto* const* groups = rd_kafka_DeleteGroups_result_groups(removed, &count);
    for (const auto* group : std::span(groups, count)) {
      const auto error = rd_kafka_error_code(rd_kafka_group_result_error(group));
      if (error != 0 && error != RD_KAFKA_RESP_ERR_GROUP_ID_NOT_FOUND && error != RD_KAFKA_RESP_ERR_NON_EMPTY_GROUP)
        return rd_kafka_err2str(error);
    }
  }
  return {};
}

}  // namespace

struct KafkaClient::Found {
  int partitions = 0;   // 0: not all have a leader yet
  bool served = false;  // by those
  std::string why{};    // it will not have what else it needs
};

// What its threads use, also while it ends.
struct KafkaClient::Shared {
  KafkaClient& client;  // for calls on the loop's thread alone
  const bool own;
  const std::vector<NamedServer> places;  // then they are these alone
  const net::SocketWishes wishes;
  KafkaSockets sockets{};
  std::mutex mutex{};
  std::map<std::string, int> verdicts{};  // by the name of a broker: on its certificate that was not trusted
  std::optional<Found> found{};           // what a look at the topic has found
  std::optional<KafkaEnd> end{};          // of the transaction
  int wake = -1;                          // to be written to once there is one; -1: nobody asks any more
  std::condition_variable closed{};
};

KafkaClient::KafkaClient(ServerSite& server, KafkaUser& user, const KafkaWay& way)
    : server_(server),
      user_(&user),
      way_(way),
      shared_(std::make_shared<Shared>(*this, server.own, server.places, server.loop.sockets())),
      again_(server.loop, [this] { serve(); }),
      look_(server.loop, [this] { look_for_leaders(); }),
      life_(server.loop, [this] { ask_for_life(); }),
      patience_(server.loop, [this] { run_out_of_patience(); }) {}

KafkaClient::~KafkaClient() {
  close();
  give_up_parts();
  for (rd_kafka_queue_t* queue : queues())
    if (queue != nullptr) rd_kafka_queue_destroy(queue);
  if (client_ == nullptr) return;
  // Not on the loop's thread: up to librdkafka 2.0 it never returns where somebody has removed the topic meanwhile. And
  // a call may be under way.
  OnTheirWayOut& all = on_their_way_out();
  {
    const std::lock_guard lock(all.mutex);
    all.count++;
  }
  std::thread([&all, client = client_, topic = topic_, shared = shared_, aside = std::move(aside_)]() mutable {
    if (aside.joinable()) aside.join();
    if (topic != nullptr) rd_kafka_topic_destroy(topic);
    rd_kafka_destroy_flags(client, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
    const std::lock_guard lock(all.mutex);
    all.count--;
    all.ended.notify_all();
  }).detach();
}

void KafkaClient::wait_for_ends() {
  OnTheirWayOut& all = on_their_way_out();
  std::unique_lock lock(all.mutex);
  all.ended.wait_for(lock, kEndsWithin, [&all] { return all.count == 0; });
}

LinkCounters KafkaClient::counters() const {
  return shared_->sockets.counters();
}

int KafkaClient::fd() const {
  return shared_->sockets.any();
}

Result<void> KafkaClient::join(const std::string& id, const std::string& group) {
  group_ = group;
  auto opened = open(id);
  if (!opened) return opened;
  topic_ = rd_kafka_topic_new(client_, way_.name.c_str(), nullptr);
  patience_.set_in(kJoinsWithinNs);
  ask(Ask::topic);
  return {};
}

Result<void> KafkaClient::clear(const std::string& id, const std::string& left) {
  left_ = left;
  auto opened = open(id);
  if (!opened) return opened;
  leaving_ = true;
  patience_.set_in(kLeavesWithinNs);
  ask(Ask::groups);
  return {};
}

Result<void> KafkaClient::open(const std::string& id) {
  wake_ = Fd(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!wake_.valid()) return fail(std::string("no descriptor for a client of Kafka: ") + std::strerror(errno));
  std::unique_ptr<rd_kafka_conf_t, decltype(&rd_kafka_conf_destroy)> conf(rd_kafka_conf_new(), rd_kafka_conf_destroy);
  if (auto good = set(conf.get(), settings_of(id)); !good) return good;
  rd_kafka_conf_set_opaque(conf.get(), shared_.get());
  rd_kafka_conf_set_log_cb(conf.get(), [](const rd_kafka_t*, int, const char*, const char*) {});
  rd_kafka_conf_set_resolve_cb(conf.get(), resolve);
  rd_kafka_conf_set_socket_cb(conf.get(), [](int domain, int type, int protocol, void* self) {
    auto& shared = *static_cast<Shared*>(self);
    return shared.sockets.open(domain, type, protocol, shared.wishes);
  });
  rd_kafka_conf_set_closesocket_cb(conf.get(),
                                   [](int fd, void* self) { return static_cast<Shared*>(self)->sockets.close(fd); });
  rd_kafka_conf_set_ssl_cert_verify_cb(conf.get(), judge);
  if (receives()) {
    rd_kafka_conf_set_error_cb(conf.get(), on_error);
    rd_kafka_conf_set_rebalance_cb(conf.get(), on_rebalance);
  } else {  // no callbacks, which the end of a transaction would call on its own thread
    rd_kafka_conf_set_events(conf.get(), RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR);
  }
  std::array<char, kTextBytes> text{};
  client_ = rd_kafka_new(receives() ? RD_KAFKA_CONSUMER : RD_KAFKA_PRODUCER, conf.get(), text.data(), text.size());
  if (client_ == nullptr) return fail(std::string("no client of Kafka: ") + text.data());
  [[maybe_unused]] const auto* taken = conf.release();
  if (receives()) rd_kafka_poll_set_consumer(client_);
  main_ = receives() ? rd_kafka_queue_get_consumer(client_) : rd_kafka_queue_get_main(client_);
  messages_ = rd_kafka_queue_new(client_);
  answers_ = rd_kafka_queue_new(client_);
  constexpr uint64_t kOne = 1;
  for (rd_kafka_queue_t* queue : queues()) rd_kafka_queue_io_event_enable(queue, wake_.get(), &kOne, sizeof kOne);
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->wake = wake_.get();
  }
  server_.loop.events().add(wake_.get(), net::EventLoop::kRead, this);
  return {};
}

KafkaWay::Settings KafkaClient::settings_of(const std::string& id) const {
  KafkaWay::Settings all = {{"client.id", id}, {"bootstrap.servers", bootstrap_of(server_)}};
  const bool login = !server_.password.empty();
  all.emplace_back("security.protocol", std::string(login ? "sasl_" : "") + (server_.tls ? "ssl" : "plaintext"));
  if (server_.tls) {
    all.emplace_back("ssl.endpoint.identification.algorithm", "https");
    const char* trusted = tls::trust_of_environment();
    if (!server_.authorities.empty())
      all.emplace_back("ssl.ca.pem", server_.authorities);
    else
      all.emplace_back("ssl.ca.location", trusted != nullptr ? trusted : "probe");
  }
  if (login)
    all.insert(all.end(), {{"sasl.username", server_.own ? std::string(kOwnName) : server_.user},
                           {"sasl.password", server_.password}});
  all.insert(all.end(), way_.client.begin(), way_.client.end());
  const KafkaWay::Settings& more = receives() ? way_.consumer : way_.producer;
  all.insert(all.end(), more.begin(), more.end());
  if (receives()) all.emplace_back("group.id", group_);
  if (has_transactions()) all.emplace_back("transactional.id", way_.name + "." + id);
  return all;
}

Result<void> KafkaClient::set(rd_kafka_conf_t* conf, const KafkaWay::Settings& settings) {
  std::array<char, kTextBytes> text{};
  for (const auto& [key, value] : settings)
    if (rd_kafka_conf_set(conf, key.c_str(), value.c_str(), text.data(), text.size()) != RD_KAFKA_CONF_OK)
      return fail("Kafka's client does not take " + key + ": " + text.data());
  return {};
}

// Notes why, as its errors do not say that.
int KafkaClient::judge(rd_kafka_t*, const char* broker, int32_t, int* verdict, int, const char*, size_t, char* text,
                       size_t text_bytes, void* self) {
  if (*verdict == 0) return 1;
  Shared& shared = *static_cast<Shared*>(self);
  const std::lock_guard lock(shared.mutex);
  shared.verdicts[broker] = *verdict;  // HOST:PORT
  std::strncpy(text, "not trusted", text_bytes);
  return 0;
}

int KafkaClient::resolve(const char* node, const char* service, const addrinfo*, addrinfo** found, void* self) {
  if (node == nullptr) {
    std::free(*found);
    return 0;
  }
  const Shared& shared = *static_cast<Shared*>(self);
  if (shared.own) {
    // They have a port each, wherever they are.
    const auto port = parse_whole(service == nullptr ? "" : service);
    const auto place = std::ranges::find_if(
        shared.places, [&](const NamedServer& one) { return port && one.endpoint.port() == *port; });
    if (place == shared.places.end()) return EAI_NONAME;
    *found = address_of(place->endpoint);
  } else {
    const std::string name(node);
    const auto endpoint = net::resolve((name.contains(':') ? "[" + name + "]" : name) + ":" + service);
    if (!endpoint) return EAI_NONAME;
    *found = address_of(*endpoint);
  }
  return *found == nullptr ? EAI_MEMORY : 0;
}

void KafkaClient::on_events(uint32_t) {
  uint64_t count = 0;
  [[maybe_unused]] const auto n = ::read(wake_.get(), &count, sizeof count);
  serve();
}

// Whoever is called may close it: then there is no user left, and what is handed out is dropped.
void KafkaClient::serve() {
  serve_answers();
  for (const rd_kafka_message_t& message : std::exchange(rejected_, {}))
    if (user_ != nullptr) user_->on_message(message, server_.loop.now());
  if (user_ == nullptr) return;
  if (receives()) {
    take(main_);
    take(messages_);
    if (user_ != nullptr) again_.set_in(kServeAgainNs);
  } else {
    take_reports();
    take_end();
  }
  if (user_ != nullptr) user_->on_read();
}

void KafkaClient::take(rd_kafka_queue_t* queue) {
  std::array<rd_kafka_message_t*, kAtOnce> messages{};
  while (user_ != nullptr && (queue == main_ || user_->wants_more())) {
    const ssize_t n = rd_kafka_consume_batch_queue(queue, 0, messages.data(), messages.size());
    if (n <= 0) return;
    const int64_t read_ns = server_.loop.now();
    for (ssize_t i = 0; i < n; i++) {
      if (user_ != nullptr) user_->on_message(*messages[i], read_ns);
      rd_kafka_message_destroy(messages[i]);
    }
  }
}

// All that there are, also where nobody wants to hear of them: the end of a transaction waits for that.
void KafkaClient::take_reports() {
  for (;;) {
    const Event event(rd_kafka_queue_poll(main_, 0), rd_kafka_event_destroy);
    if (event == nullptr) return;
    if (rd_kafka_event_type(event.get()) == RD_KAFKA_EVENT_ERROR)
      on_error(client_, rd_kafka_event_error(event.get()), rd_kafka_event_error_string(event.get()), shared_.get());
    const int64_t now_ns = server_.loop.now();
    while (const auto* message = rd_kafka_event_message_next(event.get()))
      if (user_ != nullptr) user_->on_message(*message, now_ns);
  }
}

std::string KafkaClient::begin() {
  begun_ns_ = server_.loop.now();
  const Error error(rd_kafka_begin_transaction(client_), rd_kafka_error_destroy);
  return error == nullptr ? std::string() : rd_kafka_error_string(error.get());
}

void KafkaClient::commit() {
  N2NQ_ASSERT(!aside_.joinable());
  const int64_t within_ns = begun_ns_ + way_.transaction_timeout_ns - server_.loop.now();
  aside_ = std::thread([shared = shared_, client = client_, within_ns] {
    const KafkaEnd end = end_transaction(client, *shared, within_ns);
    const std::lock_guard lock(shared->mutex);
    shared->end = end;
    if (shared->wake >= 0) ::eventfd_write(shared->wake, 1);
  });
}

// In short calls, each of which goes on with what the one before has begun: a commit is over once the reports on all
// messages are taken, which nobody does any more where the client was closed.
KafkaEnd KafkaClient::end_transaction(rd_kafka_t* client, Shared& shared, int64_t within_ns) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::nanoseconds(within_ns);
  const auto closed_meanwhile = [&shared] {
    std::unique_lock lock(shared.mutex);
    return shared.closed.wait_for(lock, std::chrono::nanoseconds(kLookAgainNs), [&shared] { return shared.wake < 0; });
  };
  KafkaEnd end;
  while (true) {
    const bool commits = end.kind == KafkaEnd::Kind::committed;
    const Error error(
        commits ? rd_kafka_commit_transaction(client, kLookMs) : rd_kafka_abort_transaction(client, kLookMs),
        rd_kafka_error_destroy);
    if (error == nullptr) return end;
    const bool again = rd_kafka_error_is_retriable(error.get()) != 0;
    if (again && Clock::now() < until && !closed_meanwhile()) continue;
    if (end.why.empty()) {
      end.error = rd_kafka_error_code(error.get());
      end.why = rd_kafka_error_string(error.get());
    }
    // What is to be aborted is received by nobody, even where the server does not say so; but this client is of no more
    // use.
    if (!commits && again) {
      end.error = RD_KAFKA_RESP_ERR__MSG_TIMED_OUT;
      return end;
    }
    const bool aborts = commits && !again && rd_kafka_error_txn_requires_abort(error.get()) != 0;
    end.kind = aborts ? KafkaEnd::Kind::aborted : KafkaEnd::Kind::unknown;
    if (!aborts) return end;
  }
}

void KafkaClient::take_end() {
  const auto end = [this] {
    const std::lock_guard lock(shared_->mutex);
    return std::exchange(shared_->end, std::nullopt);
  }();
  if (!end) return;
  aside_.join();
  if (user_ != nullptr) user_->on_ended(*end);
}

void KafkaClient::produce(std::vector<rd_kafka_message_t>& messages) {
  const int taken =
      rd_kafka_produce_batch(topic_, RD_KAFKA_PARTITION_UA, RD_KAFKA_MSG_F_COPY | RD_KAFKA_MSG_F_PARTITION,
                             messages.data(), static_cast<int>(messages.size()));
  if (taken == static_cast<int>(messages.size())) return;
  for (const rd_kafka_message_t& message : messages)
    if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR) rejected_.push_back(message);
  again_.set_soon();
}

void KafkaClient::subscribe() {
  auto* topics = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(topics, way_.name.c_str(), RD_KAFKA_PARTITION_UA);
  const auto error = rd_kafka_subscribe(client_, topics);
  rd_kafka_topic_partition_list_destroy(topics);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) note_trouble(error, rd_kafka_err2str(error));
}

void KafkaClient::read(int partition) {
  auto* parts = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(parts, way_.name.c_str(), partition)->offset = RD_KAFKA_OFFSET_BEGINNING;
  divert(*parts);
  const auto error = rd_kafka_assign(client_, parts);
  rd_kafka_topic_partition_list_destroy(parts);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return note_trouble(error, rd_kafka_err2str(error));
  be_ready();
}

void KafkaClient::on_rebalance(rd_kafka_t* handle, rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t* parts,
                               void* self) {
  const bool assigned = what == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS;
  auto& client = static_cast<Shared*>(self)->client;
  client.give_up_parts();
  if (!assigned && client.user_ != nullptr) client.user_->on_revoked();
  if (assigned) client.divert(*parts);
  rd_kafka_assign(handle, assigned ? parts : nullptr);
  if (!assigned || client.user_ == nullptr || client.leaving_) return;
  client.be_ready();
  client.user_->on_assigned(parts->cnt);
}

void KafkaClient::divert(const rd_kafka_topic_partition_list_t& parts) {
  for (const auto& part : std::span(parts.elems, static_cast<size_t>(parts.cnt))) {
    parts_.push_back(rd_kafka_queue_get_partition(client_, part.topic, part.partition));
    rd_kafka_queue_forward(parts_.back(), messages_);
  }
}

// A partition and messages of it that lie elsewhere keep each other, and the client for ever.
void KafkaClient::give_up_parts() {
  for (rd_kafka_queue_t* part : std::exchange(parts_, {})) {
    rd_kafka_queue_forward(part, nullptr);
    rd_kafka_queue_destroy(part);
  }
}

void KafkaClient::be_ready() {
  patience_.cancel();
  joined_ = true;
  server_.last_ready_ns = server_.loop.now();
}

void KafkaClient::leave() {
  leaving_ = true;
  patience_.set_in(joined_ ? kLeavesWithinNs : kLeavesEarlyWithinNs);
  if (auto* error = rd_kafka_consumer_close_queue(client_, messages_); error != nullptr) {
    rd_kafka_error_destroy(error);
    return patience_.set_in(0);
  }
  look_.set_soon();
}

void KafkaClient::watch_leaving() {
  serve();
  if (user_ == nullptr) return;
  if (rd_kafka_consumer_closed(client_) == 0) return look_.set_in(kLookAgainNs);
  user_->on_left();
}

void KafkaClient::ask(Ask what) {
  const auto admin = what == Ask::groups      ? RD_KAFKA_ADMIN_OP_LISTCONSUMERGROUPS
                     : what == Ask::no_groups ? RD_KAFKA_ADMIN_OP_DELETEGROUPS
                     : what == Ask::no_topic  ? RD_KAFKA_ADMIN_OP_DELETETOPICS
                                              : RD_KAFKA_ADMIN_OP_CREATETOPICS;
  const std::unique_ptr<rd_kafka_AdminOptions_t, decltype(&rd_kafka_AdminOptions_destroy)> options(
      rd_kafka_AdminOptions_new(client_, admin), rd_kafka_AdminOptions_destroy);
  std::array<char, kTextBytes> text{};
  const int answer_ms = what != Ask::life ? kAnswerMs : patience_with(server_).answer_ms;
  rd_kafka_AdminOptions_set_request_timeout(options.get(), answer_ms, text.data(), text.size());
  if (what == Ask::life) rd_kafka_AdminOptions_set_validate_only(options.get(), 1, text.data(), text.size());
  if (what == Ask::groups) return rd_kafka_ListConsumerGroups(client_, options.get(), answers_);
  if (what == Ask::no_groups) {
    std::vector<rd_kafka_DeleteGroup_t*> groups;
    for (const std::string& name : to_remove_) groups.push_back(rd_kafka_DeleteGroup_new(name.c_str()));
    rd_kafka_DeleteGroups(client_, groups.data(), groups.size(), options.get(), answers_);
    return rd_kafka_DeleteGroup_destroy_array(groups.data(), groups.size());
  }
  if (what == Ask::no_topic) {
    std::vector<rd_kafka_DeleteTopic_t*> topics = {rd_kafka_DeleteTopic_new(way_.name.c_str())};
    if (!way_.replies.empty()) topics.push_back(rd_kafka_DeleteTopic_new(way_.replies.c_str()));
    rd_kafka_DeleteTopics(client_, topics.data(), topics.size(), options.get(), answers_);
    return rd_kafka_DeleteTopic_destroy_array(topics.data(), topics.size());
  }
  rd_kafka_NewTopic_t* topic =
      rd_kafka_NewTopic_new(way_.name.c_str(), way_.partitions, way_.replicas, text.data(), text.size());
  N2NQ_ASSERT(topic != nullptr);
  for (const auto& [key, value] : way_.topic) rd_kafka_NewTopic_set_config(topic, key.c_str(), value.c_str());
  rd_kafka_CreateTopics(client_, &topic, 1, options.get(), answers_);
  rd_kafka_NewTopic_destroy(topic);
}

void KafkaClient::serve_answers() {
  while (user_ != nullptr) {
    const Event event(rd_kafka_queue_poll(answers_, 0), rd_kafka_event_destroy);
    if (event == nullptr) return;
    answered(*event);
  }
}

void KafkaClient::answered(rd_kafka_event_t& event) {
  const auto type = rd_kafka_event_type(&event);
  if (type == RD_KAFKA_EVENT_CREATETOPICS_RESULT) return answered_topic(event);
  if (type == RD_KAFKA_EVENT_LISTCONSUMERGROUPS_RESULT) return answered_groups(event);
  if (type == RD_KAFKA_EVENT_DELETEGROUPS_RESULT) {
    tell_what_stays("groups of the run", why_not_removed(event));
    if (!keeps_topic_) return ask(Ask::no_topic);
  } else if (type == RD_KAFKA_EVENT_DELETETOPICS_RESULT) {
    tell_what_stays("the topic of the run", why_not_removed(event));
  }
  user_->on_cleared();
}

void KafkaClient::tell_what_stays(const std::string& what, const std::string& why) {
  if (!why.empty()) user_->on_told(what + " may stay at " + server_.name() + ": " + why);
}

void KafkaClient::answered_topic(rd_kafka_event_t& event) {
  if (leaving_) return;
  auto error = rd_kafka_event_error(&event);
  std::string text = rd_kafka_event_error_string(&event);
  size_t count = 0;
  const auto* made = rd_kafka_event_CreateTopics_result(&event);
  const auto* const* topics = made != nullptr ? rd_kafka_CreateTopics_result_topics(made, &count) : nullptr;
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR && count == 1) {
    error = rd_kafka_topic_result_error(topics[0]);
    const char* said = rd_kafka_topic_result_error_string(topics[0]);
    text = said != nullptr ? said : rd_kafka_err2str(error);
  }
  const bool silent = error == RD_KAFKA_RESP_ERR__TIMED_OUT || error == RD_KAFKA_RESP_ERR__TRANSPORT;
  if (joined_) {
    asks_for_life_ = false;
    if (silent)
      lose("the connection to " + server_.name() + " has ended" + (trouble_.empty() ? "" : ": " + trouble_) +
           "; see its log, and whether it still runs");
    return;
  }
  if (silent || error == RD_KAFKA_RESP_ERR_NOT_CONTROLLER || error == RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT)
    return life_.set_in(kAskAgainNs);  // until patience ends
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR && error != RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS)
    return lose(server_.name() + " does not make the topic of the run: " + text);
  look_for_leaders();
}

// The calls wait for answers, so that they are made by a thread of their own.
void KafkaClient::look_for_leaders() {
  if (leaving_) return watch_leaving();
  if (!aside_.joinable()) {
    aside_ = std::thread([shared = shared_, client = client_, topic = topic_, count = way_.partitions,
                          transactions = has_transactions()] {
      const Found found = look(client, topic, count, transactions);
      const std::lock_guard lock(shared->mutex);
      shared->found = found;
    });
    return look_.set_in(kLookAgainNs);
  }
  const auto found = [this] {
    const std::lock_guard lock(shared_->mutex);
    return std::exchange(shared_->found, std::nullopt);
  }();
  if (!found) return look_.set_in(kLookAgainNs);
  aside_.join();
  if (found->partitions > 0 && found->partitions != way_.partitions)
    return lose(server_.name() + " has a topic " + way_.name + " of " + std::to_string(found->partitions) +
                " partitions, and the run wants " + std::to_string(way_.partitions) + "; somebody else has made it");
  if (!found->why.empty()) return lose(server_.name() + " takes no transactions: " + found->why);
  if (!found->served) return look_.set_in(kLookAgainNs);
  if (!receives()) be_ready();
  user_->on_topic();
}

// The second question is only for those who lead as many as there should be. A server may be named the leader of a
// partition, and refuse it yet. What is refused and sent again then may, with idempotence, be taken for a message that
// it has.
KafkaClient::Found KafkaClient::look(rd_kafka_t* client, rd_kafka_topic_t* topic, int wanted, bool has_transactions) {
  const rd_kafka_metadata_t* found = nullptr;
  if (rd_kafka_metadata(client, 0, topic, &found, kLookMs) != RD_KAFKA_RESP_ERR_NO_ERROR) return {};
  const std::span topics(found->topics, static_cast<size_t>(found->topic_cnt));
  const bool there = topics.size() == 1 && topics[0].err == RD_KAFKA_RESP_ERR_NO_ERROR && topics[0].partition_cnt > 0;
  const std::span parts(there ? topics[0].partitions : nullptr,
                        there ? static_cast<size_t>(topics[0].partition_cnt) : 0);
  const bool led = std::ranges::all_of(parts, [](const auto& part) { return part.leader >= 0; });
  const int count = led ? static_cast<int>(parts.size()) : 0;
  rd_kafka_metadata_destroy(found);
  Found all = {.partitions = count,
               .served = count == wanted && serves_all(client, rd_kafka_topic_name(topic), wanted)};
  if (!all.served || !has_transactions) return all;
  const Error error(rd_kafka_init_transactions(client, kLookMs), rd_kafka_error_destroy);
  all.served = error == nullptr;
  if (error != nullptr && rd_kafka_error_is_retriable(error.get()) == 0) all.why = rd_kafka_error_string(error.get());
  return all;
}

bool KafkaClient::serves_all(rd_kafka_t* client, const char* topic, int partitions) {
  auto* parts = rd_kafka_topic_partition_list_new(partitions);
  for (int i = 0; i < partitions; i++) rd_kafka_topic_partition_list_add(parts, topic, i)->offset = 0;
  bool all = rd_kafka_offsets_for_times(client, parts, kLookMs) == RD_KAFKA_RESP_ERR_NO_ERROR;
  for (const auto& part : std::span(parts->elems, static_cast<size_t>(parts->cnt)))
    all = all && part.err == RD_KAFKA_RESP_ERR_NO_ERROR;
  rd_kafka_topic_partition_list_destroy(parts);
  return all;
}

// Of the run: those whose names begin with the topic's. Who is in one is still there.
void KafkaClient::answered_groups(rd_kafka_event_t& event) {
  const auto* listed = rd_kafka_event_ListConsumerGroups_result(&event);
  size_t count = 0;
  const auto* const* errors = listed != nullptr ? rd_kafka_ListConsumerGroups_result_errors(listed, &count) : nullptr;
  if (const auto error = rd_kafka_event_error(&event); error != 0 || listed == nullptr || count > 0) {
    const char* why = count > 0 ? rd_kafka_error_string(errors[0]) : rd_kafka_err2str(error);
    tell_what_stays("the topic of the run", "its groups cannot be listed: " + std::string(why));
    return user_->on_cleared();
  }
  const auto* const* groups = rd_kafka_ListConsumerGroups_result_valid(listed, &count);
  std::vector<std::string> empty;
  keeps_topic_ = true;  // unless it may see groups, such as the one that was left
  bool others = false;
  for (const auto* group : std::span(groups, count)) {
    const std::string name = rd_kafka_ConsumerGroupListing_group_id(group);
    if (!name.starts_with(way_.name)) continue;
    const auto state = rd_kafka_ConsumerGroupListing_state(group);
    const bool has_left = state == RD_KAFKA_CONSUMER_GROUP_STATE_EMPTY || state == RD_KAFKA_CONSUMER_GROUP_STATE_DEAD;
    if (name == left_) {
      keeps_topic_ = false;
      // With to_all nobody else is in it.
      if (way_.to_all && !has_left) tell_what_stays("the topic of the run", "the group " + name + " is not empty yet");
    }
    if (has_left)
      empty.push_back(name);
    else
      others = true;
  }
  keeps_topic_ = keeps_topic_ || others;
  to_remove_ = std::move(empty);
  if (!to_remove_.empty()) return ask(Ask::no_groups);
  if (keeps_topic_) return user_->on_cleared();
  ask(Ask::no_topic);
}

void KafkaClient::on_error(rd_kafka_t* handle, int error, const char* text, void* self) {
  auto& client = static_cast<Shared*>(self)->client;
  if (error == RD_KAFKA_RESP_ERR__FATAL) {
    std::array<char, kTextBytes> why{};
    const auto fatal = rd_kafka_fatal_error(handle, why.data(), why.size());
    return client.note_trouble(fatal, why.data());
  }
  client.note_trouble(static_cast<rd_kafka_resp_err_t>(error), text);
}

void KafkaClient::note_trouble(rd_kafka_resp_err_t error, const std::string& text) {
  if (user_ == nullptr || leaving_) return;
  // Where the coordinator moves on in the middle of a login, its old connection ends.
  const bool cut_off = text.contains(rd_kafka_err2str(RD_KAFKA_RESP_ERR__TRANSPORT));
  if (error == RD_KAFKA_RESP_ERR__AUTHENTICATION && !cut_off)
    return lose(server_.name() + " refuses: " + plain(text) + "; " + server_.login_advice());
  if (error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
    if (!joined_ || std::exchange(asks_for_life_, true)) return;
    return life_.set_in(patience_with(server_).silent_ns);
  }
  if (!joined_ && (lost_over_tls(text) || lost_as_stranger(text))) return;
  trouble_ = plain(text);
  // It is reached by the address that was given, and then by those that it says.
  if (error == RD_KAFKA_RESP_ERR__RESOLVE && std::exchange(told_unresolved_, trouble_) != trouble_)
    user_->on_told(trouble_ + "; " + std::string(kHasToAdvertise));
  if (is_final(error) || error == RD_KAFKA_RESP_ERR__FATAL || rd_kafka_fatal_error(client_, nullptr, 0) != 0)
    lose(server_.name() + ": " + trouble_);
}

// Of whom an error is. "ssl://host:9092/1: SSL handshake failed: ..."
std::string KafkaClient::named_in(const std::string& text) const {
  const std::string at = host_and_port(text.substr(0, text.find(": ")));
  return at.empty() ? server_.name() : server_.name_of({at, {}});
}

// That does not become right by waiting.
bool KafkaClient::lost_over_tls(const std::string& text) {
  const std::string at = host_and_port(text.substr(0, text.find(": ")));
  const std::string name = named_in(text);
  const auto says = [&text](const char* what) { return text.contains(what); };
  const auto verdict = [this, &at] {
    const std::lock_guard lock(shared_->mutex);
    const auto found = shared_->verdicts.find(at);
    return found == shared_->verdicts.end() ? 0 : found->second;
  }();
  if (verdict != 0)
    lose(name + " is not trusted: " + server_.distrust(verdict));
  else if (server_.tls && (says("certificate required") || says("bad certificate")))
    lose(name + " " + std::string(kWantsCertificate));
  else if (server_.tls && says("wrong version number"))
    lose(name + " " + std::string(kSpeaksPlainly));
  else if (server_.tls && says("SSL handshake failed") && says("alert"))
    lose("the TLS handshake with " + name + " failed: " + plain(text) + "; see its log");
  else if (!server_.tls && cut_short_again(text, "connecting to a SSL listener"))
    lose(name + " ends each connection at once, as one does that " + std::string(kSpeaksTls));
  else
    return false;
  return true;
}

// Once it may be one that is being started, or ended.
bool KafkaClient::cut_short_again(const std::string& text, const std::string& words) {
  return text.contains(words) && ++cut_short_[{text.substr(0, text.find(": ")), words}] > 1;
}

// Nor does another kind of server, or one that wants a login.
bool KafkaClient::lost_as_stranger(const std::string& text) {
  if (const size_t at = text.find(kNoLength); at != std::string::npos) {
    // "Receive failed: Invalid response size 1229866575 (0..100000000): ...": its first bytes, taken for a length.
    const auto length = static_cast<uint32_t>(std::strtol(text.c_str() + at + kNoLength.size(), nullptr, 10));
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(length >> shift);
    const bool tls = (bytes[0] == 0x15 || bytes[0] == 0x16) && bytes[1] == 0x03;  // an alert, or a handshake
    if (tls)
      lose(named_in(text) + " answers as one does that " + std::string(kSpeaksTls));
    else
      lose(named_in(text) + " does not speak as one: " + shown(bytes) + "; check " + std::string(kAddressSetting));
    return true;
  }
  if (!server_.password.empty() || !cut_short_again(text, "broker might require SASL authentication")) return false;
  lose(named_in(text) + " ends each connection at the first question: " + server_.login_advice());
  return true;
}

void KafkaClient::ask_for_life() {
  ask(joined_ ? Ask::life : Ask::topic);
}

void KafkaClient::run_out_of_patience() {
  if (leaving_) return receives() ? user_->on_left() : user_->on_cleared();
  // As long as any of the loop's gets on, they are only many.
  if (server_.loop.now() - server_.last_ready_ns < kJoinsWithinNs) return patience_.set_in(kJoinsWithinNs);
  // So does one that is being started behind a proxy, for a while.
  if (server_.tls && (trouble_.contains("unexpected eof") || trouble_.contains("PLAINTEXT")))
    return lose(server_.name() + " ends each TLS handshake, as one does that " + std::string(kSpeaksPlainly));
  const std::string time = format_duration(kJoinsWithinNs);
  if (trouble_.contains(kNoVersions))
    return lose(server_.name() + " takes connections and has answered nothing for " + time + "; check " +
                std::string(kAddressSetting) + ", and whether it hangs");
  const std::string advice = !told_unresolved_.empty() && told_unresolved_ == trouble_ ? std::string(kHasToAdvertise)
                             : server_.own ? "see the log of the queue, which started it"
                                           : "start it, or correct " + std::string(kAddressSetting);
  lose(server_.name() + " cannot be used" + (trouble_.empty() ? "" : ": " + trouble_) + "; it was tried for " + time +
       "; " + advice);
}

void KafkaClient::lose(const std::string& why) {
  KafkaUser* user = user_;
  close();
  user->on_lost(why);
}

void KafkaClient::close() {
  if (std::exchange(user_, nullptr) == nullptr) return;
  for (Alarm* alarm : {&again_, &look_, &life_, &patience_}) alarm->cancel();
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->wake = -1;
    shared_->closed.notify_all();
  }
  if (client_ == nullptr) return;
  for (rd_kafka_queue_t* queue : queues()) rd_kafka_queue_io_event_enable(queue, -1, nullptr, 0);
  server_.loop.events().remove(wake_.get(), this);
}

}  // namespace n2nq::bus
