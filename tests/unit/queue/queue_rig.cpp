#include "tests/unit/queue/queue_rig.h"

#include <gtest/gtest.h>

namespace n2nq::queue {

wire::Filter filter_of(const std::string& text) {
  auto filter = wire::parse_filter(text, 0);
  EXPECT_TRUE(filter) << text;
  return filter.value_or(wire::Filter());
}

Rig::Rig(Settings settings) {
  if (settings.max_frame == 0) settings.max_frame = 65536;
  if (settings.mode == wire::Mode::broadcaster)
    queue_ = std::make_unique<Broadcaster>(settings);
  else
    queue_ = std::make_unique<Balancer>(settings);
  frame_.resize(settings.max_frame, 'x');
}

Client& Rig::join(wire::Filter filter, uint64_t credit, bool responses, uint64_t fleet) {
  Client& client = *clients.emplace_back(std::make_unique<Client>());
  client.receiver.owner = &client;
  client.receiver.number = static_cast<uint32_t>(clients.size());
  client.receiver.filter = std::move(filter);
  client.receiver.credit = client.asked = credit;
  client.receiver.responses = responses;
  client.receiver.fleet = fleet;
  queue_->join(client.receiver);
  return client;
}

Id Rig::send(uint32_t sender, size_t payload) {
  for (; sent_.size() <= sender; sent_.push_back(0)) queue_->add_sender(static_cast<uint32_t>(sent_.size()));
  const wire::DataHeader header{.length = static_cast<uint32_t>(wire::kDataHeaderBytes + payload),
                                .sender = sender,
                                .checksum = 0,
                                .index = ++sent_[sender],
                                .intended_ns = 0,
                                .sent_ns = 0};
  wire::write_data_header(frame_.data(), header);
  EXPECT_EQ(queue_->accept({frame_.data(), header.length}, sender, header.index).messages, 1u);
  return {sender, header.index};
}

void Rig::request(Client& client, uint64_t count) {
  client.asked = wire::asked_with(client.asked, count);
  ASSERT_TRUE(queue_->request(client.receiver, {.count = count, .replace = false, .has_filter = false, .filter = {}}));
}

void Rig::filter(Client& client, const std::string& text) {
  ASSERT_TRUE(
      queue_->request(client.receiver, {.count = 0, .replace = false, .has_filter = true, .filter = filter_of(text)}));
}

void Rig::answer(Client& client, const Id& id, bool good) {
  const wire::ResponseItem item{
      .index = id.second, .sender = id.first, .verdict = good ? wire::Verdict::good : wire::Verdict::refused};
  ASSERT_TRUE(queue_->respond(client.receiver, {&item, 1}));
  const auto open = std::ranges::find(client.open, id, &Client::Open::id);
  if (open == client.open.end()) return;
  const bool is_free = open->again && client.refused.erase(id) > 0;
  if (!good) client.refused.insert(id);
  if (!is_free && client.asked > 0 && client.asked != wire::kUntilFurtherNotice) client.asked--;
  client.open.erase(open);
}

void Rig::answer_next(Client& client, bool good) {
  answer(client, Id(client.open.front().id), good);
}

void Rig::allow(Client& client, uint64_t bytes) {
  client.room = bytes;
  if (client.receiver.blocked && bytes > 0) queue_->set_blocked(client.receiver, false);
}

void Rig::write(Client& client) {
  queue_->gather(client.receiver, gather_);
  if (gather_.bytes == 0) return;
  uint64_t left = std::min<uint64_t>(client.room, gather_.bytes);
  const size_t taken = left;
  for (size_t i = 0; i < gather_.count && left > 0; i++) {
    const auto* from = static_cast<const uint8_t*>(gather_.pieces[i].iov_base);
    const size_t n = std::min<size_t>(left, gather_.pieces[i].iov_len);
    client.stream.insert(client.stream.end(), from, from + n);
    left -= n;
  }
  if (client.room != ~uint64_t{0}) client.room -= taken;
  const bool blocked = taken < gather_.bytes;
  queue_->sent(client.receiver, gather_, taken);
  if (blocked) queue_->set_blocked(client.receiver, true);
  read(client);
}

void Rig::read(Client& client) {
  while (client.stream.size() - client.read_to >= wire::kHeaderBytes) {
    const uint8_t* at = client.stream.data() + client.read_to;
    const wire::Header header = wire::read_header(at);
    if (client.stream.size() - client.read_to < header.length) break;
    const wire::Frame frame{at, header.length};
    if (header.type == wire::Type::data) {
      const wire::DataHeader data = wire::read_data_header(at);
      (client.next_again ? client.got_again : client.got).push_back({data.sender, data.index});
      if (client.receiver.responses) client.open.push_back({{data.sender, data.index}, client.next_again});
      client.next_again = false;
    } else if (header.type == wire::Type::again) {
      client.next_again = true;
    } else if (header.type == wire::Type::skip) {
      client.skips.push_back(*wire::decode_skip(frame));
    } else {
      FAIL() << "a frame of type " << wire::name(header.type);
    }
    client.read_to += header.length;
  }
  if (client.read_to == client.stream.size()) {
    client.stream.clear();
    client.read_to = 0;
  }
}

Client* Rig::turn() {
  queue_->set_now(now_ms);
  Client* first = nullptr;
  for (Receiver* receiver : queue_->take_work()) {
    if (receiver->gone || receiver->blocked) continue;
    if (first == nullptr) first = static_cast<Client*>(receiver->owner);
    write(*static_cast<Client*>(receiver->owner));
  }
  queue_->turn_end();
  return first;
}

void Rig::settle() {
  do turn();
  while (queue_->has_work());
}

void Rig::advance_ms(uint32_t ms) {
  now_ms += ms;
  queue_->set_now(now_ms);
  queue_->tick();
}

void Rig::vanish(Client& client, bool in_doubt) {
  queue_->remove(client.receiver, in_doubt);
}

void expect_books_to_balance(Rig& rig) {
  const Accounts& accounts = rig.queue().accounts();
  EXPECT_EQ(accounts.owed, accounts.delivered + accounts.expired + accounts.undeliverable);
}

}  // namespace n2nq::queue
