#include "ui/window/command_model.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ui/window/fuzzy_match.h"

namespace n2nq::ui {
namespace {

constexpr int kRecentBonus = 60;
constexpr int kCanBeDone = 300;
constexpr int kAfterOthers = 500;

}  // namespace

void CommandModel::set_commands(std::vector<Command> actions, std::vector<Command> saved, const QStringList& recent) {
  beginResetModel();
  actions_ = actions.size();
  commands_ = std::move(actions);
  std::ranges::move(saved, std::back_inserter(commands_));
  recent_ = recent;
  show_recent_first();
  endResetModel();
}

void CommandModel::show_recent_first() {
  shown_.clear();
  for (const QString& id : recent_)
    if (const auto found = std::ranges::find(commands_, id, &Command::id); found != commands_.end())
      shown_.push_back(static_cast<size_t>(found - commands_.begin()));
  for (size_t i = 0; i < actions_; i++)
    if (!recent_.contains(commands_[i].id)) shown_.push_back(i);
}

void CommandModel::find(const QString& typed) {
  beginResetModel();
  if (typed.trimmed().isEmpty()) {
    show_recent_first();
    return endResetModel();
  }
  std::vector<std::pair<int, size_t>> found;
  for (size_t i = 0; i < commands_.size(); i++) {
    const Command& command = commands_[i];
    const auto score = fuzzy_score(typed, command.text, command.where + u' ' + command.help);
    if (!score) continue;
    const int more = (recent_.contains(command.id) ? kRecentBonus : 0) + (command.why_not.isEmpty() ? kCanBeDone : 0) -
                     (command.minor ? kAfterOthers : 0);
    found.emplace_back(-*score - more, i);
  }
  const size_t most = std::min(found.size(), kMostShown);
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(most));
  shown_.clear();
  for (size_t i = 0; i < most; i++) shown_.push_back(found[i].second);
  endResetModel();
}

int CommandModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant CommandModel::data(const QModelIndex& index, int role) const {
  const Command& command = at(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return command.text;
    case Qt::DecorationRole:
      return command.icon;
    case where_role:
      return command.where;
    case keys_role:
      return command.keys;
    case why_not_role:
      return command.why_not;
    case Qt::AccessibleTextRole: {
      QStringList parts{command.text, command.where, command.keys, command.why_not};
      parts.removeAll(QString());
      return parts.join(QStringLiteral(", "));
    }
    default:
      return {};
  }
}

// One that cannot be done can be read still.
Qt::ItemFlags CommandModel::flags(const QModelIndex& index) const {
  return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

}  // namespace n2nq::ui

#include "moc_command_model.cpp"
