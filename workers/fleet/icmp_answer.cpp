#include "workers/fleet/icmp_answer.h"

#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <netinet/icmp6.h>
#include <netinet/ip_icmp.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace n2nq::fleet {
namespace {

bool is_port_unreachable(const sock_extended_err& error) {
  if (error.ee_origin == SO_EE_ORIGIN_ICMP)
    return error.ee_type == ICMP_DEST_UNREACH && error.ee_code == ICMP_PORT_UNREACH;
  return error.ee_type == ICMP6_DST_UNREACH && error.ee_code == ICMP6_DST_UNREACH_NOPORT;
}

bool is_time_exceeded(const sock_extended_err& error) {
  if (error.ee_origin == SO_EE_ORIGIN_ICMP) return error.ee_type == ICMP_TIME_EXCEEDED;
  return error.ee_type == ICMP6_TIME_EXCEEDED;
}

bool is_queued(const cmsghdr& part) {
  return (part.cmsg_level == IPPROTO_IP && part.cmsg_type == IP_RECVERR) ||
         (part.cmsg_level == IPPROTO_IPV6 && part.cmsg_type == IPV6_RECVERR);
}

}  // namespace

std::string address_of(const sockaddr* who) {
  char text[INET6_ADDRSTRLEN] = "";
  if (who->sa_family == AF_INET)
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(who)->sin_addr, text, sizeof text);
  else if (who->sa_family == AF_INET6)
    ::inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(who)->sin6_addr, text, sizeof text);
  return text;
}

bool ask_for_answers(int fd, sa_family_t family) {
  const int on = 1;
  return (family == AF_INET6 ? ::setsockopt(fd, IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof on)
                             : ::setsockopt(fd, IPPROTO_IP, IP_RECVERR, &on, sizeof on)) == 0;
}

bool may_go(int fd, sa_family_t family, int hops) {
  return (family == AF_INET6 ? ::setsockopt(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS, &hops, sizeof hops)
                             : ::setsockopt(fd, IPPROTO_IP, IP_TTL, &hops, sizeof hops)) == 0;
}

std::optional<IcmpAnswer> next_answer(int fd) {
  char sent[64];
  sockaddr_storage to{};
  iovec part{.iov_base = sent, .iov_len = sizeof sent};
  alignas(cmsghdr) std::array<char, 512> control;
  msghdr message{};
  message.msg_name = &to;
  message.msg_namelen = sizeof to;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (::recvmsg(fd, &message, MSG_ERRQUEUE) < 0) return std::nullopt;
  IcmpAnswer answer{.asked = {.address = to, .length = message.msg_namelen}};
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
    if (!is_queued(*each)) continue;
    sock_extended_err error{};
    std::memcpy(&error, CMSG_DATA(each), sizeof error);
    if (error.ee_origin != SO_EE_ORIGIN_ICMP && error.ee_origin != SO_EE_ORIGIN_ICMP6) continue;
    answer.from_host = is_port_unreachable(error);
    answer.from_router = is_time_exceeded(error);
    sockaddr_storage who{};
    const size_t there = each->cmsg_len - CMSG_LEN(sizeof error);
    std::memcpy(&who, CMSG_DATA(each) + sizeof error, std::min(there, sizeof who));
    answer.who = address_of(reinterpret_cast<const sockaddr*>(&who));
  }
  return answer;
}

}  // namespace n2nq::fleet
