/* How fast the SMGPU's engines are computed, each beside a plain reference that its result must equal.
 *
 * usage: bench_smgpu [NAME …]   (all without one)
 * Times are processor time of one thread, the least of several passes. Exit 1 where a result is not the reference's or a goal is missed. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/rng.h"
#include "models/smgpu/executor/mesh.h"
#include "models/smgpu/executor/rewrite.h"
#include "models/smgpu/executor/spectral.h"
#include "models/smgpu/executor/topology.h"
#include "models/smgpu/executor/vectors.h"
#include "tests/bench/must.h"
#include "tests/worked.h"

enum { DIM = 10000, WORDS = 313, VECTORS = 1000, NODES = 4096, DEGREE = 16, PASSES = 9 };

struct bench {
    const char *name, *what;
    double goal_s;
    size_t repeats; /* calls a pass */
    void (*prepare)(void);
    void (*run)(void);
    bool (*equal)(void);
};

static struct dse_rng rng;

/* ---- vectors ---- */

static uint32_t *vectors, bound[WORDS], majority[WORDS];
static size_t alike;

static int bit(const uint32_t *v, size_t i)
{
    return (int)(v[i / 32] >> i % 32 & 1);
}

static void make_vectors(void)
{
    uint32_t state = SMGPU_LFSR_SEED;
    if (vectors == NULL)
        smgpu_generate(&state, DIM, VECTORS, vectors = need(VECTORS * WORDS, sizeof *vectors));
}

static void run_bind(void)
{
    smgpu_bind(vectors, vectors + WORDS, WORDS, bound);
}

static bool equal_bind(void)
{
    for (size_t i = 0; i < DIM; i++)
        if (bit(bound, i) != (bit(vectors, i) ^ bit(vectors + WORDS, i)))
            return false;
    return true;
}

static void run_similarity(void)
{
    alike = smgpu_alike(vectors, vectors + WORDS, DIM);
}

static bool equal_similarity(void)
{
    size_t count = 0;
    for (size_t i = 0; i < DIM; i++)
        count += bit(vectors, i) == bit(vectors + WORDS, i);
    return count == alike;
}

static void run_bundle(void)
{
    smgpu_bundle(vectors, VECTORS, WORDS, majority);
}

static bool equal_bundle(void)
{
    for (size_t i = 0; i < DIM; i++) {
        int votes = 0;
        for (size_t v = 0; v < VECTORS; v++)
            votes += bit(vectors + v * WORDS, i);
        if (bit(majority, i) != (2 * votes == VECTORS ? bit(vectors, i) : 2 * votes > VECTORS))
            return false;
    }
    return true;
}

/* ---- the barcode of a complete graph, against Prim's tree ---- */

static int32_t *edges, *deaths;
static size_t edge_count;
static struct smgpu_barcode barcode;

static void make_complete(void)
{
    edges = need(3 * (size_t)NODES * (NODES - 1) / 2, sizeof *edges);
    deaths = need(NODES, sizeof *deaths);
    for (int32_t u = 0; u < NODES; u++)
        for (int32_t v = u + 1; v < NODES; v++) {
            memcpy(edges + 3 * edge_count, (int32_t[]){u, v, (int32_t)dse_rng_below(&rng, INT32_MAX)}, 3 * sizeof *edges);
            edge_count++;
        }
}

static void run_barcode(void)
{
    struct dse_error err;
    barcode.death = deaths;
    if (smgpu_barcode_make(edges, edge_count, NODES, &barcode, &err) != DSE_OK)
        exit(4);
}

static int32_t weight(size_t u, size_t v)
{
    size_t a = u < v ? u : v, b = u < v ? v : u;
    return edges[3 * (a * (2 * NODES - a - 1) / 2 + b - a - 1) + 2];
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static bool equal_barcode(void)
{
    static int32_t least[NODES], tree[NODES];
    static bool in[NODES];
    size_t last = 0, count = 0;
    for (size_t v = 0; v < NODES; v++)
        least[v] = INT32_MAX;
    for (in[0] = true; count < NODES - 1; count++) {
        size_t next = SIZE_MAX;
        for (size_t v = 0; v < NODES; v++) {
            if (in[v])
                continue;
            least[v] = weight(last, v) < least[v] ? weight(last, v) : least[v];
            next = next == SIZE_MAX || least[v] < least[next] ? v : next;
        }
        tree[count] = least[next];
        in[last = next] = true;
    }
    qsort(tree, count, sizeof *tree, ascending);
    return barcode.pairs == count && barcode.essential == 1 && memcmp(tree, deaths, count * sizeof *tree) == 0;
}

/* ---- a graph of degree 16: its Laplacian, and its triangles ---- */

static int32_t begin[NODES + 1], column[NODES * DEGREE], value[NODES * DEGREE], scale[NODES], l_begin[NODES + 1],
    l_column[NODES * (DEGREE + 1)], l_value[NODES * (DEGREE + 1)], pairs[NODES * DEGREE], ids[NODES];
static uint8_t adjacent[NODES][NODES];
static size_t l_count, match_count;
static int32_t *matches;

/* Rings of chords: eight distances, drawn, each node beside those so far before and behind it. */
static void make_graph(void)
{
    if (begin[NODES] != 0)
        return;
    size_t step[DEGREE / 2], at = 0, edge = 0;
    for (size_t k = 0; k < DEGREE / 2;) {
        step[k] = k == 2 ? step[0] + step[1] : 1 + dse_rng_below(&rng, NODES / 2 - 1); /* a triangle at least */
        bool anew = step[k] < NODES / 2;
        for (size_t j = 0; j < k; j++)
            anew = anew && step[j] != step[k];
        k = anew ? k + 1 : k == 2 ? 0 : k;
    }
    for (size_t u = 0; u < NODES; u++)
        for (size_t k = 0; k < DEGREE / 2; k++) {
            size_t v = (u + step[k]) % NODES;
            adjacent[u][v] = adjacent[v][u] = 1;
            pairs[edge++] = (int32_t)u, pairs[edge++] = (int32_t)v;
        }
    for (size_t u = 0; u < NODES; u++) {
        ids[u] = (int32_t)u;
        for (size_t v = 0; v < NODES; v++)
            if (adjacent[u][v] != 0)
                column[at] = (int32_t)v, value[at++] = 1 << 24;
        begin[u + 1] = (int32_t)at;
    }
    matches = need(6 * (size_t)NODES * DEGREE * DEGREE, sizeof *matches);
}

static void run_laplacian(void)
{
    struct smgpu_fixed q = {.fraction = 24};
    struct smgpu_matrix a = {NODES, (size_t)begin[NODES], begin, column, value};
    l_count = smgpu_laplacian(&q, &a, scale, l_begin, l_column, l_value);
}

/* Every row's degree is 16: 1/16 after the Newton steps, and its root. */
static bool equal_laplacian(void)
{
    int64_t d = INT64_C(16) << 24, y = INT64_C(1) << (48 - 29), root = 0;
    for (int k = 0; k < 8; k++)
        y = y * ((INT64_C(2) << 24) - (d * y >> 24)) >> 24;
    while ((root + 1) * (root + 1) <= y << 24)
        root++;
    int64_t off = -(root * root >> 24);
    size_t at = 0;
    for (size_t u = 0; u < NODES; u++)
        for (size_t v = 0; v < NODES; v++)
            if (adjacent[u][v] != 0 || u == v) {
                if (l_column[at] != (int32_t)v || l_value[at] != (u == v ? 1 << 24 : off))
                    return false;
                at++;
            }
    return at == l_count;
}

static void run_triangles(void)
{
    static const int32_t three[] = {0, 1, 2}, ring[] = {0, 1, 1, 2, 0, 2};
    const struct smgpu_graph graph = {NODES, NODES * DEGREE / 2, ids, pairs}, pattern = {3, 3, three, ring};
    struct smgpu_host host;
    struct dse_error err;
    uint64_t tries;
    smgpu_host_make(&graph, &host);
    if (smgpu_match(&host, &pattern, 2 * (size_t)NODES * DEGREE * DEGREE, matches, &match_count, &tries, &err) != DSE_OK)
        exit(4);
    smgpu_host_free(&host);
}

static bool equal_triangles(void)
{
    size_t at = 0;
    for (size_t u = 0; u < NODES; u++)
        for (int32_t e = begin[u]; e < begin[u + 1]; e++)
            for (int32_t f = begin[u]; f < begin[u + 1]; f++)
                if (adjacent[column[e]][column[f]] != 0) {
                    if (at == match_count || memcmp(matches + 3 * at, (int32_t[]){(int32_t)u, column[e], column[f]}, 3 * sizeof *matches) != 0)
                        return false;
                    at++;
                }
    return at == match_count && at > 0;
}

/* ---- the mesh ---- */

enum { SIDE = 8, ROUTERS = SIDE * SIDE, CYCLES = 20000, PACKET = 4 };
static uint64_t sent_hops, delivered, strayed, mesh_hops;

static void arrive(void *context, const struct smgpu_flit *flit)
{
    (void)context;
    delivered++;
    strayed += flit->stream != flit->to;
}

static size_t apart(size_t a, size_t b)
{
    size_t x = a % SIDE > b % SIDE ? a % SIDE - b % SIDE : b % SIDE - a % SIDE, y = a / SIDE > b / SIDE ? a / SIDE - b / SIDE : b / SIDE - a / SIDE;
    return x + y;
}

/* Packets of four flits from every router to drawn ones, as fast as the local ports take them. */
static void run_mesh(void)
{
    struct smgpu_mesh mesh;
    struct dse_rng draw;
    uint16_t to[ROUTERS] = {0}, flit[ROUTERS] = {0};
    uint64_t flits = 0;
    dse_rng_seed(&draw, 5, 5);
    sent_hops = delivered = strayed = 0;
    smgpu_mesh_make(SIDE, 4, &mesh);
    for (size_t cycle = 0; cycle < CYCLES || mesh.inside > 0; cycle++) {
        for (size_t r = 0; r < ROUTERS; r++) {
            if ((cycle >= CYCLES && flit[r] == 0) || !smgpu_mesh_accepts(&mesh, r))
                continue;
            if (flit[r] == 0)
                to[r] = (uint16_t)dse_rng_below(&draw, ROUTERS);
            smgpu_mesh_inject(&mesh, r, (struct smgpu_flit){(uint8_t)to[r], (uint8_t)to[r], flit[r] == 0, flit[r] + 1 == PACKET});
            sent_hops += apart(r, to[r]) + 1;
            flits++;
            flit[r] = (uint16_t)((flit[r] + 1) % PACKET);
        }
        smgpu_mesh_step(&mesh, arrive, NULL);
    }
    delivered = delivered == flits ? delivered : 0;
    mesh_hops = mesh.hops;
    smgpu_mesh_free(&mesh);
}

static bool equal_mesh(void)
{
    return delivered > 0 && strayed == 0 && mesh_hops == sent_hops;
}

static const struct bench benches[] = {
    {"bind", "bind, 10,000 bits", 0.1e-6, 100000, make_vectors, run_bind, equal_bind},
    {"similarity", "similarity, 10,000 bits", 0.1e-6, 100000, make_vectors, run_similarity, equal_similarity},
    {"bundle", "bundle of 1000", 0.3e-3, 20, make_vectors, run_bundle, equal_bundle},
    {"laplacian", "Laplacian of 65,536 non-zeros", 0.2e-3, 20, make_graph, run_laplacian, equal_laplacian},
    {"triangles", "triangles, 4096 nodes of degree 16, the host with it", 5e-3, 3, make_graph, run_triangles, equal_triangles},
    {"mesh", "mesh of 8 x 8, loaded, 20,000 cycles of 64 routers", 64.0 * CYCLES / 2e6, 1, NULL, run_mesh, equal_mesh},
    {"barcode", "barcode of the complete graph of 4096 nodes", 1.0, 1, make_complete, run_barcode, equal_barcode},
};

static bool measure(const struct bench *b)
{
    double least = 1e9;
    if (b->prepare != NULL)
        b->prepare();
    for (int pass = 0; pass < (b->goal_s > 0.1 ? 3 : PASSES); pass++) {
        double start = worked_s();
        for (size_t i = 0; i < b->repeats; i++)
            b->run();
        double taken = (worked_s() - start) / (double)b->repeats;
        least = taken < least ? taken : least;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    bool equal = b->equal(), fast = least <= b->goal_s;
    printf("%-52s %10.3f us, goal %10.1f us%s, %ld MB%s\n", b->what, 1e6 * least, 1e6 * b->goal_s, fast ? "" : " MISSED", usage.ru_maxrss / 1024,
           equal ? "" : ", NOT THE REFERENCE'S");
    return equal && fast;
}

int main(int argc, char **argv)
{
    bool well = true;
    dse_rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        for (int a = 1; a < (argc > 1 ? argc : 2); a++)
            if (argc == 1 || strcmp(argv[a], benches[i].name) == 0)
                well = measure(&benches[i]) && well;
    return well ? 0 : 1;
}
