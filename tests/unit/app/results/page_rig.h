// The page of results over a store of its own, with its controls by their names.
#pragma once

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <memory>
#include <stdexcept>

#include "app/store/store.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"
#include "ui/results/results_page.h"

namespace n2nq::ui::test {

inline constexpr int kPatience = 20'000;

struct ResultsPageRig : testing::Test {
  n2nq::test::TempDir dir;
  std::unique_ptr<store::ResultStore> store = store::ResultStore::open((dir / "results.sqlite").string()).value();
  std::unique_ptr<ResultsPage> page;

  int64_t add(const std::string& name) {
    record::RunRecord record = record::test::example_record(name);
    record.started_utc_ns += next_++ * 1'000'000'000;
    record.folder = (dir / "run").string();
    return store->add(record).value();
  }
  void show_page() {
    page = std::make_unique<ResultsPage>(*store);
    page->resize(1280, 800);
    page->show();
    ASSERT_TRUE(shows_details());
  }
  bool shows_details() {
    return QTest::qWaitFor([this] { return rows().model()->rowCount() == 0 || tabs().isVisible(); }, kPatience);
  }
  template <class Widget>
  Widget& named(const QString& name) {
    for (auto* widget : page->findChildren<Widget*>())
      if (widget->accessibleName() == name) return *widget;
    throw std::runtime_error("no " + name.toStdString());
  }
  QTableView& rows() { return named<QTableView>("Results"); }
  QTabWidget& tabs() { return named<QTabWidget>("Details of the result"); }
  QStringList plans() {
    QStringList names;
    for (int i = 0; i < rows().model()->rowCount(); i++) names.append(cell(i, "Plan"));
    return names;
  }
  int column(const QString& header) {
    const auto* model = rows().model();
    for (int column = 0; column < model->columnCount(); column++) {
      const QString title = model->headerData(column, Qt::Horizontal).toString();
      if (title == header || title.startsWith(header + " [")) return column;
    }
    throw std::runtime_error("no column " + header.toStdString());
  }
  QString cell(int row, const QString& header) { return rows().model()->index(row, column(header)).data().toString(); }
  bool said(const QString& text) {
    const auto labels = page->findChildren<QLabel*>();
    return std::ranges::any_of(labels,
                               [&](const QLabel* label) { return label->isVisible() && label->text().contains(text); });
  }
  void press(const QString& button) { QTest::mouseClick(&named<QPushButton>(button), Qt::LeftButton); }

 private:
  int64_t next_ = 0;
};

}  // namespace n2nq::ui::test
