# cmake --install, and the Debian package that CPack makes of the same: `cpack --config build/release/CPackConfig.cmake`.
set(CMAKE_INSTALL_DOCDIR share/doc/n2nq-bench)
include(GNUInstallDirs)

set(N2NQ_PROGRAMS n2nq-bench n2nq-broker n2nq-sender n2nq-receiver n2nq-recorder)
install(TARGETS ${N2NQ_PROGRAMS} RUNTIME)
install(FILES resources/n2nq-bench.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES resources/n2nq-bench.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
configure_file(resources/package/n2nq-bench.metainfo.xml.in n2nq-bench.metainfo.xml @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/n2nq-bench.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES resources/package/n2nq-bench.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME n2nq-bench)
install(DIRECTORY resources/plans DESTINATION ${CMAKE_INSTALL_DATADIR}/n2nq-bench FILES_MATCHING PATTERN "*.json")
install(DIRECTORY resources/kubernetes DESTINATION ${CMAKE_INSTALL_DATADIR}/n2nq-bench USE_SOURCE_PERMISSIONS)
install(DIRECTORY resources/grafana DESTINATION ${CMAKE_INSTALL_DATADIR}/n2nq-bench FILES_MATCHING PATTERN "*.json")
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN "*.png"
  PATTERN decisions EXCLUDE)

# n2nq_man_page(PROGRAM ABOUT [COMMANDS]): from its own help.
function(n2nq_man_page program about)
  set(page ${CMAKE_BINARY_DIR}/man/${program}.1.gz)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${program}> -DNAME=${program} -DABOUT=${about}
      "-DCOMMANDS=${ARGN}" -DVERSION=${PROJECT_VERSION} -DOUT=${CMAKE_BINARY_DIR}/man/${program}.1 -P ${PROJECT_SOURCE_DIR}/cmake/man_page.cmake
    COMMAND gzip -9nf ${CMAKE_BINARY_DIR}/man/${program}.1
    DEPENDS ${program} ${PROJECT_SOURCE_DIR}/cmake/man_page.cmake VERBATIM)
  add_custom_target(${program}_man_page ALL DEPENDS ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()
n2nq_man_page(n2nq-bench "test bench for a many-to-many message queue"
  run,hosts,campaign,search,compare,results,export,import,report)
n2nq_man_page(n2nq-broker "the queue of N2NQ Bench")
n2nq_man_page(n2nq-sender "a fleet of senders for N2NQ Bench")
n2nq_man_page(n2nq-receiver "a fleet of receivers for N2NQ Bench")
n2nq_man_page(n2nq-recorder "records what a host does while N2NQ Bench measures")

# All that is installed, and no test.
list(TRANSFORM N2NQ_PROGRAMS APPEND _man_page OUTPUT_VARIABLE pages)
add_custom_target(n2nq_installed DEPENDS ${N2NQ_PROGRAMS} ${pages})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME n2nq-bench)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The N2NQ Bench developers <n2nq-bench@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "desktop test bench for a many-to-many message queue")
set(CPACK_PACKAGE_DESCRIPTION "Starts a queue and fleets of senders and receivers as real processes, here or over SSH,
charts live counters and latency, sweeps settings, and keeps, compares and exports results.")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What Qt loads by itself, and a linker does not see.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libqt6sql6-sqlite, libqt6svg6, qt6-qpa-plugins, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openssh-client")
include(CPack)
