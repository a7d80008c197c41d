// Links to hosts that are not there: each does what its test has told it to. UI thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/launch/host_link.h"

namespace n2nq::test {

struct FakeHost {
  std::optional<launch::LinkFailure> failure{};    // at its step; nothing: it opens
  std::optional<launch::LinkQuestion> question{};  // asked before the login
  std::vector<std::optional<std::string>> answers{};
  Result<launch::ClockState> clock =
      launch::ClockState{.source = "chrony", .synchronised = true, .text = "chrony: synchronised, 12 us off"};
  Result<uint16_t> port_there = uint16_t{7400};     // at the data address
  Result<uint16_t> port_anywhere = uint16_t{7401};  // at all addresses
  std::vector<launch::FolderEntry> files{};         // in any folder
  std::vector<launch::LeftRun> left{};
  std::vector<std::pair<std::string, int64_t>> fetched{};  // paths, and how much of each at most
  bool folder_removed = false;
  std::optional<launch::LinkFailure> lost_at_clock{};  // the link, while its clock is asked about
  int opened = 0;
  launch::HostLink* link = nullptr;
};

FakeHost& fake_host(const std::string& name);
void forget_fake_hosts();

}  // namespace n2nq::test
