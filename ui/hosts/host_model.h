// The list of hosts as the rows of a table, with what the last test of each said. UI thread.
#pragma once

#include <functional>
#include <optional>

#include "app/hosts/host_list.h"
#include "app/run/host_test.h"
#include "ui/hosts/test_view.h"
#include "ui/theme/column_model.h"

namespace n2nq::ui {

class HostModel : public theme::ColumnModel {
  Q_OBJECT

 public:
  enum Column { name, state, last_test, clock_error, address, user, jump, data_address, kind, notes, columns };
  using TestOf = std::function<const run::HostTest*(const std::string& name)>;  // null: it was not tested

  explicit HostModel(TestOf test_of, QObject* parent = nullptr);

  void set_list(const hosts::HostList& list);
  void show_tests();  // they say something else
  const hosts::HostList& list() const { return list_; }

  QVariant data(const QModelIndex& index, int role) const override;

 protected:
  size_t rows_there() const override { return list_.hosts.size(); }
  QString text(size_t row, int column) const override;

 private:
  TestOf test_of_;
  hosts::HostList list_;
};

// A table of the hosts, which says what to do where there are none.
theme::TableView* make_host_table(HostModel& model, QWidget* parent);

// Of a host; null: it was not tested.
TestState state_of(const run::HostTest* test);
QString clock_error_of(const run::HostTest& test);  // "\u00b1 41.2 \u00b5s"; empty: it is not known

}  // namespace n2nq::ui
