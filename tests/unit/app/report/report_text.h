// A report as plain text, for tests of what it says.
#pragma once

#include <string>

#include "app/report/report.h"

namespace n2nq::report::test {

inline std::string text_of(const Report& report) {
  std::string out = report.title + "\n" + report.subtitle + "\n";
  struct {
    std::string& out;
    void operator()(const Heading& heading) { out += "## " + heading.text + "\n"; }
    void operator()(const Paragraph& paragraph) { out += paragraph.text + "\n"; }
    void operator()(const Items& items) {
      for (const std::string& text : items.texts) out += "- " + text + "\n";
    }
    void operator()(const Table& table) {
      for (const auto& column : table.columns) out += column.header + " | ";
      out += "\n";
      for (const auto& row : table.rows) {
        for (const std::string& cell : row.cells) out += cell + " | ";
        out += "\n";
      }
    }
    void operator()(const Code& code) { out += code.text + "\n"; }
    void operator()(const Headlines& headlines) {
      for (const figures::Headline& one : headlines.all)
        out += "* " + one.name + ": " + one.value + (one.unit.empty() ? "" : " " + one.unit) +
               (one.note.empty() ? "" : " (" + one.note + ")") + "\n";
    }
    void operator()(const NewPage&) { out += "----\n"; }
    void operator()(const figures::Figure& figure) { out += "[" + figure.title + "]\n"; }
  } writer{out};
  for (const Block& block : report.blocks) std::visit(writer, block);
  return out;
}

}  // namespace n2nq::report::test
