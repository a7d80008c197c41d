// A small table of texts, to read and to copy: rows are set at once. UI thread.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "ui/theme/table_view.h"

namespace n2nq::ui {

struct TextColumn {
  QString header{};
  bool number = false;   // to the right, in tabular figures
  bool stretch = false;  // takes the room that is left
  QString help{};        // of the header
};
struct TextRow {
  std::vector<QString> cells{};
  std::optional<theme::Status> status{};  // an icon before the first cell
};

class TextModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit TextModel(std::vector<TextColumn> columns, QObject* parent = nullptr);
  void set(std::vector<TextColumn> columns, std::vector<TextRow> rows);
  const std::vector<TextRow>& rows() const { return rows_; }
  const std::vector<TextColumn>& columns() const { return columns_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<TextColumn> columns_;
  std::vector<TextRow> rows_;
};

class TextTable : public theme::TableView {
  Q_OBJECT

 public:
  TextTable(const QString& name, std::vector<TextColumn> columns, QWidget* parent = nullptr);
  void set_rows(std::vector<TextRow> rows);
  void set(std::vector<TextColumn> columns, std::vector<TextRow> rows);  // the same of them stretch

 protected:
  void take_theme() override;

 private:
  TextModel* model_;
};

}  // namespace n2nq::ui
