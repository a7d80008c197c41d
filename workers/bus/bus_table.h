// Which buses there are, and what each can do, as data: plans are checked by it, the window and the documentation are
// made from it. A new bus is one entry in kBuses and a folder beside this file. Any thread.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"

namespace n2nq::bus {

struct Setting {
  enum class Kind { truth, whole, decimal, duration, size, word, text, file, address, names, kills, image };
  // What it decides: what becomes of messages when something breaks; where the server is, and what it has; how many
  // there are; how fast it goes.
  enum class Group { promises, server, cluster, tuning };
  std::string_view key;    // in plans bus.KEY
  std::string_view title;  // in the window
  Kind kind = Kind::truth;
  std::string_view initial;  // as text; in the profile as-shipped
  std::string_view form;     // what may be given, for people
  std::string_view help;
  Group group = Group::tuning;
  std::string_view makers_name{};  // as the makers call it; where a bus has a name of its own,
                                   // "kafka:replication-factor jetstream:num_replicas"
  bool of_server = false;          // only a server that is started for the run can be given it
  bool of_run = false;             // with of_server: what the run does with such servers; none of them is told
  bool of_bench = false;           // whoever has the plan uses it; workers and results do not have it
  bool of_theirs = false;          // other than its initial value only where the server is the user's own
  int64_t least = 0;               // of whole numbers, decimal ones (thousandths), durations (ns) and sizes (bytes)
  int64_t most = 0;
  bool or_none = false;                       // 0 too
  std::span<const std::string_view> words{};  // of a word
  std::string_view latency{};                 // in that profile, in place of `initial`; empty: the same
  std::string_view throughput{};

  // What it is where nobody sets it depends on the profile.
  bool by_profile() const { return !latency.empty() || !throughput.empty(); }
};
// The setting of a bus that chooses what others are where nobody sets them.
constexpr std::string_view kProfileKey = "profile";

struct BusTraits {
  std::string_view kind;   // in plans and options
  std::string_view title;  // for people
  std::string_view what;   // one sentence
  bool broadcaster = false;
  bool load_balancer = false;
  bool request_reply = false;
  bool reply_from_all = false;  // a request may go to all repliers; to one where there is a load balancer
  bool meets_directly = false;  // senders are connected to receivers, there is no server between
  bool own_queue = false;       // the n2nq-broker carries the messages: policy, retention, responses, requests, filters
  bool pushes_at_random = false;       // the load balancer's messages, to any receiver as likely as any other
  bool late_receivers = false;         // receivers may come while the run goes on
  bool answers = false;                // each message is answered for, unless a setting says otherwise
  bool any_order = false;              // answers come in, not that of the messages
  bool acknowledges_in_group = false;  // only receivers that share messages acknowledge
  bool tells_again = false;            // what it delivers again, as nobody confirmed it, it says to be that
  bool passes_on = false;              // what comes while a receiver is away, or too far behind, it misses
  std::string_view kept = "memory";    // where a message is until it is delivered, and so what it survives
  bool cluster = false;                // its servers may form one: `address` may name several
  bool leads = false;                  // one of those does
  bool spreads = false;                // over them, service by service; else all begin with the first
  std::string_view server{};           // of those that the broker can start (--serve), for runs that name none
  int64_t boot_ns = 0;                 // about how long that server takes to start and to end, for estimates
  int64_t warms_up_ns = 0;             // in which it is slower than later
  int64_t quiet_ns = 0;                // the least of bus.quiet in plans that leave it as it is initially
  // What stays at a user's own server where nobody has removed it, and what does; left_behind() fills it in.
  std::string_view leaves{};
  bool each_clears = false;  // as by each_clears()
  std::span<const Setting> settings{};

  // A server answers each sender in the order of its messages; receivers, and the parts of a topic, for themselves.
  bool answers_in_order() const { return answers && !meets_directly && !any_order; }
};

std::span<const BusTraits> all_buses();
const BusTraits* find_bus(std::string_view kind);
const Setting* find_setting(const BusTraits& bus, std::string_view key);
// What the makers of that bus call it; empty: nothing.
std::string_view makers_name_of(const Setting& setting, const BusTraits& bus);
// Of all buses, each key once: what two buses call the same is the same.
std::span<const Setting* const> all_settings();
const Setting* find_setting(std::string_view key);  // of any bus
// "n2nq, redis-pubsub, redis-streams, nats, jetstream, rabbitmq, kafka, relay, http or websocket"
std::string bus_names();
// Whether the text is a value of the setting; the error says what may be given.
Result<void> check_setting(const Setting& setting, std::string_view value);
// Of a value of addresses or names: each.
std::vector<std::string> parts_in(std::string_view value);
// One of the servers that the run has of its own is killed, so long after BEGIN.
struct Kill {
  std::string server{};  // its number, from 1, or kLeader
  int64_t at_ns = 0;
  bool operator==(const Kill&) const = default;
};
inline constexpr std::string_view kLeader = "leader";
// "leader:5s, 2:8s", by time; empty: none.
Result<std::vector<Kill>> parse_kills(std::string_view text);
// All that is given; the error says which setting: "HTTP/1.1 has no setting 'x'", "quiet: ...".
Result<void> check_settings(const BusTraits& bus, const std::map<std::string, std::string>& given);
// Where messages are kept by these settings, in one or two words; empty where only the user's own server knows.
std::string kept_by(const BusTraits& bus, const std::map<std::string, std::string>& given);
// Who has a message once it is answered for: "a majority of 3 servers"; "nobody": none is.
std::string answered_by(const BusTraits& bus, const std::map<std::string, std::string>& given);
// How many servers have each message; 0: there is no server between senders and receivers.
uint64_t copies(const BusTraits& bus, const std::map<std::string, std::string>& given);
// For how long a sender's client holds a message back, to send several at once.
int64_t linger_ns(const BusTraits& bus, const std::map<std::string, std::string>& given);
// Whether each message is answered for by these settings.
bool answers(const BusTraits& bus, const std::map<std::string, std::string>& given);
// Whether receivers acknowledge a message once they have worked on it; else as soon as they have read it, if at all.
bool acknowledges_late(const BusTraits& bus, const std::map<std::string, std::string>& given);
// How many messages a receiver may have that it has not worked on; nothing: as many as come.
std::optional<uint64_t> most_unserved(const BusTraits& bus, const std::map<std::string, std::string>& given);
// Whether each receiver of the load balancer has parts of the messages for itself, and each message comes to any of
// them by chance, by itself and at once: partitions by keys, without a linger.
bool deals_by_chance(const BusTraits& bus, const std::map<std::string, std::string>& given);
// How long the answer takes is measured. Not on our own queue, so that its messages cost no more.
inline bool times_answers(const BusTraits& bus, const std::map<std::string, std::string>& given) {
  return answers(bus, given) && !bus.own_queue;
}
// Senders reach the receivers of a bus without a server through a load balancer, which chooses them.
bool has_balancer(const BusTraits& bus, const std::map<std::string, std::string>& given);
// Whether the server drops messages that nobody has read, by these settings.
bool may_drop(const BusTraits& bus, const std::map<std::string, std::string>& given);
// How many servers are started for a run, on which hosts, and which of them are killed.
constexpr std::string_view kServersKey = "servers";
constexpr std::string_view kHostsKey = "hosts";
constexpr std::string_view kKillKey = "kill";
// How long the server waits for the end of a transaction, whose messages it holds back until then and others behind
// them; 0: there are none.
int64_t transaction_timeout_ns(const BusTraits& bus, const std::map<std::string, std::string>& given);
// Why messages may come twice where a server goes; empty: they may not.
std::string_view why_double(const BusTraits& bus, const std::map<std::string, std::string>& given);
// What the run of that id has left at the user's own server where nobody has removed it, and what does; empty: nothing.
// Whether it stays where any receiver is lost; else the last one to leave removes it.
bool each_clears(const BusTraits& bus, const std::map<std::string, std::string>& given, bool to_all);
std::string left_behind(const BusTraits& bus, const std::map<std::string, std::string>& given, std::string_view run_id);
// Where the receivers of the first process of each host listen; "0": anywhere.
constexpr std::string_view kReceiverPortKey = "receiver_port";
// The image of the container in which they run; empty: in none.
constexpr std::string_view kImageKey = "image";
// What the container may take.
constexpr std::string_view kContainerLimits[] = {"cpus", "memory"};
// The file with the password of a user's own server: read by whoever has the plan, and told to nobody by name.
constexpr std::string_view kPasswordFileKey = "password_file";
constexpr std::string_view kPasswordTyped = "ask";  // its value where there is no file: whoever starts the run is asked
// The file with who must have signed certificates: the same.
constexpr std::string_view kTlsCaKey = "tls_ca";
constexpr std::string_view kTlsKey = "tls";
constexpr std::string_view kTlsCertificateKey = "tls_certificate";
constexpr std::string_view kTlsPrivateKey = "tls_key";
// A setting that does not go with another, or with the mode, and what to do.
struct Contradiction {
  std::string_view key;
  std::string_view text;
};
// `to_all`: each message goes to all receivers.
std::optional<Contradiction> contradiction(const BusTraits& bus, const std::map<std::string, std::string>& given,
                                           bool to_all);
// What is given, or what the given profile says, or the initial value.
std::string value_of(const Setting& setting, const std::map<std::string, std::string>& given);
// The same; empty where the bus has no such setting.
std::string value_of(const BusTraits& bus, const std::map<std::string, std::string>& given, std::string_view key);
// Of all settings of the bus but those that only the user's own server, or the bench, knows.
std::map<std::string, std::string> all_values(const BusTraits& bus, const std::map<std::string, std::string>& given);

}  // namespace n2nq::bus
