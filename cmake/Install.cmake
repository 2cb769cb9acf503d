install(TARGETS nysxdse_static nysxdse_shared nysx-dse
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# The public headers are nysxdse.h and what it includes; others stay inside. They keep their rooms: #include "search/study.h"
# with -I<prefix>/include/nysx-dse.
set(public nysxdse.h)
set(next 0)
list(LENGTH public count)
while(next LESS count)
    list(GET public ${next} header)
    file(STRINGS ${header} lines REGEX "^ *#include \"")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE ".*\"(.*)\".*" "\\1" included "${line}")
        if(EXISTS ${CMAKE_SOURCE_DIR}/${included} AND NOT included IN_LIST public)
            list(APPEND public ${included})
        endif()
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    get_filename_component(room ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nysx-dse/${room})
    math(EXPR next "${next} + 1")
    list(LENGTH public count)
endwhile()
install(FILES ${CMAKE_BINARY_DIR}/generated/core/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nysx-dse/core)

# Files that the program reads, and the accelerators' source, which `emit` puts beside the header that it is compiled with.
foreach(pair IN LISTS NYSX_SHARED)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 from)
    list(GET pair 1 to)
    if(to STREQUAL templates)
        install(DIRECTORY ${from}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nysx-dse/${to})
    elseif(IS_DIRECTORY ${CMAKE_SOURCE_DIR}/${from})
        install(DIRECTORY ${from}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nysx-dse/${to} FILES_MATCHING
                PATTERN "*.xml" PATTERN "*.xsd" PATTERN "*.c" PATTERN "*.h" PATTERN "*.cpp" PATTERN "*.py" PATTERN "*.sv" PATTERN "*.v")
    else()
        get_filename_component(folder ${to} DIRECTORY)
        get_filename_component(name ${to} NAME)
        install(FILES ${from} DESTINATION ${CMAKE_INSTALL_DATADIR}/nysx-dse/${folder} RENAME ${name})
    endif()
endforeach()

# The prefix follows from the file's own place, so `cmake --install --prefix` and a moved tree work too.
file(RELATIVE_PATH NYSX_PREFIX_FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" NYSX_PREFIX_FROM_PKGCONFIG "${NYSX_PREFIX_FROM_PKGCONFIG}")
configure_file(cmake/nysxdse.pc.in nysxdse.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/nysxdse.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
