// The golden frames of tests/data/frames, and a decoder of whatever type a frame claims to be.
#pragma once

#include <string>
#include <vector>

#include "broker/wire/frames.h"

namespace n2nq::wire {

// "hello" gives the bytes of tests/data/frames/hello.hex; no bytes if there is no such file.
Bytes golden(const std::string& type);
// The frame types but DATA, which has no decoder of the same form.
const std::vector<std::string>& control_types();
template <class T>
Bytes encoded(const T& value) {
  Bytes bytes;
  append(bytes, value);
  return bytes;
}
// Decodes `frame` as the type in its header; empty text if it was taken, else the reason.
std::string refusal(Frame frame);

}  // namespace n2nq::wire
