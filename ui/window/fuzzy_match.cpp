#include "ui/window/fuzzy_match.h"

#include <QStringList>
#include <algorithm>

namespace n2nq::ui {
namespace {

constexpr int kBegins = 1000;
constexpr int kBeginsWord = 800;
constexpr int kWithin = 600;
constexpr int kLetters = 400;
constexpr int kBeside = 100;
constexpr int kWholeWords = 100;
constexpr qsizetype kWorstPlace = 99;

bool begins_word(const QString& name, qsizetype at) {
  return at == 0 || (name[at].isLetterOrNumber() && !name[at - 1].isLetterOrNumber());
}

// Each letter follows the one before it, or begins a word.
bool fits_by_letters(const QString& word, const QString& name) {
  qsizetype at = -1;
  for (const QChar letter : word) {
    qsizetype next = at + 1;
    const bool follows = at >= 0 && next < name.size() && name[next] == letter;
    while (!follows && next < name.size() && !(name[next] == letter && begins_word(name, next))) next++;
    if (next >= name.size()) return false;
    at = next;
  }
  return true;
}

int words_before(const QString& name, qsizetype at) {
  return static_cast<int>(std::min(name.left(at).count(u' '), kWorstPlace));
}

bool is_whole_word(const QString& name, qsizetype at, qsizetype length) {
  return begins_word(name, at) && (at + length == name.size() || !name[at + length].isLetterOrNumber());
}

// The words that were typed are words of the name, in its order.
bool has_words_in_order(const QStringList& words, const QString& name) {
  qsizetype at = 0;
  for (const QString& word : words) {
    for (at = name.indexOf(word, at); at >= 0 && !is_whole_word(name, at, word.size());)
      at = name.indexOf(word, at + 1);
    if (at < 0) return false;
    at += word.size();
  }
  return !words.isEmpty();
}

std::optional<int> score_of(const QString& word, const QString& name) {
  const qsizetype at = name.indexOf(word);
  if (at == 0) return kBegins;
  if (at > 0) {
    for (qsizetype each = at; each > 0; each = name.indexOf(word, each + 1))
      if (begins_word(name, each)) return kBeginsWord - words_before(name, each);
    return kWithin - static_cast<int>(std::min(at, kWorstPlace));
  }
  if (word.size() > 1 && fits_by_letters(word, name)) return kLetters;
  return {};
}

}  // namespace

std::optional<int> fuzzy_score(const QString& typed, const QString& name, const QString& beside) {
  const QString low = name.toLower();
  const QStringList words = typed.toLower().split(u' ', Qt::SkipEmptyParts);
  int sum = has_words_in_order(words, low) ? kWholeWords : 0;
  for (const QString& word : words) {
    if (const auto score = score_of(word, low))
      sum += *score;
    else if (beside.contains(word, Qt::CaseInsensitive))
      sum += kBeside;
    else
      return {};
  }
  return sum - static_cast<int>(std::min(name.size(), kWorstPlace)) / 4;  // of two that fit alike the shorter
}

}  // namespace n2nq::ui
