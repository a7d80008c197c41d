#include "app/cli/junit.h"

#include <QDateTime>
#include <algorithm>
#include <cstdio>

#include "app/cli/status_line.h"
#include "app/plan/whole_file.h"
#include "app/report/report_html.h"
#include "broker/base/join.h"

namespace n2nq::cli {
namespace {

// Within quotes a parser reads the end of a line as a space.
std::string attribute(const char* name, const std::string& value) {
  std::string text;
  for (const char c : report::escaped(value))
    if (c == '\n')
      text += "&#10;";
    else if (c == '\t')
      text += "&#9;";
    else
      text += c;
  return std::string(" ") + name + "=\"" + text + "\"";
}

// With a point, whatever the language of the user.
std::string seconds(int64_t ns) {
  const auto ms = static_cast<long long>(std::max<int64_t>(ns, 0) / 1'000'000);
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03lld", ms / 1000, ms % 1000);
  return text;
}

std::string timestamp(int64_t utc_ns) {
  return QDateTime::fromMSecsSinceEpoch(utc_ns / 1'000'000, Qt::UTC)
      .toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss"))
      .toStdString();
}

const char* element_of(JunitOutcome outcome) {
  switch (outcome) {
    case JunitOutcome::failure:
      return "failure";
    case JunitOutcome::error:
      return "error";
    case JunitOutcome::skipped:
      return "skipped";
    case JunitOutcome::passed:
      break;
  }
  return "system-out";
}

std::string case_xml(const JunitCase& one, const std::string& suite) {
  std::string out = "    <testcase" + attribute("classname", suite) + attribute("name", one.name) +
                    attribute("time", seconds(one.duration_ns));
  // Some servers show the attribute, others the text.
  std::string text = one.message;
  if (!one.details.empty()) add_part(text, "\n", one.details);
  if (one.outcome == JunitOutcome::passed && text.empty()) return out + "/>\n";
  const std::string element = element_of(one.outcome);
  out += ">\n      <" + element;
  if (one.outcome != JunitOutcome::passed) out += attribute("type", one.type) + attribute("message", one.message);
  return out + ">" + report::escaped(text) + "</" + element + ">\n    </testcase>\n";
}

struct Counts {
  size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  int64_t duration_ns = 0;

  void add(const JunitSuite& suite) {
    for (const JunitCase& one : suite.cases) {
      tests++;
      failures += one.outcome == JunitOutcome::failure ? 1 : 0;
      errors += one.outcome == JunitOutcome::error ? 1 : 0;
      skipped += one.outcome == JunitOutcome::skipped ? 1 : 0;
      duration_ns += std::max<int64_t>(one.duration_ns, 0);
    }
  }
  // That both elements have by Jenkins' schema, junit-10.xsd.
  std::string attributes() const {
    return attribute("tests", std::to_string(tests)) + attribute("failures", std::to_string(failures)) +
           attribute("errors", std::to_string(errors)) + attribute("time", seconds(duration_ns));
  }
};

std::string suite_xml(const JunitSuite& suite) {
  Counts counts;
  counts.add(suite);
  std::string out = "  <testsuite" + attribute("name", suite.name) + counts.attributes() +
                    attribute("skipped", std::to_string(counts.skipped));
  if (suite.started_utc_ns) out += attribute("timestamp", timestamp(*suite.started_utc_ns));
  out += ">\n";
  if (!suite.properties.empty()) {
    out += "    <properties>\n";
    for (const auto& [name, value] : suite.properties)
      out += "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
    out += "    </properties>\n";
  }
  for (const JunitCase& one : suite.cases) out += case_xml(one, suite.name);
  return out + "  </testsuite>\n";
}

}  // namespace

std::string to_xml(const JunitReport& report) {
  Counts counts;
  for (const JunitSuite& suite : report.suites) counts.add(suite);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", report.name) +
                    counts.attributes() + ">\n";
  for (const JunitSuite& suite : report.suites) out += suite_xml(suite);
  return out + "</testsuites>\n";
}

Step JunitFile::prepare() {
  if (path_.empty()) return {};
  if (const auto possible = plan::try_whole_file(path_); !possible)
    return std::unexpected(Trouble{BenchExit::local_trouble, "--junit: " + possible.error().text});
  prepared_ = true;
  return {};
}

bool JunitFile::write(const JunitReport& report) const {
  if (!prepared_) return true;
  const auto written = plan::write_whole_file(path_, to_xml(report));
  if (!written) say("--junit: " + written.error().text);
  return written.has_value();
}

}  // namespace n2nq::cli
