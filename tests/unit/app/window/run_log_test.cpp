#include "ui/run/run_log.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QTextDocumentFragment>

namespace n2nq::ui {
namespace {

record::RunNote note(const std::string& text, record::Severity severity = record::Severity::info) {
  return {.utc_ns = 1'500'000'000, .since_begin_ns = {}, .severity = severity, .text = text};
}

TEST(RunLog, NewNotesComeAtTheEndWithoutAReset) {
  NotesModel model;
  int resets = 0;
  QObject::connect(&model, &QAbstractItemModel::modelReset, [&] { resets++; });
  model.show_notes({note("one")});
  model.show_notes({note("one"), note("two")});
  EXPECT_EQ(model.rowCount(), 2);
  EXPECT_EQ(resets, 0);
  model.show_notes({note("of another run")});
  EXPECT_EQ(model.rowCount(), 1);
  EXPECT_EQ(resets, 1);
}

// A worker may say anything.
TEST(RunLog, TipsReadAsTheTextsDo) {
  NotesModel model;
  const QString markup = "receivers: <b>bold</b> & <i>slanted</i>";
  model.show_notes({note(markup.toStdString()), note("queue: 1 < 2\nand on")});
  const auto shown = [&](int row) {
    const QString tip = model.index(row, NotesModel::text).data(Qt::ToolTipRole).toString();
    return Qt::mightBeRichText(tip) ? QTextDocumentFragment::fromHtml(tip).toPlainText() : tip;
  };
  EXPECT_EQ(shown(0), markup);
  EXPECT_EQ(shown(1), "queue: 1 < 2\nand on");
}

TEST(RunLog, CopiesLinesWithUtcTimeAndSeverity) {
  RunLog log;
  log.show_notes({note("queue: started"), note("queue: killed", record::Severity::error)});
  log.copy();
  EXPECT_EQ(QApplication::clipboard()->text().toStdString(),
            "1970-01-01T00:00:01.500Z\tinfo\tqueue: started\n1970-01-01T00:00:01.500Z\terror\tqueue: killed\n");
}

}  // namespace
}  // namespace n2nq::ui
