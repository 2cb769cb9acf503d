# Files that the program reads at run time, as FROM:TO below share/nysx-dse. In the build tree it is linked, so that an edited file
# counts at once.
set(NYSX_SHARED
    devices/boards:boards
    devices/catalogue:catalogue
    devices/hosts:hosts
    devices/machines:machines
    devices/schema/board.xsd:schema/board.xsd
    resources/costs:costs
    resources/schema:costs-schema
    datasets/schema:profile-schema
    emit/hls/LICENSE:hls/LICENSE
    emit/templates:templates
    validation/constants.xml:published/constants.xml)

# Of each family: its accelerators' source, published figures and profiles.
file(GLOB profiles RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS models/*/profiles/*.xml)
foreach(profile IN LISTS profiles)
    get_filename_component(name ${profile} NAME)
    list(APPEND NYSX_SHARED ${profile}:profiles/${name})
endforeach()
foreach(pair hls:hls/FAMILY rtl:rtl/FAMILY published.xml:published/FAMILY.xml accuracy.xml:published/FAMILY-accuracy.xml)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 from)
    list(GET pair 1 to)
    file(GLOB found RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS models/*/${from})
    foreach(path IN LISTS found)
        string(REGEX REPLACE "^models/([^/]*)/.*" "\\1" family ${path})
        string(REPLACE FAMILY ${family} target ${to})
        list(APPEND NYSX_SHARED ${path}:${target})
    endforeach()
endforeach()

set(share ${CMAKE_BINARY_DIR}/share/nysx-dse)
file(REMOVE_RECURSE ${share})
foreach(pair IN LISTS NYSX_SHARED)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 from)
    list(GET pair 1 to)
    get_filename_component(folder ${share}/${to} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${from} ${share}/${to} SYMBOLIC)
endforeach()
