#include "app/hosts/ssh_config.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/helpers/temp_dir.h"

namespace n2nq::hosts {
namespace {

class SshConfig : public ::testing::Test {
 protected:
  SshConfig() { std::filesystem::create_directories(home_ / ".ssh/more"); }
  void file(const std::string& name, const std::string& text) { std::ofstream(home_ / (".ssh/" + name)) << text; }
  Imported import() {
    auto imported = import_ssh_config(home_ / ".ssh/config", home_.path());
    EXPECT_TRUE(imported) << imported.error().text;
    return imported ? *imported : Imported{};
  }
  const Host& host(const Imported& imported, const std::string& name) {
    for (const Host& each : imported.hosts)
      if (each.name == name) return each;
    ADD_FAILURE() << "no host " << name;
    static const Host kNone;
    return kNone;
  }
  test::TempDir home_;
};

TEST_F(SshConfig, GivesHostsTheirOwnValuesAndThoseOfPatterns) {
  file("config", R"(# lab
Host vm1 vm2
  HostName %h.lab.example   # with the name in it
  Port=2222
  IdentityFile ~/.ssh/lab_key
host vm*
  User anna
  Port 22
Host *.example
  User nobody
Host !vm2 *
  User bert
)");
  const Imported imported = import();
  ASSERT_EQ(imported.hosts.size(), 2u);
  EXPECT_EQ(imported.hosts[0], (Host{.name = "vm1",
                                     .address = "vm1.lab.example",
                                     .port = 2222,
                                     .user = "anna",
                                     .key_file = (home_ / ".ssh/lab_key").string()}));
  EXPECT_EQ(imported.hosts[1].address, "vm2.lab.example");
}

TEST_F(SshConfig, FollowsIncludesAndKeepsTheirConditions) {
  file("config", "Include more/*.conf\nHost plain\n");
  file("more/a.conf", "Host a\n  HostName 10.0.0.1\n  Include more/key\n");
  file("more/b.conf", "Host b\n  HostName 10.0.0.2\n");
  file("more/key", "IdentityFile /keys/a\n");
  const Imported imported = import();
  ASSERT_EQ(imported.hosts.size(), 3u);
  EXPECT_EQ(host(imported, "a").key_file, "/keys/a");
  EXPECT_EQ(host(imported, "b").key_file, "");
  EXPECT_EQ(host(imported, "plain").address, "plain");
}

TEST_F(SshConfig, MakesHostsOfTheJumpsThatItNames) {
  file("config", R"(Host gate
  HostName gate.example
Host one
  ProxyJump gate
Host two
  ProxyJump anna@far.example:2200
Host three
  ProxyJump gate,inner
Host four
  ProxyJump none
Host *
  ProxyJump gate
)");
  // "gate" itself is behind "gate" by the last lines, as for ssh; that is for check() to refuse.
  const Imported imported = import();
  EXPECT_EQ(host(imported, "one").jump, "gate");
  EXPECT_EQ(host(imported, "two").jump, "anna@far.example:2200");
  const Host& far = host(imported, "anna@far.example:2200");
  EXPECT_EQ(far.address, "far.example");
  EXPECT_EQ(far.port, 2200);
  EXPECT_EQ(far.user, "anna");
  EXPECT_EQ(host(imported, "three").jump, "inner through gate");
  EXPECT_EQ(host(imported, "inner through gate").jump, "gate");
  EXPECT_EQ(host(imported, "four").jump, "");
}

TEST_F(SshConfig, TellsWhatItPassesOver) {
  file("config", "Host odd\n  ProxyCommand nc %h %p\nMatch user root\n  Port 99\n");
  const Imported imported = import();
  EXPECT_EQ(host(imported, "odd").port, 22);
  ASSERT_EQ(imported.notes.size(), 2u);
  EXPECT_NE(imported.notes[0].find("Match"), std::string::npos);
  EXPECT_NE(imported.notes[1].find("ProxyCommand"), std::string::npos);
}

TEST_F(SshConfig, ThatIncludesItselfIsRefused) {
  file("config", "Include config\n");
  EXPECT_FALSE(import_ssh_config(home_ / ".ssh/config", home_.path()));
}

TEST_F(SshConfig, JoinsAListWithoutTouchingWhatIsThere) {
  HostList list{.hosts = {{.name = "vm1", .address = "mine"}}};
  const std::vector<Host> found{{.name = "vm1", .address = "theirs"},
                                {.name = "vm2", .address = "b", .jump = "gate"},
                                {.name = "loop", .address = "c", .jump = "loop"},
                                {.name = "gate", .address = "g"}};
  const Merged merged = merge(list, found);
  EXPECT_EQ(merged.there_already, std::vector<std::string>{"vm1"});
  EXPECT_EQ(merged.added, (std::vector<std::string>{"gate", "vm2"}));
  ASSERT_EQ(merged.refused.size(), 1u);
  EXPECT_TRUE(merged.refused[0].starts_with("loop: jump: ")) << merged.refused[0];
  EXPECT_EQ(list.hosts[0].address, "mine");
  EXPECT_TRUE(check(list));
}

}  // namespace
}  // namespace n2nq::hosts
