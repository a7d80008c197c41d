// All buses as the rows of a table: what each can do, whether its server is installed on the computer that is looked
// at, and what its last test there said. UI thread.
#pragma once

#include <vector>

#include "ui/hosts/test_view.h"
#include "ui/theme/column_model.h"

namespace n2nq::ui {

struct BusRow {
  QString name{};
  TestState state{};
  QString version{};
  QString last_test{};  // empty: it was not tested
  QString modes{};
  QString kept{};     // where messages are until they are delivered
  QString program{};  // the file of its server's program, or how to install it
};

class BusModel : public theme::ColumnModel {
  Q_OBJECT

 public:
  enum Column { name, state, version, last_test, modes, kept, program, columns };

  explicit BusModel(QObject* parent);

  // Always as many, in the same order.
  void set_rows(std::vector<BusRow> rows);
  const std::vector<BusRow>& rows() const { return rows_; }

  QVariant data(const QModelIndex& index, int role) const override;

 protected:
  size_t rows_there() const override { return rows_.size(); }
  QString text(size_t row, int column) const override;

 private:
  std::vector<BusRow> rows_;
};

theme::TableView* make_bus_table(BusModel& model, QWidget* parent);

}  // namespace n2nq::ui
