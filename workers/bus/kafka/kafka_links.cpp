#include "workers/bus/kafka/kafka_links.h"

#include <algorithm>
#include <utility>

#include "broker/base/assert.h"
#include "broker/base/units.h"
#include "workers/bus/kafka/kafka_keys.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr int64_t kSilentForNs = 5'000'000'000;
constexpr int64_t kGoneNs = 2'000'000'000;
constexpr int64_t kRepliesLookNs = 5'000'000;

std::string name_of_client(std::string_view role, uint32_t number) {
  return "n2nq-" + std::string(role) + "-" + std::to_string(number);
}

// What to do about a message that did not get there.
std::string why_not(rd_kafka_resp_err_t error) {
  const std::string said = rd_kafka_err2str(error);
  switch (error) {
    case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT:
      return said +
             ": it was not answered within bus.delivery_timeout; see whether the servers that lead its partition run";
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
      return said + ": raise the server's limits (message.max.bytes, socket.request.max.bytes), or send smaller ones";
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
      return said + ": somebody has removed the topic of the run";
    default:
      return said;
  }
}

// What the client drops of a transaction that is aborted: a consequence, and no reason of its own.
bool is_dropped(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR__PURGE_QUEUE || error == RD_KAFKA_RESP_ERR__PURGE_INFLIGHT;
}

// Another transaction would end as this one.
bool is_for_good(rd_kafka_resp_err_t error) {
  switch (error) {
    case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT:
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
      return true;
    default:
      return false;
  }
}

}  // namespace

KafkaOutlet::KafkaOutlet(ServerSite& server, LinkEvents& events, const KafkaWay& way, uint32_t number,
                         KafkaReplies& replies)
    : server_(server),
      events_(events),
      way_(way),
      number_(number),
      all_replies_(replies),
      settle_(server.loop, [this] { settle(); }),
      silence_(server.loop, [this] { on_silence(); }),
      commit_(server.loop, [this] { commit(); }) {}

KafkaOutlet::~KafkaOutlet() {
  cut_off();
}

void KafkaOutlet::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::joining;
  KafkaUser& user = *this;
  client_ = std::make_unique<KafkaClient>(server_, user, way_);
  if (auto opened = client_->join(name_of_client(way_.has_replies() ? "replier" : "sender", number_), {}); !opened) {
    why_failed_ = opened.error().text;
    settle_.set_soon();
  }
}

void KafkaOutlet::on_topic() {
  if (state_ != State::joining) return;
  state_ = State::ready;
  events_.on_link_ready();
}

bool KafkaOutlet::writable() const {
  return state_ == State::ready && why_failed_.empty() && transaction_ != Transaction::ending &&
         in_window() < way_.window && (open_bytes_ < way_.buffer_bytes || open_count_ == 0);
}

size_t KafkaOutlet::hand_over(Batch& batch) {
  N2NQ_ASSERT(writable());
  if (!begin()) return 0;
  batch.stamp(server_.loop.now());
  const size_t most = std::min<size_t>(batch.count(), way_.window - in_window());
  keys_.resize(std::max(keys_.size(), most));
  size_t count = 0;
  for (; count < most && (count == 0 || open_bytes_ < way_.buffer_bytes); count++) {
    const size_t i = count;
    const wire::DataHeader message = batch.header(i);
    put(batch.frame(i), message, RD_KAFKA_PARTITION_UA);
    if (key_of(way_.keys, message.sender, message.index, keys_[i])) {
      batch_[i].key = keys_[i].data();
      batch_[i].key_len = keys_[i].size();
    }
  }
  send();
  owes_writable_ = !writable();
  return count;
}

bool KafkaOutlet::hand_over(std::span<const uint8_t> frame) {
  owes_writable_ = owes_writable_ || !writable();
  if (!writable()) return false;
  wire::DataHeader message{};
  message.index = ++replies_;
  message.length = static_cast<uint32_t>(frame.size());
  put(frame, message, way_.part_of(wire::read_reply_header(frame.data()).requester));
  send();
  return true;
}

void KafkaOutlet::put(std::span<const uint8_t> frame, const wire::DataHeader& message, int partition) {
  rd_kafka_message_t& each = batch_.emplace_back();
  each.partition = partition;
  each.payload = const_cast<uint8_t*>(frame.data());  // which it copies
  each.len = frame.size();
  each._private = reinterpret_cast<void*>(message.index);
  open_.push_back({.message = message});
  open_bytes_ += frame.size();
  note_open(1);
}

void KafkaOutlet::note_open(int64_t more) {
  open_count_ += static_cast<uint64_t>(more);
  if (way_.has_replies()) all_replies_.open += static_cast<uint64_t>(more);
}

void KafkaOutlet::send() {
  client_->produce(batch_);
  batch_.clear();
  watch();
}

void KafkaOutlet::on_message(const rd_kafka_message_t& report, int64_t) {
  const auto index = reinterpret_cast<uint64_t>(report._private);
  N2NQ_ASSERT(!open_.empty() && index >= open_.front().message.index && index <= open_.back().message.index);
  Open& open = open_[index - open_.front().message.index];
  N2NQ_ASSERT(!open.reported);
  open.reported = true;
  open_bytes_ -= open.message.length;
  note_open(-1);
  answers_++;
  if (report.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
    const bool unknown =
        report.rkt != nullptr && rd_kafka_message_status(&report) == RD_KAFKA_MSG_STATUS_POSSIBLY_PERSISTED;
    open.failed = unknown ? wire::Tally::Fate::unanswered : wire::Tally::Fate::refused;
    if (why_failed_.empty() && (!in_transaction() || is_for_good(report.err)))
      why_failed_ = server_.name() + (unknown ? " has not answered for a message: " : " has refused a message: ") +
                    why_not(report.err);
    if (why_aborted_.empty() && !is_dropped(report.err)) why_aborted_ = why_not(report.err);
    if (transaction_ == Transaction::open) commit();
  }
  if (in_transaction()) return;
  answer(open);
  while (!open_.empty() && open_.front().reported) open_.pop_front();
}

void KafkaOutlet::answer(const Open& open) {
  if (!open.failed) {
    accepted_++;
    if (way_.confirms) events_.on_answered(open.message);
    return;
  }
  failed_.push_back({.first = open.message.index, .last = open.message.index, .fate = *open.failed});
  if (*open.failed == wire::Tally::Fate::refused && way_.confirms) events_.on_refused();
}

// A sender puts what it sends for a while into one transaction, and then waits for the end of that.
bool KafkaOutlet::begin() {
  if (way_.transaction_ns == 0 || in_transaction()) return true;
  if (const std::string why = client_->begin(); !why.empty()) {
    why_failed_ = server_.name() + " begins no transaction: " + why;
    settle_.set_soon();
    return false;
  }
  transaction_ = Transaction::open;
  why_aborted_.clear();
  commit_.set_in(way_.transaction_ns);
  return true;
}

void KafkaOutlet::commit() {
  N2NQ_ASSERT(transaction_ == Transaction::open);
  transaction_ = Transaction::ending;
  commit_.cancel();
  client_->commit();
  watch();
}

// Nobody gets a message of one that was aborted.
void KafkaOutlet::on_ended(const KafkaEnd& end) {
  transaction_ = Transaction::none;
  owes_writable_ = true;
  using Kind = KafkaEnd::Kind;
  using Fate = wire::Tally::Fate;
  const std::string why = why_aborted_.empty() ? end.why : why_aborted_;
  if (end.kind == Kind::unknown && why_failed_.empty())
    why_failed_ = server_.name() + " has not said how a transaction ended: " + end.why;
  if (end.kind == Kind::aborted && why_failed_.empty() && is_for_good(end.error))
    why_failed_ = server_.name() + " has not committed a transaction: " + why;
  if (end.kind == Kind::aborted && why_failed_.empty() && !std::exchange(told_abort_, true))
    events_.on_told(server_.name() + " has not committed a transaction, whose messages are refused: " + why +
                    "; that is not told again");
  for (; !open_.empty(); open_.pop_front()) {
    Open& open = open_.front();
    N2NQ_ASSERT(open.reported || end.kind != Kind::committed);
    if (end.kind == Kind::aborted) open.failed = Fate::refused;
    if (end.kind == Kind::unknown) open.failed = Fate::unanswered;
    answer(open);
  }
}

void KafkaOutlet::on_read() {
  if (way_.confirms) events_.on_accepted(accepted_, server_.loop.now());
  settle();
}

// The service may be gone after any of these calls.
void KafkaOutlet::settle() {
  if (state_ == State::closed) return;
  const bool ends = !why_failed_.empty() || state_ == State::finishing;
  if (ends && transaction_ == Transaction::open) commit();
  if (ends && in_transaction()) return;
  if (!why_failed_.empty()) {
    if (open_.empty()) on_lost(why_failed_);
    return;
  }
  if (state_ == State::finishing && open_.empty()) {
    cut_off();
    return events_.on_link_closed();
  }
  if (!owes_writable_ || !writable()) return;
  owes_writable_ = false;
  events_.on_writable();
}

void KafkaOutlet::watch() {
  if (std::exchange(watches_, true)) return;
  answers_before_ = answers_;
  silence_.set_in(kSilentForNs);
}

// How long it waits for its answers is said by bus.delivery_timeout.
void KafkaOutlet::on_silence() {
  watches_ = false;
  if (open_count_ == 0 && transaction_ != Transaction::ending) return;
  const bool silent = answers_ == answers_before_;
  watch();
  if (!silent || std::exchange(told_silence_, true)) return;
  const std::string time = format_duration(kSilentForNs);
  if (open_count_ > 0)
    return events_.on_told(server_.name() + " has answered nothing for " + time + " and owes " +
                           std::to_string(open_count_) +
                           " answers; its client goes on trying for bus.delivery_timeout");
  events_.on_told(server_.name() + " has not committed a transaction for " + time +
                  "; its client goes on trying until bus.transactions and bus.delivery_timeout are over");
}

std::vector<wire::Tally::Stretch> KafkaOutlet::unanswered() const {
  if (!way_.confirms) return {};  // all that was sent is expected
  std::vector<wire::Tally::Stretch> each = failed_;
  for (size_t i = 0; i < open_.size(); i++)
    if (in_transaction() || !open_[i].reported)
      each.push_back({.first = open_[i].message.index, .last = open_[i].message.index});
  std::ranges::sort(each, {}, &wire::Tally::Stretch::first);
  std::vector<wire::Tally::Stretch> all;
  for (const wire::Tally::Stretch& one : each) wire::append(all, one);
  return all;
}

void KafkaOutlet::on_lost(const std::string& why) {
  const bool joined = state_ != State::joining;
  if (way_.confirms) events_.on_accepted(accepted_, server_.loop.now());
  cut_off();
  events_.on_link_lost({.kind = joined ? Loss::Kind::broker_gone : Loss::Kind::not_joined,
                        .text = why_failed_.empty() ? why : why_failed_});
}

void KafkaOutlet::finish() {
  if (state_ == State::finishing || state_ == State::closed) return;
  // As of a run that has not begun. One says it for all.
  if (number_ == 1 && state_ == State::ready && !server_.own && !way_.has_replies() && answers_ == 0 && open_.empty())
    events_.on_told("sender 1 has sent nothing; if no receiver has come either, " +
                    (way_.replies.empty() ? "the topic of the run, " + way_.name + ", stays"
                                          : "the topics of the run, " + way_.name + " and " + way_.replies + ", stay") +
                    " at " + server_.name() + ": receivers remove what a run has made");
  state_ = State::finishing;
  settle_.set_soon();
}

void KafkaOutlet::cut_off() {
  state_ = State::closed;
  note_open(-static_cast<int64_t>(open_count_));
  settle_.cancel();
  silence_.cancel();
  commit_.cancel();
  if (!client_) return;
  counters_ = client_->counters();
  client_->close();
  server_.loop.bury(std::move(client_));
}

KafkaInlet::KafkaInlet(ServerSite& server, LinkEvents& events, const KafkaWay& way, uint32_t number,
                       const KafkaReplies& replies)
    : server_(server),
      events_(events),
      way_(way),
      number_(number),
      replies_(replies),
      settle_(server.loop, [this] { settle(); }),
      leave_(server.loop, [this] { leave(); }),
      gone_(server.loop, [this] { lose_topic(); }) {}

KafkaInlet::~KafkaInlet() {
  cut_off();
}

void KafkaInlet::start() {
  N2NQ_ASSERT(state_ == State::idle);
  state_ = State::joining;
  if (auto opened = new_client().join(name_of_client(way_.has_replies() ? "requester" : "receiver", number_), group());
      !opened) {
    trouble_ = opened.error().text;
    settle_.set_soon();
  }
}

// A requester commits nothing, so that the server does not hear of its group.
std::string KafkaInlet::group() const {
  return way_.name + (way_.to_all ? "." + std::to_string(number_) : ".receivers");
}

KafkaClient& KafkaInlet::new_client() {
  KafkaUser& user = *this;
  client_ = std::make_unique<KafkaClient>(server_, user, way_);
  return *client_;
}

LinkCounters KafkaInlet::counters() const {
  LinkCounters all = counters_;
  if (client_) all += client_->counters();
  return all;
}

void KafkaInlet::on_topic() {
  if (way_.has_replies()) {
    client_->read(way_.part_of(number_));
    return be_ready();
  }
  in_group_ = true;
  client_->subscribe();
}

// The first one makes it ready: what senders send from now on is kept for its part, whichever that is in the end.
void KafkaInlet::on_assigned(int parts) {
  had_parts_ = had_parts_ || parts > 0;
  if (state_ == State::ready && has_received_)
    events_.on_told("the receivers' group was arranged anew: this one has " + std::to_string(parts) + " of " +
                    std::to_string(way_.partitions) + " partitions now");
  be_ready();
}

void KafkaInlet::be_ready() {
  if (state_ != State::joining) return;
  state_ = State::ready;
  events_.on_link_ready();
}

void KafkaInlet::on_message(const rd_kafka_message_t& message, int64_t read_ns) {
  if (state_ == State::joining && message.err != RD_KAFKA_RESP_ERR_NO_ERROR)
    return client_->note_trouble(message.err, rd_kafka_message_errstr(&message));
  if (state_ != State::ready) return;
  if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR) return note_error(message);
  gone_.cancel();
  has_received_ = true;
  const At at{.partition = message.partition, .offset = message.offset};
  if (way_.late)
    had_[at.partition] = at.offset;
  else if (!way_.has_replies())
    client_->has_had(at.partition, at.offset);
  const bool good = take({static_cast<const uint8_t*>(message.payload), message.len}, read_ns);
  if (good && way_.late) undone_.push_back(at);
}

void KafkaInlet::done(size_t count) {
  for (; count > 0 && !undone_.empty(); count--, undone_.pop_front())
    if (state_ == State::ready && undone_.front().partition != kNobodys)
      client_->has_had(undone_.front().partition, undone_.front().offset);
}

// It works on what it has in any case, and nobody else is to.
void KafkaInlet::on_revoked() {
  for (const auto& [partition, offset] : std::exchange(had_, {})) client_->has_had(partition, offset);
  for (size_t i = 0; i < undone_.size(); i++) undone_[i].partition = kNobodys;
}

// False: it is none of this run, or none for this requester.
bool KafkaInlet::take(std::span<const uint8_t> bytes, int64_t read_ns) {
  if (way_.has_replies() ? is_whole_reply(bytes, number_) : is_whole_message(bytes)) {
    events_.on_frame(wire::read_header(bytes.data()), bytes, read_ns);
    return true;
  }
  if (way_.has_replies() && is_to_another(bytes)) return false;
  if (!std::exchange(told_stranger_, true))
    events_.on_told("what somebody produced to the topic " + way_.name + " is no " +
                    (way_.has_replies() ? "reply" : "message") +
                    " of this run; it is left out; that is not told again");
  return false;
}

bool KafkaInlet::is_to_another(std::span<const uint8_t> bytes) const {
  const auto reply = wire::decode_reply(bytes);
  return reply && way_.part_of(reply->requester) == way_.part_of(number_);
}

void KafkaInlet::note_error(const rd_kafka_message_t& message) {
  const std::string text = rd_kafka_message_errstr(&message);
  if (message.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART || message.err == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC ||
      message.err == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION)
    return gone_.set_in(kGoneNs);  // which a server that has not heard of it yet says too
  if (told_.insert(message.err).second) events_.on_told(server_.name() + " says: " + text);
}

void KafkaInlet::lose_topic() {
  on_lost(server_.name() + " has no topic " + way_.name + " any more; somebody has removed it");
}

void KafkaInlet::on_read() {
  if (state_ == State::ready) events_.on_read_end();
}

void KafkaInlet::read_on() {
  if (client_) client_->read_on();
}

// No run that has replies is given to a bus that has none (bus_table.cpp).
bool KafkaInlet::reply(std::span<const uint8_t>) {
  N2NQ_ASSERT(false);
  return false;
}

void KafkaInlet::finish() {
  if (state_ == State::finishing || state_ == State::closed) return;
  const bool reads = std::exchange(state_, State::finishing) == State::ready;
  if (!in_group_ || (!reads && server_.own)) return settle_.set_soon();
  if (reads && !had_parts_ && !goes_away_)
    events_.on_told("it was given none of the " + std::to_string(way_.partitions) +
                    " partitions, as there are more receivers; raise bus.partitions");
  leave();
}

void KafkaInlet::go_away() {
  goes_away_ = true;
  finish();
}

// The last one to leave removes the topic of replies too, which its own are to have reached by then: each is answered,
// or given up by its client.
void KafkaInlet::leave() {
  if (replies_.open > 0) return leave_.set_in(kRepliesLookNs);
  client_->leave();
}

// What a server of the run has goes with it. Elsewhere another client looks: one that has received should be gone
// before the topic is.
void KafkaInlet::on_left() {
  if (server_.own || goes_away_) return settle();
  drop_client();
  if (!new_client().clear(name_of_client("receiver", number_), group())) settle_.set_soon();
}

void KafkaInlet::settle() {
  if (!trouble_.empty()) return on_lost(trouble_);
  cut_off();
  events_.on_link_closed();
}

void KafkaInlet::on_lost(const std::string& why) {
  const State was = state_;
  if (was == State::closed) return;
  cut_off();
  if (was == State::finishing) return events_.on_link_closed();
  events_.on_link_lost({.kind = was == State::ready ? Loss::Kind::broker_gone : Loss::Kind::not_joined, .text = why});
}

void KafkaInlet::cut_off() {
  state_ = State::closed;
  settle_.cancel();
  leave_.cancel();
  gone_.cancel();
  drop_client();
}

void KafkaInlet::drop_client() {
  if (!client_) return;
  counters_ += client_->counters();
  client_->close();
  server_.loop.bury(std::move(client_));
}

}  // namespace n2nq::bus
