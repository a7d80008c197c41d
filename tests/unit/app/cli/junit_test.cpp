#include "app/cli/junit.h"

#include <gmock/gmock.h>

#include <QXmlStreamReader>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/helpers/temp_dir.h"

namespace n2nq::cli {
namespace {

using testing::HasSubstr;

struct Element {
  std::string name{};
  std::map<std::string, std::string> attributes{};
  std::string text{};
};

// As Qt reads them; the test fails where it is not well-formed.
std::vector<Element> elements_of(const std::string& xml) {
  std::vector<Element> all;
  QXmlStreamReader reader(QByteArray::fromStdString(xml));
  while (!reader.atEnd()) {
    reader.readNext();
    if (reader.isStartElement()) {
      Element& element = all.emplace_back(Element{.name = reader.name().toString().toStdString()});
      for (const QXmlStreamAttribute& one : reader.attributes())
        element.attributes[one.name().toString().toStdString()] = one.value().toString().toStdString();
    } else if (reader.isCharacters() && !reader.isWhitespace()) {
      all.back().text += reader.text().toString().toStdString();
    }
  }
  EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString() << "\n" << xml;
  return all;
}

std::vector<Element> named(const std::vector<Element>& all, const std::string& name) {
  std::vector<Element> found;
  for (const Element& element : all)
    if (element.name == name) found.push_back(element);
  return found;
}

JunitReport report_of(std::vector<JunitCase> cases) {
  return {.name = "n2nq-bench run", .suites = {{.name = "suite", .cases = std::move(cases)}}};
}

TEST(Junit, CountsWhatBecameOfItsCases) {
  JunitReport report = report_of({{.name = "a", .duration_ns = 1'500'000'000},
                                  {.name = "b", .outcome = JunitOutcome::failure, .type = "failed", .message = "m"},
                                  {.name = "c", .outcome = JunitOutcome::error},
                                  {.name = "d", .outcome = JunitOutcome::skipped}});
  report.suites.front().started_utc_ns = 1'000'000'000'000'000'000;
  report.suites.push_back({.name = "other", .cases = {{.name = "e", .duration_ns = 7'000'000}, {.name = "f"}}});
  const auto all = elements_of(to_xml(report));
  EXPECT_EQ(all[0].name, "testsuites");
  EXPECT_EQ(all[0].attributes.at("tests"), "6");
  EXPECT_EQ(all[0].attributes.at("failures"), "1");
  EXPECT_EQ(all[0].attributes.at("errors"), "1");
  EXPECT_FALSE(all[0].attributes.contains("skipped")) << "Jenkins' schema does not know it there";
  EXPECT_EQ(all[0].attributes.at("time"), "1.507");
  auto suites = named(all, "testsuite");
  ASSERT_EQ(suites.size(), 2u);
  EXPECT_EQ(suites[0].attributes["tests"], "4");
  EXPECT_EQ(suites[0].attributes["skipped"], "1");
  EXPECT_EQ(suites[0].attributes["timestamp"], "2001-09-09T01:46:40");
  EXPECT_EQ(suites[1].attributes["time"], "0.007");
  EXPECT_FALSE(suites[1].attributes.contains("timestamp"));
  EXPECT_EQ(named(all, "failure").at(0).attributes["message"], "m");
  EXPECT_EQ(named(all, "failure").at(0).text, "m");
  EXPECT_EQ(named(all, "error").size(), 1u);
  EXPECT_EQ(named(all, "skipped").size(), 1u);
  EXPECT_EQ(named(all, "system-out").size(), 0u);
}

TEST(Junit, KeepsMarkupAndLinesAsTheyAre) {
  const std::string hostile = "]]> </testcase> <b a='x' b=\"y\"> &amp; -- \n\t p99 > 5ms <!-- € 𝄞";
  JunitReport report = report_of(
      {{.name = hostile, .message = "passed", .details = hostile},
       {.name = "b", .outcome = JunitOutcome::failure, .type = hostile, .message = hostile, .details = hostile}});
  report.suites.front().name = hostile;
  report.suites.front().properties = {{hostile, hostile}};
  report.name = hostile;
  const auto all = elements_of(to_xml(report));
  EXPECT_EQ(named(all, "testcase").size(), 2u);
  EXPECT_EQ(named(all, "testsuites").at(0).attributes["name"], hostile);
  EXPECT_EQ(named(all, "testsuite").at(0).attributes["name"], hostile);
  EXPECT_EQ(named(all, "property").at(0).attributes["name"], hostile);
  EXPECT_EQ(named(all, "property").at(0).attributes["value"], hostile);
  EXPECT_EQ(named(all, "testcase").at(0).attributes["name"], hostile);
  EXPECT_EQ(named(all, "testcase").at(1).attributes["classname"], hostile);
  EXPECT_EQ(named(all, "system-out").at(0).text, "passed\n" + hostile);
  EXPECT_EQ(named(all, "failure").at(0).attributes["type"], hostile);
  EXPECT_EQ(named(all, "failure").at(0).attributes["message"], hostile);
  EXPECT_EQ(named(all, "failure").at(0).text, hostile + "\n" + hostile);
}

TEST(Junit, ReplacesWhatNoXmlMayHold) {
  std::string all_bytes;
  for (int c = 0; c < 256; c++) all_bytes += static_cast<char>(c);
  for (const std::string& hostile :
       {all_bytes, std::string("\0", 1), std::string("\xED\xA0\x80"), std::string("\xEF\xBF\xBE \xEF\xBF\xBF"),
        std::string("\xC0\xAF"), std::string("\x1B[31mred\x1B[0m\r")}) {
    const auto all = elements_of(to_xml(report_of(
        {{.name = hostile, .outcome = JunitOutcome::error, .type = hostile, .message = hostile, .details = hostile}})));
    EXPECT_EQ(named(all, "error").size(), 1u);
  }
  const auto red = elements_of(to_xml(report_of({{.name = "\x1B[31mred"}})));
  EXPECT_EQ(named(red, "testcase").at(0).attributes["name"], "\xEF\xBF\xBD[31mred");
}

TEST(Junit, OfAClockThatWasSetBackHasNoTimeBelowZero) {
  const auto all = elements_of(to_xml(report_of({{.name = "a", .duration_ns = -5'000'000'000}, {.name = "b"}})));
  EXPECT_EQ(all[0].attributes.at("time"), "0.000");
  EXPECT_EQ(named(all, "testcase").at(0).attributes["time"], "0.000");
}

struct JunitFileTest : testing::Test {
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  test::TempDir dir;
};

TEST_F(JunitFileTest, IsWholeAndReplacesTheOneBefore) {
  std::ofstream(dir / "a.xml") << "old";
  JunitFile file((dir / "a.xml").string());
  ASSERT_TRUE(file.prepare());
  EXPECT_EQ(text_of(dir / "a.xml"), "old") << "until there is a new one";
  const JunitReport report = report_of({{.name = "a"}});
  EXPECT_TRUE(file.write(report));
  EXPECT_EQ(text_of(dir / "a.xml"), to_xml(report));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir / "."), {}), 1) << "nothing else is left";
}

TEST_F(JunitFileTest, SaysBeforehandWhereItCannotBe) {
  const auto trouble = [](const std::filesystem::path& path) {
    JunitFile file(path.string());
    const Step prepared = file.prepare();
    EXPECT_FALSE(prepared);
    EXPECT_EQ(prepared.error().code, BenchExit::local_trouble);
    EXPECT_TRUE(file.write({})) << "it was said already";
    return prepared.error().text;
  };
  EXPECT_THAT(trouble(dir / "none/a.xml"), HasSubstr("--junit: "));
  EXPECT_THAT(trouble(dir / "none/a.xml"), HasSubstr("check that its folder exists"));
  std::filesystem::create_directory(dir / "folder.xml");
  EXPECT_THAT(trouble(dir / "folder.xml"), HasSubstr("is a folder"));
  std::filesystem::create_symlink(dir / "results.sqlite", dir / "link.xml");
  std::ofstream(dir / "results.sqlite") << "store";
  EXPECT_THAT(trouble(dir / "link.xml"), HasSubstr("is a results store"));
  EXPECT_EQ(text_of(dir / "results.sqlite"), "store");
}

TEST_F(JunitFileTest, ThatNobodyAskedForFailsNothing) {
  JunitFile file("");
  EXPECT_TRUE(file.prepare());
  EXPECT_TRUE(file.write(report_of({})));
}

TEST_F(JunitFileTest, WhoseFolderWentAwayIsAFailure) {
  std::filesystem::create_directory(dir / "folder");
  JunitFile file((dir / "folder/a.xml").string());
  ASSERT_TRUE(file.prepare());
  std::filesystem::remove(dir / "folder");
  EXPECT_FALSE(file.write(report_of({})));
}

}  // namespace
}  // namespace n2nq::cli
