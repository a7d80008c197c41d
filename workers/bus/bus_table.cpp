#include "workers/bus/bus_table.h"

#include <algorithm>
#include <charconv>
#include <ranges>
#include <vector>

#include "broker/base/units.h"
#include "broker/net/resolve.h"

namespace n2nq::bus {
namespace {

constexpr Setting kQuiet{.key = "quiet",
                         .title = "Quiet time",
                         .kind = Setting::Kind::duration,
                         .initial = "1s",
                         .form = "duration, 10ms to 1h",
                         .help =
                             "A receiver that lacks messages ends when none has come for this long after the last "
                             "sender; what is missing then is lost. In plans 1 s is 5 s over kafka, whose clients wait "
                             "before they ask again.",
                         .least = 10'000'000,
                         .most = 3'600'000'000'000};
constexpr Setting kTls{.key = kTlsKey,
                       .title = "TLS",
                       .kind = Setting::Kind::truth,
                       .initial = "false",
                       .form = "true or false",
                       .help =
                           "Encrypts all connections, and checks certificates. Of n2nq, http and websocket: one that "
                           "is made for the run, unless it is given. Of other buses, and of a load balancer: that of "
                           "whatever is at bus.address.",
                       .group = Setting::Group::server,
                       .makers_name = "kafka:security.protocol",
                       .of_theirs = true};
constexpr Setting kTlsCertificate{
    .key = kTlsCertificateKey,
    .title = "Certificate",
    .kind = Setting::Kind::file,
    .initial = "",
    .form = "path of a PEM file on the receivers' hosts, of n2nq on the queue's, or empty",
    .help =
        "With bus.tls: the certificate of the receivers, of n2nq that of the queue; "
        "empty = one made for the run, or, behind a load balancer, none: receivers "
        "speak without TLS.",
    .group = Setting::Group::server};
constexpr Setting kTlsKeyFile{.key = kTlsPrivateKey,
                              .title = "Private key",
                              .kind = Setting::Kind::file,
                              .initial = "",
                              .form = "path of a PEM file on the receivers' hosts, of n2nq on the queue's, or empty",
                              .help = "With bus.tls_certificate: its private key.",
                              .group = Setting::Group::server};
constexpr Setting kTlsCa{.key = kTlsCaKey,
                         .title = "Certificate authority",
                         .kind = Setting::Kind::file,
                         .initial = "",
                         .form = "path of a PEM file on this computer, or empty",
                         .help =
                             "With bus.tls_certificate, and with bus.tls at a server or load balancer of your own: who "
                             "must have signed the certificate; empty = whoever the workers' hosts trust.",
                         .group = Setting::Group::server,
                         .of_bench = true,
                         .of_theirs = true};
constexpr std::string_view kConnectionWords[] = {"keep-alive", "fresh"};
constexpr Setting kConnection{.key = "connection",
                              .title = "Connection",
                              .kind = Setting::Kind::word,
                              .initial = "keep-alive",
                              .form = "keep-alive or fresh",
                              .help =
                                  "Whether connections are kept, or each request opens its own; the time for that, "
                                  "and for TLS, is then part of its turnaround.",
                              .words = kConnectionWords};
constexpr Setting kConnections{.key = "connections",
                               .title = "Connection limit",
                               .kind = Setting::Kind::whole,
                               .initial = "64",
                               .form = "whole number, 1 to 1000",
                               .help =
                                   "Connections that each sender may have at a time. A connection carries one "
                                   "request at a time; what is due while all are busy waits.",
                               .least = 1,
                               .most = 1000};

constexpr std::string_view kProfileWords[] = {"as-shipped", "latency", "throughput"};
constexpr Setting kProfile{
    .key = kProfileKey,
    .title = "Profile",
    .kind = Setting::Kind::word,
    .initial = "as-shipped",
    .form = "as-shipped, latency or throughput",
    .help =
        "Chooses the settings that are not set: our client's defaults, or what suits low latency or "
        "high throughput.",
    .words = kProfileWords};
constexpr Setting kAddress{.key = "address",
                           .title = "Server",
                           .kind = Setting::Kind::address,
                           .initial = "",
                           .form = "HOST:PORT, several of a cluster as in a:4222,b:4222, or empty",
                           .help =
                               "Where the server of the bus listens, as senders and receivers reach it; nats, "
                               "jetstream, rabbitmq and kafka take several servers of one cluster. Empty = one is "
                               "started for the run, where the queue is, and ended with it. Of http and websocket: a "
                               "load balancer in front of the receivers, as senders reach it; empty = there is none.",
                           .group = Setting::Group::server};
constexpr Setting kHostName{.key = "host_name",
                            .title = "Host name",
                            .kind = Setting::Kind::text,
                            .initial = "",
                            .form = "text without ; and control characters, up to 255 characters, or empty",
                            .help =
                                "With bus.address: the name that senders ask the load balancer for (Host, over TLS SNI "
                                "as well), whose certificate it must have; empty = the host in bus.address.",
                            .group = Setting::Group::server};
constexpr Setting kReceiverPort{
    .key = kReceiverPortKey,
    .title = "Receivers port",
    .kind = Setting::Kind::whole,
    .initial = "0",
    .form = "whole number, 1 to 65535, or 0",
    .help =
        "Where the receivers of a host listen: the first process at this port, each further process, and each further "
        "event loop of one, at the next; 0 = at any free ports.",
    .group = Setting::Group::server,
    .least = 1,
    .most = 65535,
    .or_none = true};
constexpr Setting kImage{.key = kImageKey,
                         .title = "Image",
                         .kind = Setting::Kind::image,
                         .initial = "",
                         .form = "name of a container's image, such as docker.io/library/redis:7, or empty",
                         .help =
                             "The server that is started for the run runs in a container of this image, by podman, "
                             "which has to have it where the queue is. Empty = what is installed there, in none.",
                         .group = Setting::Group::server,
                         .of_server = true};
constexpr Setting kCpus{.key = "cpus",
                        .title = "CPU limit",
                        .kind = Setting::Kind::decimal,
                        .initial = "0",
                        .form = "number, 0.1 to 1024, or 0",
                        .help = "With bus.image: how many processors each container may use at most; 0 = no limit.",
                        .group = Setting::Group::server,
                        .of_server = true,
                        .least = 100,
                        .most = 1'024'000,
                        .or_none = true};
constexpr Setting kMemory{.key = "memory",
                          .title = "Memory limit",
                          .kind = Setting::Kind::size,
                          .initial = "0B",
                          .form = "size, 16MiB to 1024GiB, or 0B",
                          .help =
                              "With bus.image: how much memory each container may use, without swap; a server that "
                              "wants more is killed by the system. 0B = no limit.",
                          .group = Setting::Group::server,
                          .of_server = true,
                          .least = 16 << 20,
                          .most = int64_t{1} << 40,
                          .or_none = true};
constexpr Setting kServers{.key = kServersKey,
                           .title = "Servers",
                           .kind = Setting::Kind::whole,
                           .initial = "1",
                           .form = "whole number, 1 to 5",
                           .help =
                               "How many servers are started for the run; several form a "
                               "cluster. Receivers then wait for what they lack for 15 s at least (bus.quiet), as a "
                               "server that takes over needs its time.",
                           .group = Setting::Group::cluster,
                           .of_server = true,
                           .of_run = true,
                           .least = 1,
                           .most = 5};
constexpr Setting kHosts{.key = kHostsKey,
                         .title = "Server hosts",
                         .kind = Setting::Kind::names,
                         .initial = "",
                         .form = "names of hosts, such as vm1, vm2, vm3, or empty",
                         .help =
                             "On which hosts of the list of hosts bus.servers are started: the first on the first, and "
                             "so on, and again from the first where there are fewer hosts. Empty = all where the queue "
                             "is.",
                         .group = Setting::Group::cluster,
                         .of_server = true,
                         .of_run = true};
constexpr Setting kKill{
    .key = kKillKey,
    .title = "Kill",
    .kind = Setting::Kind::kills,
    .initial = "",
    .form = "SERVER:TIME, such as leader:5s or 2:8s, several separated by commas, or empty",
    .help =
        "Which server of bus.servers is killed (SIGKILL), and when since the start of the run: by its "
        "number, or leader: of the stream (jetstream), of most partitions (kafka) or of most "
        "queues (rabbitmq); nats has none. It stays dead.",
    .group = Setting::Group::cluster,
    .of_server = true,
    .of_run = true};
constexpr Setting kUser{
    .key = "user",
    .title = "User",
    .kind = Setting::Kind::text,
    .initial = "",
    .form = "text without ; and control characters, up to 255 characters, or empty",
    .help = "Of a server of your own (bus.address): who logs in there; empty = nobody, over rabbitmq guest.",
    .group = Setting::Group::server,
    .of_theirs = true};
constexpr Setting kPasswordFile{.key = kPasswordFileKey,
                                .title = "Password file",
                                .kind = Setting::Kind::file,
                                .initial = "",
                                .form = "path of a file on this computer, ask, or empty",
                                .help =
                                    "Of a server of your own: holds the password, in one line. ask, or empty with a "
                                    "user: the password is typed when a run starts, and kept in memory until the "
                                    "bench is closed. Senders and receivers get it over their stdin; it is in no "
                                    "argument, log or result.",
                                .group = Setting::Group::server,
                                .of_bench = true,
                                .of_theirs = true};
constexpr Setting kVirtualHost{.key = "vhost",
                               .title = "Virtual host",
                               .kind = Setting::Kind::text,
                               .initial = "/",
                               .form = "text without ; and control characters, up to 255 characters",
                               .help = "Of a server of your own: the virtual host in which the run makes its queues.",
                               .group = Setting::Group::server,
                               .of_theirs = true};
constexpr Setting kWindow{.key = "window",
                          .title = "Unanswered",
                          .kind = Setting::Kind::whole,
                          .initial = "1000",
                          .form = "whole number, 1 to 1000000",
                          .help =
                              "Messages that each sender may have out which the server has not answered yet; what is "
                              "due beyond that waits.",
                          .least = 1,
                          .most = 1'000'000,
                          .latency = "100",
                          .throughput = "10000"};

constexpr Setting kFetch{.key = "fetch",
                         .title = "Read at once",
                         .kind = Setting::Kind::whole,
                         .initial = "100",
                         .form = "whole number, 1 to 10000",
                         .help = "Messages that a receiver asks the server for at a time; it gets what there is.",
                         .makers_name = "redis-streams:COUNT jetstream:batch",
                         .least = 1,
                         .most = 10'000,
                         .throughput = "1000"};
constexpr Setting kMaxLength{.key = "max_length",
                             .title = "Length limit",
                             .kind = Setting::Kind::whole,
                             .initial = "0",
                             .form = "whole number, 0 to 1000000000",
                             .help =
                                 "About how many messages the stream, or each queue, may hold; beyond that the oldest "
                                 "goes, also where nobody has read it. 0 = no limit, which takes the server's memory.",
                             .group = Setting::Group::promises,
                             .makers_name = "redis-streams:MAXLEN rabbitmq:x-max-length",
                             .most = 1'000'000'000};
constexpr Setting kMaxBytes{.key = "max_bytes",
                            .title = "Size limit",
                            .kind = Setting::Kind::size,
                            .initial = "0B",
                            .form = "size, 1B to 1024GiB, or 0B",
                            .help =
                                "How many bytes of messages each queue may hold; beyond that the oldest goes, also "
                                "where nobody has read it. 0B = no limit.",
                            .group = Setting::Group::promises,
                            .makers_name = "x-max-length-bytes",
                            .least = 1,
                            .most = int64_t{1} << 40,
                            .or_none = true};
constexpr Setting kTakeOver{.key = "take_over",
                            .title = "Take over",
                            .kind = Setting::Kind::duration,
                            .initial = "5s",
                            .form = "duration, 10ms to 1h",
                            .help =
                                "Messages that a receiver has not acknowledged for this long go to another; in the "
                                "broadcaster over jetstream they come to it again.",
                            .group = Setting::Group::promises,
                            .makers_name = "redis-streams:min-idle-time jetstream:ack_wait",
                            .least = 10'000'000,
                            .most = 3'600'000'000'000};
constexpr std::string_view kAppendFsyncWords[] = {"off", "no", "everysec", "always"};
constexpr Setting kAppendFsync{.key = "append_fsync",
                               .title = "Append file",
                               .kind = Setting::Kind::word,
                               .initial = "off",
                               .form = "off, no, everysec or always",
                               .help =
                                   "Of a server that is started for the run: whether it writes messages to a file, and "
                                   "how often it makes sure that they are on the disk.",
                               .group = Setting::Group::promises,
                               .makers_name = "appendfsync",
                               .of_server = true,
                               .words = kAppendFsyncWords};

constexpr Setting kMaxPending{.key = "max_pending",
                              .title = "Pending limit",
                              .kind = Setting::Kind::size,
                              .initial = "64MiB",
                              .form = "size, 1MiB to 16GiB",
                              .help =
                                  "Of a server that is started for the run: what it holds for one receiver that is "
                                  "behind; beyond that it cuts the receiver off.",
                              .group = Setting::Group::promises,
                              .makers_name = "max_pending",
                              .of_server = true,
                              .least = 1 << 20,
                              .most = int64_t{16} << 30};

constexpr std::string_view kStorageWords[] = {"file", "memory"};
constexpr Setting kStorage{.key = "storage",
                           .title = "Storage",
                           .kind = Setting::Kind::word,
                           .initial = "file",
                           .form = "file or memory",
                           .help = "Where the server keeps the messages of the run.",
                           .group = Setting::Group::promises,
                           .makers_name = "storage",
                           .words = kStorageWords};
constexpr Setting kReplicas{
    .key = "replicas",
    .title = "Replicas",
    .kind = Setting::Kind::whole,
    .initial = "1",
    .form = "whole number, 1 to 5",
    .help =
        "How many servers of a cluster keep each message; not more than there are: those of "
        "bus.servers, or of a cluster of your own (bus.address).",
    .group = Setting::Group::promises,
    .makers_name = "jetstream:num_replicas kafka:replication-factor rabbitmq:x-quorum-initial-group-size",
    .least = 1,
    .most = 5};
constexpr std::string_view kAcknowledgeWords[] = {"explicit", "all", "none"};
constexpr Setting kAcknowledge{.key = "acknowledge",
                               .title = "Ack policy",
                               .kind = Setting::Kind::word,
                               .initial = "explicit",
                               .form = "explicit, all or none",
                               .help =
                                   "What receivers acknowledge. explicit: each message; all: the last of a read, which "
                                   "covers those before it; none: nothing, so that what a lost receiver had on its way "
                                   "is lost.",
                               .group = Setting::Group::promises,
                               .makers_name = "jetstream:ack_policy rabbitmq:no_ack",
                               .words = kAcknowledgeWords};
constexpr std::string_view kAckAfterWords[] = {"reading", "service"};
constexpr Setting kAckAfter{.key = "acknowledge_after",
                            .title = "Ack after",
                            .kind = Setting::Kind::word,
                            .initial = "reading",
                            .form = "reading or service",
                            .help =
                                "When receivers acknowledge. reading: as soon as they have read; what a killed one was "
                                "still to work on (receivers.service_time) is lost. service: once they have worked on "
                                "it, in request-reply once its reply is on its way; in the load balancer what a killed "
                                "one had goes to another.",
                            .group = Setting::Group::promises,
                            .words = kAckAfterWords};
constexpr Setting kAckPending{.key = "ack_pending",
                              .title = "Ack pending",
                              .kind = Setting::Kind::whole,
                              .initial = "1000",
                              .form = "whole number, 1 to 1000000",
                              .help =
                                  "How many delivered messages may be unacknowledged at a time; in the load balancer "
                                  "of all receivers together.",
                              .makers_name = "max_ack_pending",
                              .least = 1,
                              .most = 1'000'000,
                              .throughput = "65536"};
constexpr Setting kDeduplication{.key = "deduplication",
                                 .title = "Dedup window",
                                 .kind = Setting::Kind::duration,
                                 .initial = "0s",
                                 .form = "duration, 100ms to 1h, or 0s",
                                 .help =
                                     "Gives each message an id (Nats-Msg-Id), which the server knows for this long, to "
                                     "leave out what it has already; 0s = no ids.",
                                 .group = Setting::Group::promises,
                                 .makers_name = "duplicate_window",
                                 .least = 100'000'000,
                                 .most = 3'600'000'000'000,
                                 .or_none = true};
constexpr std::string_view kSyncWords[] = {"default", "always", "1s", "10s", "60s"};
constexpr Setting kSyncInterval{
    .key = "sync_interval",
    .title = "Sync interval",
    .kind = Setting::Kind::word,
    .initial = "default",
    .form = "default, always, 1s, 10s or 60s",
    .help =
        "Of a server that is started for the run: how often it makes sure that its files are "
        "on the disk; other than default needs nats-server 2.10.",
    .group = Setting::Group::promises,
    .makers_name = "sync_interval",
    .of_server = true,
    .words = kSyncWords};

constexpr std::string_view kExchangeWords[] = {"fanout", "direct", "topic", "headers"};
constexpr Setting kExchange{.key = "exchange",
                            .title = "Exchange",
                            .kind = Setting::Kind::word,
                            .initial = "fanout",
                            .form = "fanout, direct, topic or headers",
                            .help = "What kind of exchange brings messages to the queues of receivers.",
                            .makers_name = "exchange type",
                            .words = kExchangeWords};
constexpr std::string_view kQueueTypeWords[] = {"classic", "quorum", "stream"};
constexpr Setting kQueueType{.key = "queue_type",
                             .title = "Queue type",
                             .kind = Setting::Kind::word,
                             .initial = "classic",
                             .form = "classic, quorum or stream",
                             .help =
                                 "Quorum queues are replicated and write each message to the disk; a stream keeps all, "
                                 "and gives each message to all who consume from it.",
                             .group = Setting::Group::promises,
                             .makers_name = "x-queue-type",
                             .words = kQueueTypeWords};
constexpr Setting kQueues{.key = "queues",
                          .title = "Queues",
                          .kind = Setting::Kind::whole,
                          .initial = "1",
                          .form = "whole number, 1 to 50",
                          .help =
                              "In the load balancer: each sender publishes to one of them, and each receiver consumes "
                              "from all.",
                          .least = 1,
                          .most = 50};
constexpr Setting kLazy{.key = "lazy",
                        .title = "Lazy",
                        .kind = Setting::Kind::truth,
                        .initial = "false",
                        .form = "true or false",
                        .help =
                            "Classic queues keep messages in files rather than in memory; from 3.12 on it changes "
                            "nothing.",
                        .makers_name = "x-queue-mode"};
constexpr Setting kPersistent{.key = "persistent",
                              .title = "Persistent",
                              .kind = Setting::Kind::truth,
                              .initial = "false",
                              .form = "true or false",
                              .help =
                                  "Messages are written to the disk (delivery mode 2). Quorum queues and streams do so "
                                  "in any case.",
                              .group = Setting::Group::promises,
                              .makers_name = "delivery_mode"};
constexpr Setting kConfirms{.key = "confirms",
                            .title = "Confirms",
                            .kind = Setting::Kind::truth,
                            .initial = "true",
                            .form = "true or false",
                            .help =
                                "The server answers for each message (publisher confirms); without, nobody knows which "
                                "it has accepted.",
                            .group = Setting::Group::promises,
                            .makers_name = "confirm.select"};
constexpr Setting kPrefetch{.key = "prefetch",
                            .title = "Prefetch",
                            .kind = Setting::Kind::whole,
                            .initial = "250",
                            .form = "whole number, 0 to 65535",
                            .help =
                                "Messages of a queue that a receiver may have been given and not acknowledged; 0 = no "
                                "limit, and without acknowledgements there is none.",
                            .makers_name = "prefetch_count",
                            .most = 65'535,
                            .latency = "100",
                            .throughput = "300"};

constexpr Setting kPartitions{.key = "partitions",
                              .title = "Partitions",
                              .kind = Setting::Kind::whole,
                              .initial = "10",
                              .form = "whole number, 1 to 1000",
                              .help =
                                  "Of the topic. In the load balancer each is given to one receiver, so that those "
                                  "beyond this number get nothing.",
                              .least = 1,
                              .most = 1000};
constexpr std::string_view kAcksWords[] = {"0", "1", "all"};
constexpr Setting kAcks{.key = "acks",
                        .title = "Acks",
                        .kind = Setting::Kind::word,
                        .initial = "all",
                        .form = "0, 1 or all",
                        .help =
                            "When a message is answered for. all: all replicas in step have it; 1: the leader of its "
                            "partition has it; 0: never, so that nobody knows which the server has accepted.",
                        .group = Setting::Group::promises,
                        .makers_name = "acks",
                        .words = kAcksWords};
constexpr Setting kIdempotence{.key = "idempotence",
                               .title = "Idempotence",
                               .kind = Setting::Kind::truth,
                               .initial = "false",
                               .form = "true or false",
                               .help =
                                   "The server leaves out what a sender's client sends again, and keeps its order; "
                                   "needs acks=all, and then at most 5 requests are under way at a time.",
                               .group = Setting::Group::promises,
                               .makers_name = "enable.idempotence"};
constexpr Setting kTransactions{
    .key = "transactions",
    .title = "Transactions",
    .kind = Setting::Kind::duration,
    .initial = "0s",
    .form = "duration, 1ms to 1min, or 0s",
    .help =
        "For how long a sender puts messages into one transaction before it commits that and begins another; it sends "
        "nothing while it commits. Receivers get what is committed. Needs idempotence. 0s: none.",
    .group = Setting::Group::promises,
    .least = 1'000'000,
    .most = 60'000'000'000,
    .or_none = true};
constexpr std::string_view kKeysWords[] = {"none", "sender", "uniform", "zipf"};
constexpr Setting kKeys{.key = "keys",
                        .title = "Keys",
                        .kind = Setting::Kind::word,
                        .initial = "none",
                        .form = "none, sender, uniform or zipf",
                        .help =
                            "A message's key decides its partition. none: a sender keeps to one for twice the linger, "
                            "then takes another; sender: all messages of a sender go to one, in order; uniform, zipf: "
                            "one of 1000 keys, all as frequent, or the k-th as frequent as 1/k.",
                        .makers_name = "message key",
                        .words = kKeysWords};
constexpr Setting kBatchSize{.key = "batch_size",
                             .title = "Batch size",
                             .kind = Setting::Kind::size,
                             .initial = "1MB",
                             .form = "size, 1B to 32MiB",
                             .help = "The largest batch that a sender's client makes for a partition (batch.size).",
                             .makers_name = "batch.size",
                             .least = 1,
                             .most = 32 << 20};
constexpr Setting kBufferMemory{.key = "buffer_memory",
                                .title = "Buffer memory",
                                .kind = Setting::Kind::size,
                                .initial = "64MiB",
                                .form = "size, 1kB to 1GiB",
                                .help =
                                    "What a sender's client holds of messages that the server has not answered for, "
                                    "beyond which the sender waits, as at the end of its window (buffer.memory).",
                                .makers_name = "buffer.memory",
                                .least = 1000,
                                .most = 1 << 30};
constexpr Setting kLinger{.key = "linger",
                          .title = "Linger",
                          .kind = Setting::Kind::duration,
                          .initial = "5ms",
                          .form = "duration, 1ms to 15min, or 0s",
                          .help = "How long a sender's client waits to fill a batch; part of every latency.",
                          .makers_name = "linger.ms",
                          .least = 1'000'000,
                          .most = 900'000'000'000,
                          .or_none = true,
                          .latency = "0s",
                          .throughput = "50ms"};
constexpr std::string_view kCompressionWords[] = {"none", "gzip", "snappy", "lz4", "zstd"};
constexpr Setting kCompression{
    .key = "compression",
    .title = "Compression",
    .kind = Setting::Kind::word,
    .initial = "none",
    .form = "none, gzip, snappy, lz4 or zstd",
    .help = "How senders' clients compress batches. What it saves depends on what messages hold (senders.payload).",
    .makers_name = "compression.type",
    .words = kCompressionWords,
    .throughput = "lz4"};
constexpr Setting kFlushInterval{.key = "flush_interval",
                                 .title = "Flush interval",
                                 .kind = Setting::Kind::duration,
                                 .initial = "0s",
                                 .form = "duration, 1ms to 1h, or 0s",
                                 .help =
                                     "How often the server makes sure that messages are on the disk (flush.ms); 0s = "
                                     "as its system likes.",
                                 .group = Setting::Group::promises,
                                 .makers_name = "flush.ms",
                                 .least = 1'000'000,
                                 .most = 3'600'000'000'000,
                                 .or_none = true};
constexpr Setting kFlushMessages{
    .key = "flush_messages",
    .title = "Flush after",
    .kind = Setting::Kind::whole,
    .initial = "0",
    .form = "whole number, 0 to 1000000000",
    .help =
        "After how many messages of a partition the server makes sure that they are on the "
        "disk (flush.messages); 0 = as its system likes.",
    .group = Setting::Group::promises,
    .makers_name = "flush.messages",
    .most = 1'000'000'000};
constexpr Setting kFetchMin{.key = "fetch_min",
                            .title = "Fetch min",
                            .kind = Setting::Kind::size,
                            .initial = "1B",
                            .form = "size, 1B to 100MB",
                            .help = "A receiver is answered once there is so much for it, or its fetch wait is over.",
                            .makers_name = "fetch.min.bytes",
                            .least = 1,
                            .most = 100'000'000,
                            .throughput = "100kB"};
constexpr Setting kFetchWait{.key = "fetch_wait",
                             .title = "Fetch wait",
                             .kind = Setting::Kind::duration,
                             .initial = "500ms",
                             .form = "duration, 1ms to 5min",
                             .help = "How long a receiver's question waits at the server for its fetch min.",
                             .makers_name = "fetch.max.wait.ms",
                             .least = 1'000'000,
                             .most = 300'000'000'000};
constexpr Setting kCommitInterval{.key = "commit_interval",
                                  .title = "Commit interval",
                                  .kind = Setting::Kind::duration,
                                  .initial = "5s",
                                  .form = "duration, 1ms to 1h",
                                  .help =
                                      "How often a receiver tells the server how far it is. What a killed receiver had "
                                      "since then comes again, to another.",
                                  .group = Setting::Group::promises,
                                  .makers_name = "auto.commit.interval.ms",
                                  .least = 1'000'000,
                                  .most = 3'600'000'000'000};
constexpr Setting kSessionTimeout{.key = "session_timeout",
                                  .title = "Session timeout",
                                  .kind = Setting::Kind::duration,
                                  .initial = "45s",
                                  .form = "duration, 100ms to 30min",
                                  .help =
                                      "In the load balancer: the partitions of a receiver that is silent for this long "
                                      "go to others. A server of your own may want 6s or more.",
                                  .group = Setting::Group::promises,
                                  .makers_name = "session.timeout.ms",
                                  .least = 100'000'000,
                                  .most = 1'800'000'000'000};
constexpr Setting kDeliveryTimeout{
    .key = "delivery_timeout",
    .title = "Delivery timeout",
    .kind = Setting::Kind::duration,
    .initial = "30s",
    .form = "duration, 100ms to 15min",
    .help =
        "How long a sender's client tries to get a message to the servers, also while they "
        "choose a new leader; then it is refused or unanswered, and the sender ends.",
    .group = Setting::Group::promises,
    .makers_name = "delivery.timeout.ms",
    .least = 100'000'000,
    .most = 900'000'000'000};
constexpr Setting kNoDelay{.key = "no_delay",
                           .title = "TCP_NODELAY",
                           .kind = Setting::Kind::truth,
                           .initial = "false",
                           .form = "true or false",
                           .help =
                               "Whether clients' sockets send at once; as it is shipped, librdkafka leaves this off, "
                               "which can hold small batches up for 40 ms.",
                           .makers_name = "socket.nagle.disable",
                           .latency = "true"};
constexpr std::string_view kSaslWords[] = {"plain", "scram-sha-256", "scram-sha-512"};
constexpr Setting kSasl{.key = "sasl",
                        .title = "SASL",
                        .kind = Setting::Kind::word,
                        .initial = "plain",
                        .form = "plain, scram-sha-256 or scram-sha-512",
                        .help = "Of a server of your own: how bus.user logs in there.",
                        .group = Setting::Group::server,
                        .makers_name = "sasl.mechanism",
                        .of_theirs = true,
                        .words = kSaslWords};

constexpr Setting kHttpSettings[] = {kConnection, kConnections, kAddress,        kHostName,   kReceiverPort,
                                     kQuiet,      kTls,         kTlsCertificate, kTlsKeyFile, kTlsCa};
constexpr Setting kRedisPubSubSettings[] = {kProfile,      kAddress, kImage, kCpus,   kMemory, kUser,
                                            kPasswordFile, kTls,     kTlsCa, kWindow, kQuiet};
constexpr Setting kRedisStreamsSettings[] = {kProfile,      kAddress,  kImage,       kCpus,   kMemory, kUser,
                                             kPasswordFile, kTls,      kTlsCa,       kWindow, kFetch,  kMaxLength,
                                             kTakeOver,     kAckAfter, kAppendFsync, kQuiet};
constexpr Setting kJetStreamSettings[] = {
    kProfile,  kAddress,     kImage,    kCpus,       kMemory,        kUser,         kPasswordFile, kTls,
    kTlsCa,    kServers,     kKill,     kHosts,      kWindow,        kFetch,        kTakeOver,     kStorage,
    kReplicas, kAcknowledge, kAckAfter, kAckPending, kDeduplication, kSyncInterval, kQuiet};
constexpr Setting kNatsSettings[] = {kAddress, kImage,   kCpus, kMemory, kUser,       kPasswordFile, kTls,
                                     kTlsCa,   kServers, kKill, kHosts,  kMaxPending, kQuiet};
constexpr std::string_view kRepliesWords[] = {"queue", "direct"};
constexpr Setting kReplies{.key = "replies",
                           .title = "Replies",
                           .kind = Setting::Kind::word,
                           .initial = "queue",
                           .form = "queue or direct",
                           .help =
                               "In request-reply. queue: each requester has a queue for its replies; direct: it has "
                               "none, and the server passes replies on over the connection that the request came by "
                               "(direct reply-to).",
                           .makers_name = "reply_to",
                           .words = kRepliesWords};
constexpr Setting kRabbitSettings[] = {kProfile,      kAddress,     kImage,      kCpus,     kMemory,  kUser,
                                       kPasswordFile, kVirtualHost, kTls,        kTlsCa,    kServers, kKill,
                                       kHosts,        kExchange,    kQueueType,  kQueues,   kLazy,    kMaxLength,
                                       kMaxBytes,     kReplicas,    kPersistent, kConfirms, kWindow,  kAcknowledge,
                                       kAckAfter,     kPrefetch,    kReplies,    kQuiet};
constexpr Setting kKafkaSettings[] = {
    kProfile,       kAddress,       kImage,        kCpus,           kMemory,         kUser,     kPasswordFile,
    kSasl,          kTls,           kTlsCa,        kServers,        kHosts,          kKill,     kPartitions,
    kReplicas,      kKeys,          kAcks,         kIdempotence,    kTransactions,   kWindow,   kDeliveryTimeout,
    kLinger,        kBatchSize,     kBufferMemory, kCompression,    kNoDelay,        kFetchMin, kFetchWait,
    kFlushInterval, kFlushMessages, kAckAfter,     kCommitInterval, kSessionTimeout, kQuiet};
constexpr Setting kRelaySettings[] = {kAddress, kPasswordFile, kQuiet};
constexpr Setting kWebSocketSettings[] = {kAddress, kHostName,       kReceiverPort, kQuiet,
                                          kTls,     kTlsCertificate, kTlsKeyFile,   kTlsCa};

constexpr Setting kOwnSettings[] = {kTls, kTlsCertificate, kTlsKeyFile, kTlsCa};

constexpr BusTraits kBuses[] = {
    {.kind = "n2nq",
     .title = "N2NQ",
     .what = "Our own queue: a broker process that every sender and receiver is connected to.",
     .broadcaster = true,
     .load_balancer = true,
     .request_reply = true,
     .reply_from_all = true,
     .own_queue = true,
     .late_receivers = true,
     .answers = true,
     .tells_again = true,
     .settings = kOwnSettings},
    {.kind = "redis-pubsub",
     .title = "Redis pub/sub",
     .what = "Senders publish to a channel of a Redis server, which passes each message on to all receivers. It keeps "
             "none: a receiver that is cut off misses what comes meanwhile.",
     .broadcaster = true,
     .request_reply = true,
     .reply_from_all = true,
     .answers = true,
     .passes_on = true,
     .server = "redis",
     .settings = kRedisPubSubSettings},
    {.kind = "redis-streams",
     .title = "Redis Streams",
     .what =
         "Senders add to a stream of a Redis server, which keeps the messages. Each receiver reads all of it, or as "
         "one of a group that shares it and acknowledges.",
     .broadcaster = true,
     .load_balancer = true,
     .request_reply = true,
     .reply_from_all = true,
     .answers = true,
     .acknowledges_in_group = true,
     .tells_again = true,
     .server = "redis",
     .settings = kRedisStreamsSettings},
    {.kind = "nats",
     .title = "NATS",
     .what =
         "Senders publish to a subject of a NATS server, which passes each message on to all receivers, or to one of "
         "them. It keeps none and answers none: a receiver that is cut off misses what comes meanwhile.",
     .broadcaster = true,
     .load_balancer = true,
     .request_reply = true,
     .reply_from_all = true,
     .pushes_at_random = true,
     .passes_on = true,
     .cluster = true,
     .spreads = true,
     .server = "nats",
     .settings = kNatsSettings},
    {.kind = "jetstream",
     .title = "NATS JetStream",
     .what =
         "Senders add to a stream of a NATS server, which keeps the messages. Each receiver is given all of them, or "
         "shares them with the others and acknowledges.",
     .broadcaster = true,
     .load_balancer = true,
     .request_reply = true,
     .reply_from_all = true,
     .answers = true,
     .tells_again = true,
     .kept = "page cache",
     .cluster = true,
     .leads = true,
     .server = "jetstream",
     .leaves = "the stream n2nq_{run}; nats --server {server} stream rm n2nq_{run} removes it",
     .settings = kJetStreamSettings},
    {.kind = "rabbitmq",
     .title = "RabbitMQ",
     .what = "Senders publish to an exchange of a RabbitMQ server. Each receiver has a queue of its own there, or they "
             "share some; what a receiver has not acknowledged goes to another.",
     .broadcaster = true,
     .load_balancer = true,
     .request_reply = true,
     .reply_from_all = true,
     .answers = true,
     .tells_again = true,
     .cluster = true,
     .leads = true,
     .spreads = true,
     .server = "rabbitmq",
     .boot_ns = 4'500'000'000,
     .leaves = "the exchange n2nq.{run}, and queues whose names begin so, which go after a minute unless they are "
               "streams; the server's management page removes them",
     .settings = kRabbitSettings},
    {.kind = "kafka",
     .title = "Kafka",
     .what = "Senders append to the partitions of a topic of a Kafka server, which keeps the messages. Each receiver "
             "reads all of them, or they share the partitions.",
     .broadcaster = true,
     .load_balancer = true,
     .request_reply = true,
     .reply_from_all = true,
     .answers = true,
     .any_order = true,
     .kept = "page cache",
     .cluster = true,
     .leads = true,
     .server = "kafka",
     .boot_ns = 3'500'000'000,
     .warms_up_ns = 2'000'000'000,
     .quiet_ns = 5'000'000'000,
     .leaves =
         "topics and groups whose names begin with n2nq.{run}; kafka-topics.sh --bootstrap-server {server} --delete "
         "--topic 'n2nq.{run}.*' removes the topics; the server then removes the groups within some 10 minutes",
     .each_clears = true,
     .settings = kKafkaSettings},
    {.kind = "relay",
     .title = "Bare relay",
     .what = "Senders write to a relay, which copies each message to all receivers, or to the next of them. It keeps "
             "none, answers none and promises nothing: what any server between costs at the least.",
     .broadcaster = true,
     .load_balancer = true,
     .passes_on = true,
     .server = "relay",
     .settings = kRelaySettings},
    {.kind = "http",
     .title = "HTTP/1.1",
     .what = "Senders post each message to a receiver; the response is its answer, or its reply. No server between.",
     .load_balancer = true,
     .request_reply = true,
     .meets_directly = true,
     .answers = true,
     .kept = "nowhere",
     .settings = kHttpSettings},
    {.kind = "websocket",
     .title = "WebSocket",
     .what = "Each sender has a connection to each receiver; a message is one binary frame. No server between.",
     .broadcaster = true,
     .load_balancer = true,
     .request_reply = true,
     .reply_from_all = true,
     .meets_directly = true,
     .kept = "nowhere",
     .settings = kWebSocketSettings},
};

constexpr size_t kLongestText = 255;

Result<int64_t> number_of(const Setting& setting, std::string_view text) {
  if (setting.kind == Setting::Kind::duration) return parse_duration(text);
  if (setting.kind == Setting::Kind::decimal) return parse_thousandths(text);
  if (setting.kind == Setting::Kind::size) {
    const auto size = parse_size(text);
    if (!size) return std::unexpected(size.error());
    return static_cast<int64_t>(*size);
  }
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return fail("not a whole number");
  return number;
}

// Names are the same in upper and lower case, and a final dot and zeros in front of the port change nothing.
std::string plain_address(const std::string& address) {
  const size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.ends_with('.')) host.pop_back();
  for (char& c : host)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return host + ":" + std::to_string(*parse_whole(address.substr(colon + 1)));
}

// Nothing that podman, or a shell, would take for anything else.
bool is_image_name(std::string_view name) {
  const auto plain = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return name.empty() || (name.size() <= kLongestText && plain(name.front()) && std::ranges::all_of(name, [&](char c) {
                            return plain(c) || std::string_view("._-/:@").find(c) != std::string_view::npos;
                          }));
}

bool is_control(char c) {
  return (c >= 0 && c < ' ') || c == '\x7f';
}

Result<void> check_addresses(std::string_view value) {
  std::vector<std::string> seen;
  for (const std::string& address : parts_in(value)) {
    if (address.empty()) return fail("\"" + std::string(value) + "\" has an empty part; write it like a:4222,b:4222");
    if (auto good = net::check_endpoint(address); !good) return good;
    const std::string plain = plain_address(address);
    if (plain.ends_with(":0")) return fail("'" + address + "' has no port from 1 to 65535; write it like a:4222");
    if (std::ranges::find(seen, plain) != seen.end())
      return fail("it names " + address + " twice; name each server once");
    seen.push_back(plain);
  }
  return {};
}

}  // namespace

std::span<const BusTraits> all_buses() {
  return kBuses;
}

const BusTraits* find_bus(std::string_view kind) {
  const auto found = std::ranges::find(kBuses, kind, &BusTraits::kind);
  return found == std::end(kBuses) ? nullptr : &*found;
}

const Setting* find_setting(const BusTraits& bus, std::string_view key) {
  const auto found = std::ranges::find(bus.settings, key, &Setting::key);
  return found == bus.settings.end() ? nullptr : &*found;
}

std::string_view makers_name_of(const Setting& setting, const BusTraits& bus) {
  if (!setting.makers_name.contains(':')) return setting.makers_name;
  for (const auto part : std::views::split(setting.makers_name, ' ')) {
    const std::string_view named(part.begin(), part.end());
    if (named.starts_with(bus.kind) && named.substr(bus.kind.size()).starts_with(':'))
      return named.substr(bus.kind.size() + 1);
  }
  return {};
}

std::span<const Setting* const> all_settings() {
  static const std::vector<const Setting*> all = [] {
    std::vector<const Setting*> found;
    for (const BusTraits& bus : kBuses)
      for (const Setting& setting : bus.own_queue ? std::span<const Setting>() : bus.settings)  // which others have too
        if (std::ranges::none_of(found, [&](const Setting* one) { return one->key == setting.key; }))
          found.push_back(&setting);
    return found;
  }();
  return all;
}

const Setting* find_setting(std::string_view key) {
  const auto found = std::ranges::find(all_settings(), key, &Setting::key);
  return found == all_settings().end() ? nullptr : *found;
}

std::string bus_names() {
  std::string names;
  for (const BusTraits& bus : kBuses) {
    if (!names.empty()) names += &bus == &kBuses[std::size(kBuses) - 1] ? " or " : ", ";
    names += bus.kind;
  }
  return names;
}

std::vector<std::string> parts_in(std::string_view value) {
  std::vector<std::string> parts;
  while (!value.empty()) {
    const size_t end = value.find(',');
    std::string_view one = value.substr(0, end);
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    parts.emplace_back(one);
    if (end == std::string_view::npos) break;
    value.remove_prefix(end + 1);
    if (value.empty()) parts.emplace_back();
  }
  return parts;
}

Result<std::vector<Kill>> parse_kills(std::string_view text) {
  std::vector<Kill> kills;
  for (const std::string& one : parts_in(text)) {
    const size_t colon = one.find(':');
    if (colon == std::string::npos) return fail("\"" + one + "\" is not SERVER:TIME, such as leader:5s");
    Kill kill{.server = one.substr(0, colon)};
    const auto number = parse_whole(kill.server);
    const auto at = parse_duration(std::string_view(one).substr(colon + 1));
    if (kill.server != kLeader && (!number || *number == 0 || *number > static_cast<uint64_t>(kServers.most)))
      return fail("\"" + kill.server + "\" is no server; write leader, or its number from 1");
    if (number) kill.server = std::to_string(*number);
    if (!at || *at <= 0) return fail("\"" + one + "\" has no time after the start, such as leader:5s");
    kill.at_ns = *at;
    kills.push_back(std::move(kill));
  }
  std::ranges::stable_sort(kills, {}, &Kill::at_ns);
  return kills;
}

Result<void> check_setting(const Setting& setting, std::string_view value) {
  bool good = false;
  switch (setting.kind) {
    case Setting::Kind::truth:
      good = value == "true" || value == "false";
      break;
    case Setting::Kind::word:
      good = std::ranges::find(setting.words, value) != setting.words.end();
      break;
    case Setting::Kind::text:
      good = value.size() <= kLongestText && (!value.empty() || setting.initial.empty()) &&
             std::ranges::none_of(value, [](char c) { return c == ';' || is_control(c); });
      break;
    case Setting::Kind::file:
      good = value.find('\0') == std::string_view::npos;
      break;
    case Setting::Kind::image:
      good = is_image_name(value);
      break;
    case Setting::Kind::address:
      return value.empty() ? Result<void>() : check_addresses(value);
    case Setting::Kind::names:
      good = std::ranges::none_of(parts_in(value), [](const std::string& name) {
        return name.empty() || std::ranges::any_of(name, is_control);
      });
      break;
    case Setting::Kind::kills:
      if (auto kills = parse_kills(value); !kills) return std::unexpected(kills.error());
      return {};
    default: {
      const auto number = number_of(setting, value);
      good = number && ((*number >= setting.least && *number <= setting.most) || (setting.or_none && *number == 0));
    }
  }
  if (good) return {};
  return fail("\"" + std::string(value) + "\" is not a value for it: " + std::string(setting.form));
}

Result<void> check_settings(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  for (const auto& [key, value] : given) {
    const Setting* setting = find_setting(bus, key);
    if (setting == nullptr) return fail(std::string(bus.title) + " has no setting '" + key + "'");
    if (auto good = check_setting(*setting, value); !good) return fail(key + ": " + good.error().text);
  }
  return {};
}

std::string value_of(const Setting& setting, const std::map<std::string, std::string>& given) {
  if (const auto found = given.find(std::string(setting.key)); found != given.end()) return found->second;
  const auto profile = given.find(std::string(kProfileKey));
  const std::string_view name = profile == given.end() ? std::string_view() : profile->second;
  const std::string_view special = name == "latency"      ? setting.latency
                                   : name == "throughput" ? setting.throughput
                                                          : std::string_view();
  return std::string(special.empty() ? setting.initial : special);
}

std::string value_of(const BusTraits& bus, const std::map<std::string, std::string>& given, std::string_view key) {
  if (const Setting* setting = find_setting(bus, key)) return value_of(*setting, given);
  const auto found = given.find(std::string(key));
  return found == given.end() ? std::string() : found->second;
}

std::map<std::string, std::string> all_values(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  const bool theirs = !value_of(bus, given, kAddress.key).empty();
  std::map<std::string, std::string> values;
  for (const Setting& setting : bus.settings)
    if ((!setting.of_server || !theirs) && !setting.of_bench) values.emplace(setting.key, value_of(setting, given));
  return values;
}

}  // namespace n2nq::bus
