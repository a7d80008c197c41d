#include "ui/services/filter_rules.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "app/text/quantity.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::qt;

struct FieldWords {
  const char* header;
  const char* help;
  const char* if_empty;
};
constexpr std::array<FieldWords, FilterRules::kFields> kWords{{
    {"Receivers", "The receivers this applies to: all, or numbers such as 1-5,9.", "none"},
    {"From senders",
     "The senders whose messages they get: all, none, self (receiver 3 from sender 3), or numbers such as 1-5,9.",
     "all"},
    {"Size", "Sizes of the messages they get, such as 10B..1KiB; empty for any.", "any"},
    {"Message numbers", "Which messages of each sender they get, such as 1..100; empty for any.", "any"},
}};

constexpr const char* kRateHelp =
    "Messages per second that these receivers received together, by the filters in use, over the last second; – where "
    "one has told none.";

// Without blanks, without the letter of "s1-5" or "r9", and without the words that stand for nothing.
std::string as_written(const QString& typed, FilterRules::Field field) {
  QString text = typed;
  text.remove(u' ');
  if (text.compare(QLatin1String("any"), Qt::CaseInsensitive) == 0) return {};
  if (field == FilterRules::receivers || field == FilterRules::senders) {
    text = text.toLower();
    for (qsizetype i = 0; i + 1 < text.size(); i++) {
      const bool starts = i == 0 || text[i - 1] == u',' || text[i - 1] == u'-' || text[i - 1] == u'.';
      if (starts && (text[i] == u's' || text[i] == u'r') && text[i + 1].isDigit()) text.remove(i, 1);
    }
  }
  return theme::utf8(text);
}

std::vector<uint32_t> without(const std::vector<uint32_t>& from, const std::vector<uint32_t>& taken) {
  std::vector<uint32_t> rest;
  std::set_difference(from.begin(), from.end(), taken.begin(), taken.end(), std::back_inserter(rest));
  return rest;
}

bool wants_only_own(const plan::FilterMatrix& matrix, uint32_t receiver) {
  return matrix.senders_text(receiver) == "self";
}

bool wants_everything(const plan::FilterMatrix& matrix, uint32_t receiver) {
  return matrix.senders_text(receiver) == "all" && matrix.size_text(receiver).empty() &&
         matrix.index_text(receiver).empty();
}

}  // namespace

FilterRules::FilterRules(FilterDraft& draft, QObject* parent) : QAbstractTableModel(parent), draft_(draft) {
  rules_ = grouped();
  connect(&draft, &FilterDraft::changed, this, &FilterRules::follow);
}

void FilterRules::set_one_row_each(bool on) {
  if (on == one_row_each_) return;
  one_row_each_ = on;
  follow();
}

void FilterRules::set_received(const ToldRates& received) {
  if (received == received_) return;
  received_ = received;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, rate), index(rowCount() - 1, rate));
}

QString FilterRules::rate_text(const Rule& rule) const {
  double all = 0;
  for (const uint32_t receiver : rule.receivers) {
    if (receiver > received_.size() || !received_[receiver - 1]) return QStringLiteral("–");
    all += *received_[receiver - 1];
  }
  return qt(text::scaled(all, text::column_scale(text::Unit::number, all, all)));
}

void FilterRules::follow() {
  if (own_edit_) return;
  beginResetModel();
  rules_ = grouped();
  endResetModel();
  Q_EMIT wrong_changed();
}

// A receiver that wants only the sender of its own number: in words, or by that number.
std::string FilterRules::senders_of(uint32_t receiver, bool by_number) const {
  const plan::FilterMatrix& matrix = draft_.matrix();
  return by_number && wants_only_own(matrix, receiver) ? std::to_string(receiver) : matrix.senders_text(receiver);
}

std::vector<FilterRules::Rule> FilterRules::grouped() const {
  const plan::FilterMatrix& matrix = draft_.matrix();
  // "1-3: sender 1" stays one rule, although receiver 1 could also be said to want its own.
  std::set<std::string> wanted_by_others;
  for (uint32_t receiver = 1; receiver <= matrix.receivers(); receiver++) {
    if (!wants_only_own(matrix, receiver)) wanted_by_others.insert(matrix.senders_text(receiver));
  }
  std::vector<Rule> rules;
  std::map<std::tuple<std::string, std::string, std::string>, size_t> known;
  for (uint32_t receiver = 1; receiver <= matrix.receivers(); receiver++) {
    std::string from = senders_of(receiver, wanted_by_others.contains(std::to_string(receiver)));
    const auto key = std::tuple(from, matrix.size_text(receiver), matrix.index_text(receiver));
    const size_t at = one_row_each_ ? rules.size() : known.try_emplace(key, rules.size()).first->second;
    if (at == rules.size()) rules.push_back({.senders = std::move(from)});
    rules[at].receivers.push_back(receiver);
  }
  return rules;
}

std::string FilterRules::receivers_text(const std::vector<uint32_t>& numbers) const {
  if (numbers.size() == draft_.receivers() && !one_row_each_) return "all";
  control::ServiceSet set;
  for (const uint32_t number : numbers) {
    if (!set.ranges.empty() && set.ranges.back().last + 1 == number)
      set.ranges.back().last = number;
    else
      set.ranges.push_back({.first = number, .last = number});
  }
  return to_text(set);
}

std::string FilterRules::field_text(const Rule& rule, Field field) const {
  if (!rule.wrong[field].error.empty()) return rule.wrong[field].typed;
  const uint32_t one = rule.receivers.front();
  switch (field) {
    case receivers:
      return receivers_text(rule.receivers);
    case senders:
      return rule.senders;
    case size:
      return draft_.matrix().size_text(one);
    default:
      return draft_.matrix().index_text(one);
  }
}

Result<void> FilterRules::give_filter(size_t rule, Field field, const std::string& text) {
  const std::vector<uint32_t> numbers = rules_[rule].receivers;
  auto edited = draft_.edit([&](plan::FilterMatrix& matrix) -> Result<void> {
    for (const uint32_t number : numbers) {
      auto set = field == senders ? matrix.set_senders_text(number, text)
                 : field == size  ? matrix.set_size_text(number, text)
                                  : matrix.set_index_text(number, text);
      if (!set) return set;
    }
    return {};
  });
  if (edited && field == senders) rules_[rule].senders = text == "self" ? text : senders_of(numbers.front(), true);
  return edited;
}

Result<void> FilterRules::give_receivers(size_t rule, const std::string& text) {
  if (text.empty()) return fail("no receivers given; enter all, or numbers such as 1-5,9");
  const auto set = control::parse_services(text);
  if (!set) return fail("\"" + text + "\" does not name receivers; enter all, or numbers such as 1-5,9");
  if (!set->all() && set->ranges.back().last > draft_.receivers())
    return fail("there is no receiver " + std::to_string(set->ranges.back().last) + "; they are 1 to " +
                std::to_string(draft_.receivers()));
  std::vector<uint32_t> numbers;
  for (uint32_t number = 1; number <= draft_.receivers(); number++) {
    if (set->contains(number)) numbers.push_back(number);
  }
  const std::vector<uint32_t> before = rules_[rule].receivers;
  const std::vector<uint32_t> dropped = without(before, numbers);
  const std::string from = rules_[rule].senders;
  auto edited = draft_.edit([&](plan::FilterMatrix& matrix) -> Result<void> {
    const uint32_t like = before.front();
    for (const uint32_t number : without(numbers, before)) {
      if (auto given = matrix.set_senders_text(number, from); !given) return given;
      (void)matrix.set_size_text(number, matrix.size_text(like));
      (void)matrix.set_index_text(number, matrix.index_text(like));
    }
    for (const uint32_t number : dropped) {
      (void)matrix.set_senders_text(number, "all");
      (void)matrix.set_size_text(number, "");
      (void)matrix.set_index_text(number, "");
    }
    return {};
  });
  if (!edited) return edited;
  rules_[rule].receivers = numbers;
  leave_to_everything(dropped);
  take_from_others(rule, numbers);
  return {};
}

void FilterRules::take_from_others(size_t rule, const std::vector<uint32_t>& numbers) {
  for (size_t other = rules_.size(); other-- > 0;) {
    if (other == rule) continue;
    std::vector<uint32_t> rest = without(rules_[other].receivers, numbers);
    if (!rest.empty()) {
      rules_[other].receivers = std::move(rest);
      continue;
    }
    const auto row = static_cast<int>(other);
    beginRemoveRows({}, row, row);
    rules_.erase(rules_.begin() + row);
    endRemoveRows();
    if (other < rule) rule--;
  }
}

void FilterRules::leave_to_everything(std::vector<uint32_t> numbers) {
  if (numbers.empty()) return;
  for (Rule& rule : rules_) {
    if (without(rule.receivers, numbers).size() != rule.receivers.size()) continue;
    if (one_row_each_ || !wants_everything(draft_.matrix(), rule.receivers.front())) continue;
    rule.receivers.insert(rule.receivers.end(), numbers.begin(), numbers.end());
    std::sort(rule.receivers.begin(), rule.receivers.end());
    return;
  }
  beginInsertRows({}, rowCount(), rowCount());
  rules_.push_back({.receivers = std::move(numbers), .senders = "all"});
  endInsertRows();
}

Result<void> FilterRules::change(size_t rule, Field field, const std::string& text) {
  own_edit_ = true;
  auto done = field == receivers ? give_receivers(rule, text) : give_filter(rule, field, text);
  own_edit_ = false;
  return done;
}

bool FilterRules::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() >= kFields || role != Qt::EditRole) return false;
  const auto field = static_cast<Field>(index.column());
  const QPersistentModelIndex place(index);
  const auto done = change(static_cast<size_t>(index.row()), field, as_written(value.toString(), field));
  if (!place.isValid()) return true;
  rules_[static_cast<size_t>(place.row())].wrong[field] =
      done ? Wrong{} : Wrong{.typed = theme::utf8(value.toString()), .error = done.error().text};
  Q_EMIT dataChanged(this->index(0, 0), this->index(rowCount() - 1, columnCount() - 1));
  Q_EMIT wrong_changed();
  return true;
}

int FilterRules::split(int row) {
  const auto several = [this](int r) { return rules_[static_cast<size_t>(r)].receivers.size() > 1; };
  if (row < 0 || row >= rowCount() || !several(row)) {
    row = 0;
    while (row < rowCount() && !several(row)) row++;
    if (row == rowCount()) return -1;
  }
  Rule& from = rules_[static_cast<size_t>(row)];
  Rule taken{.receivers = {from.receivers.back()}, .senders = from.senders};
  from.receivers.pop_back();
  Q_EMIT dataChanged(index(row, 0), index(row, kFields - 1));
  beginInsertRows({}, row + 1, row + 1);
  rules_.insert(rules_.begin() + row + 1, std::move(taken));
  endInsertRows();
  return row + 1;
}

bool FilterRules::can_remove(int row) const {
  if (row < 0 || row >= rowCount()) return false;
  const auto is_open = [this](const Rule& rule) { return wants_everything(draft_.matrix(), rule.receivers.front()); };
  const Rule& rule = rules_[static_cast<size_t>(row)];
  const bool wrong = std::ranges::any_of(rule.wrong, [](const Wrong& one) { return !one.error.empty(); });
  return wrong || !is_open(rule) || (!one_row_each_ && std::ranges::count_if(rules_, is_open) > 1);
}

void FilterRules::remove(int row) {
  if (row < 0 || row >= rowCount()) return;
  const std::vector<uint32_t> numbers = rules_[static_cast<size_t>(row)].receivers;
  draft_.edit_freely([&](plan::FilterMatrix& matrix) {
    for (const uint32_t number : numbers) {
      (void)matrix.set_senders_text(number, "all");
      (void)matrix.set_size_text(number, "");
      (void)matrix.set_index_text(number, "");
    }
  });
  follow();
}

QString FilterRules::first_wrong() const {
  for (const Rule& rule : rules_) {
    for (size_t field = 0; field < kFields; field++) {
      if (!rule.wrong[field].error.empty())
        return QStringLiteral("receivers %1, %2: %3")
            .arg(qt(receivers_text(rule.receivers)), QString(kWords[field].header).toLower(),
                 qt(rule.wrong[field].error));
    }
  }
  return {};
}

int FilterRules::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rules_.size());
}

int FilterRules::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kFields + 1;
}

Qt::ItemFlags FilterRules::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags shown = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  return index.column() == rate || (one_row_each_ && index.column() == receivers) ? shown : shown | Qt::ItemIsEditable;
}

QVariant FilterRules::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto field = static_cast<Field>(index.column());
  const Rule& rule = rules_[static_cast<size_t>(index.row())];
  if (index.column() == rate) {
    if (role == Qt::DisplayRole) return rate_text(rule);
    if (role == Qt::ToolTipRole) return QString(kRateHelp);
    if (role == Qt::AccessibleTextRole) return QStringLiteral("Rate now: %1 /s").arg(rate_text(rule));
    return role == Qt::TextAlignmentRole ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
  }
  const std::string& wrong = rule.wrong[field].error;
  switch (role) {
    case Qt::EditRole:
      return qt(field_text(rule, field));
    case Qt::DisplayRole: {
      const std::string text = field_text(rule, field);
      return text.empty() && wrong.empty() ? QString(kWords[field].if_empty) : qt(text);
    }
    case Qt::ToolTipRole:
      return wrong.empty() ? QString(kWords[field].help) : theme::plain_tip(qt(wrong));
    case Qt::DecorationRole:
      return wrong.empty() ? QVariant() : theme::icon(theme::Status::bad);
    case Qt::ForegroundRole:
      if (!wrong.empty()) return theme::color(theme::Status::bad);
      return field_text(rule, field).empty() ? QVariant(theme::muted_text()) : QVariant();
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1: %2%3")
          .arg(kWords[field].header, data(index, Qt::DisplayRole).toString(),
               wrong.empty() ? QString() : QStringLiteral(", wrong: ") + qt(wrong));
    case kWrongRole:
      return qt(wrong);
    default:
      return {};
  }
}

QVariant FilterRules::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section > rate) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((section == rate ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (section == rate)
    return role == Qt::DisplayRole ? "Rate now [/s]" : role == Qt::ToolTipRole ? QVariant(kRateHelp) : QVariant();
  if (role == Qt::DisplayRole) return kWords[static_cast<size_t>(section)].header;
  if (role == Qt::ToolTipRole) return kWords[static_cast<size_t>(section)].help;
  return {};
}

}  // namespace n2nq::ui

#include "moc_filter_rules.cpp"
