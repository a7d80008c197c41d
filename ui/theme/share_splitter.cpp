#include "ui/theme/share_splitter.h"

#include <QDataStream>
#include <QIODevice>
#include <algorithm>
#include <cmath>

namespace n2nq::ui::theme {
namespace {

// What QSplitter::saveState() begins with, in its version of streams.
struct KeptSizes {
  qint32 mark = 0;
  qint32 version = 0;
  QList<int> sizes{};
  QByteArray rest{};
};

KeptSizes read_sizes(const QByteArray& state) {
  KeptSizes kept;
  QDataStream stream(state);
  stream.setVersion(QDataStream::Qt_5_0);
  stream >> kept.mark >> kept.version >> kept.sizes;
  if (stream.status() != QDataStream::Ok) return {};
  kept.rest = state.mid(stream.device()->pos());
  return kept;
}

}  // namespace

ShareSplitter::ShareSplitter(Qt::Orientation orientation, QWidget* parent) : QSplitter(orientation, parent) {
  connect(this, &QSplitter::splitterMoved, this, &ShareSplitter::take_sizes);
}

void ShareSplitter::share(const QList<int>& weights) {
  weights_ = weights;
  apply();
}

QByteArray ShareSplitter::state() const {
  const QByteArray own = saveState();
  const KeptSizes kept = read_sizes(own);
  if (kept.sizes.size() != weights_.size()) return own;
  QByteArray state;
  QDataStream stream(&state, QIODevice::WriteOnly);
  stream.setVersion(QDataStream::Qt_5_0);
  stream << kept.mark << kept.version << weights_;
  return state + kept.rest;
}

bool ShareSplitter::restore(const QByteArray& state) {
  if (!restoreState(state)) return false;
  QList<int> kept = read_sizes(state).sizes;
  if (kept.size() != count()) return false;
  // A pane that was never shown has no size of its own.
  for (qsizetype i = 0; i < kept.size(); i++)
    if (kept[i] <= 0) kept[i] = weights_.size() == kept.size() ? weights_[i] : 1;
  share(kept);
  return true;
}

void ShareSplitter::resizeEvent(QResizeEvent* event) {
  QSplitter::resizeEvent(event);
  apply();
}

void ShareSplitter::apply() {
  if (weights_.size() == count()) setSizes(weights_);
}

// Those that are hidden keep their weight beside the others.
void ShareSplitter::take_sizes() {
  if (weights_.size() != count()) weights_ = sizes();
  const QList<int> now = sizes();
  double weight = 0, size = 0;
  for (int i = 0; i < count(); i++) {
    if (widget(i)->isHidden()) continue;
    weight += weights_[i];
    size += now[i];
  }
  if (weight <= 0 || size <= 0) return;
  for (int i = 0; i < count(); i++)
    if (!widget(i)->isHidden()) weights_[i] = std::max(1, static_cast<int>(std::lround(now[i] * weight / size)));
}

}  // namespace n2nq::ui::theme

#include "moc_share_splitter.cpp"
