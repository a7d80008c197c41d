#include "app/hosts/host_book.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/helpers/temp_dir.h"

namespace n2nq::hosts {
namespace {

using testing::HasSubstr;

struct HostBookTest : testing::Test {
  test::TempDir dir;
  const std::string path = (dir / "hosts.json").string();
  const HostList one{{{.name = "vm1", .address = "a"}}};
  const HostList two{{{.name = "vm1", .address = "a"}, {.name = "vm2", .address = "b"}}};
};

TEST_F(HostBookTest, BeginsEmptyAndKeepsEachChange) {
  HostBook book(path);
  EXPECT_TRUE(book.list().hosts.empty());
  EXPECT_FALSE(book.trouble());
  ASSERT_TRUE(book.change("add vm1", one));
  EXPECT_EQ(*read_host_list(path), one);
  EXPECT_EQ(HostBook(path).list(), one);
}

TEST_F(HostBookTest, TakesBackAndBringsAgain) {
  HostBook book(path);
  ASSERT_TRUE(book.change("add vm1", one));
  ASSERT_TRUE(book.change("add vm2", two));
  EXPECT_EQ(book.undo_text(), "add vm2");
  ASSERT_TRUE(book.undo());
  EXPECT_EQ(*read_host_list(path), one);
  EXPECT_EQ(book.redo_text(), "add vm2");
  ASSERT_TRUE(book.redo());
  EXPECT_EQ(book.list(), two);
}

TEST_F(HostBookTest, RefusesAListThatIsNoGood) {
  HostBook book(path);
  ASSERT_TRUE(book.change("add vm1", one));
  EXPECT_FALSE(book.change("add", HostList{{{.name = "", .address = "a"}}}));
  EXPECT_EQ(book.list(), one);
  EXPECT_EQ(book.undo_text(), "add vm1");
}

TEST_F(HostBookTest, OverwritesNothingThatItCouldNotRead) {
  std::ofstream(path) << "hosts:";
  HostBook book(path);
  ASSERT_TRUE(book.trouble());
  EXPECT_THAT(*book.trouble(), HasSubstr(path));
  EXPECT_FALSE(book.change("add vm1", one));
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "hosts:");
  std::ofstream(path) << to_json(two);
  EXPECT_TRUE(book.look());
  EXPECT_EQ(book.list(), two);
}

TEST_F(HostBookTest, WhatAnotherProgramWroteIsShownAndNotOverwritten) {
  HostBook book(path);
  ASSERT_TRUE(book.change("add vm1", one));
  ASSERT_TRUE(write_host_list(path, two));
  const auto changed = book.change("rename", HostList{{{.name = "vm9", .address = "a"}}});
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().text, HasSubstr("another program has changed"));
  EXPECT_EQ(book.list(), two);
  EXPECT_EQ(book.undo_text(), "");
}

TEST_F(HostBookTest, TroubleNamesHostAndField) {
  const auto trouble = trouble_of({{{.name = "vm1", .address = "a"}, {.name = "vm2", .address = "b", .jump = "vm3"}}});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->host, 1u);
  EXPECT_EQ(trouble->field, "jump");
  EXPECT_THAT(trouble->text, HasSubstr("there is no host"));
  EXPECT_FALSE(trouble_of(two));
}

TEST_F(HostBookTest, NamesAreMadeFreeAndFollowed) {
  EXPECT_EQ(free_name(two, "vm3"), "vm3");
  EXPECT_EQ(free_name(two, "vm2"), "vm2-2");
  HostList list = two;
  list.hosts[1].jump = "vm1";
  EXPECT_EQ(with_host(list, 0, {.name = "gate", .address = "a"}).hosts[1].jump, "gate");
}

}  // namespace
}  // namespace n2nq::hosts
