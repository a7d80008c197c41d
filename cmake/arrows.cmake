# Holds the one-way arrows between folders: an include that points up is a configure error.
# FOLDER may include from the folders listed after it, and from itself. An arrow that no include uses is one, too.
set(N2NQ_ARROWS
  "broker/base:"
  "broker/wire:broker/base"
  "broker/net:broker/base"
  "broker/control:broker/base,broker/net"
  "broker/process:broker/base,broker/net"
  "broker/queue:broker/base,broker/wire"
  "broker/server:broker/base,broker/wire,broker/net,broker/queue,broker/control,broker/process"
  "workers/measure:broker/base"
  "workers/control:broker/base,broker/wire"
  "workers/log:broker/base"
  "workers/transport:broker/base,broker/wire,broker/net,workers/measure"
  "workers/fleet:broker/base,broker/wire,broker/net,broker/control,broker/process,workers/control,workers/measure,workers/log,workers/transport"
  "workers/sender:broker/base,broker/wire,broker/net,broker/process,workers/control,workers/measure,workers/log,workers/fleet"
  "workers/receiver:broker/base,broker/wire,broker/net,broker/process,workers/control,workers/measure,workers/log,workers/fleet"
  "app/threads:"
  "app/text:"
  "app/statistics:broker/base,app/text"
  "app/theory:"
  "app/place:broker/base"
  "app/plan:broker/base,broker/wire,workers/control,workers/measure"
  "app/hosts:broker/base,app/plan"
  "app/live:broker/base,workers/control,workers/measure,app/plan,app/text"
  "app/control:workers/control"
  "app/remote:broker/base,app/threads"
  "app/ssh:broker/base,broker/net,app/hosts,app/threads,app/remote"
  "app/launch:broker/net,broker/control,broker/base,workers/control,app/plan,app/control,app/hosts,app/remote,app/ssh,app/threads"
  "app/logs:broker/base,app/text,app/threads"
  "app/results:broker/base,workers/control,workers/measure,app/plan,app/live,app/statistics,app/theory,app/text"
  "app/compare:broker/base,workers/measure,app/plan,app/results,app/statistics,app/text"
  "app/campaign:broker/base,app/plan,app/results,app/statistics,app/compare,app/run,app/text,app/hosts,app/threads"
  "app/archive:broker/base,app/plan,app/results,app/campaign,app/text"
  "app/report:broker/base,app/plan,app/results,app/statistics,app/compare,app/campaign,app/findings,app/text"
  "app/run:broker/net,broker/base,workers/control,app/plan,app/live,app/results,app/control,app/launch,app/hosts,app/text,app/threads"
  "app/findings:broker/base,app/threads,app/plan,app/results,app/statistics,app/compare,app/campaign,app/text"
  "app/headless:app/archive,app/report,broker/base,workers/measure,app/plan,app/live,app/results,app/statistics,app/compare,app/campaign,app/findings,app/run,app/launch,app/hosts,app/text,app/place"
  "ui/theme:app/results"
  "ui/charts:app/plan,app/results,app/text,ui/theme"
  "ui/report:app/plan,app/report,app/threads,ui/theme,ui/charts"
  "ui/files:app/archive,app/plan,app/results,app/text,app/threads,ui/report,ui/theme"
  "ui/services:app/plan,app/live,app/text,ui/theme"
  "ui/logs:app/logs,app/text,ui/theme"
  "ui/run:app/hosts,app/plan,app/live,app/results,app/run,app/text,ui/theme,ui/charts,ui/services"
  "ui/results:ui/files,app/plan,app/results,app/compare,app/text,ui/theme,ui/charts,ui/services,app/threads"
  "ui/hosts:app/hosts,app/plan,app/launch,app/run,ui/theme"
  "ui/campaigns:app/archive,ui/files,app/hosts,app/plan,app/live,app/results,app/compare,app/campaign,app/findings,app/run,app/text,ui/theme,ui/charts,ui/services,ui/run"
  "ui/window:app/archive,ui/files,app/hosts,app/launch,app/plan,app/results,app/run,app/text,ui/theme,ui/logs,ui/run,ui/results,ui/hosts,ui/campaigns,app/campaign,app/place,app/headless")

function(n2nq_check_arrows)
  foreach(arrow IN LISTS N2NQ_ARROWS)
    string(REGEX MATCH "^([^:]+):(.*)$" _ "${arrow}")
    set(folder "${CMAKE_MATCH_1}")
    string(REPLACE "," ";" allowed "${CMAKE_MATCH_2}")
    file(GLOB_RECURSE files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.h" "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
    set(unused "${allowed}")
    foreach(file IN LISTS files)
      file(STRINGS "${file}" includes REGEX "^#include \"(broker|workers|app|ui)/")
      foreach(line IN LISTS includes)
        string(REGEX MATCH "\"([a-z]+/[a-z]+)/" _ "${line}")
        set(target "${CMAKE_MATCH_1}")
        if(NOT target STREQUAL folder AND NOT target IN_LIST allowed)
          message(FATAL_ERROR "An arrow runs the wrong way: ${file}: ${line}")
        endif()
        list(REMOVE_ITEM unused "${target}")
      endforeach()
    endforeach()
    if(unused)
      message(FATAL_ERROR "Nothing in ${folder} includes anything of ${unused}: remove the arrow from cmake/arrows.cmake")
    endif()
  endforeach()
endfunction()
