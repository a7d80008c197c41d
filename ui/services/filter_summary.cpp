#include "ui/services/filter_summary.h"

#include <QLabel>
#include <QPushButton>

#include "app/text/quantity.h"
#include "ui/services/filter_draft.h"
#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

QString part_text(const QString& part) {
  if (part == QLatin1String("senders=self")) return QStringLiteral("from the sender with its number");
  if (part == QLatin1String("senders=none")) return QStringLiteral("nothing");
  if (part.startsWith(QLatin1String("senders="))) return QStringLiteral("from ") + part.mid(8).replace("..", "-");
  if (part.startsWith(QLatin1String("index="))) return QStringLiteral("numbers ") + part.mid(6);
  return part.startsWith(QLatin1String("size=")) ? part.mid(5) : part;
}

}  // namespace

FilterSummary::FilterSummary(const FilterDraft& draft, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      text_(new QLabel(this)),
      edit_(theme::push_button(nullptr, "Edit filters…",
                               "Opens the filters below, as text or as a matrix of senders and receivers.", this,
                               "Edit filters")) {
  text_->setAccessibleName(QStringLiteral("Filters"));
  text_->setTextFormat(Qt::PlainText);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  text_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  edit_->setObjectName("edit filters");
  setFocusProxy(edit_);
  auto* row = theme::row_in(this, kGrid);
  text_->setMinimumHeight(edit_->sizeHint().height());  // so that one line stands beside the button's text
  row->addWidget(text_, 1, Qt::AlignTop);
  row->addWidget(edit_, 0, Qt::AlignTop);
  connect(edit_, &QPushButton::clicked, this, &FilterSummary::edit_requested);
  connect(&draft_, &FilterDraft::changed, this, [this] {
    unheard_ = unheard_text(draft_.matrix());
    fill();
  });
  fill();
}

void FilterSummary::set_mode(plan::Mode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  fill();
}

QString FilterSummary::line(const plan::ReceiverFilter& filter) {
  const QString who =
      filter.receivers.all() ? QStringLiteral("all") : QStringLiteral("r") + qt(control::to_text(filter.receivers));
  QStringList parts;
  for (const QString& part : qt(filter.filter).split(u';', Qt::SkipEmptyParts)) parts << part_text(part);
  return QStringLiteral("%1: %2").arg(who, parts.isEmpty() ? QStringLiteral("everything") : parts.join(", "));
}

QString FilterSummary::unheard_text(const plan::FilterMatrix& matrix) {
  const uint32_t count = matrix.unheard();
  if (count == 0) return {};
  return (count == 1 ? QStringLiteral("%1 sender reaches no receiver.")
                     : QStringLiteral("%1 senders reach no receiver."))
      .arg(qt(text::count(count)));
}

void FilterSummary::fill() {
  QStringList whole;
  for (const plan::ReceiverFilter& filter : draft_.filters()) whole << line(filter);
  if (whole.isEmpty())
    whole << (mode_ == plan::Mode::broadcaster ? QStringLiteral("Every receiver gets every message.")
                                               : QStringLiteral("Every receiver accepts any message."));
  QStringList shown = whole.mid(0, static_cast<qsizetype>(kLines));
  for (QString& text : shown)
    text = text_->fontMetrics().elidedText(text, Qt::ElideRight, qMax(8 * kGrid, text_->width()));
  if (whole.size() > shown.size()) {
    shown.removeLast();
    shown << QStringLiteral("and %1 more").arg(whole.size() - shown.size());
  }
  if (!unheard_.isEmpty()) {
    shown << unheard_;
    whole << unheard_;
  }
  const QString text = shown.join(u'\n');
  if (text != text_->text()) text_->setText(text);
  text_->setToolTip(theme::plain_tip(whole.mid(0, 20).join(u'\n')));
  text_->setAccessibleDescription(whole.join(u'\n'));
}

void FilterSummary::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fill();
}

}  // namespace n2nq::ui

#include "moc_filter_summary.cpp"
