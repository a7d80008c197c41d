#include "app/ssh/shell_words.h"

namespace n2nq::ssh {

std::string shell_words(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) {
    if (!line.empty()) line += ' ';
    line += '\'';
    for (const char c : argument) {
      if (c == '\'')
        line += "'\\''";
      else
        line += c;
    }
    line += '\'';
  }
  return line;
}

}  // namespace n2nq::ssh
