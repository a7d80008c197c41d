// n2nq-bench on command hosts of this computer: shells that greet, and commands that lead to no host.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/headless/bench_process.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct CommandHosts : testing::Test {
  ~CommandHosts() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }

  std::string script(const std::string& name, const std::string& text) const {
    const fs::path path = place / name;
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(path, fs::perms(0755));
    return path;
  }
  // Those of the names, as links into the build; all of them if there are none.
  std::string folder_with(std::vector<std::string> names = {}) const {
    if (names.empty()) names = {"n2nq-broker", "n2nq-sender", "n2nq-receiver", "n2nq-recorder"};
    const fs::path folder = place / ("placed-" + std::to_string(names.size()));
    fs::create_directories(folder);
    for (const std::string& name : names)
      if (!fs::exists(folder / name)) fs::create_symlink(program(name), folder / name);
    return folder;
  }
  std::vector<std::string> hosts(const std::string& command, const std::string& work_folder) const {
    const Json box{{"name", "box"},
                   {"kind", "command"},
                   {"command", command + " {command}"},
                   {"work_folder", work_folder},
                   {"data_address", "127.0.0.1"}};
    const std::string path = place / "hosts.json";
    std::ofstream(path) << Json{{"version", 1}, {"hosts", {box}}}.dump(2);
    return {"--hosts", path};
  }
  BenchEnded bench(std::vector<std::string> arguments, const std::vector<std::string>& options) const {
    arguments.insert(arguments.end(), options.begin(), options.end());
    return place.run(arguments);
  }

  BenchPlace place;
  const Json on_box{
      {"queue", {{"host", "box"}}}, {"senders", {{"hosts", {"box"}}}}, {"receivers", {{"hosts", {"box"}}}}};
};

TEST_F(CommandHosts, WhoseShellGreetsAreAsGoodAsOthers) {
  const auto options =
      hosts(script("greets", "echo 'Welcome to box'\nprintf 'no newline: '\nexec \"$@\""), folder_with());
  const BenchEnded tested = bench({"hosts", "test", "box"}, options);
  EXPECT_EQ(tested.exit, Exit{.code = 0}) << tested.out << tested.err;
  EXPECT_THAT(tested.out, ContainsRegex("box +connection +ok "));

  const BenchEnded ended = bench({"run", place.plan(on_box), "--json"}, options);
  ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
  const Json run = ended.result()["runs"][0];
  EXPECT_EQ(run["received"], 600);
  uint64_t logged = 0;
  for (const auto& [number, log] : read_logs(run["folder"].get<std::string>(), "receiver")) logged += log.rows.size();
  EXPECT_EQ(logged, 600u) << "the logs came home";
  EXPECT_TRUE(fs::is_empty(folder_with() + "/runs")) << "and nothing stayed there";
}

TEST_F(CommandHosts, EndACampaignAsHostsDoWhereTheServerOfItsBusIsNotInstalled) {
  // All that this computer has but for the server, which it may have, too.
  fs::create_directories(place / "programs");
  for (const auto& entry : fs::directory_iterator("/usr/bin"))
    if (entry.path().filename() != "redis-server")
      fs::create_symlink(entry.path(), place / "programs" / entry.path().filename());
  const std::string path = "PATH=" + (place / "programs").string();
  const auto options = hosts(script("bare", path + " exec \"$@\""), folder_with());
  const std::string file = (place / "campaign.json").string();
  std::ofstream(file) << Json{{"version", 1},
                              {"name", "bare"},
                              {"base", {{"bus", {{"kind", "redis-streams"}}}, {"queue", {{"host", "box"}}}}},
                              {"axes", {{{"name", "messages"}, {"field", "senders.messages"}, {"values", {5, 10}}}}}}
                             .dump();
  const BenchEnded ended = bench({"campaign", file, "--json"}, options);
  EXPECT_EQ(ended.exit, Exit{.code = 4}) << ended.err;
  EXPECT_THAT(ended.result()["reason"].get<std::string>(),
              HasSubstr("redis-server is not installed where it is to run"));
}

// And once more from the result, when the files have gone.
TEST_F(CommandHosts, SendersHaveWhatIsInFilesOfThisComputerAlone) {
  const auto options = hosts(script("box", "cd /; exec \"$@\""), folder_with());
  const std::string content = "0123456789\nabcdefghijklmnopqrstuvwxyz";
  const std::vector<int64_t> recorded{0, 1, 20'000'000, 20'000'000, 75'500'000, 120'000'000, 120'000'007, 300'000'000};
  const fs::path times_file = place / "times.csv", content_file = place / "content.bin";
  {
    std::ofstream times(times_file);
    for (const int64_t ns : recorded) times << ns << "ns,x\n";
    std::ofstream(content_file) << content;
  }
  const std::string plan = place.plan({{"queue", {{"host", "box"}}},
                                       {"senders",
                                        {{"hosts", {"box", "this computer"}},
                                         {"size", "5B"},
                                         {"shape", {{"kind", "recorded"}, {"file", times_file}}},
                                         {"payload", "file " + content_file.string()}}}});
  for (const std::vector<std::string>& what : {std::vector<std::string>{"run", plan}, {"run", "--result", "1"}}) {
    auto arguments = what;
    arguments.push_back("--json");
    const BenchEnded ended = bench(arguments, options);
    ASSERT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
    const Json run = ended.result()["runs"][0];
    EXPECT_EQ(run["sent"], recorded.size());
    std::vector<std::pair<int64_t, uint32_t>> due;
    for (const auto& [number, log] : read_logs(run["folder"].get<std::string>(), "sender"))
      for (const LogRow& row : log.rows) {
        due.emplace_back(row.intended_ns.value(), number);
        EXPECT_EQ(row.size_bytes, 5u);
      }
    std::ranges::sort(due);
    ASSERT_EQ(due.size(), recorded.size());
    for (size_t i = 0; i < due.size(); i++) {
      EXPECT_EQ(due[i].first - due[0].first, recorded[i]);
      EXPECT_EQ((due[i].second - 1) % 4, i % 4) << "dealt to the senders in order";
    }
    for (const auto& [number, log] : read_logs(run["folder"].get<std::string>(), "receiver"))
      for (const LogRow& row : log.rows)
        EXPECT_NE((content + content).find(row.content.substr(0, 2)), std::string::npos) << row.content;
    fs::remove(times_file);
    fs::remove(content_file);
  }
}

TEST_F(CommandHosts, ThatAreNoneEndWith4) {
  const std::string bare = "[ \"$1\" = /bin/sh ] && exit 127\n";
  const std::string says_yes = script("says-yes", bare + "exit 0");
  const std::string no_shell = script("no-shell", bare + "exec \"$@\"");
  const std::string full =
      script("full", "case \"$3\" in *mkdir*echo\\ made*) echo 'No space left' >&2; exit 11;; esac\nexec \"$@\"");
  const struct {
    std::string command{}, folder{}, text{};
  } cases[] = {{"/no/such", "", "/no/such cannot be started"},
               {"true", "", "it needs a shell like /bin/sh"},
               {says_yes, folder_with(), "what it starts does not identify itself as one"},
               {no_shell, folder_with({"n2nq-broker"}), "cannot be started on box: "},
               {full, folder_with(), "cannot be created on box: No space left"}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.command);
    const BenchEnded ended = bench({"run", place.plan(on_box), "--json"}, hosts(one.command, one.folder));
    EXPECT_EQ(ended.exit, Exit{.code = 4}) << ended.err;
    EXPECT_THAT(ended.result()["reason"].get<std::string>(), HasSubstr(one.text));
  }
}

TEST_F(CommandHosts, WithoutAPortForTheQueueEndWith4) {
  ReservedPort taken;
  taken.listen();
  hosts("/usr/bin/env", folder_with());
  Json list = Json::parse(std::ifstream(place / "hosts.json"));
  list["hosts"][0]["data_ports"] = std::to_string(taken.number());
  std::ofstream(place / "hosts.json") << list.dump();
  const BenchEnded ended = bench({"run", place.plan(on_box), "--json"}, {"--hosts", place / "hosts.json"});
  EXPECT_EQ(ended.exit, Exit{.code = 4}) << ended.err;
  EXPECT_THAT(ended.result()["reason"].get<std::string>(), HasSubstr("no port is free at 0.0.0.0 in the range"));
  EXPECT_THAT(ended.err, Not(HasSubstr("n2nq-pid")));
}

}  // namespace
}  // namespace n2nq::test
