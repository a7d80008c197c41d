// main() of test programs whose subject is widgets: a QApplication without a screen.
#include <gmock/gmock.h>

#include <QApplication>

#include "ui/theme/theme.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  n2nq::ui::theme::apply(application, n2nq::ui::theme::Appearance::light);
  return RUN_ALL_TESTS();
}
