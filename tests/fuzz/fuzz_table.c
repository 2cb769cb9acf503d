/* Fuzzes the reader of tables: an accepted table is rectangular and finite, has UTF-8 names, and reads back equal after plain writing. */
#include <jansson.h>
#include <math.h>

#include "core/strbuf.h"
#include "datasets/table.h"
#include "tests/fuzz/input.h"

static struct dse_data_table *parse(char *bytes, size_t size)
{
    static char name[] = "F";
    struct dse_text text = {.name = name, .data = bytes, .size = size};
    struct dse_data_table *table;
    struct dse_error err = {0};
    enum dse_status status = dse_data_table_read(name, &text, NULL, &table, &err);
    require(status == DSE_OK ? table != NULL : table == NULL && err.message[0] != '\0');
    return table;
}

static void check_table(const struct dse_data_table *table)
{
    require(table->columns >= 2 && table->rows >= 1 && table->target == table->columns - 1);
    for (size_t i = 0; i < table->rows * table->columns; i++)
        require(isfinite(table->values[i]));
    for (size_t c = 0; c < table->columns; c++) {
        json_t *name = json_string(table->column[c]);
        require(name != NULL);
        json_decref(name);
    }
}

static void write_and_read(const struct dse_data_table *table)
{
    struct dse_strbuf plain = {0};
    for (size_t i = 0; i < table->rows * table->columns; i++)
        dse_strbuf_printf(&plain, "%.17g%c", table->values[i], (i + 1) % table->columns == 0 ? '\n' : ',');
    struct dse_data_table *again = parse(plain.text, plain.length);
    require(again != NULL && again->hash == table->hash && again->rows == table->rows);
    dse_data_table_free(again);
    dse_strbuf_free(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = copy_input(data, size);
    struct dse_data_table *table = parse(text, size);
    if (table != NULL) {
        check_table(table);
        write_and_read(table);
    }
    dse_data_table_free(table);
    free(text);
    return 0;
}
