// The commands that fit what was typed, the best first; before anything is typed those that were used last. UI thread.
#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <vector>

#include "ui/window/commands.h"

namespace n2nq::ui {

class CommandModel : public QAbstractListModel {
  Q_OBJECT

 public:
  static constexpr size_t kMostShown = 100;
  enum Role { where_role = Qt::UserRole, keys_role, why_not_role };

  using QAbstractListModel::QAbstractListModel;

  // `saved` are found by name only: there may be thousands. `recent`: ids, the last one first.
  void set_commands(std::vector<Command> actions, std::vector<Command> saved, const QStringList& recent);
  void find(const QString& typed);
  const Command& at(int row) const { return commands_[shown_[static_cast<size_t>(row)]]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  void show_recent_first();

  std::vector<Command> commands_;
  size_t actions_ = 0;  // come first among them
  QStringList recent_;
  std::vector<size_t> shown_;
};

}  // namespace n2nq::ui
