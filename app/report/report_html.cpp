#include "app/report/report_html.h"

#include <QString>
#include <algorithm>

#include "app/figures/figure_notes.h"
#include "app/report/report_style.h"

namespace n2nq::report {
namespace {

using record::Severity;

const char* class_of(const std::optional<Severity>& severity) {
  if (!severity) return "";
  if (*severity == Severity::error) return " class=\"error\"";
  return *severity == Severity::warning ? " class=\"warning\"" : " class=\"info\"";
}

constexpr size_t kShortText = 28;  // is not broken
constexpr size_t kManyColumns = 9;

// For a cell below the head.
std::string text_class(const figures::TableColumn& column, const std::string& text) {
  if (column.number || column.stretch) return column.number ? " class=\"number\"" : " class=\"rest\"";
  return text.size() <= kShortText && text.find('\n') == std::string::npos ? " class=\"short\"" : "";
}

std::string cell_class(const figures::TableColumn& column) {
  if (column.number) return " class=\"number\"";
  return column.stretch ? " class=\"rest\"" : "";
}

// Columns that share the room, and tables that need all there is.
std::string table_class(const Table& table) {
  const bool shared = std::ranges::count_if(table.columns, &figures::TableColumn::stretch) > 1;
  const bool many = table.columns.size() > kManyColumns;
  if (!shared && !many) return "";
  return std::string(" class=\"") + (shared ? "shared" : "") + (shared && many ? " " : "") + (many ? "many" : "") +
         "\"";
}

const char* class_of(figures::Hue hue) {
  switch (hue) {
    case figures::Hue::sender:
      return "sender";
    case figures::Hue::queue:
      return "queue";
    case figures::Hue::receiver:
      return "receiver";
    case figures::Hue::accent:
      return "accent";
    case figures::Hue::neutral:
      break;
  }
  return "neutral";
}

const char* mark_of(const std::optional<Severity>& severity) {
  if (!severity) return "";
  if (*severity == Severity::error) return " error";
  return *severity == Severity::warning ? " warning" : " info";
}

class Writer {
 public:
  explicit Writer(const Draw& draw) : draw_(draw) {}

  void operator()(const Heading& heading) {
    const std::string tag = "h" + std::to_string(heading.level);
    out += "<" + tag + ">" + escaped(heading.text) + "</" + tag + ">\n";
  }
  void operator()(const Paragraph& paragraph) {
    out += std::string("<p") + class_of(paragraph.severity) + ">" + escaped(paragraph.text) + "</p>\n";
  }
  void operator()(const Items& items) {
    out += "<ul>\n";
    for (const std::string& text : items.texts) out += "<li>" + escaped(text) + "</li>\n";
    out += "</ul>\n";
  }
  void operator()(const Table& table) {
    out += "<div class=\"wide\"><table" + table_class(table) + ">\n<thead><tr>";
    for (const figures::TableColumn& column : table.columns)
      out += "<th" + cell_class(column) + ">" + escaped(column.header) + "</th>";
    out += "</tr></thead>\n<tbody>\n";
    for (const figures::TableRow& row : table.rows) {
      out += std::string("<tr") + class_of(row.severity) + ">";
      for (size_t i = 0; i < row.cells.size(); i++)
        out += "<td" + (i < table.columns.size() ? text_class(table.columns[i], row.cells[i]) : "") + ">" +
               escaped(row.cells[i]) + "</td>";
      out += "</tr>\n";
    }
    out += "</tbody>\n</table></div>\n";
  }
  void operator()(const Code& code) { out += "<pre>" + escaped(code.text) + "</pre>\n"; }
  void operator()(const figures::Figure& figure) {
    out += "<figure>\n" + inline_svg(draw_(figure), figure.title);
    if (!figure.notes.empty()) out += "<figcaption>" + escaped(figures::notes_text(figure)) + "</figcaption>\n";
    out += "</figure>\n";
  }
  void operator()(const Headlines& headlines) {
    out += "<div class=\"headlines\">\n";
    for (const figures::Headline& one : headlines.all)
      out += std::string("<div class=\"") + class_of(one.hue) + mark_of(one.severity) + "\"><span class=\"name\">" +
             escaped(one.name) + "</span><span class=\"value\">" + escaped(one.value) + "</span>" +
             (one.unit.empty() ? "" : " <span class=\"unit\">" + escaped(one.unit) + "</span>") +
             "<span class=\"note\">" + escaped(one.note) + "</span></div>\n";
    out += "</div>\n";
  }
  void operator()(const NewPage&) { out += "<div class=\"new-page\"></div>\n"; }

  std::string out;

 private:
  const Draw& draw_;
};

bool is_for_xml(QChar c) {
  if (c.isSurrogate()) return true;  // in pairs: fromStdString() makes no others
  return c == u'\n' || c == u'\t' || (c >= QChar(0x20) && c != QChar(0xFFFE) && c != QChar(0xFFFF));
}

}  // namespace

std::string escaped(const std::string& text) {
  QString clean = QString::fromStdString(text);
  for (QChar& c : clean)
    if (!is_for_xml(c)) c = QChar::ReplacementCharacter;
  return clean.toHtmlEscaped().replace(u'\'', QStringLiteral("&#39;")).toStdString();
}

std::string inline_svg(const Drawing& drawing, const std::string& label) {
  const size_t root = drawing.svg.find("<svg");
  const size_t begin = root == std::string::npos ? root : drawing.svg.find('>', root);
  const size_t end = drawing.svg.rfind("</svg>");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "<p>(no figure)</p>\n";
  std::string inner = drawing.svg.substr(begin + 1, end - begin - 1);
  // A title would be a tip over all of it.
  for (const char* tag : {"title", "desc"}) {
    const std::string close = std::string("</") + tag + ">";
    const size_t from = inner.find(std::string("<") + tag + ">");
    const size_t to = inner.find(close);
    if (from != std::string::npos && to != std::string::npos && to > from) inner.erase(from, to + close.size() - from);
  }
  // What is written in a figure may be foreign; markup is escaped there, other characters are not.
  for (char& c : inner)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r') c = '?';
  return "<svg role=\"img\" aria-label=\"" + escaped(label) + "\" viewBox=\"0 0 " + std::to_string(drawing.width) +
         " " + std::to_string(drawing.height) + "\">" + inner + "</svg>\n";
}

std::string to_html(const Report& report, const Draw& draw, const Look& look) {
  Writer writer(draw);
  for (const Block& block : report.blocks) std::visit(writer, block);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
         "<meta name=\"generator\" content=\"" +
         escaped(product()) + "\"/>\n<title>" + escaped(report.title) + "</title>\n<style>" + style_sheet(look) +
         "</style>\n</head>\n<body>\n<h1>" + escaped(report.title) + "</h1>\n<p class=\"subtitle\">" +
         escaped(report.subtitle) + "</p>\n" + writer.out + "<footer>Written by " + escaped(product()) +
         ".</footer>\n</body>\n</html>\n";
}

}  // namespace n2nq::report
