// A report as one HTML file that stands by itself: no script, nothing from elsewhere, light and dark as the reader's
// screen, and made for paper too. It is well-formed XML. Any thread.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/report/report.h"

namespace n2nq::report {

// Whoever draws figures: this folder knows no pixels.
struct Drawing {
  // As a whole SVG document.
  std::string svg{};
  int width = 0;
  int height = 0;
};
using Draw = std::function<Drawing(const figures::Figure& figure)>;
// "#1a2b3c" of a figure, and what stands for it on a dark screen.
using DarkColors = std::vector<std::pair<std::string, std::string>>;

// The colours of the page, by what they are of: "page", "card", "text", "muted", "line", "band", "info", "warning",
// "error", and the roles "sender", "queue", "receiver", "accent", "neutral".
using PageColors = std::vector<std::pair<std::string, std::string>>;
struct Look {
  std::string font{};  // the families, as a style sheet names them
  PageColors light{}, dark{};
  DarkColors figures{};
};

std::string to_html(const Report& report, const Draw& draw, const Look& look);

// As text of XML: markup escaped, what no XML may hold replaced.
std::string escaped(const std::string& text);
// The element of such a document, without what only a file of its own needs.
std::string inline_svg(const Drawing& drawing, const std::string& label);

}  // namespace n2nq::report
