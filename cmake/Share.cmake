# What the program reads at run time. In the build tree it is linked, so that an edited file counts at once.
set(NYSX_SHARED_FOLDERS
    devices/boards:boards
    devices/catalogue:catalogue
    devices/machines:machines
    devices/schema:schema
    resources/costs:costs
    resources/schema:costs-schema
    datasets/profiles:profiles
    datasets/schema:profile-schema
    hls:hls
    rtl:rtl
    validation/published:published)
set(share ${CMAKE_BINARY_DIR}/share/nysx-dse)
file(MAKE_DIRECTORY ${share})
foreach(pair IN LISTS NYSX_SHARED_FOLDERS)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 from)
    list(GET pair 1 to)
    if(EXISTS ${CMAKE_SOURCE_DIR}/${from})
        file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${from} ${share}/${to} SYMBOLIC)
    endif()
endforeach()
