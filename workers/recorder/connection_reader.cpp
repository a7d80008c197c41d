#include "workers/recorder/connection_reader.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

namespace n2nq::recorder {
namespace {

using control::at;
using control::kConnectionColumns;
using control::RecordedOf;

constexpr uint32_t kEstablished = 1u << 1;  // TCP_ESTABLISHED
constexpr size_t kAnswerBytes = 256 * 1024;

// Of what the kernel leaves at 0, or at a number that stands for none, until there is one.
template <class Number>
std::optional<int64_t> known(Number value, uint64_t none) {
  if (value == 0 || value == none) return std::nullopt;
  return static_cast<int64_t>(value);
}

// What the kernel runs over each socket: either end has the port. Not over another bus, whose ports are not known.
// Jumps are in bytes from an operation on; one beyond the end rejects.
struct PortFilter {
  inet_diag_bc_op local{INET_DIAG_BC_S_EQ, 8, 12};
  inet_diag_bc_op local_port{};
  inet_diag_bc_op accept{INET_DIAG_BC_JMP, 4, 12};
  inet_diag_bc_op remote{INET_DIAG_BC_D_EQ, 8, 12};
  inet_diag_bc_op remote_port{};
};
static_assert(sizeof(PortFilter) == 20);

struct Request {
  nlmsghdr header{};
  inet_diag_req_v2 wish{};
  rtattr attribute{};
  PortFilter filter{};
};
static_assert(sizeof(Request) == sizeof(nlmsghdr) + sizeof(inet_diag_req_v2) + sizeof(rtattr) + sizeof(PortFilter));

Request request_for(uint8_t family, uint16_t port) {
  Request request;
  request.header = {.nlmsg_len = sizeof request,
                    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                    .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
                    .nlmsg_seq = 0,
                    .nlmsg_pid = 0};
  request.wish.sdiag_family = family;
  request.wish.sdiag_protocol = IPPROTO_TCP;
  request.wish.idiag_ext = 1u << (INET_DIAG_INFO - 1);
  request.wish.idiag_states = kEstablished;
  request.attribute = {.rta_len = sizeof(rtattr) + sizeof(PortFilter), .rta_type = INET_DIAG_REQ_BYTECODE};
  request.filter.local_port.no = port;
  request.filter.remote_port.no = port;
  return request;
}

// For good; anything else is of the moment.
bool is_refusal(int error) {
  return error == EPERM || error == EACCES || error == ENOENT || error == EPROTONOSUPPORT || error == EOPNOTSUPP ||
         error == EINVAL;
}

Fd open_netlink() {
  Fd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (!socket.valid()) return socket;
  const timeval patience{.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const int room = 1 << 20;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  return socket;
}

}  // namespace

ConnectionReader::ConnectionReader(uint16_t port, bool past_the_queue)
    : port_(port), past_the_queue_(past_the_queue), netlink_(open_netlink()) {
  if (!netlink_.valid()) fall_back(errno);
}

void ConnectionReader::fall_back(int error) {
  netlink_.reset();
  why_not_ = std::strerror(error);
  for (const char* path : {"/proc/net/tcp", "/proc/net/tcp6"}) files_.emplace_back(path, false);
}

std::vector<control::RecordedSubject> ConnectionReader::read(ReadBuffer& buffer, bool asked, const Sides& sides) {
  known_ = false;
  if (asked || pace_.due()) pace_.run([&] { read_now(buffer, sides); });
  return subjects(sides);
}

void ConnectionReader::read_now(ReadBuffer& buffer, const Sides& sides) {
  for (auto& [name, side] : sides_) side.sums = {};
  if (why_not_.empty()) {
    sockets_.clear();
    known_ = ask_netlink(buffer);
    if (known_) return add_up(sides);
    const int error = errno;
    netlink_ = open_netlink();  // what is left of an answer is not taken for the next one
    if (!netlink_.valid() || is_refusal(error)) fall_back(netlink_.valid() ? error : errno);
  }
  if (why_not_.empty() || past_the_queue_) return;
  count_only(buffer);
  known_ = true;
}

bool ConnectionReader::ask_netlink(ReadBuffer& buffer) {
  return ask(AF_INET) && take_answer(buffer) && ask(AF_INET6) && take_answer(buffer);
}

bool ConnectionReader::ask(uint8_t family) {
  Request request = request_for(family, port_);
  if (past_the_queue_) request.header.nlmsg_len = offsetof(Request, attribute);
  const auto length = static_cast<ssize_t>(request.header.nlmsg_len);
  return ::send(netlink_.get(), &request, request.header.nlmsg_len, 0) == length;
}

// All of one answer. False, with errno: it did not come, or the kernel refused.
bool ConnectionReader::take_answer(ReadBuffer& buffer) {
  if (buffer.size() < kAnswerBytes) buffer.resize(kAnswerBytes);
  for (;;) {
    const ssize_t got = ::recv(netlink_.get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;
    if (got <= 0) return false;
    auto left = static_cast<size_t>(got);
    const char* at = buffer.data();
    while (left >= sizeof(nlmsghdr)) {
      nlmsghdr header{};
      std::memcpy(&header, at, sizeof header);
      if (header.nlmsg_len < sizeof header || header.nlmsg_len > left) break;
      if ((header.nlmsg_flags & NLM_F_DUMP_INTR) != 0) {
        errno = EAGAIN;
        return false;
      }
      if (header.nlmsg_type == NLMSG_DONE) return true;
      if (header.nlmsg_type == NLMSG_ERROR) {
        nlmsgerr error{};
        if (header.nlmsg_len >= sizeof header + sizeof error) std::memcpy(&error, at + sizeof header, sizeof error);
        errno = error.error != 0 ? -error.error : EIO;
        return false;
      }
      take_socket(at + sizeof header, header.nlmsg_len - sizeof header);
      const size_t step = std::min<size_t>(NLMSG_ALIGN(header.nlmsg_len), left);
      at += step;
      left -= step;
    }
  }
}

void ConnectionReader::take_socket(const char* message, size_t length) {
  inet_diag_msg told{};
  if (length < sizeof told) return;
  std::memcpy(&told, message, sizeof told);
  Socket& socket =
      sockets_.emplace_back(Socket{.inode = told.idiag_inode,
                                   .port = ntohs(told.id.idiag_sport),
                                   .port_there = ntohs(told.id.idiag_dport),
                                   .cookie = uint64_t{told.id.idiag_cookie[1]} << 32 | told.id.idiag_cookie[0]});
  for (size_t offset = sizeof told; offset + sizeof(rtattr) <= length;) {
    rtattr attribute{};
    std::memcpy(&attribute, message + offset, sizeof attribute);
    if (attribute.rta_len < sizeof attribute || offset + attribute.rta_len > length) return;
    const size_t size = attribute.rta_len - sizeof attribute;
    if (attribute.rta_type == INET_DIAG_INFO && size >= offsetof(tcp_info, tcpi_total_retrans) + sizeof(uint32_t)) {
      tcp_info info{};
      std::memcpy(&info, message + offset + sizeof attribute, std::min(size, sizeof info));
      socket.figures = TcpFigures{.rtt_us = info.tcpi_rtt,
                                  .rtt_deviation_us = info.tcpi_rttvar,
                                  .rtt_us_least = known(info.tcpi_min_rtt, UINT32_MAX),
                                  .cwnd = info.tcpi_snd_cwnd,
                                  .unacknowledged = info.tcpi_unacked,
                                  .threshold = known(info.tcpi_snd_ssthresh, INT32_MAX),
                                  .retransmits = info.tcpi_total_retrans,
                                  .delivery_rate = known(info.tcpi_delivery_rate, UINT64_MAX),
                                  .pacing_rate = known(info.tcpi_pacing_rate, UINT64_MAX)};
    }
    offset += RTA_ALIGN(attribute.rta_len);
  }
}

void ConnectionReader::Mean::add(std::optional<int64_t> value) {
  sum += value.value_or(0);
  of += value ? 1 : 0;
}

void ConnectionReader::add_up(const Sides& sides) {
  const auto before = std::exchange(retransmits_, {});  // of those that are gone no more is to be known
  if (!past_the_queue_) {
    for (const Socket& socket : sockets_) add(socket, sides_[socket.port == port_ ? "queue" : "workers"], before);
    return;
  }
  std::erase_if(sockets_,
                [this](const Socket& one) { return port_ != 0 && (one.port == port_ || one.port_there == port_); });
  std::vector<uint32_t> inodes;
  for (const Socket& socket : sockets_) inodes.push_back(socket.inode);
  owners_.learn(inodes, sides);
  for (const auto& [side, pids] : sides) sides_[side];  // with none, too
  for (const Socket& socket : sockets_)
    if (const std::string& side = owners_.side_of(socket.inode); !side.empty()) add(socket, sides_[side], before);
}

void ConnectionReader::add(const Socket& socket, Side& side, const Retransmits& all_before) {
  Sums& sums = side.sums;
  sums.connections++;
  if (!socket.figures) return;
  const TcpFigures& figures = *socket.figures;
  sums.told++;
  sums.rtt_us_max = std::max(sums.rtt_us_max, figures.rtt_us);
  sums.rtt_us_least = std::min(sums.rtt_us_least, figures.rtt_us_least.value_or(INT64_MAX));
  sums.rtt_ns.add(figures.rtt_us * 1000);
  sums.rtt_deviation_ns.add(figures.rtt_deviation_us * 1000);
  sums.cwnd.add(figures.cwnd);
  sums.threshold.add(figures.threshold);
  sums.unacknowledged.add(figures.unacknowledged);
  sums.delivery_rate.add(figures.delivery_rate);
  sums.pacing_rate.add(figures.pacing_rate);
  const auto before = all_before.find(socket.cookie);
  side.retransmits +=
      figures.retransmits - (before == all_before.end() ? 0 : std::min(before->second, figures.retransmits));
  retransmits_[socket.cookie] = figures.retransmits;
}

void ConnectionReader::count_only(ReadBuffer& buffer) {
  PortConnections all;
  for (KeptFile& file : files_) {
    const PortConnections some = count_connections(file.read(buffer), port_);
    all.at_port += some.at_port;
    all.to_port += some.to_port;
  }
  const auto put = [this](const char* name, int64_t count) {
    if (count == 0 && !sides_.contains(name)) return;
    Side& side = sides_[name];
    side.sums = {.connections = count};
  };
  put("queue", all.at_port);
  put("workers", all.to_port);
}

std::vector<control::RecordedSubject> ConnectionReader::subjects(const Sides& sides) const {
  std::vector<control::RecordedSubject> subjects;
  for (const auto& [name, side] : sides_) {
    const Sums& sums = side.sums;
    HostValues values = control::no_values(RecordedOf::connections);
    if (!known_ || (past_the_queue_ && !sides.contains(name)) || owners_.hidden().contains(name)) {
      subjects.push_back({.name = name, .values = std::move(values)});
      continue;
    }
    values[at(kConnectionColumns, "connections")] = sums.connections;
    if (why_not_.empty()) values[at(kConnectionColumns, "retransmits")] = side.retransmits;
    if (sums.told > 0) values[at(kConnectionColumns, "rtt_max")] = sums.rtt_us_max * 1000;
    if (sums.rtt_us_least != INT64_MAX) values[at(kConnectionColumns, "rtt_least")] = sums.rtt_us_least * 1000;
    values[at(kConnectionColumns, "rtt")] = sums.rtt_ns.value();
    values[at(kConnectionColumns, "rtt_deviation")] = sums.rtt_deviation_ns.value();
    values[at(kConnectionColumns, "cwnd")] = sums.cwnd.value();
    values[at(kConnectionColumns, "threshold")] = sums.threshold.value();
    values[at(kConnectionColumns, "unacknowledged")] = sums.unacknowledged.value();
    values[at(kConnectionColumns, "delivery_rate")] = sums.delivery_rate.value();
    values[at(kConnectionColumns, "pacing_rate")] = sums.pacing_rate.value();
    subjects.push_back({.name = name, .values = std::move(values)});
  }
  return subjects;
}

void ConnectionReader::add_lacking(std::vector<control::Lacking>& lacking, const Sides& sides) const {
  const auto put = [&lacking](const std::string& side, const std::string& why, bool number) {
    control::Lacking& all =
        lacking.emplace_back(control::Lacking{.of = RecordedOf::connections, .subject = side, .why = why});
    for (const control::HostColumn& column : kConnectionColumns)
      if (number || column.name != "connections") all.series.emplace_back(column.name);
  };
  for (const auto& [side, why] : owners_.hidden()) put(side, why, true);
  if (why_not_.empty()) return;
  const std::string why = "this host does not tell of its connections over netlink (" + why_not_ + ")";
  if (!past_the_queue_) return put("", why + "; only their number is known", false);
  for (const auto& [side, pids] : sides) put(side, why, true);
}

}  // namespace n2nq::recorder
