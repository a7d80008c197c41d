#include "app/text/nearest_word.h"

#include <algorithm>

namespace n2nq::text {
namespace {

constexpr size_t kMostMistakes = 2;
constexpr size_t kLettersAMistake = 3;
constexpr size_t kLongest = 64;  // no word is as long as that

size_t letters_of(std::string_view word) {
  return word.size() - std::min(word.size(), word.find_first_not_of('-'));
}

size_t mistakes_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> to(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); i++)
    for (size_t j = 0; j <= b.size(); j++) {
      if (i == 0 || j == 0) {
        to[i][j] = i + j;
        continue;
      }
      to[i][j] = std::min({to[i - 1][j] + 1, to[i][j - 1] + 1, to[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        to[i][j] = std::min(to[i][j], to[i - 2][j - 2] + 1);
    }
  return to[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_word(std::string_view typed, const std::vector<std::string>& known) {
  std::optional<std::string> nearest;
  size_t fewest = 0;
  if (typed.size() > kLongest) return nearest;
  for (const std::string& word : known) {
    const size_t allowed = std::min(kMostMistakes, std::max(letters_of(typed), letters_of(word)) / kLettersAMistake);
    const size_t mistakes = mistakes_between(typed, word);
    if (mistakes > allowed || (nearest && mistakes >= fewest)) continue;
    nearest = word;
    fewest = mistakes;
  }
  return nearest;
}

}  // namespace n2nq::text
