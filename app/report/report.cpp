#include "app/report/report.h"

#include "app/text/quantity.h"

#include <cstdio>
#include <ctime>

namespace n2nq::report {

void Report::heading(std::string text, int level) {
  blocks.emplace_back(Heading{.level = level, .text = std::move(text)});
}

void Report::say(std::string text, std::optional<record::Severity> severity) {
  blocks.emplace_back(Paragraph{.text = std::move(text), .severity = severity});
}

void Report::list(std::vector<std::string> texts) {
  if (!texts.empty()) blocks.emplace_back(Items{.texts = std::move(texts)});
}

void Report::table(std::vector<figures::TableColumn> columns, std::vector<figures::TableRow> rows) {
  blocks.emplace_back(Table{.columns = std::move(columns), .rows = std::move(rows)});
}

void Report::code(std::string text) {
  blocks.emplace_back(Code{.text = std::move(text)});
}

void Report::figure(const figures::Figure& figure) {
  if (figure.empty())
    say(figure.title + ": " + figure.empty_text);
  else
    blocks.emplace_back(figure);
}

void Report::headlines(std::vector<figures::Headline> all) {
  if (!all.empty()) blocks.emplace_back(Headlines{.all = std::move(all)});
}

void Report::new_page() {
  blocks.emplace_back(NewPage());
}

std::string utc_text(int64_t utc_ns) {
  const time_t seconds = utc_ns / 1'000'000'000;
  struct tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return "-";
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02d-%02d %02d:%02d:%02d UTC", parts.tm_year + 1900, parts.tm_mon + 1,
                parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
  return text;
}

std::string product() {
  return "n2nq-bench " N2NQ_VERSION;
}

std::string count_text(uint64_t value) {
  return text::count(static_cast<int64_t>(value));
}

}  // namespace n2nq::report
