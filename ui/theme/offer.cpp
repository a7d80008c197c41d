#include "ui/theme/offer.h"

#include <QWidget>

#include "ui/theme/plain_tip.h"

namespace n2nq::ui::theme {

void offer(QWidget& control, const QString& help, const QString& why_not) {
  const QString& text = why_not.isEmpty() ? help : why_not;
  control.setEnabled(why_not.isEmpty());
  control.setToolTip(plain_tip(text));
  control.setAccessibleDescription(text);
}

}  // namespace n2nq::ui::theme
