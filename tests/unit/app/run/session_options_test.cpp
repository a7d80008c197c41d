#include "app/run/session_options.h"

#include <gtest/gtest.h>

#include "app/run/host_links.h"

namespace n2nq::run {
namespace {

using namespace std::chrono_literals;

TEST(SessionOptions, OfAHostAndOfTheRunTheLongerSurvivalHolds) {
  HostLinks links({.hosts = {{.name = "short", .address = "a"},
                             {.name = "long", .address = "b", .survive_ns = 7'200'000'000'000},
                             {.name = "least", .address = "c", .survive_ns = hosts::kLeastSurviveNs}}},
                  {});
  SessionOptions options{.links = &links};
  EXPECT_EQ(options.survive_on("long"), 2h);
  EXPECT_TRUE(options.survives_longer_on("long"));
  for (const char* host : {"short", "least", ""}) EXPECT_FALSE(options.survives_longer_on(host)) << host;
  options.survive = 3h;
  for (const char* host : {"short", "long", ""}) EXPECT_EQ(options.survive_on(host), 3h) << host;
  EXPECT_EQ(SessionOptions().survive_on("long"), SessionOptions::kSurvives) << "no host is known";
}

}  // namespace
}  // namespace n2nq::run
