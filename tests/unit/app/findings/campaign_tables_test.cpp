// The list of campaigns and the table of points, as they are read.
#include <gtest/gtest.h>

#include "ui/campaigns/campaign_list.h"
#include "ui/campaigns/point_table.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

TEST(PointModel, AColumnHasTheUnitThatFitsAllOfIt) {
  PointModel model;
  model.set_points({{.number = 1, .label = "1", .shown_trimmed_ns = 95'681.02, .shown_p99_ns = 1'134'000},
                    {.number = 2, .label = "100", .shown_trimmed_ns = 2.5e9, .shown_p99_ns = 8e9}},
                   {});
  const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
  const int trimmed = model.columnCount() - 2;
  EXPECT_EQ(text(0, trimmed), "0.096");
  EXPECT_EQ(text(0, trimmed + 1), "1.1");
  EXPECT_EQ(text(1, trimmed), "2,500.000");
}

TEST(PointModel, ARunThatIsDoubtfulSaysWhy) {
  PointModel model;
  campaign::PointRow row{.number = 1, .label = "1"};
  row.repeats = {{.state = campaign::RunState::done, .result = 7, .doubts = "the computer was busy"},
                 {.state = campaign::RunState::done, .result = 8},
                 {.state = campaign::RunState::done,
                  .result = 9,
                  .doubts = "the computer was busy",
                  .outcome = campaign::Outcome::met},
                 {.state = campaign::RunState::done,
                  .result = 10,
                  .doubts = "senders were late",
                  .outcome = campaign::Outcome::senders},
                 {.state = campaign::RunState::done, .result = 11, .doubts = "correct bus.user"}};
  model.set_points({row}, {});
  const auto cell = [&](int repeat, int role = Qt::DisplayRole) {
    return model.index(0, PointModel::first_repeat + repeat).data(role).toString();
  };
  EXPECT_EQ(cell(0, Qt::AccessibleTextRole), "Repeat 1 completed, doubtful");
  EXPECT_EQ(cell(0, Qt::ToolTipRole), "completed; doubtful: the computer was busy. A click opens its result.");
  EXPECT_EQ(cell(1, Qt::AccessibleTextRole), "Repeat 2 completed");
  EXPECT_EQ(cell(2, Qt::AccessibleTextRole), "Repeat 3 met, doubtful");
  const auto icon = [&](int repeat) {
    return model.index(0, PointModel::first_repeat + repeat)
        .data(Qt::DecorationRole)
        .value<QIcon>()
        .pixmap(16)
        .toImage();
  };
  EXPECT_EQ(icon(0), theme::icon(theme::Status::warning).pixmap(16).toImage());
  EXPECT_EQ(icon(1), theme::icon(theme::Status::good).pixmap(16).toImage());
  EXPECT_EQ(icon(2), icon(0));
  EXPECT_EQ(icon(3), theme::icon(theme::Status::info).pixmap(16).toImage()) << "late senders are no doubt";
  EXPECT_FALSE(cell(4, Qt::ToolTipRole).contains("bus.user")) << cell(4, Qt::ToolTipRole).toStdString();
  EXPECT_EQ(model.index(0, PointModel::state).data(Qt::AccessibleTextRole), "State completed, 3 doubtful");
  EXPECT_EQ(model.index(0, PointModel::state).data(Qt::ToolTipRole), "completed; 3 doubtful");
  EXPECT_FALSE(model.index(0, PointModel::state).data(Qt::DecorationRole).isNull());
}

TEST(PointTable, AHeaderThatHasAnotherUnitHasTheRoomForIt) {
  PointTable table;
  std::vector<campaign::PointRow> rows{{.number = 1, .label = "1"}};
  table.show_points(rows, {});
  const int trimmed = table.model()->columnCount() - 2;
  table.setColumnWidth(trimmed, 10);
  rows.front().shown_trimmed_ns = 2.5e6;
  table.show_points(rows, {});
  const QString header = table.model()->headerData(trimmed, Qt::Horizontal).toString();
  EXPECT_EQ(header, "Trimmed mean [ms]");
  EXPECT_GT(table.columnWidth(trimmed), table.fontMetrics().horizontalAdvance(header));
}

TEST(CampaignListModel, HasTheNumbersThatCommandsNeed) {
  ListModel model;
  model.set_rows({{.name = "new"}, {.id = 12, .name = "thesis-1"}});
  EXPECT_EQ(model.headerData(ListModel::number, Qt::Horizontal, Qt::DisplayRole), "#");
  EXPECT_EQ(model.index(0, ListModel::number).data().toString(), "") << "it has none before it begins";
  EXPECT_EQ(model.index(1, ListModel::number).data().toString(), "12");
}

}  // namespace
}  // namespace n2nq::ui
