/* The SMGPU's machine in time: the mesh against a plain implementation; programs stepped cycle by cycle against the same programs with repetitions
 * skipped; cycles of engines and roots by hand. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "models/smgpu/executor/mesh.h"
#include "models/smgpu/executor/model.h"
#include "tests/ok.h"
#include "tests/test.h"

/* ---- the mesh ---- */

enum { LOCAL, EAST, WEST, NORTH, SOUTH, PORTS, NOBODY = PORTS, MOST = 64 };

/* A port of a router: its input buffer, and the owner of its output. */
struct plain_port {
    struct smgpu_flit queue[MOST];
    size_t waiting, holder, turn;
};

struct plain_mesh {
    size_t side, buffer, stalls, hops;
    struct plain_port port[25][PORTS];
};

static size_t output_of(const struct plain_mesh *m, size_t router, size_t to)
{
    size_t x = router % m->side, y = router / m->side, to_x = to % m->side, to_y = to / m->side;
    if (x != to_x)
        return x < to_x ? EAST : WEST;
    return y == to_y ? LOCAL : y < to_y ? SOUTH : NORTH;
}

static struct plain_port *behind(struct plain_mesh *m, size_t router, size_t output)
{
    switch (output) {
    case EAST:
        return &m->port[router + 1][WEST];
    case WEST:
        return &m->port[router - 1][EAST];
    case SOUTH:
        return &m->port[router + m->side][NORTH];
    default:
        return &m->port[router - m->side][SOUTH];
    }
}

/* The state at the begin of a cycle decides which flits leave in it. */
static size_t taken_by(struct plain_mesh *m, const struct plain_mesh *began, size_t router, size_t output)
{
    const struct plain_port *out = &began->port[router][output];
    size_t order[PORTS] = {LOCAL};
    for (size_t k = 0, at = 1; k < PORTS; k++)
        if ((out->turn + 1 + k) % PORTS != LOCAL)
            order[at++] = (out->turn + 1 + k) % PORTS;
    for (size_t k = 0; k < PORTS; k++) {
        const struct plain_port *in = &began->port[router][order[k]];
        if (in->waiting > 0 && output_of(m, router, in->queue[0].to) == output && (out->holder == NOBODY ? in->queue[0].head : out->holder == order[k]))
            return output == LOCAL || behind((struct plain_mesh *)(uintptr_t)began, router, output)->waiting < m->buffer ? order[k] : NOBODY;
    }
    return NOBODY;
}

static void plain_step(struct plain_mesh *m, void (*arrive)(void *, const struct smgpu_flit *), void *context)
{
    static struct plain_mesh began;
    began = *m;
    for (size_t r = 0; r < m->side * m->side; r++) {
        for (size_t p = 0; p < PORTS; p++)
            m->stalls += began.port[r][p].waiting > 0;
        for (size_t output = 0; output < PORTS; output++) {
            size_t input = taken_by(m, &began, r, output);
            if (input == NOBODY)
                continue;
            struct plain_port *in = &m->port[r][input], *out = &m->port[r][output];
            struct smgpu_flit flit = in->queue[0];
            memmove(in->queue, in->queue + 1, (MOST - 1) * sizeof *in->queue);
            in->waiting--;
            out->holder = flit.tail ? NOBODY : input;
            out->turn = input;
            m->hops++;
            m->stalls--;
            if (output == LOCAL) {
                arrive(context, &flit);
                continue;
            }
            struct plain_port *next = behind(m, r, output);
            next->queue[next->waiting++] = flit;
        }
    }
}

/* Flits arrived in a cycle, one bit per router and stream: at most one per router. */
static void note(void *context, const struct smgpu_flit *flit)
{
    uint16_t *came = context;
    assert_int_equal(came[flit->to], 0);
    came[flit->to] = (uint16_t)(1 + flit->stream + 256 * flit->head + 512 * flit->tail);
}

/* Random packets from every router for a number of cycles: both implementations deliver the same in every cycle. */
static void same_mesh(size_t side, size_t buffer, size_t packet, uint64_t rarely, uint64_t seed)
{
    static struct plain_mesh plain;
    struct smgpu_mesh mesh;
    struct dse_rng rng;
    size_t left[25] = {0}, to[25] = {0}, routers = side * side;
    dse_rng_seed(&rng, seed, 1);
    plain = (struct plain_mesh){.side = side, .buffer = buffer};
    for (size_t r = 0; r < routers; r++)
        for (size_t p = 0; p < PORTS; p++)
            plain.port[r][p].holder = NOBODY;
    smgpu_mesh_make(side, buffer, &mesh);
    for (size_t cycle = 0; cycle < 1000; cycle++) {
        uint16_t came[25] = {0}, wanted[25] = {0};
        for (size_t r = 0; r < routers; r++) {
            bool takes = plain.port[r][LOCAL].waiting < buffer;
            assert_int_equal(smgpu_mesh_accepts(&mesh, r), takes);
            if (!takes || (left[r] == 0 && dse_rng_below(&rng, rarely) != 0))
                continue;
            bool head = left[r] == 0;
            if (head) {
                left[r] = 1 + dse_rng_below(&rng, packet);
                to[r] = dse_rng_below(&rng, routers);
            }
            struct smgpu_flit flit = {(uint8_t)to[r], (uint8_t)r, head, --left[r] == 0};
            smgpu_mesh_inject(&mesh, r, flit);
            plain.port[r][LOCAL].queue[plain.port[r][LOCAL].waiting++] = flit;
        }
        smgpu_mesh_step(&mesh, note, came);
        plain_step(&plain, note, wanted);
        assert_memory_equal(came, wanted, sizeof came);
    }
    assert_int_equal(mesh.hops, plain.hops);
    assert_int_equal(mesh.stalls, plain.stalls);
    assert_true(mesh.hops > 1000 / rarely);
    smgpu_mesh_free(&mesh);
}

TEST(test_mesh)
{
    same_mesh(1, 1, 3, 2, 1);
    same_mesh(2, 1, 5, 1, 2);
    same_mesh(3, 2, 1, 1, 3);
    same_mesh(4, 4, 17, 3, 4);
    same_mesh(5, 4, 4, 1, 5);
    same_mesh(5, 64, 9, 40, 6);
}

/* ---- programs ---- */

static void put(struct smgpu_memory *memory, const char *name, enum smgpu_type type, size_t rank, size_t rows, size_t columns, const void *data)
{
    struct smgpu_array *array;
    OK(smgpu_memory_put(memory, name, type, rank, (size_t[]){rows, columns}, &array, &why));
    if (data != NULL)
        memcpy(array->data, data, smgpu_array_elements(array) * smgpu_type_bytes(type));
}

enum { NODES = 40, LONG = 3000 };

/* A ring as a matrix and as a graph; vectors, indices and cells. */
static void fill(struct smgpu_memory *memory)
{
    int32_t begin[NODES + 1] = {0}, column[2 * NODES], value[2 * NODES], edge[NODES][3], pair[NODES][2], node[NODES], index[LONG];
    for (int32_t i = 0; i < NODES; i++) {
        int32_t a = (i + NODES - 1) % NODES, b = (i + 1) % NODES;
        begin[i + 1] = 2 * i + 2;
        column[2 * i] = a < b ? a : b;
        column[2 * i + 1] = a < b ? b : a;
        value[2 * i] = value[2 * i + 1] = 1 << 24;
        memcpy(edge[i], (int32_t[]){i, b, i * 7 % 13}, sizeof edge[i]);
        memcpy(pair[i], edge[i], sizeof pair[i]);
        node[i] = i;
    }
    for (int32_t i = 0; i < LONG; i++)
        index[i] = i * 7 % 50;
    put(memory, "A_indptr", SMGPU_I32, 1, NODES + 1, 1, begin);
    put(memory, "A_indices", SMGPU_I32, 1, 2 * NODES, 1, column);
    put(memory, "A_data", SMGPU_I32, 1, 2 * NODES, 1, value);
    put(memory, "x", SMGPU_I32, 1, NODES, 1, value);
    put(memory, "E", SMGPU_I32, 2, NODES, 3, edge);
    put(memory, "G", SMGPU_I32, 2, NODES, 2, pair);
    put(memory, "G_nodes", SMGPU_I32, 1, NODES, 1, node);
    put(memory, "p", SMGPU_I32, 2, 2, 2, (int32_t[]){0, 1, 1, 2});
    put(memory, "p_nodes", SMGPU_I32, 1, 3, 1, node);
    put(memory, "V", SMGPU_U32, 2, 50, 20, NULL);
    put(memory, "i", SMGPU_I32, 1, LONG, 1, index);
    put(memory, "g", SMGPU_I8, 2, 30, NODES, NULL);
}

static const char *const lines[] = {
    "SPECTRAL.COMPUTE_LAP A -> L", "SPECTRAL.EIGEN_DECOMP A x iterations=30 -> w", "SPECTRAL.WAVELET_XFORM A x order=5 -> h",
    "HD.GENERATE dim=640 count=90 -> T", "HD.BIND V V -> T", "HD.PERMUTE S by=3 -> R", "HD.BUNDLE S -> m", "HD.SIMILARITY m m -> s",
    "TOPOLOGY.BUILD_FILTRATION E -> P", "REWRITE.DPO_MATCH G p -> M", "CACHE.STORE V reduced=64 -> C", "CACHE.QUERY C m reduced=64 -> a",
    "XBAR.MVM g x -> y", "DMA.LOAD V -> S", "DMA.GATHER V i -> S", "DMA.STORE S -> Z", "DMA.LOAD x -> x"};

static uint64_t pick(struct dse_rng *rng, const uint64_t *of, size_t count)
{
    return of[dse_rng_below(rng, count)];
}
#define PICK(...) (int64_t)pick(rng, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static struct smgpu_hardware draw(struct dse_rng *rng)
{
    struct smgpu_hardware out = {.array_rows = PICK(1, 4, 16), .banks = PICK(1, 4, 16), .mesh = PICK(1, 2, 3, 4), .buffer_flits = PICK(1, 2, 4, 9),
                                 .payload_bits = PICK(8, 33, 58, 64, 256, 1024), .channels = PICK(1, 2, 4, 32), .tiles = PICK(1, 2),
                                 .queue = PICK(1, 3, 16), .fraction = 24, .latencies = (enum smgpu_latencies)PICK(SMGPU_STATED, SMGPU_BUILT),
                                 .core_hz = 1e6 * (double)PICK(10, 97, 150, 233, 250, 300, 777, 1000), .hbm_hz = 3e8, .crossbar_hz = 1e8};
    smgpu_hardware_limits(&out, 4096, 256);
    return out;
}

TEST(test_repeat)
{
    static const char *const flags[] = {"", " chained", " chained", " chained streaming", " streaming", " blocked"};
    uint64_t passed = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct dse_rng rng;
        struct smgpu_program program = {0};
        char text[4096], *end = text;
        dse_rng_seed(&rng, seed, 2);
        end += sprintf(end, "DMA.GATHER V i -> S chained\nHD.BUNDLE S -> m chained\nCACHE.STORE V reduced=64 -> C\n"); /* so that the inputs of others exist */
        for (uint64_t i = 0, count = 1 + dse_rng_below(&rng, 25); i < count; i++)
            end += sprintf(end, "%s%s\n", lines[dse_rng_below(&rng, sizeof lines / sizeof *lines)], flags[dse_rng_below(&rng, 6)]);
        struct smgpu_hardware hardware = draw(&rng);
        struct smgpu_record record[2];
        OK(smgpu_program_parse("drawn", text, &program, &why));
        for (int plain = 0; plain < 2; plain++) {
            struct smgpu_memory memory = {0};
            fill(&memory);
            hardware.every_cycle = plain != 0;
            OK(smgpu_machine_run(&hardware, &program, &memory, NULL, &record[plain], &why));
            smgpu_memory_free(&memory);
        }
        assert_memory_equal(&record[0], &record[1], sizeof record[0]);
        passed += record[0].cycles;
        smgpu_program_free(&program);
    }
    assert_true(passed > 1000000); /* cycles: enough for repetitions */
}

/* ---- engines, by the table of models/smgpu/microarchitecture.md ---- */

/* 16 rows, 8 banks of 256 bits, keys of 64, 2 tiles at half the core's clock. 30 nodes, 100 non-zeros, with all diagonal entries 130: 7 and 9 turns. A
 * pass takes 40 cycles more: 12 to a product, 10 for the tree of sums, 12 behind it, 4 for the tree of squares, 2 between passes. 20 words: 3
 * turns; a rotation of 256 bits takes 3 cycles, their count 7 and that of a key 5. */
TEST(test_engine_cycles)
{
    enum { LAPLACIAN, POWER, CHEBYSHEV, BUNDLE = 0, BIND, PERMUTE = 3, SIMILARITY, GENERATE = 7, STORE = 0, QUERY, MATCH = 0, APPLY };
    static const struct smgpu_effort graph = {.nodes = 30, .nonzeros = 100, .passes = 1, .entries = 130},
                                     chebyshev = {.nodes = 30, .nonzeros = 100, .passes = 3},
                                     power = {.nodes = 30, .nonzeros = 100, .passes = 6}, nine = {.words = 20, .vectors = 9, .digits = 25},
                                     stored = {.words = 20, .vectors = 9, .projections = 9 * 64},
                                     query = {.words = 20, .entries = 40, .projections = 64}, filtration = {.edges = 100, .finds = 250},
                                     found = {.tries = 70, .matches = 6}, applied = {.nodes = 30, .edges = 100},
                                     cells = {.rows = 64, .columns = 100}, transfer = {.bytes = 100};
    static const struct {
        enum smgpu_engine engine;
        uint8_t sub;
        const struct smgpu_effort *effort;
        uint64_t stated, built;
    } rows[] = {
        {SMGPU_SPECTRAL, LAPLACIAN, &graph, 11, 3 * (9 + 40) + 30 + 113 + 1},
        {SMGPU_SPECTRAL, CHEBYSHEV, &chebyshev, 33, 3 * 47 + (2 + 40) + 1},
        {SMGPU_SPECTRAL, POWER, &power, 66, 6 * 47 + 5 * 43 + 6 * (2 + 40) + 36 + 1},
        {SMGPU_HD, BIND, &nine, 9, 54 + 12},
        {SMGPU_HD, PERMUTE, &nine, 9, 9 * 5 + 12},
        {SMGPU_HD, BUNDLE, &nine, 20, 27 + 12},
        {SMGPU_HD, SIMILARITY, &nine, 10, 6 + 7 + 5 + 25},
        {SMGPU_HD, GENERATE, &nine, 72, 27 + 12},
        {SMGPU_CACHE, STORE, &stored, 72, 9 * (64 * 3 + 14)},
        {SMGPU_CACHE, QUERY, &query, 40, 64 * 3 + 14 + 40 + 5 + 22},
        {SMGPU_TOPOLOGY, 0, &filtration, 50 + 88 + 250, 50 + 88 + 250}, /* ⌈7 · 8 · 100 / 64⌉ */
        {SMGPU_REWRITE, MATCH, &found, 76, 76},
        {SMGPU_REWRITE, APPLY, &applied, 130, 130},
        {SMGPU_XBAR, 0, &cells, 6400, 64},
        {SMGPU_DMA, 0, &transfer, 13, 13},
    };
    struct smgpu_hardware hardware = {.array_rows = 16, .banks = 8, .key_bits = 64, .tiles = 2, .core_hz = 200e6, .crossbar_hz = 100e6};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct smgpu_operation operation = {.engine = rows[i].engine, .sub = rows[i].sub};
        hardware.latencies = SMGPU_STATED;
        assert_int_equal(smgpu_engine_cycles(&hardware, &operation, rows[i].effort), rows[i].stated);
        hardware.latencies = SMGPU_BUILT;
        assert_int_equal(smgpu_engine_cycles(&hardware, &operation, rows[i].effort), rows[i].built);
    }
}

/* ⌊√⌋ on both sides of squares, including squares that a double cannot represent. */
TEST(test_roots)
{
    for (uint64_t n = 1; n < UINT64_C(1) << 40; n = 3 * n + 1) {
        smgpu_wide square = (smgpu_wide)n * (smgpu_wide)n;
        assert_int_equal(smgpu_root(square - 1), n - 1);
        assert_int_equal(smgpu_root(square), n);
        assert_int_equal(smgpu_root(square + 2 * (smgpu_wide)n), n);
    }
}

TESTS(NULL, NULL)
