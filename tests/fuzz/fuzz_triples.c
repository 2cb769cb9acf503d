/* Fuzzes the reader of triples: the three parts, separated by bytes 1. An accepted graph has ids in range, numbered in order of
 * appearance, and can be reduced to half of its entities. */
#include "datasets/tripleset.h"
#include "tests/fuzz/input.h"

/* An id is at most one above all before it. */
static void appears(int32_t id, int32_t *next)
{
    require(id >= 0 && id <= *next);
    *next += id == *next;
}

static void check_set(const struct dse_triple_set *set, int in_order)
{
    int32_t entities = 0, relations = 0;
    require(set->begin[0] == 0 && set->begin[1] > 0);
    for (size_t i = 0; i < set->begin[DSE_TRIPLE_PARTS]; i++) {
        const struct dse_triple *t = &set->triple[i];
        require((size_t)t->head < set->entity.count && (size_t)t->tail < set->entity.count &&
                (size_t)t->relation < set->relation.count);
        if (in_order) {
            appears(t->head, &entities);
            appears(t->relation, &relations);
            appears(t->tail, &entities);
        }
    }
    require(!in_order || ((size_t)entities == set->entity.count && (size_t)relations == set->relation.count));
    for (size_t i = 0; i < set->entity.count; i++)
        require(strlen(dse_triple_name(&set->entity, i)) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char name[] = "F";
    struct dse_text texts[DSE_TRIPLE_PARTS] = {0};
    for (int p = 0; p < DSE_TRIPLE_PARTS; p++) {
        const uint8_t *mark = p < DSE_TEST_PART && size > 0 ? memchr(data, 1, size) : NULL;
        size_t length = mark != NULL ? (size_t)(mark - data) : size;
        texts[p] = (struct dse_text){.name = name, .data = malloc(length + 1), .size = length};
        require(texts[p].data != NULL);
        if (length > 0)
            memcpy(texts[p].data, data, length);
        texts[p].data[length] = '\0';
        data += length + (mark != NULL);
        size -= length + (mark != NULL);
    }
    struct dse_error err = {0};
    struct dse_triple_set *set;
    if (dse_triple_set_parse(texts, &set, &err) == DSE_OK) {
        check_set(set, 1);
        if (dse_triple_set_keep(set, (set->entity.count + 1) / 2, &err) == DSE_OK)
            check_set(set, 0);
    } else {
        require(set == NULL && err.message[0] != '\0');
    }
    dse_triple_set_free(set);
    for (int p = 0; p < DSE_TRIPLE_PARTS; p++)
        free(texts[p].data);
    return 0;
}
