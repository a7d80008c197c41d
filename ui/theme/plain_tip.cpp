#include "ui/theme/plain_tip.h"

#include <QRegularExpression>
#include <QTextDocument>

namespace n2nq::ui::theme {

QString plain_tip(const QString& text) {
  return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

QString in_lines(QString text) {
  return text.replace(QRegularExpression("(?=[^\n]{101})([^\n]{1,100}) "), "\\1\n");
}

}  // namespace n2nq::ui::theme
