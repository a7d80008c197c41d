// The fuzz targets. Each takes any bytes at all and ends the process where something that must hold does not.
#pragma once

#include <cstdint>
#include <span>

namespace n2nq::fuzz {

void amqp_fuzz(std::span<const uint8_t> input);
// The first byte picks a frame type (its lower bits; the highest one asks for a header that agrees), the rest is the
// frame.
void frames_fuzz(std::span<const uint8_t> input);
void filter_text_fuzz(std::span<const uint8_t> input);
void hello_start_fuzz(std::span<const uint8_t> input);
void http_head_fuzz(std::span<const uint8_t> input);
void load_fuzz(std::span<const uint8_t> input);
void nats_fuzz(std::span<const uint8_t> input);
void recorded_fuzz(std::span<const uint8_t> input);
void relay_fuzz(std::span<const uint8_t> input);
void resp_fuzz(std::span<const uint8_t> input);
void telemetry_fuzz(std::span<const uint8_t> input);
void ws_frame_fuzz(std::span<const uint8_t> input);

}  // namespace n2nq::fuzz
