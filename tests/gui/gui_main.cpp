// main() of the tests of the window. Without a platform in the environment there is no screen.
#include <gmock/gmock.h>

#include <QApplication>
#include <clocale>

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") && qEnvironmentVariableIsEmpty("DISPLAY"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  testing::InitGoogleMock(&argc, argv);
  QApplication application(argc, argv);
  QApplication::setQuitOnLastWindowClosed(false);  // several windows, one after another
  std::setlocale(LC_NUMERIC, "C");
  return RUN_ALL_TESTS();
}
