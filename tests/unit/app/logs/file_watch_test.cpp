#include "app/logs/file_watch.h"

#include <gtest/gtest.h>

#include "tests/helpers/unprivileged.h"
#include "tests/unit/app/logs/made_log.h"

namespace n2nq::logs {
namespace {

using n2nq::test::TempDir;

TEST(FileWatch, TellsWhatBecomesOfAFile) {
  const TempDir folder;
  const auto path = folder / "a.log";
  FileWatch watch(path.string());
  EXPECT_EQ(watch.look(), FileEvent::none);
  EXPECT_EQ(watch.file(), nullptr);
  test::write_file(path, "one\n");
  EXPECT_EQ(watch.look(), FileEvent::appeared);
  EXPECT_TRUE(watch.changed_lately());
  EXPECT_EQ(watch.look(), FileEvent::none);
  test::append_file(path, "two\n");
  EXPECT_EQ(watch.look(), FileEvent::grew);
  EXPECT_EQ(watch.size(), 8);
  std::filesystem::resize_file(path, 2);
  EXPECT_EQ(watch.look(), FileEvent::truncated);
  test::write_file(folder / "new", "a new one\n");
  std::filesystem::rename(folder / "new", path);
  EXPECT_EQ(watch.look(), FileEvent::replaced);
  EXPECT_EQ(watch.size(), 10);
  std::filesystem::remove(path);
  EXPECT_EQ(watch.look(), FileEvent::vanished);
  EXPECT_EQ(watch.look(), FileEvent::none);
  EXPECT_NE(watch.file(), nullptr);
  test::write_file(path, "back\n");
  EXPECT_EQ(watch.look(), FileEvent::replaced);
}

TEST(FileWatch, AFolderInItsPlaceIsSaidOnce) {
  const TempDir folder;
  FileWatch watch(folder.path().string());
  EXPECT_EQ(watch.look(), FileEvent::unreadable);
  EXPECT_NE(watch.trouble().find("is not a file"), std::string::npos) << watch.trouble();
  EXPECT_EQ(watch.look(), FileEvent::none);
}

TEST(FileWatch, APipeDoesNotHoldItUp) {
  const TempDir folder;
  const auto path = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(FileWatch(path).look(), FileEvent::unreadable);
}

TEST(FileWatch, AReadThatFailedIsSaidOnce) {
  const TempDir folder;
  FileWatch watch(test::write_file(folder / "a.log", "one\n"));
  EXPECT_EQ(watch.look(), FileEvent::appeared);
  char byte = 0;
  EXPECT_EQ(watch.file()->read_at(-1, {&byte, 1}), 0u);  // no such place
  EXPECT_EQ(watch.look(), FileEvent::unreadable);
  EXPECT_NE(watch.trouble().find("a.log cannot be read further"), std::string::npos) << watch.trouble();
  EXPECT_EQ(watch.look(), FileEvent::none);
  EXPECT_EQ(watch.trouble(), "");
}

TEST(FileWatch, WhatMayNotBeReadIsSaidWithWhatToDo) {
  const TempDir folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  const auto path = folder / "secret.log";
  test::write_file(path, "secret\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  FileWatch watch(path.string());
  {
    const n2nq::test::Unprivileged unprivileged;
    EXPECT_EQ(watch.look(), FileEvent::unreadable);
  }
  EXPECT_NE(watch.trouble().find("make sure that you may"), std::string::npos) << watch.trouble();
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  EXPECT_EQ(watch.look(), FileEvent::appeared);
}

}  // namespace
}  // namespace n2nq::logs
