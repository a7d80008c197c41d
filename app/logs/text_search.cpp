#include "app/logs/text_search.h"

#include <string.h>

#include <algorithm>

namespace n2nq::logs {
namespace {

void fold_into(std::string& out, std::string_view text) {
  out.resize(text.size());
  std::ranges::transform(text, out.begin(), [](char c) {
    return static_cast<char>(c + (static_cast<unsigned char>(c - 'A') < 26 ? 'a' - 'A' : 0));
  });
}

size_t find_bytes(std::string_view text, std::string_view needle, size_t from) {
  const void* at = ::memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  return at == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(at) - text.data());
}

}  // namespace

TextSearch::TextSearch(const TextQuery& query) : query_(query), needle_(query.text) {
  if (!query.match_case) fold_into(needle_, query.text);
  if (!query.expression) return;
  expression_.setPattern(QString::fromStdString(query.text));
  if (!query.match_case) expression_.setPatternOptions(QRegularExpression::CaseInsensitiveOption);
}

Result<TextSearch> TextSearch::make(const TextQuery& query) {
  TextSearch search(query);
  if (query.text.empty()) return fail("enter a search text");
  if (query.expression && !search.expression_.isValid()) {
    return fail("the expression is not complete: " + search.expression_.errorString().toStdString() + " at character " +
                std::to_string(search.expression_.patternErrorOffset() + 1));
  }
  return search;
}

bool TextSearch::feed(const LinePiece& piece) {
  if (piece.first) {
    found_ = false;
    seam_.clear();
  }
  if (found_) return true;
  if (!query_.expression) return feed_plain(piece);
  if (!piece.first) return false;
  const auto span = find_expression(piece.text, 0);
  found_ = span.has_value();
  if (span) found_at_ = piece.offset + static_cast<int64_t>(span->from);
  return found_;
}

bool TextSearch::feed_plain(const LinePiece& piece) {
  if (!seam_.empty()) {
    const size_t before = seam_.size();
    seam_.append(piece.text.substr(0, needle_.size() - 1));
    if (const auto span = find_plain(seam_, 0)) {
      found_at_ = piece.offset - static_cast<int64_t>(before) + static_cast<int64_t>(span->from);
      return found_ = true;
    }
  }
  if (const auto span = find_plain(piece.text, 0)) {
    found_at_ = piece.offset + static_cast<int64_t>(span->from);
    return found_ = true;
  }
  seam_ = piece.text.substr(piece.text.size() - std::min(piece.text.size(), needle_.size() - 1));
  return false;
}

std::optional<TextSearch::Span> TextSearch::find(std::string_view text, size_t from) const {
  if (from > text.size()) return std::nullopt;
  return query_.expression ? find_expression(text, from) : find_plain(text, from);
}

std::optional<TextSearch::Span> TextSearch::find_plain(std::string_view text, size_t from) const {
  size_t at = std::string_view::npos;
  if (query_.match_case) {
    at = find_bytes(text, needle_, from);
  } else {
    fold_into(folded_, text);
    at = find_bytes(folded_, needle_, from);
  }
  if (at == std::string_view::npos) return std::nullopt;
  return Span{.from = at, .length = needle_.size()};
}

std::optional<TextSearch::Span> TextSearch::find_expression(std::string_view text, size_t from) const {
  const auto whole = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
  const std::string_view before = text.substr(0, from);
  const auto skip = QString::fromUtf8(before.data(), static_cast<qsizetype>(before.size())).size();
  const auto match = expression_.match(whole, skip);
  if (!match.hasMatch()) return std::nullopt;
  const QStringView view(whole);
  const auto bytes = [](QStringView part) { return static_cast<size_t>(part.toUtf8().size()); };
  return Span{.from = bytes(view.left(match.capturedStart())),
              .length = bytes(view.mid(match.capturedStart(), match.capturedLength()))};
}

}  // namespace n2nq::logs
