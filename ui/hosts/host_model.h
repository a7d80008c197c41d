// The list of hosts as the rows of a table, with what the last test of each said. UI thread.
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <optional>

#include "app/hosts/host_list.h"
#include "app/run/host_test.h"
#include "ui/hosts/test_view.h"
#include "ui/theme/table_view.h"

namespace n2nq::ui {

class HostModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { name, state, last_test, clock_error, address, user, jump, data_address, kind, notes, columns };
  using TestOf = std::function<const run::HostTest*(const std::string& name)>;  // null: it was not tested

  explicit HostModel(TestOf test_of, QObject* parent = nullptr);

  void set_list(const hosts::HostList& list);
  void show_tests();  // they say something else
  const hosts::HostList& list() const { return list_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString text(const hosts::Host& host, int column) const;

  TestOf test_of_;
  hosts::HostList list_;
};

// A table of the hosts, which says what to do where there are none.
theme::TableView* make_host_table(HostModel& model, QWidget* parent);

// Of a host; null: it was not tested.
TestState state_of(const run::HostTest* test);
QString clock_error_of(const run::HostTest& test);  // "\u00b1 41.2 \u00b5s"; empty: it is not known

}  // namespace n2nq::ui
