/* Words: their ends, case and paths. */
#pragma once

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Whether a word ends in `end` and is longer. */
static inline bool dse_ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* Whether a word is the path of an XML file; other words are names of shipped files. */
static inline bool dse_is_xml_path(const char *word)
{
    return strchr(word, '/') != NULL || dse_ends_in(word, ".xml");
}

/* A path after its last slash. */
static inline const char *dse_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The word itself, its letters now capital. */
static inline char *dse_upper(char *word)
{
    for (char *c = word; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    return word;
}
