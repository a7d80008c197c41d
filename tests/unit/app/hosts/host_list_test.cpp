#include "app/hosts/host_list.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/helpers/temp_dir.h"

namespace n2nq::hosts {
namespace {

std::string error_of(const std::string& hosts) {
  const auto list = parse_host_list(R"({"version": 1, "hosts": )" + hosts + "}");
  return list ? "none" : list.error().text;
}

HostList everything() {
  return {.hosts = {{.name = "gate", .address = "gate.lab", .port = 2222, .user = "anna", .key_file = "/home/anna/k"},
                    {.name = "vm1",
                     .address = "10.0.0.5",
                     .jump = "gate",
                     .data_address = "192.168.7.5",
                     .data_ports = {.first = 7400, .last = 7500},
                     .work_folder = "/srv/bench",
                     .survive_ns = 5'400'000'000'000,
                     .notes = "the \"slow\" one\nunder the table"},
                    {.name = "box", .kind = Host::Kind::command, .command = "docker exec -i box {command}"}}};
}

TEST(HostList, IsTheSameAfterItsFile) {
  const test::TempDir folder;
  ASSERT_TRUE(write_host_list(folder / "hosts.json", everything()));
  EXPECT_EQ(read_host_list(folder / "hosts.json"), everything());
}

TEST(HostList, OfAFileThatIsNotThereIsAnErrorThatCanBeTold) {
  const auto list = read_host_list("/nowhere/hosts.json");
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().error_number, ENOENT);
}

TEST(HostList, IsHandedOnWithoutKeyFilesWhereThatIsAsked) {
  const std::string json = to_json(everything(), KeyFiles::left_out);
  EXPECT_EQ(json.find("key_file"), std::string::npos);
  HostList without = everything();
  without.hosts[0].key_file.clear();
  EXPECT_EQ(parse_host_list(json), without);
}

TEST(HostList, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(error_of(R"([{"name": "a", "address": "h", "port": 0}])"),
            "hosts[0].port: 0 is not a port; expected a number from 1 to 65535");
  EXPECT_EQ(error_of(R"([{"name": "a", "address": "h", "port": "22"}])"),
            "hosts[0].port: \"22\" is not a port; expected a number from 1 to 65535");
  EXPECT_EQ(error_of(R"([{"name": "a", "adress": "h"}])").substr(0, 40), "hosts[0].adress: there is no such field;");
  EXPECT_EQ(error_of(R"([{"name": "a", "address": "h"}, {"name": "a", "address": "i"}])"),
            "hosts[1].name: \"a\" is there twice; give every host its own name");
  EXPECT_EQ(error_of(R"([{"name": "a", "address": "h", "data_ports": "9-1"}])"),
            "hosts[0].data_ports: \"9-1\" is not a range of ports; enter it like 7400-7500, or leave it empty for any");
  for (const char* wrong : {"9s", "25h", "long"})
    EXPECT_EQ(error_of(R"([{"name": "a", "address": "h", "survive": ")" + std::string(wrong) + R"("}])"),
              "hosts[0].survive: \"" + std::string(wrong) +
                  "\" is not a duration from 10s to 24h; enter it like 30min, or leave it empty for 10s");
  EXPECT_EQ(error_of(R"([{"name": "a", "kind": "vm"}])"),
            "hosts[0].kind: \"vm\" is not a kind of host; there are ssh and command");
  EXPECT_EQ(error_of(R"([{"name": "a"}])"),
            "hosts[0].address: it is empty; enter the host's network name or IP address");
  EXPECT_EQ(error_of(R"([{"name": "a", "address": "-oProxyCommand=x"}])"),
            "hosts[0].address: \"-oProxyCommand=x\" begins with a \"-\"");
  EXPECT_EQ(error_of(R"([{"name": "a", "name": "b"}])"), "\"name\" is given twice");
  EXPECT_EQ(error_of("{}").substr(0, 32), "hosts: expected a list of object");
}

TEST(HostList, KeepsTheNamesOfThisComputerToItself) {
  for (const char* name : {"this computer", "This Computer", "a,b", " a", ""})
    EXPECT_TRUE(
        error_of(R"([{"name": ")" + std::string(name) + R"(", "address": "h"}])").starts_with("hosts[0].name: "))
        << name;
  EXPECT_TRUE(is_local(""));
  EXPECT_TRUE(is_local("This computer"));
  EXPECT_FALSE(is_local("vm1"));
}

TEST(HostList, RefusesCommandsWithoutTheirHole) {
  EXPECT_TRUE(error_of(R"([{"name": "a", "kind": "command", "command": "docker exec -i a"}])")
                  .starts_with("hosts[0].command: "));
  EXPECT_TRUE(error_of(R"([{"name": "a", "kind": "command", "command": "{command} {command}"}])")
                  .starts_with("hosts[0].command: "));
  EXPECT_TRUE(error_of(R"([{"name": "a", "kind": "command", "command": "sh -c '{command}'"}])")
                  .starts_with("hosts[0].command: "));
  EXPECT_TRUE(error_of(R"([{"name": "a", "address": "h", "command": "{command}"}])").starts_with("hosts[0].command: "));
}

TEST(HostList, RefusesJumpsThatLeadNowhere) {
  EXPECT_EQ(error_of(R"([{"name": "a", "address": "h", "jump": "b"}])"),
            "hosts[0].jump: there is no host \"b\" in this list; add it, or remove the jump host");
  EXPECT_EQ(error_of(R"([{"name": "a", "address": "h", "jump": "b"}, {"name": "b", "address": "i", "jump": "a"}])"),
            "hosts[0].jump: \"a\" leads back to itself; one of them must be reached directly");
  EXPECT_EQ(error_of(R"([{"name": "a", "address": "h", "jump": "a"}])"),
            "hosts[0].jump: \"a\" leads back to itself; one of them must be reached directly");
  EXPECT_EQ(error_of(R"([{"name": "a", "address": "h", "jump": "b"},
                         {"name": "b", "kind": "command", "command": "{command}"}])"),
            "hosts[0].jump: \"b\" is a command host, and only ssh hosts can be jump hosts");
}

TEST(HostList, KnowsTheWayToAHost) {
  HostList list = everything();
  list.hosts.push_back({.name = "deep", .address = "d", .jump = "vm1"});
  ASSERT_TRUE(check(list));
  std::vector<std::string> names;
  for (const Host* host : way_to(list, list.hosts.back())) names.push_back(host->name);
  EXPECT_EQ(names, (std::vector<std::string>{"gate", "vm1", "deep"}));
}

TEST(HostList, HasDefaultsForWhatIsEmpty) {
  const HostList list = everything();
  EXPECT_EQ(data_address_of(list.hosts[0]), "gate.lab");
  EXPECT_EQ(data_address_of(list.hosts[1]), "192.168.7.5");
  EXPECT_EQ(work_folder_of(list.hosts[0]), ".cache/n2nq-bench");
  EXPECT_EQ(work_folder_of(list.hosts[1]), "/srv/bench");
}

}  // namespace
}  // namespace n2nq::hosts
