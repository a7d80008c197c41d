# Qt for app and ui. n2nq_qt_library() is n2nq_library() with moc, and without the warnings that Qt's own headers raise.
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Network Sql Widgets Charts Svg Test)

# The folder of each test, for macros that we do not use: with it no compiled test could be shared between clones.
get_target_property(test_definitions Qt6::Test INTERFACE_COMPILE_DEFINITIONS)
list(FILTER test_definitions EXCLUDE REGEX "QT_TESTCASE_")
set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${test_definitions}")

function(n2nq_qt_library name)
  n2nq_library(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_compile_definitions(${name} PUBLIC ${N2NQ_QT_DEFINITIONS})
endfunction()
