#include "app/logs/line_scan.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/app/logs/made_log.h"

namespace n2nq::logs {
namespace {

using n2nq::test::TempDir;

struct Line {
  int64_t start = 0;
  std::string text{};
  bool ended = false;
  bool operator==(const Line&) const = default;
};

std::vector<Line> scan_all(const OpenFile& file, int64_t from, int64_t to) {
  std::vector<Line> lines;
  LineScan scan(file, from, to);
  LinePiece piece;
  while (scan.next(piece)) {
    if (piece.first) lines.push_back({.start = piece.start});
    EXPECT_EQ(piece.start, lines.back().start);
    EXPECT_EQ(piece.offset, piece.start + std::ssize(lines.back().text));
    lines.back().text += piece.text;
    lines.back().ended = piece.ended;
  }
  return lines;
}

class Scanned {
 public:
  explicit Scanned(std::string text) : text_(std::move(text)) {
    file_ = *OpenFile::open(test::write_file(folder_ / "a.log", text_));
  }
  const OpenFile& file() const { return *file_; }
  std::vector<Line> expected(int64_t from, int64_t to) const {
    std::vector<Line> lines;
    for (const auto& line : test::naive_lines(text_)) {
      const auto end = static_cast<size_t>(line.start) + line.text.size();
      if (line.start >= from && line.start < to) lines.push_back({line.start, line.text, end < text_.size()});
    }
    return lines;
  }

 private:
  TempDir folder_;
  std::string text_;
  std::shared_ptr<const OpenFile> file_;
};

TEST(LineScan, AnEmptyFileHasNoLines) {
  const Scanned scanned("");
  EXPECT_TRUE(scan_all(scanned.file(), 0, INT64_MAX).empty());
}

TEST(LineScan, EmptyLinesAreLines) {
  const Scanned scanned("\n\na\n\n");
  EXPECT_EQ(scan_all(scanned.file(), 0, INT64_MAX), scanned.expected(0, INT64_MAX));
}

TEST(LineScan, ALineWithoutItsEndIsToldAsSuch) {
  const Scanned scanned("one\ntwo");
  const auto lines = scan_all(scanned.file(), 0, INT64_MAX);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[0].ended);
  EXPECT_FALSE(lines[1].ended);
}

TEST(LineScan, LinesLongerThanItsBufferComeInPieces) {
  std::string text = "head\n";
  for (const size_t length :
       {LineScan::kBuffer - 1, LineScan::kBuffer, LineScan::kBuffer + 1, 3 * LineScan::kBuffer + 7}) {
    text += std::string(length, 'x') + "\nshort\n";
  }
  const Scanned scanned(text);
  EXPECT_TRUE(scan_all(scanned.file(), 0, INT64_MAX) == scanned.expected(0, INT64_MAX));
}

TEST(LineScan, AnyStretchHoldsTheLinesThatBeginInIt) {
  std::mt19937 random(7);  // NOLINT: the same every time
  std::string text{};
  for (int i = 0; i < 3000; ++i) {
    const size_t length = random() % 100 == 0 ? random() % 300'000 : random() % 200;
    text += std::string(length, static_cast<char>(random() % 256 == '\n' ? 0 : random() % 9)) + "\n";
  }
  const Scanned scanned(text);
  for (int i = 0; i < 60; ++i) {
    const auto from = static_cast<int64_t>(random() % text.size());
    const auto to = from + static_cast<int64_t>(random() % 400'000);
    EXPECT_TRUE(scan_all(scanned.file(), from, to) == scanned.expected(from, to)) << from << " to " << to;
  }
}

TEST(LineScan, AStretchInsideOneLineHasNone) {
  const Scanned scanned(std::string(2'000'000, 'x') + "\nlast\n");
  EXPECT_TRUE(scan_all(scanned.file(), 1000, 500'000).empty());
}

}  // namespace
}  // namespace n2nq::logs
