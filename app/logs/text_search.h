// Looks for a text, or a regular expression, in lines that may come in pieces. A text is found wherever it stands; an
// expression is tried on the first MiB of a line. One thread each; queries are values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <QRegularExpression>

#include "app/logs/line_scan.h"
#include "broker/base/result.h"

namespace n2nq::logs {

struct TextQuery {
  std::string text{};  // UTF-8
  bool expression = false;
  bool match_case = false;
  bool operator==(const TextQuery&) const = default;
};

class TextSearch {
 public:
  static Result<TextSearch> make(const TextQuery& query);

  // True once the line has it; offset() is then where, in the file. Pieces in order, `first` begins again.
  bool feed(const LinePiece& piece);
  int64_t offset() const { return found_at_; }

  struct Span {
    size_t from = 0;
    size_t length = 0;
    bool operator==(const Span&) const = default;
  };
  // The first place in `text` at or after `from`.
  std::optional<Span> find(std::string_view text, size_t from) const;

 private:
  explicit TextSearch(const TextQuery& query);
  std::optional<Span> find_plain(std::string_view text, size_t from) const;
  std::optional<Span> find_expression(std::string_view text, size_t from) const;
  bool feed_plain(const LinePiece& piece);

  TextQuery query_;
  std::string needle_;  // folded unless the case matters
  QRegularExpression expression_;
  std::string seam_;  // the end of the pieces so far, where a text may have begun
  mutable std::string folded_;
  bool found_ = false;
  int64_t found_at_ = 0;
};

}  // namespace n2nq::logs
