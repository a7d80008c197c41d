// `hosts test` on hosts that fail in different ways: each of them is told of.
#include <gmock/gmock.h>

#include "app/cli/host_test.h"
#include "tests/unit/app/hosts_page/fake_host_link.h"

namespace n2nq::cli {
namespace {

using launch::LinkStep;
using launch::LinkTrouble;

TEST(HostsTest, PassesNoHostOverWhenALinkIsLostBeforeIt) {
  for (const char* name : {"vm1", "vm2"})
    test::fake_host(name).lost_at_clock = {.trouble = LinkTrouble::broken,
                                           .step = LinkStep::upload,
                                           .text = std::string(name) + ": the link was lost: silence",
                                           .host = name};
  test::fake_host("vm3").failure = {.trouble = LinkTrouble::unknown_key,
                                    .step = LinkStep::host_key,
                                    .text = "not known",
                                    .host = "vm3",
                                    .fingerprint = "SHA256:abc"};
  test::fake_host("vm4").failure = {
      .trouble = LinkTrouble::login_refused, .step = LinkStep::login, .text = "no key was taken", .host = "vm4"};
  hosts::HostList list;
  for (const char* name : {"vm1", "vm2", "vm3", "vm4"}) list.hosts.push_back({.name = name, .address = "10.0.0.5"});
  HostAccess access(list, "", {});
  HostTest test(access, {"vm1", "vm2", "vm3", "vm4"}, "", {}, {});
  testing::internal::CaptureStdout();
  const BenchExit exit = test.execute();
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_EQ(exit, BenchExit::unknown_key) << out;
  for (const char* line :
       {"vm1 +login +ok ", "vm1 +upload +ok ", "vm1 +clock +FAILED +vm1: the link was lost",
        "vm2 +clock +FAILED +vm2: the link was lost", "vm3 +host key +FAILED .*hosts trust vm3 SHA256:abc",
        "vm4 +login +FAILED +no key was taken"})
    EXPECT_THAT(out, testing::ContainsRegex(line));
  test::forget_fake_hosts();
}

}  // namespace
}  // namespace n2nq::cli
