// A data folder that nobody may write, as on a mounted archive: what only reads works on it.
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "tests/headless/bench_process.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct ReadOnlyTest : testing::Test {
  ReadOnlyTest() {
    std::ofstream(place / "two.json") << R"({"version": 1, "name": "two",
      "base": {"senders": {"count": 1, "messages": 2, "delay": "5ms"}, "receivers": {"count": 1}},
      "axes": [{"name": "messages", "field": "senders.messages", "values": [2, 3]}]})";
    const BenchEnded made = place.run({"campaign", place / "two.json"});
    EXPECT_EQ(made.exit, Exit{.code = 0}) << made.err;
    fs::create_directories(out());
    fs::permissions(out().parent_path(), fs::perms(0755));
    fs::permissions(out(), fs::perms(0777));
    const int chmod = Process({"/bin/chmod", "-R", "a=rX", place.data()}).wait_exit(20s)->code;
    EXPECT_EQ(chmod, 0);
  }
  ~ReadOnlyTest() override { Process({"/bin/chmod", "-R", "u+w", place.data()}).wait_exit(20s); }

  fs::path out() const { return place / "out"; }
  // As somebody who is not root, whom no permission would stop; who finds the programs all the same, wherever they are.
  BenchEnded run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> argv{"/usr/bin/env", "-u", "DISPLAY", "HOME=" + out().string(),
                                  "N2NQ_DATA_DIR=" + place.data().string()};
    if (::geteuid() == 0)
      for (const char* word : {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                               "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"})
        argv.emplace_back(word);
    argv.push_back(program("n2nq-bench"));
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    Process bench(argv);
    return BenchPlace::finish(bench);
  }
  BenchPlace place;
};

TEST_F(ReadOnlyTest, ServesResultsCompareReportAndExport) {
  const BenchEnded results = run({"results"});
  EXPECT_EQ(results.exit, Exit{.code = 0}) << results.err;
  EXPECT_THAT(results.out, HasSubstr("#2"));
  const BenchEnded compared = run({"compare", "1", "2"});
  EXPECT_EQ(compared.exit, Exit{.code = 0}) << compared.err;
  for (const std::string name : {"x.n2nq", "x.json", "x.hgrm"}) {
    const BenchEnded exported = run({"export", "1", out() / name});
    EXPECT_EQ(exported.exit, Exit{.code = 0}) << name << ": " << exported.err;
    EXPECT_TRUE(fs::exists(out() / name));
  }
  const BenchEnded campaign = run({"export", "--campaign", "1", out() / "c.n2nq", "--logs"});
  EXPECT_EQ(campaign.exit, Exit{.code = 0}) << campaign.err;
  const BenchEnded report = run({"report", "--campaign", "1", "--out", out() / "c.html"});
  EXPECT_EQ(report.exit, Exit{.code = 0}) << report.err;
  const BenchEnded refused = run({"run", place.plan()});
  EXPECT_EQ(refused.exit, Exit{.code = 3});
  EXPECT_THAT(refused.err, HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace n2nq::test
