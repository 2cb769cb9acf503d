/* `nysx-dse version`: what this build is and stands on. */
#include <glpk.h>
#include <jansson.h>
#include <libxml/xmlversion.h>
#include <pcre2.h>
#include <sqlite3.h>
#include <zip.h>

#include "core/strbuf.h"
#include "core/version.h"
#include "dse/commands.h"
#include "dse/output.h"

enum dse_status dse_run_version(const struct dse_cli *cli, struct dse_error *err)
{
    char pcre2[64] = "";
    pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    struct dse_strbuf text = {0};
    dse_strbuf_printf(&text, "nysx-dse %s\n", DSE_VERSION);
    dse_strbuf_printf(&text, "GLPK %s, libxml2 %s, PCRE2 %s, SQLite %s, libzip %s, Jansson %s\n",
                      glp_version(), LIBXML_DOTTED_VERSION, pcre2, sqlite3_libversion(),
                      zip_libzip_version(), JANSSON_VERSION);
    return dse_output_text(cli, &text, err);
}
