#include "workers/control/line_writer.h"

#include <nlohmann/json.hpp>

#include "workers/control/commands.h"

namespace n2nq::control {

void LineWriter::begin(std::string_view name) {
  if (out_.back() != '{') out_.push_back(',');
  out_.append("\"").append(name).append("\":");
}

void LineWriter::count(std::string_view name, uint64_t value) {
  if (value == kUntilFurtherNotice)
    (*this)(name, kUnlimited);
  else
    (*this)(name, value);
}

void LineWriter::append_real(double value) {
  if (reals_ == Reals::shortest)
    append_number(out_, value);
  else
    out_.append(nlohmann::json(value).dump());
}

void LineWriter::append_text(std::string_view text) {
  out_.append(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace n2nq::control
