/* A subset of YAML, as a tree: maps, lists and scalars, without implicit types, anchors, aliases, tags or repeated keys. For one file with one
 * document, which is a map. Read by libyaml. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/status.h"
#include "core/strbuf.h"

enum dse_yaml_kind { DSE_YAML_SCALAR, DSE_YAML_LIST, DSE_YAML_MAP };

struct dse_yaml {
    enum dse_yaml_kind kind;
    const char *key;  /* key of a map's member */
    const char *text; /* content of a scalar */
    bool quoted;
    long line, column; /* place of the value, from 1; a quoted scalar's place is that of its quote */
    long key_line, key_column; /* place of the key of a map's member */
    struct dse_yaml *children; /* count */
    size_t count;
};

/* Reads a file of at most `bytes_max`, with at most 1024 members in all and 8 levels. Its texts go to `texts`. DSE_BAD_INPUT with file and line for
 * any other file. `root` must be freed by dse_yaml_free in any case. */
enum dse_status dse_yaml_read(const char *path, size_t bytes_max, struct dse_yaml *root, struct dse_arena *texts, struct dse_error *err);
void dse_yaml_free(struct dse_yaml *root);

/* As dse_yaml_read, of a text in memory, whose name in messages is `path`. */
enum dse_status dse_yaml_parse(const char *path, const char *text, size_t size, struct dse_yaml *root, struct dse_arena *texts,
                               struct dse_error *err);

/* The member of a map, or NULL; NULL also if it is no map. */
const struct dse_yaml *dse_yaml_member(const struct dse_yaml *map, const char *key);

/* Adds a quoted scalar that reads back as the same text. */
void dse_yaml_add_scalar(struct dse_strbuf *out, const char *text);
