#include "tests/helpers/foreign_client.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <stdexcept>

namespace n2nq::test {
namespace {

int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

uint64_t random_fleet() {
  static std::random_device device;
  return (static_cast<uint64_t>(device()) << 32 | device()) | 1;
}

uint64_t get(const std::string& bytes, size_t offset, size_t width) {
  if (offset + width > bytes.size()) throw std::runtime_error("a frame is shorter than the protocol page says");
  uint64_t value = 0;
  for (size_t i = 0; i < width; ++i) value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[offset + i])) << (8 * i);
  return value;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  uint32_t crc = ~0U;
  for (char c : bytes) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0x82F63B78U : 0);
  }
  return ~crc;
}

uint8_t Frame::u8(size_t offset) const {
  return static_cast<uint8_t>(get(bytes, offset, 1));
}
uint16_t Frame::u16(size_t offset) const {
  return static_cast<uint16_t>(get(bytes, offset, 2));
}
uint32_t Frame::u32(size_t offset) const {
  return static_cast<uint32_t>(get(bytes, offset, 4));
}
uint64_t Frame::u64(size_t offset) const {
  return get(bytes, offset, 8);
}

void put(std::string& frame, size_t offset, uint64_t value, size_t width) {
  for (size_t i = 0; i < width; ++i) frame.at(offset + i) = static_cast<char>(value >> (8 * i));
}

std::string blank_frame(uint8_t type, size_t length, uint8_t flags) {
  std::string frame(length, '\0');
  put(frame, 0, length, 4);
  put(frame, 4, type, 1);
  put(frame, 5, flags, 1);
  return frame;
}

std::string ForeignFilter::bytes() const {
  size_t ranges = senders ? senders->size() : 0;
  std::string out(32 + 8 * ranges, '\0');
  put(out, 0, (senders ? 1U : 0U) | (size ? 2U : 0U) | (index ? 4U : 0U), 1);
  put(out, 2, ranges, 2);
  if (size) {
    put(out, 4, size->first, 4);
    put(out, 8, size->second, 4);
  }
  if (index) {
    put(out, 16, index->first, 8);
    put(out, 24, index->second, 8);
  }
  for (size_t i = 0; i < ranges; ++i) {
    put(out, 32 + 8 * i, (*senders)[i].first, 4);
    put(out, 36 + 8 * i, (*senders)[i].second, 4);
  }
  return out;
}

std::string hello_frame(const Hello& hello) {
  std::string filter = hello.filter ? hello.filter->bytes() : "";
  std::string frame = blank_frame(kHello, 48);
  frame.replace(8, 4, hello.magic.substr(0, 4));
  put(frame, 12, hello.version, 2);
  put(frame, 14, hello.role, 1);
  put(frame, 15, hello.wishes, 1);
  put(frame, 16, hello.number, 4);
  put(frame, 20, hello.fleet_size, 4);
  put(frame, 24, hello.fleet ? hello.fleet : random_fleet(), 8);
  put(frame, 32, hello.clock_id, 8);
  put(frame, 40, hello.token.size(), 2);
  put(frame, 42, filter.size(), 2);
  frame += hello.token + filter;
  put(frame, 0, frame.size(), 4);
  return frame;
}

std::string ready_frame(uint64_t fleet) {
  std::string frame = blank_frame(kReady, 16);
  put(frame, 8, fleet, 8);
  return frame;
}

std::string data_frame(uint32_t sender, uint64_t index, const std::string& payload) {
  std::string frame = blank_frame(kData, 40 + payload.size());
  put(frame, 8, sender, 4);
  put(frame, 12, crc32c(payload), 4);
  put(frame, 16, index, 8);
  auto now = static_cast<uint64_t>(monotonic_ns());
  put(frame, 24, now, 8);
  put(frame, 32, now, 8);
  frame.replace(40, payload.size(), payload);
  return frame;
}

std::string reply_frame(uint32_t requester, uint64_t index, uint32_t replier, const std::string& payload) {
  std::string frame = blank_frame(kReply, 48 + payload.size());
  put(frame, 8, requester, 4);
  put(frame, 12, crc32c(payload), 4);
  put(frame, 16, index, 8);
  auto now = static_cast<uint64_t>(monotonic_ns());
  put(frame, 24, now, 8);
  put(frame, 32, now, 8);
  put(frame, 40, replier, 4);
  frame.replace(48, payload.size(), payload);
  return frame;
}

std::string done_frame(uint64_t count) {
  std::string frame = blank_frame(kDone, 16);
  put(frame, 8, count, 8);
  return frame;
}

std::string request_frame(uint64_t count, bool replaces, const std::optional<ForeignFilter>& filter) {
  std::string bytes = filter ? filter->bytes() : "";
  std::string frame = blank_frame(kRequest, 24, filter ? 1 : 0);
  put(frame, 8, count, 8);
  put(frame, 16, replaces ? 1 : 0, 1);
  put(frame, 18, bytes.size(), 2);
  frame += bytes;
  put(frame, 0, frame.size(), 4);
  return frame;
}

std::string bye_frame(uint64_t count) {
  std::string frame = blank_frame(kBye, 16);
  put(frame, 8, count, 8);
  return frame;
}

std::string address_frame(uint32_t receiver, const std::string& text) {
  std::string frame = blank_frame(kAddress, 20 + text.size());
  put(frame, 8, receiver, 4);
  put(frame, 16, text.size(), 2);
  frame.replace(20, text.size(), text);
  return frame;
}

std::string share_frame(uint32_t receiver, uint64_t count, uint32_t again) {
  std::string frame = blank_frame(kShare, 24);
  put(frame, 8, receiver, 4);
  put(frame, 12, again, 4);
  put(frame, 16, count, 8);
  return frame;
}

std::string tally_frame(uint32_t sender, uint64_t sent, const std::vector<Stretch>& stretches) {
  std::string frame = blank_frame(kTally, 24 + 24 * stretches.size());
  put(frame, 8, sender, 4);
  put(frame, 12, stretches.size(), 4);
  put(frame, 16, sent, 8);
  size_t at = 24;
  for (const Stretch& stretch : stretches) {
    put(frame, at, stretch.first, 8);
    put(frame, at + 8, stretch.last, 8);
    put(frame, at + 16, stretch.receiver, 4);
    put(frame, at + 20, stretch.fate, 1);
    at += 24;
  }
  return frame;
}

std::string error_frame(uint16_t code, const std::string& text) {
  std::string frame = blank_frame(kError, 12 + text.size());
  put(frame, 8, code, 2);
  put(frame, 10, text.size(), 2);
  return frame.replace(12, text.size(), text);
}

std::string leave_frame() {
  return blank_frame(kLeave, 8);
}

std::string fill_frame(size_t length) {
  return blank_frame(kFill, length);
}

std::string probe_frame(int64_t t1) {
  std::string frame = blank_frame(kProbe, 16);
  put(frame, 8, static_cast<uint64_t>(t1), 8);
  return frame;
}

std::string clock_frame(uint32_t first, uint32_t last, int64_t offset, uint64_t bound, int64_t from) {
  std::string frame = blank_frame(kClock, 40);
  put(frame, 8, first, 4);
  put(frame, 12, last, 4);
  put(frame, 16, static_cast<uint64_t>(offset), 8);
  put(frame, 24, bound, 8);
  put(frame, 32, static_cast<uint64_t>(from), 8);
  return frame;
}

std::string response_frame(const std::vector<Answer>& answers) {
  std::string frame = blank_frame(kResponse, 16 + 16 * answers.size());
  put(frame, 8, answers.size(), 4);
  for (size_t i = 0; i < answers.size(); ++i) {
    put(frame, 16 + 16 * i, answers[i].index, 8);
    put(frame, 24 + 16 * i, answers[i].sender, 4);
    put(frame, 28 + 16 * i, answers[i].verdict, 1);
  }
  return frame;
}

ForeignClient::ForeignClient(uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int on = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("the foreign client cannot connect: " + std::string(std::strerror(errno)));
  }
  ::fcntl(fd_, F_SETFL, O_NONBLOCK);
}

ForeignClient::ForeignClient(ForeignClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      closed_(other.closed_),
      in_(std::move(other.in_)),
      welcome_(std::move(other.welcome_)) {}

ForeignClient::~ForeignClient() {
  close();
}

ForeignClient ForeignClient::join(uint16_t port, const Hello& hello) {
  ForeignClient client(port);
  client.send(hello_frame(hello));
  auto answer = client.next(10s);
  if (!answer) throw std::runtime_error("HELLO got no answer");
  if (answer->type() == kError) throw std::runtime_error("the broker refused: " + answer->text());
  if (answer->type() != kWelcome) throw std::runtime_error("HELLO was not answered by WELCOME");
  client.welcome_ = *answer;
  return client;
}

void ForeignClient::send(std::string_view bytes) {
  Deadline deadline(10s);
  while (!bytes.empty() && fd_ >= 0) {
    ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n > 0) {
      bytes.remove_prefix(static_cast<size_t>(n));
    } else if (errno == EAGAIN) {
      pollfd writable{fd_, POLLOUT, 0};
      if (::poll(&writable, 1, deadline.poll_ms()) <= 0) throw std::runtime_error("the broker takes no bytes");
    } else {
      return;
    }
  }
}

bool ForeignClient::fill(const Deadline& deadline) {
  if (closed_ || !readable(deadline)) return false;
  char buffer[65536];
  ssize_t n = ::recv(fd_, buffer, sizeof buffer, 0);
  if (n > 0) {
    in_.append(buffer, static_cast<size_t>(n));
  } else if (n == 0 || errno != EAGAIN) {
    closed_ = true;
  }
  return n > 0;
}

bool ForeignClient::readable(Deadline deadline) {
  pollfd fd{fd_, POLLIN, 0};
  return fd_ >= 0 && ::poll(&fd, 1, deadline.poll_ms()) > 0;
}

std::optional<Frame> ForeignClient::next(Deadline deadline) {
  for (;;) {
    if (in_.size() >= 8) {
      size_t length = get(in_, 0, 4);
      if (length < 8 || length > (64U << 20)) throw std::runtime_error("the broker sent a frame of impossible length");
      if (in_.size() >= length) {
        Frame frame{in_.substr(0, length)};
        in_.erase(0, length);
        if (frame.u16(6) != 0) throw std::runtime_error("the broker sent a header whose reserved bytes are not 0");
        return frame;
      }
    }
    if (!fill(deadline) && (closed_ || deadline.passed())) return std::nullopt;
  }
}

Frame ForeignClient::await(uint8_t type, Deadline deadline) {
  while (auto frame = next(deadline)) {
    if (frame->type() == type) return *frame;
    if (frame->type() == kError) throw std::runtime_error("the broker sent ERROR: " + frame->text());
  }
  throw std::runtime_error("no frame of type " + std::to_string(type) + (closed_ ? " before the close" : " in time"));
}

bool ForeignClient::wait_closed(Deadline deadline) {
  while (!closed_ && !deadline.passed()) {
    fill(deadline);
    in_.clear();
  }
  return closed_;
}

void ForeignClient::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  closed_ = true;
}

void ForeignClient::reset() {
  linger hard{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  close();
}

void ForeignClient::small_buffers() {
  int bytes = 4096;
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

namespace {

Hello with_role(Hello hello, uint8_t role) {
  hello.role = role;
  return hello;
}

}  // namespace

ForeignReceiver::ForeignReceiver(uint16_t port, Hello hello)
    : client_(ForeignClient::join(port, with_role(std::move(hello), 2))) {}

void ForeignReceiver::begin(Deadline deadline) {
  client_.await(kBegin, deadline);
}

std::vector<Delivery> ForeignReceiver::take(size_t count, Deadline deadline) {
  size_t from = deliveries_.size();
  while (deliveries_.size() - from < count && !end_ && !error_) {
    auto frame = client_.next(deadline);
    if (!frame) break;
    note(*frame);
  }
  return {deliveries_.begin() + static_cast<std::ptrdiff_t>(from), deliveries_.end()};
}

std::vector<Delivery> ForeignReceiver::take_in_window(std::chrono::milliseconds window) {
  return take(SIZE_MAX, Deadline::window(window));
}

void ForeignReceiver::note(const Frame& frame) {
  switch (frame.type()) {
    case kData: {
      std::string payload = frame.bytes.substr(40);
      Delivery delivery{.id = {frame.u32(8), frame.u64(16)},
                        .size = payload.size(),
                        .checksum_good = crc32c(payload) == frame.u32(12)};
      if (announced_) {
        if (announced_->first != delivery.id) throw std::runtime_error("AGAIN announced another message");
        delivery.again = announced_->second;
        announced_.reset();
      }
      deliveries_.push_back(delivery);
      if (auto given = verdict ? verdict(delivery) : std::nullopt) answer(delivery, *given);
      break;
    }
    case kAgain:
      announced_ = {{frame.u32(8), frame.u64(16)}, frame.u32(12)};
      break;
    case kSkip:
      skipped_.push_back({frame.u32(8), frame.u8(12), frame.u64(16), frame.u64(24), frame.u64(32)});
      break;
    case kEnd:
      end_ = frame;
      break;
    case kError:
      error_ = frame;
      break;
    case kBegin:
    case kClock:
      break;
    default:
      throw std::runtime_error("a receiver got a frame of type " + std::to_string(frame.type()));
  }
}

void ForeignReceiver::request(uint64_t count, bool replaces, const std::optional<ForeignFilter>& filter) {
  client_.send(request_frame(count, replaces, filter));
}

void ForeignReceiver::answer(const Delivery& delivery, uint8_t given) {
  client_.send(response_frame({{delivery.id.second, delivery.id.first, given}}));
}

void ForeignReceiver::answer_all(const std::vector<Delivery>& deliveries, uint8_t given) {
  std::vector<Answer> answers;
  for (const auto& delivery : deliveries) answers.push_back({delivery.id.second, delivery.id.first, given});
  if (!answers.empty()) client_.send(response_frame(answers));
}

void ForeignReceiver::bye() {
  client_.send(bye_frame(distinct().size()));
  client_.close();
}

std::set<MessageId> ForeignReceiver::distinct() const {
  std::set<MessageId> ids;
  for (const auto& delivery : deliveries_) ids.insert(delivery.id);
  return ids;
}

ForeignSender::ForeignSender(uint16_t port, Hello hello)
    : client_(ForeignClient::join(port, with_role(hello, 1))), number_(hello.number) {}

void ForeignSender::begin(Deadline deadline) {
  client_.await(kBegin, deadline);
}

void ForeignSender::send(size_t messages, size_t payload) {
  std::string frames;
  for (size_t i = 0; i < messages; ++i) {
    ++sent_;
    frames += data_frame(number_, sent_, std::string(payload, static_cast<char>('a' + sent_ % 26)));
  }
  client_.send(frames);
}

void ForeignSender::done() {
  done_ = true;
  client_.send(done_frame(sent_));
}

bool ForeignSender::wait_accepted(uint64_t count, Deadline deadline) {
  while (accepted_.empty() || accepted_.back() < count) {
    auto frame = client_.next(deadline);
    if (!frame) return false;
    if (frame->type() == kError) throw std::runtime_error("the broker sent ERROR: " + frame->text());
    if (frame->type() == kAccepted) accepted_.push_back(frame->u64(8));
    if (frame->type() == kEnd) {
      end_ = frame;
      return frame->u64(8) >= count;
    }
  }
  return true;
}

bool ForeignSender::finish(Deadline deadline) {
  if (!done_) done();
  bool all = wait_accepted(sent_, deadline);
  client_.send(bye_frame(sent_));
  client_.close();
  return all;
}

}  // namespace n2nq::test
