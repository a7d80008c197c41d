#include "tests/unit/bus/bus_rig.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "workers/bus/stream/address.h"

namespace n2nq::bus::test {

void Service::on_link_ready() {
  rig_.note([this] { heard.ready = true; });
}
void Service::on_frame(const wire::Header&, wire::Frame frame, int64_t) {
  rig_.note([&] { heard.frames.emplace_back(frame.begin(), frame.end()); });
  if (on_message) on_message(frame);
}
void Service::on_writable() {
  rig_.note([this] { heard.writable++; });
}
void Service::on_accepted(uint64_t count, int64_t answered_ns) {
  rig_.note([&] {
    heard.accepted = count;
    heard.accepted_ns = answered_ns;
  });
}
void Service::on_unanswered(uint64_t count) {
  rig_.note([&] { heard.unanswered += count; });
}
void Service::on_refused() {
  rig_.note([&] { heard.refused++; });
}
void Service::on_answered(const wire::DataHeader& message) {
  rig_.note([&] { heard.answered.push_back(message.index); });
}
void Service::on_told(const std::string& text) {
  rig_.note([&] { heard.told.push_back(text); });
}
void Service::on_link_closed() {
  rig_.note([this] { heard.closed = true; });
}
void Service::on_link_lost(const Loss& loss) {
  rig_.note([&] { heard.lost.push_back(loss); });
}

BusRig::BusRig(BusOptions options) : options_(std::move(options)) {
  if (options_.listen.empty()) options_.listen = "127.0.0.1";
  if (options_.token.empty()) options_.token = kToken;
  options_.servers = *find_servers(options_);
  auto made = make_bus(options_, parts());
  if (!made) throw std::runtime_error(made.error().text);
  bus_ = std::move(*made);
  thread_ = std::thread([this] { events_.run(); });
}

BusRig::~BusRig() {
  call([this] {
    outlets_.clear();
    inlets_.clear();
  });
  events_.stop();
  thread_.join();
}

void BusRig::call(const std::function<void()>& task) {
  std::promise<void> done;
  events_.post([&] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

void BusRig::note(const std::function<void()>& what) {
  const std::lock_guard lock(mutex_);
  what();
  changed_.notify_all();
}

Heard BusRig::heard(const Service& service) {
  const std::lock_guard lock(mutex_);
  return service.heard;
}

bool BusRig::wait(const std::function<bool()>& is_so, Deadline deadline) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::milliseconds(deadline.poll_ms()), is_so);
}

Service& BusRig::receiver(uint32_t number, bool wants) {
  Service& service = joining_receiver(number, wants);
  EXPECT_TRUE(wait([&] { return service.heard.ready || !service.heard.lost.empty(); }));
  return service;
}

Service& BusRig::joining_receiver(uint32_t number, bool wants) {
  Service& service = *services_.emplace_back(std::make_unique<Service>(*this));
  service.wants = wants;
  call([&] {
    inlets_[number] = bus_->make_inlet(service, number);
    inlets_[number]->start();
  });
  return service;
}

Service& BusRig::sender(uint32_t number, std::vector<ForeignOutlet::Peer> peers) {
  Service& service = *services_.emplace_back(std::make_unique<Service>(*this));
  call([&] {
    outlets_[number] = bus_->make_outlet(service, number);
    outlets_[number]->meet(std::move(peers));
    outlets_[number]->start();
  });
  return service;
}

std::vector<ForeignOutlet::Peer> BusRig::peers() {
  std::vector<ForeignOutlet::Peer> peers;
  call([&] {
    for (const auto& [number, inlet] : inlets_) peers.push_back({.receiver = number, .address = inlet->address()});
  });
  return peers;
}

std::string BusRig::address(uint32_t receiver) {
  std::string text;
  call([&] { text = inlets_.at(receiver)->address(); });
  return text;
}

size_t BusRig::send(uint32_t sender, const std::vector<std::string>& payloads) {
  size_t taken = 0;
  call([&] {
    Batch batch(size_t{1} << 20);
    for (const std::string& payload : payloads) {
      const auto content = bytes_of(payload);
      batch.add(sender, ++indices_[sender], 5, content, wire::crc32c(content));
    }
    batch.stamp(6);
    if (outlets_.at(sender)->writable()) taken = outlets_.at(sender)->hand_over(batch);
  });
  return taken;
}

std::string BusRig::server() {
  std::string server;
  call([&] { server = bus_->server(); });
  return server;
}

LinkCounters BusRig::counters(Link& link) {
  LinkCounters counters;
  call([&] { counters = link.counters(); });
  return counters;
}

RawClient::RawClient(const std::string& address) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const auto parsed = parse_address(address);
  if (!parsed) throw std::runtime_error(parsed.error().text);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<uint16_t>(std::stoi(parsed->authority.substr(parsed->authority.rfind(':') + 1))));
  const timeval limit{.tv_sec = 10 * patience(), .tv_usec = 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (::connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) throw std::runtime_error("cannot connect");
}

RawClient::~RawClient() {
  ::close(fd_);
}

void RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;  // the other side has had enough
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

std::string RawClient::read(size_t most) {
  std::string all;
  char bytes[4096];
  while (all.size() < most) {
    const ssize_t n = ::recv(fd_, bytes, std::min(sizeof bytes, most - all.size()), 0);
    if (n <= 0) break;
    all.append(bytes, static_cast<size_t>(n));
  }
  return all;
}

bool RawClient::reads_end() {
  char bytes[4096];
  while (true) {
    const ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
    if (n == 0) return true;
    if (n < 0) return errno == ECONNRESET;
  }
}

std::string post_head(uint32_t receiver, size_t body_bytes, const std::string& token) {
  return "POST " + path_of_receiver(receiver) + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token +
         "\r\nContent-Length: " + std::to_string(body_bytes) + "\r\n\r\n";
}

std::string handshake(uint32_t receiver, uint32_t sender, const std::string& token) {
  return "GET " + path_of_receiver(receiver) + "?sender=" + std::to_string(sender) +
         " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
}

void finish_all(BusRig& rig, const std::vector<Service*>& services, const std::vector<uint32_t>& senders,
                const std::vector<uint32_t>& receivers) {
  rig.call([&] {
    for (const uint32_t number : senders) rig.outlet(number).finish();
  });
  rig.call([&] {
    for (const uint32_t number : receivers) rig.inlet(number).finish();
  });
  EXPECT_TRUE(rig.wait([&] { return std::ranges::all_of(services, [](auto* one) { return one->heard.closed; }); }));
  for (const Service* one : services) {
    EXPECT_THAT(rig.heard(*one).told, testing::IsEmpty());
    EXPECT_THAT(rig.heard(*one).lost, testing::IsEmpty());
  }
}

std::vector<std::string> payloads_of(const Heard& heard) {
  std::vector<std::string> payloads;
  for (const auto& frame : heard.frames) {
    const wire::Type type = wire::read_header(frame.data()).type;
    if (type != wire::Type::data && type != wire::Type::reply) continue;
    const size_t header = type == wire::Type::data ? wire::kDataHeaderBytes : wire::kReplyHeaderBytes;
    payloads.emplace_back(frame.begin() + static_cast<ptrdiff_t>(header), frame.end());
  }
  return payloads;
}

std::string loss_of(const BusOptions& options) {
  BusRig rig(options);
  Service& sender = rig.sender(7, {});
  if (!rig.wait([&] { return !sender.heard.lost.empty() || sender.heard.ready; }, 60s)) return "nothing";
  const auto lost = rig.heard(sender).lost;
  return lost.empty() ? "it is ready" : lost.front().text;
}

}  // namespace n2nq::bus::test
