# How every target is compiled. Warnings are errors; assertions of our own stay on in release builds.
add_library(n2nq_options INTERFACE)
target_compile_options(n2nq_options INTERFACE -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough -fno-omit-frame-pointer)
target_include_directories(n2nq_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(n2nq_options INTERFACE N2NQ_VERSION="${PROJECT_VERSION}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports std::optional members that are not engaged as used uninitialised.
  target_compile_options(n2nq_options INTERFACE -Wno-maybe-uninitialized)
endif()
if(N2NQ_SANITIZE)
  target_compile_options(n2nq_options INTERFACE -fsanitize=${N2NQ_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(n2nq_options INTERFACE -fsanitize=${N2NQ_SANITIZE})
endif()
if(N2NQ_FUZZ)
  target_compile_options(n2nq_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# n2nq_library(NAME SOURCES ... DEPENDS ...): a static library; header-only without sources.
function(n2nq_library name)
  cmake_parse_arguments(PARSE_ARGV 1 LIB "" "" "SOURCES;DEPENDS")
  if(LIB_SOURCES)
    add_library(${name} STATIC ${LIB_SOURCES})
    target_link_libraries(${name} PUBLIC n2nq_options ${LIB_DEPENDS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE n2nq_options ${LIB_DEPENDS})
  endif()
endfunction()

# n2nq_program(NAME SOURCES ... DEPENDS ...): one of the shipped executables.
function(n2nq_program name)
  cmake_parse_arguments(PARSE_ARGV 1 PROG "" "" "SOURCES;DEPENDS")
  add_executable(${name} ${PROG_SOURCES})
  target_link_libraries(${name} PRIVATE n2nq_options ${PROG_DEPENDS})
  if(N2NQ_STATIC)
    target_link_options(${name} PRIVATE -static)
  endif()
endfunction()
