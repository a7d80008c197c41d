#include "app/place/qt_messages.h"

#include <gmock/gmock.h>

#include <QString>
#include <QtGlobal>
#include <string>
#include <vector>

namespace n2nq::place {
namespace {

std::vector<std::string> written;

void keep(QtMsgType, const QMessageLogContext&, const QString& text) {
  written.push_back(text.toStdString());
}

TEST(QtMessages, AreWrittenButTheOneOnTheMissingSession) {
  const QtMessageHandler usual = qInstallMessageHandler(keep);
  be_silent_about_missing_session();
  qWarning("QStandardPaths: XDG_RUNTIME_DIR not set, defaulting to '/tmp/runtime-root'");
  qWarning("QStandardPaths: wrong permissions on runtime directory");
  qWarning("a real one");
  qInstallMessageHandler(usual);
  EXPECT_THAT(written, testing::ElementsAre("QStandardPaths: wrong permissions on runtime directory", "a real one"));
}

}  // namespace
}  // namespace n2nq::place
