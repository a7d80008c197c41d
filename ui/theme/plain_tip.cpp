#include "ui/theme/plain_tip.h"

#include <QTextDocument>

namespace n2nq::ui::theme {

QString plain_tip(const QString& text) {
  return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

}  // namespace n2nq::ui::theme
