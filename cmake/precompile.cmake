# Headers that nearly every file reads are compiled once for each kind of target: core (no Qt), qt, widgets, and the same for
# tests. N2NQ_PRECOMPILE=OFF builds without them, which shows includes that are missing.
option(N2NQ_PRECOMPILE "Compile the headers that all files share once" ON)
option(N2NQ_UNITY "Compile several files of a library as one" ON)

set(N2NQ_STD_HEADERS <algorithm> <array> <atomic> <cerrno> <charconv> <chrono> <cmath> <cstdint> <cstdio> <cstdlib>
  <cstring> <filesystem> <functional> <limits> <map> <memory> <mutex> <optional> <set> <span> <string>
  <string_view> <system_error> <thread> <utility> <variant> <vector> <nlohmann/json.hpp>)
set(N2NQ_QT_HEADERS <QBuffer> <QByteArray> <QCoreApplication> <QDateTime> <QDir> <QElapsedTimer> <QEvent> <QFile> <QFileInfo>
  <QHash> <QList> <QMap> <QObject> <QPointer> <QRegularExpression> <QSettings> <QSignalBlocker> <QString> <QStringList> <QTimer>
  <QUrl> <QVariant>)
set(N2NQ_WIDGET_HEADERS <QAbstractTableModel> <QAction> <QApplication> <QCheckBox> <QClipboard> <QComboBox> <QGridLayout>
  <QHBoxLayout> <QHeaderView> <QIcon> <QKeyEvent> <QLabel> <QLineEdit> <QMenu> <QPainter> <QPalette> <QPushButton> <QScrollArea>
  <QScrollBar> <QSplitter> <QStackedWidget> <QTableView> <QToolButton> <QVBoxLayout> <QWidget>)
set(N2NQ_TEST_HEADERS <gmock/gmock.h> <gtest/gtest.h> <fstream>)

set(N2NQ_QT_DEFINITIONS QT_NO_KEYWORDS QT_NO_CAST_FROM_BYTEARRAY QT_NO_FOREACH)
# What is measured is optimised most; app and ui are compiled sooner with less, tests with none (but run for minutes so under a
# sanitizer).
if(NOT N2NQ_SANITIZE)
  set(N2NQ_APP_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O1>)
  # What _FORTIFY_SOURCE checks is checked by optimised code alone.
  set(N2NQ_TEST_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O0> -U_FORTIFY_SOURCE)
endif()

# n2nq_precompiled(KIND DEPENDS ... HEADERS ...): what targets of that kind share.
function(n2nq_precompiled kind)
  cmake_parse_arguments(PARSE_ARGV 1 P "" "" "DEPENDS;HEADERS")
  set(source ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp)
  if(NOT EXISTS ${source})
    file(WRITE ${source} "")
  endif()
  add_library(n2nq_precompiled_${kind} OBJECT ${source})
  target_link_libraries(n2nq_precompiled_${kind} PRIVATE n2nq_options ${P_DEPENDS})
  if(kind MATCHES "qt|widgets")
    target_compile_definitions(n2nq_precompiled_${kind} PRIVATE ${N2NQ_QT_DEFINITIONS})
    target_compile_options(n2nq_precompiled_${kind} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  endif()
  set(options)
  if(kind MATCHES "^test")
    set(options ${N2NQ_TEST_OPTIONS})
  elseif(NOT kind STREQUAL "core")
    set(options ${N2NQ_APP_OPTIONS})
  endif()
  target_compile_options(n2nq_precompiled_${kind} PRIVATE ${options})
  set_property(TARGET n2nq_precompiled_${kind} PROPERTY N2NQ_OPTIONS ${options})
  set_property(TARGET n2nq_precompiled_${kind} PROPERTY N2NQ_DEPENDS ${P_DEPENDS})
  target_precompile_headers(n2nq_precompiled_${kind} PRIVATE ${P_HEADERS})
endfunction()

# n2nq_precompile(TARGET): this target uses those of the kind that its folder sets, N2NQ_KIND.
function(n2nq_precompile target)
  if(N2NQ_PRECOMPILE AND N2NQ_KIND)
    get_property(depends TARGET n2nq_precompiled_${N2NQ_KIND} PROPERTY N2NQ_DEPENDS)
    get_property(options TARGET n2nq_precompiled_${N2NQ_KIND} PROPERTY N2NQ_OPTIONS)
    target_link_libraries(${target} PRIVATE ${depends})
    target_compile_options(${target} PRIVATE ${options})
    target_precompile_headers(${target} REUSE_FROM n2nq_precompiled_${N2NQ_KIND})
    target_compile_options(${target} PRIVATE -Winvalid-pch $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  endif()
endfunction()

if(N2NQ_PRECOMPILE)
  n2nq_precompiled(core DEPENDS nlohmann_json::nlohmann_json HEADERS ${N2NQ_STD_HEADERS})
  n2nq_precompiled(test_core DEPENDS nlohmann_json::nlohmann_json GTest::gmock HEADERS ${N2NQ_STD_HEADERS} ${N2NQ_TEST_HEADERS})
  if(N2NQ_BUILD_APP)
    n2nq_precompiled(qt DEPENDS nlohmann_json::nlohmann_json Qt6::Core HEADERS ${N2NQ_STD_HEADERS} ${N2NQ_QT_HEADERS})
    n2nq_precompiled(test_qt DEPENDS nlohmann_json::nlohmann_json GTest::gmock Qt6::Core
      HEADERS ${N2NQ_STD_HEADERS} ${N2NQ_TEST_HEADERS} ${N2NQ_QT_HEADERS})
    n2nq_precompiled(widgets DEPENDS nlohmann_json::nlohmann_json Qt6::Widgets
      HEADERS ${N2NQ_STD_HEADERS} ${N2NQ_QT_HEADERS} ${N2NQ_WIDGET_HEADERS})
    n2nq_precompiled(test_widgets DEPENDS nlohmann_json::nlohmann_json GTest::gmock Qt6::Widgets Qt6::Network Qt6::Test
      HEADERS ${N2NQ_STD_HEADERS} ${N2NQ_TEST_HEADERS} ${N2NQ_QT_HEADERS} ${N2NQ_WIDGET_HEADERS} <QtTest/QTest>)
  endif()
endif()
