#include "app/place/qt_messages.h"

#include <QString>
#include <QtGlobal>

namespace n2nq::place {
namespace {

QtMessageHandler before = nullptr;

void pass_on(QtMsgType type, const QMessageLogContext& context, const QString& text) {
  if (!text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set"))) before(type, context, text);
}

}  // namespace

void be_silent_about_missing_session() {
  if (before == nullptr) before = qInstallMessageHandler(pass_on);
}

}  // namespace n2nq::place
