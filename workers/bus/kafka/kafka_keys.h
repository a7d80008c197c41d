// The key that a message has, which decides its partition; the same for the same message in every run. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace n2nq::bus {

inline constexpr uint64_t kKafkaKeys = 1000;  // of the kinds uniform and zipf

// False: it has none. `kind` is a word of the setting `keys`.
bool key_of(std::string_view kind, uint32_t sender, uint64_t index, std::string& key);

}  // namespace n2nq::bus
