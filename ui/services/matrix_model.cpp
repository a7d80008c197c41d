#include "ui/services/matrix_model.h"

#include <algorithm>
#include <utility>

#include "ui/services/service_columns.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

uint32_t receiver_of(const QModelIndex& index) {
  return static_cast<uint32_t>(index.row()) + 1;
}

uint32_t sender_of(const QModelIndex& index) {
  return static_cast<uint32_t>(index.column()) + 1;
}

}  // namespace

MatrixModel::MatrixModel(FilterDraft& draft, QObject* parent)
    : QAbstractTableModel(parent),
      draft_(draft),
      rows_(static_cast<int>(draft.receivers())),
      columns_(static_cast<int>(draft.senders())) {
  connect(&draft, &FilterDraft::changed, this, &MatrixModel::follow);
}

void MatrixModel::set_plan(const plan::RunPlan& plan) {
  const bool planned = plan.senders.fleet.attach.empty();  // attached senders have a schedule of their own
  if (planned == planned_ && plan.senders == senders_plan_ && plan.queue.mode == mode_) return;
  planned_ = planned;
  senders_plan_ = plan.senders;
  mode_ = plan.queue.mode;
  renew_loads();
}

void MatrixModel::set_rates(std::vector<double> per_s) {
  if (std::ranges::all_of(per_s, [](double rate) { return rate == 0; })) per_s.clear();
  if (per_s == rates_) return;
  rates_ = std::move(per_s);
  renew_loads();
}

void MatrixModel::set_told(const ToldRates& sent, const ToldRates& received) {
  if (sent == sent_ && received == received_) return;
  sent_ = sent;
  received_ = received;
  double least = 0, largest = 0;
  for (const auto* side : {&sent_, &received_})
    for (const auto& rate : *side)
      if (rate.value_or(0) > 0) {
        least = least == 0 ? *rate : std::min(least, *rate);
        largest = std::max(largest, *rate);
      }
  rate_scale_ = text::column_scale(text::Unit::number, least, largest);
  std::vector<double> rates;
  for (const auto& rate : sent_) rates.push_back(rate.value_or(0));
  const auto room = std::exchange(longest_, {});
  for (const auto& [of, side] : {std::pair(Qt::Horizontal, &sent_), std::pair(Qt::Vertical, &received_)})
    for (const auto& rate : *side)
      longest_[of] = std::max({longest_[of], room[of], theme::qt(text::scaled(rate.value_or(0), rate_scale_)).size()});
  set_rates(std::move(rates));
  if (columns_ > 0) Q_EMIT headerDataChanged(Qt::Horizontal, 0, columns_ - 1);
  if (rows_ > 0) Q_EMIT headerDataChanged(Qt::Vertical, 0, rows_ - 1);
  if (longest_ != room) Q_EMIT rate_room_changed();
}

QString MatrixModel::rate_text(Role role, uint32_t service) const {
  const ToldRates& told = role == Role::sender ? sent_ : received_;
  if (service > told.size() || !told[service - 1]) return QStringLiteral("–");
  return theme::qt(text::scaled(*told[service - 1], rate_scale_));
}

void MatrixModel::renew_loads() {
  loads_.reset();
  if (rows_ > 0 && columns_ > 0) Q_EMIT dataChanged(index(0, 0), index(rows_ - 1, columns_ - 1), {Qt::DecorationRole});
}

const plan::PairLoad& MatrixModel::loads() const {
  if (!loads_) loads_ = planned_ ? plan::PairLoad(senders_plan_, mode_, draft_.matrix(), rates_) : plan::PairLoad();
  return *loads_;
}

std::optional<double> MatrixModel::load(const QModelIndex& index) const {
  if (!wanted(index)) return {};
  return loads().of(receiver_of(index), sender_of(index));
}

double MatrixModel::heat(double load) const {
  const double least = loads().least();
  const double largest = loads().largest();
  const bool alike = load_text(least) == load_text(largest);
  return alike ? 0.5 : (load - least) / (largest - least);
}

text::Scale MatrixModel::load_scale() const {
  return text::column_scale(text::Unit::number, loads().least(), loads().largest());
}

QString MatrixModel::load_text(double load) const {
  return theme::qt(text::scaled(load, load_scale()));
}

QString MatrixModel::load_source() const {
  return rates_.empty() ? QStringLiteral("by the plan") : QStringLiteral("by the senders' rates now");
}

QString MatrixModel::load_unit() const {
  return loads().per_second() ? QStringLiteral("messages/s") : QStringLiteral("% of its messages");
}

void MatrixModel::follow() {
  loads_.reset();
  const auto rows = static_cast<int>(draft_.receivers());
  const auto columns = static_cast<int>(draft_.senders());
  if (rows != rows_ || columns != columns_) {
    beginResetModel();
    rows_ = rows;
    columns_ = columns;
    endResetModel();
  } else if (rows > 0 && columns > 0) {
    Q_EMIT dataChanged(index(0, 0), index(rows - 1, columns - 1), {Qt::CheckStateRole, Qt::AccessibleTextRole});
  }
}

bool MatrixModel::wanted(const QModelIndex& index) const {
  return draft_.matrix().wanted(receiver_of(index), sender_of(index));
}

int MatrixModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : rows_;
}

int MatrixModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns_;
}

Qt::ItemFlags MatrixModel::flags(const QModelIndex& index) const {
  return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable : Qt::NoItemFlags;
}

QString MatrixModel::route_text(const QModelIndex& index) const {
  const QString text =
      wanted(index) ? QStringLiteral("r%1 receives messages from s%2") : QStringLiteral("r%1 receives none from s%2");
  const QString said = text.arg(receiver_of(index)).arg(sender_of(index));
  const auto much = load(index);
  return much ? QStringLiteral("%1, %2 %3").arg(said, load_text(*much), load_unit()) : said;
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::CheckStateRole) return wanted(index) ? Qt::Checked : Qt::Unchecked;
  if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole) {
    if (sent_.empty()) return route_text(index);
    return QStringLiteral("%1. Measured: s%2 sends %3 messages/s, r%4 receives %5 from all")
        .arg(route_text(index), QString::number(sender_of(index)), rate_text(Role::sender, sender_of(index)),
             QString::number(receiver_of(index)), rate_text(Role::receiver, receiver_of(index)));
  }
  return {};
}

bool MatrixModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::CheckStateRole) return false;
  const bool on = value.toInt() == Qt::Checked;
  draft_.edit_freely([&](plan::FilterMatrix& matrix) { matrix.set(receiver_of(index), sender_of(index), on); });
  return true;
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const Role of = orientation == Qt::Horizontal ? Role::sender : Role::receiver;
  if (role == Qt::DisplayRole) return theme::qt(service_name(of, static_cast<uint32_t>(section) + 1));
  if (role == kRateRole && !sent_.empty()) return rate_text(of, static_cast<uint32_t>(section) + 1);
  if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
    const QString name = headerData(section, orientation, Qt::DisplayRole).toString();
    const QString rate = headerData(section, orientation, kRateRole).toString();
    const QString told =
        rate.isEmpty()
            ? QString()
            : QStringLiteral("%1 %2 %3 messages/s now.").arg(name, of == Role::sender ? "sends" : "receives", rate);
    if (role == Qt::AccessibleTextRole) return told.isEmpty() ? name : told;
    return QStringLiteral("Selects all of %1. %2").arg(name, told).trimmed();
  }
  return {};
}

}  // namespace n2nq::ui

#include "moc_matrix_model.cpp"
