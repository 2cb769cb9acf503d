# The libraries that the project stands on, as one interface target. script/bootstrap installs them.
pkg_check_modules(LIBXML2 REQUIRED IMPORTED_TARGET libxml-2.0)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
# Loaded when a model is trained (executor/algebra.h), not linked.
pkg_check_modules(OPENBLAS REQUIRED openblas)

# Optional: sweeps over several processes (core/peers.h).
pkg_check_modules(OMPI ompi-c)

pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo cairo-svg cairo-pdf cairo-png)

# GLPK ships no pkg-config file.
find_path(GLPK_INCLUDE_DIR glpk.h REQUIRED)
find_library(GLPK_LIBRARY glpk REQUIRED)

add_library(nysx_dependencies INTERFACE)
target_include_directories(nysx_dependencies INTERFACE ${GLPK_INCLUDE_DIR})
target_link_libraries(nysx_dependencies INTERFACE
    PkgConfig::LIBXML2 PkgConfig::PCRE2 PkgConfig::SQLITE PkgConfig::LIBZIP PkgConfig::ZLIB PkgConfig::JANSSON
    PkgConfig::CAIRO PkgConfig::XXHASH PkgConfig::YAML ${CMAKE_DL_LIBS} ${GLPK_LIBRARY})
