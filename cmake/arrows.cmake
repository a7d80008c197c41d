# Holds the one-way arrows between folders: an include that points up is a configure error.
# FOLDER may include from the folders listed after it, and from itself. An arrow that no include uses is one, too.
set(N2NQ_ARROWS
  "broker/base:"
  "broker/wire:broker/base"
  "broker/net:broker/base"
  "broker/tls:broker/base"
  "broker/control:broker/base,broker/net"
  "broker/process:broker/base,broker/net"
  "broker/queue:broker/base,broker/wire"
  "broker/relay:broker/base,broker/wire,broker/net,broker/control,broker/process"
  "broker/serve:broker/base,broker/wire,broker/net,broker/process"
  "broker/server:broker/base,broker/wire,broker/net,broker/control,broker/process,broker/queue,broker/serve,broker/tls"
  "workers/measure:broker/base"
  "workers/control:broker/base,broker/wire,workers/measure"
  "workers/log:broker/base"
  "workers/bus:broker/base,broker/wire,broker/net,broker/tls,workers/measure"
  "workers/transport:broker/base,broker/wire,broker/net,broker/tls,workers/measure,workers/bus"
  "workers/fleet:broker/base,broker/wire,broker/net,broker/tls,broker/control,broker/process,workers/measure,workers/control,workers/log,workers/bus,workers/transport"
  "workers/sender:broker/base,broker/wire,broker/net,broker/process,workers/measure,workers/control,workers/log,workers/bus,workers/fleet"
  "workers/receiver:broker/base,broker/wire,broker/net,broker/process,workers/measure,workers/control,workers/log,workers/bus,workers/fleet"
  "workers/recorder:broker/base,broker/net,broker/control,broker/process,workers/control"
  "app/threads:"
  "app/text:"
  "app/analysis:broker/base,app/text"
  "app/place:broker/base"
  "app/plan:broker/base,broker/wire,workers/measure,workers/control,workers/bus"
  "app/hosts:broker/base,app/plan"
  "app/live:broker/base,workers/measure,workers/control,app/text,app/plan"
  "app/remote:broker/base,app/threads"
  "app/ssh:broker/base,broker/net,app/threads,app/hosts,app/remote"
  "app/launch:broker/base,broker/net,broker/control,workers/control,app/threads,app/plan,app/hosts,app/remote,app/ssh"
  "app/logs:broker/base,app/threads,app/text"
  "app/record:broker/base,workers/measure,workers/control,app/text,app/plan,app/live"
  "app/figures:broker/base,workers/measure,app/text,app/analysis,app/plan,app/live,app/record"
  "app/store:broker/base,workers/control,app/plan,app/record"
  "app/journal:broker/base,workers/measure,workers/control,app/text,app/plan,app/live,app/record,app/store"
  "app/compare:broker/base,workers/measure,app/text,app/analysis,app/plan,app/record,app/figures"
  "app/run:broker/base,broker/net,workers/control,app/threads,app/text,app/plan,app/hosts,app/live,app/launch,app/record,app/figures,app/store,app/journal"
  "app/campaign:broker/base,app/threads,app/text,app/analysis,app/plan,app/hosts,app/record,app/figures,app/store,app/compare,app/run"
  "app/archive:broker/base,app/text,app/plan,app/record,app/store,app/campaign"
  "app/findings:broker/base,app/threads,app/text,app/analysis,app/plan,app/record,app/figures,app/store,app/campaign"
  "app/report:broker/base,app/text,app/plan,app/record,app/figures,app/store,app/compare,app/campaign,app/findings"
  "app/cli:broker/base,workers/measure,app/text,app/analysis,app/place,app/plan,app/hosts,app/live,app/launch,app/record,app/figures,app/store,app/journal,app/compare,app/run,app/campaign,app/archive,app/findings,app/report"
  "ui/theme:app/record,app/figures"
  "ui/charts:app/text,app/plan,app/figures,app/compare,ui/theme"
  "ui/report:app/threads,app/plan,app/report,ui/theme,ui/charts"
  "ui/files:app/threads,app/text,app/plan,app/record,app/archive,ui/theme,ui/report"
  "ui/services:app/text,app/plan,app/live,app/logs,app/figures,ui/theme"
  "ui/logs:app/text,app/logs,ui/theme"
  "ui/run:app/text,app/place,app/plan,app/hosts,app/live,app/logs,app/record,app/figures,app/compare,app/run,ui/theme,ui/charts,ui/services"
  "ui/results:app/threads,app/text,app/analysis,app/plan,app/logs,app/record,app/figures,app/store,app/journal,app/compare,ui/theme,ui/charts,ui/files,ui/services"
  "ui/hosts:app/text,app/plan,app/hosts,app/launch,app/run,ui/theme"
  "ui/buses:app/hosts,app/run,ui/theme,ui/hosts"
  "ui/campaigns:app/threads,app/text,app/plan,app/hosts,app/live,app/figures,app/compare,app/run,app/campaign,app/archive,app/findings,ui/theme,ui/charts,ui/files,ui/services,ui/run"
  "ui/window:app/threads,app/text,app/logs,app/place,app/plan,app/hosts,app/launch,app/record,app/figures,app/store,app/run,app/campaign,app/archive,app/findings,app/cli,ui/theme,ui/files,ui/logs,ui/run,ui/results,ui/hosts,ui/buses,ui/campaigns")

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
