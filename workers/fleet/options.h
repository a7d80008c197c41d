// The options that senders and receivers share.
#pragma once

#include <cstdint>
#include <string>

#include "broker/process/limited.h"
#include "workers/bus/bus.h"
#include "workers/log/log_writer.h"

namespace n2nq::fleet {

struct WorkerOptions {
  enum class OnControlLost { stop, finish };

  std::string broker;
  std::string broker_certificate;  // fingerprint of the only one that will do
  bus::BusOptions bus;
  uint32_t count = 1;
  uint32_t first = 1;
  int64_t connect_timeout_ns = 60'000'000'000;
  PortRange source_ports{};  // any: the kernel chooses
  uint32_t loops = 1;

  process::Limits limits;  // of this process

  std::string log_dir;
  log::LogLevel log = log::LogLevel::full;
  std::string hlog;
  int64_t warmup_ns = 0;

  std::string token_file;
  bool controlled = false;
  std::string control;
  bool keep_summary = false;
  int64_t control_timeout_ns = 0;  // 0: 10 s without a ping; at once at the end of stdin
  OnControlLost on_control_lost = OnControlLost::stop;
  bool telemetry_given = false;
  int64_t telemetry_ns = 100'000'000;  // 0: off

  int64_t clock_skew_ns = 0;
  int64_t clock_drift_ppm = 0;

  // Whether stdout carries events and telemetry, not only the first line and the last.
  bool tells_live() const { return controlled || (telemetry_given && telemetry_ns > 0); }
  bool logs() const { return !log_dir.empty() && log != log::LogLevel::off; }
  // Off unless controlled, or asked for.
  int64_t telemetry_period_ns() const { return telemetry_given || controlled || !control.empty() ? telemetry_ns : 0; }
};

// Adds them; `noun` is "sender" or "receiver".
void add_options(process::CommandLine& line, WorkerOptions& options, const std::string& noun);
// What no single option can tell. The text names the option.
Result<void> check(const WorkerOptions& options);

}  // namespace n2nq::fleet
