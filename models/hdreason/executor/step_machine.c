#include "models/hdreason/executor/step_machine.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "models/hdreason/executor/net.h"
#include "models/hdreason/executor/scheduler.h"

#define HOST_BITS 512         /* word of the host's port */
#define PCIE_BYTES_PER_S 12e9 /* sustained rate of that port */
#define WEIGHT_BITS 16
#define AHEAD 16      /* words that a FIFO behind a memory holds */
#define URAM_WORDS 4096
#define URAM_BITS 72
#define SUMS_WORDS 64 /* words of an IP's memory of sums */
#define RELATION_FIRST 1 /* row that starts a relation's sum */
#define REQUEST_BYTES 16.0
#define CHOICE_S 0.3e-9 /* delay of a multiplexer; logic may take SHARE_OF_CYCLE of a cycle */
#define CHOICES 6       /* besides one per IP */
#define COUNT_S 6.0e-9  /* delay of an IP's state */
#define SHARE_OF_CYCLE 0.73

/* Registers of the loops, from a word to its result. */
enum { OF_CHUNKS = 3, OF_SIGNS = 5, OF_BUNDLES = 3, OF_SUMS = 17, OF_SHARES = 15, OF_IPS = 8, OF_ENCODER = 13, OF_TANH = 4, OF_WRITE = 9, OF_TANH_OF = 37, OF_ARRAY = 16, OF_ANSWER = 2, OF_READ = 2 };

/* Cycles that memory and PCIe take: of a hypervector, of the dimensions that are scored, of a host word. */
struct rates {
    double vector, kept, word;
};

struct stepping {
    const struct hdr_hardware *h;
    const struct hdr_graph *graph;
    struct hdr_graph back; /* arrays are the graph's, or in its own arena */
    struct hdr_orders forward, backward;
    size_t rows;           /* encoded, and relations */
    double chunks, engine, beats, store; /* cycles of a hypervector in an IP, in a score engine, at the memory, from an IP to the memory */
    double turn;           /* interval of the IPs */
};

static size_t in_whole(size_t count, size_t of)
{
    return (count + of - 1) / of;
}

/* Vertices whose sums an IP keeps. */
static size_t kept_sums(const struct stepping *s)
{
    const size_t chunks = (size_t)s->chunks;
    return chunks * 2 < SUMS_WORDS ? SUMS_WORDS / chunks : 2;
}

static double latency(const struct stepping *s)
{
    return s->h->read_cycles + OF_READ;
}

/* ---- the calls ---- */

/* Encoder: P elements of an embedding by `width` dimensions, with the fewest steps per row. */
struct array {
    double row, group, groups;
};

static struct array array_of(const struct hdr_hardware *h)
{
    struct array best = {INFINITY, 1.0, 1.0};
    for (size_t depth = 1; depth <= h->encoder && depth / 2 < h->embedding; depth *= 2) {
        const size_t width = h->encoder / depth < h->dim ? h->encoder / depth : h->dim, groups = in_whole(h->dim, width), sweeps = in_whole(h->embedding, depth);
        if ((double)(groups * sweeps) <= best.row)
            best = (struct array){(double)(groups * sweeps), (double)in_whole(width, in_whole(width, sweeps)), (double)groups};
    }
    return best;
}

static double encode(const struct stepping *s, const struct rates *r)
{
    const struct array array = array_of(s->h);
    const double words = (double)in_whole(s->h->embedding * s->h->bits, HOST_BITS), each = fmax(array.row, words);
    double in = 0.0, made = each, tables = 0.0, out = 0.0; /* the first row arrives before any is encoded */
    for (size_t i = 0; i < s->rows; i++) {
        in += words * r->word;
        made = fmax(made, in) + each;
        tables = fmax(tables + array.groups * array.group, made + array.group - each / array.groups);
        out = fmax(out, tables) + r->vector;
    }
    return out + latency(s) + OF_ENCODER + OF_TANH + OF_WRITE;
}

/* An IP's vertex and the sums that it keeps. */
struct ip {
    size_t left, full;
    bool ends;
};

/* Hypervectors that a request waits for, at most AHEAD of it. */
struct fetching {
    double end, taken[AHEAD];
    size_t count;
};

static double fetch(struct fetching *f, double now, double each)
{
    f->end = fmax(f->end, f->taken[f->count % AHEAD]) + each;
    now = fmax(now, f->end);
    f->taken[f->count++ % AHEAD] = now;
    return now;
}

/* The IPs' iterations: a chunk of every active IP, a chunk of one finished vertex, one request. */
static double memorise(const struct stepping *s, const struct hdr_orders *o, double vector)
{
    const size_t ips = s->h->ips, chunks = (size_t)s->chunks, ring = kept_sums(s);
    struct ip *ip = dse_calloc(ips, sizeof *ip);
    bool *room = dse_calloc(ips, sizeof *room);
    struct fetching fetching = {0};
    double now = 3.0 * s->turn, out = 0.0; /* requests are read three iterations ahead */
    const double store = fmax(s->store, vector);
    size_t next = 0, ended = 0, leaves = 0, step = 0;
    for (; ended < o->vertex_count; now += s->turn) {
        const bool leaving = ip[leaves].full > 0;
        for (size_t n = 0; n < ips; n++) {
            room[n] = ip[n].full < ring - 1;
            ip[n].full += ip[n].left == 1 && ip[n].ends;
            ip[n].left -= ip[n].left > 0;
        }
        if (leaving && ++step == chunks) {
            step = 0;
            ended++;
            ip[leaves].full--;
            leaves = leaves + 1 < ips ? leaves + 1 : 0;
            out = fmax(out + store, now + store / s->chunks);
            now = fmax(now, out - store); /* two chunks wait at most */
        }
        const uint32_t flags = next < o->request_count ? o->request[next * HDREASON_REQUEST_WORDS] : 0;
        struct ip *to = &ip[flags >> HDREASON_FLAG_BITS];
        if (next >= o->request_count || to->left > 0 || ((flags & HDREASON_ENDS) != 0 && !room[flags >> HDREASON_FLAG_BITS]))
            continue;
        if ((flags & HDREASON_READS) != 0)
            now = fetch(&fetching, now, vector);
        *to = (struct ip){chunks, to->full, (flags & HDREASON_ENDS) != 0};
        next++;
    }
    free(ip);
    free(room);
    return fmax(now + s->turn, out) + 3.0 * latency(s) + OF_READ + OF_IPS + OF_SHARES;
}

static double memorise_forward(const struct stepping *s, const struct rates *r)
{
    return memorise(s, &s->forward, r->vector);
}

static double memorise_backward(const struct stepping *s, const struct rates *r)
{
    return memorise(s, &s->backward, r->vector);
}

/* A pass over all entities; then the queries' own sums. */
static double sign(const struct stepping *s, const struct rates *r)
{
    const double words = (double)in_whole(s->h->batch * WEIGHT_BITS, HOST_BITS) * r->word;
    const double read = fmax(r->kept, s->engine), bundle = fmax(s->engine, s->chunks), store = fmax(s->store, r->vector);
    double in = 0.0, weights = 0.0, sums = 0.0, bundles = 0.0, out = 0.0;
    for (size_t j = 0; j < s->graph->entities + s->h->batch; j++) {
        in += j < s->graph->entities ? read : 0.0;
        weights += j < s->graph->entities ? words : 0.0;
        sums = fmax(fmax(sums + s->engine, in), weights);
        bundles = fmax(bundles + bundle, sums);
        out = fmax(out + store, bundles);
    }
    return out + 3.0 * latency(s) + OF_CHUNKS + OF_SIGNS + OF_BUNDLES + OF_SHARES;
}

/* Sums of rows: `requests` rows into one. */
struct summing {
    double fetched, summed, out;
};

static void sum(const struct stepping *s, const struct rates *r, size_t requests, struct summing *of)
{
    for (size_t i = 0; i < requests; i++) {
        of->fetched += r->vector;
        of->summed = fmax(of->summed + s->chunks, of->fetched + s->chunks);
    }
    of->out = fmax(of->out + fmax(s->store, r->vector), of->summed);
}

static double end_sums(const struct stepping *s, const struct summing *of)
{
    return of->out + 3.0 * latency(s) + OF_READ + OF_SUMS + OF_SHARES;
}

static size_t batch_of(const struct stepping *s)
{
    return s->h->batch < s->graph->queries.count ? s->h->batch : s->graph->queries.count;
}

/* Both calls: the subjects with their queries, then the relations with their queries and edges. */
static double sums(const struct stepping *s, const struct rates *r)
{
    const struct hdr_pair *query = s->graph->queries.query;
    const size_t batch = batch_of(s);
    struct summing merge = {0}, relations = {0};
    for (size_t b = 0, end; b < batch; b = end) { /* queries ascend by subject */
        for (end = b + 1; end < batch && query[end].a == query[b].a;)
            end++;
        sum(s, r, 1 + end - b, &merge);
    }
    size_t *asked = dse_calloc(s->graph->relations + 1, sizeof *asked);
    for (size_t b = 0; b < batch; b++)
        asked[(size_t)query[b].b]++;
    for (size_t k = 0; k < s->graph->relations; k++)
        sum(s, r, RELATION_FIRST + asked[k] + (s->h->exact ? 2 * hdr_degree(&s->graph->by_relation, k) : 0), &relations);
    free(asked);
    return end_sums(s, &merge) + end_sums(s, &relations);
}

/* The array of T rows: cycles of a block; host words of a row's gradients. */
struct array_of_rows {
    double block, words;
};

static struct array_of_rows rows_array(const struct stepping *s)
{
    const struct hdr_hardware *h = s->h;
    const size_t columns = h->products / h->chunk < 1 ? 1 : h->products / h->chunk < h->embedding ? h->products / h->chunk : h->embedding, sweeps = in_whole(h->embedding, columns);
    return (struct array_of_rows){fmax((double)(sweeps * (h->dim > h->chunk ? h->dim : h->chunk)), (double)h->chunk * s->chunks), (double)(sweeps * in_whole(columns * 32, HOST_BITS))};
}

/* Rows through the derivative of tanh; blocks of them through the array, one loaded while the one before is multiplied. */
static double derive(const struct stepping *s, const struct rates *r)
{
    const struct hdr_hardware *h = s->h;
    const struct array_of_rows a = rows_array(s);
    const double block = a.block, words = a.words * r->word;
    double fetched = 0.0, through = 0.0, array = 0.0, out = 0.0;
    for (size_t first = 0; first < s->rows; first += h->chunk) {
        const size_t count = s->rows - first < h->chunk ? s->rows - first : h->chunk;
        for (size_t i = first; i < first + count; i++) {
            fetched += (i < s->forward.encoded_count ? 2.0 : 1.0) * r->vector;
            through = fmax(through + s->chunks + 1.0, fetched + s->chunks);
        }
        array = fmax(array + block, through);
        out = fmax(out, array) + (double)count * words;
    }
    array += block + (double)h->chunk; /* the last block is multiplied */
    return fmax(array, out) + 2.0 * latency(s) + OF_READ + OF_TANH_OF + OF_ARRAY + OF_ANSWER;
}

/* ---- the step ---- */

static uint64_t whole(double cycles)
{
    return (uint64_t)llround(cycles);
}

typedef double call(const struct stepping *s, const struct rates *r);

/* A stage at the loops' rates, at the memory's sustained rate, and also at that of PCIe. */
static void take(const struct stepping *s, enum hdr_machine_stage stage, call *of, const struct rates *loops, const struct rates *sustained, struct hdr_record *record)
{
    const struct rates memory = {sustained->vector, sustained->kept, loops->word};
    const bool slower = memory.vector > loops->vector || memory.kept > loops->kept;
    const double alone = of(s, loops), waits = slower ? of(s, &memory) : alone, all = sustained->word > loops->word ? of(s, sustained) : waits;
    record->stage[stage] = whole(all);
    record->stalls[stage][0] = whole(waits - alone);
    record->stalls[stage][1] = whole(all - waits);
}

static void make_orders(struct stepping *s)
{
    const struct hdr_hardware *h = s->h;
    const struct hdreason_layout l = {.ips = (int64_t)h->ips, .ip_steps = (int64_t)s->chunks, .ring = (int64_t)kept_sums(s),
                                      .cache = (int64_t)(h->cache_uram / in_whole(h->dim * h->bits, URAM_BITS) * URAM_WORDS)};
    hdr_graph_reverse(s->graph, h->exact, &s->back);
    hdr_orders_make(s->graph, &l, h->schedule, h->policy, &s->forward);
    hdr_orders_make(&s->back, &l, h->schedule, h->policy, &s->backward);
    s->rows = s->forward.encoded_count + s->graph->relations;
}

/* ---- what each unit works ---- */

static void put_encoding(const struct stepping *s, const struct rates *r, uint64_t *work)
{
    const struct hdr_hardware *h = s->h;
    const struct array array = array_of(h);
    const double rows = (double)s->rows, words = (double)in_whole(h->embedding * h->bits, HOST_BITS);
    work[HDR_UNIT_ENCODER] = whole((rows + 1.0) * fmax(array.row, words) + OF_ENCODER);
    work[HDR_UNIT_TANH] = whole(rows * array.groups * array.group + OF_TANH);
    work[HDR_UNIT_HYPERVECTORS] = whole(rows * r->vector + OF_WRITE);
    work[HDR_UNIT_PCIE] = whole(rows * words * r->word + latency(s));
}

static void put_memorising(const struct stepping *s, const struct hdr_orders *o, const struct rates *r, uint64_t *work)
{
    work[HDR_UNIT_MEMORISATION] = whole(fmax((double)o->trips * s->turn, (double)o->vertex_count * fmax(s->store, r->vector)) + OF_IPS + OF_SHARES);
    work[HDR_UNIT_HYPERVECTORS] = whole((double)o->read_count * r->vector + latency(s) + OF_READ);
    work[HDR_UNIT_PCIE] = whole((double)o->request_count + 2.0 * latency(s));
}

static void put_signs(const struct stepping *s, const struct rates *r, uint64_t *work)
{
    const double entities = (double)s->graph->entities, rows = entities + (double)s->h->batch;
    work[HDR_UNIT_SCORE] = whole(rows * s->engine + OF_SIGNS);
    work[HDR_UNIT_GRADIENTS] = whole(rows * fmax(s->engine, s->chunks) + OF_BUNDLES);
    work[HDR_UNIT_HYPERVECTORS] = whole(entities * fmax(r->kept, s->engine) + latency(s) + OF_CHUNKS);
    work[HDR_UNIT_PCIE] = whole(fmax(entities * (double)in_whole(s->h->batch * WEIGHT_BITS, HOST_BITS) * r->word, rows) + 2.0 * latency(s));
    work[HDR_UNIT_MEMORISATION] = whole(rows * fmax(s->store, r->vector) + OF_SHARES);
}

static void put_sums(const struct stepping *s, const struct rates *r, uint64_t *work)
{
    const size_t batch = batch_of(s), relations = s->graph->relations;
    size_t subjects = batch > 0;
    for (size_t b = 1; b < batch; b++)
        subjects += s->graph->queries.query[b].a != s->graph->queries.query[b - 1].a;
    const double requests = (double)(subjects + 2 * batch + relations * RELATION_FIRST + (s->h->exact ? 2 * s->graph->edges : 0));
    work[HDR_UNIT_GRADIENTS] = whole(requests * s->chunks + 2.0 * OF_SUMS);
    work[HDR_UNIT_HYPERVECTORS] = whole(requests * r->vector + 2.0 * (latency(s) + OF_READ));
    work[HDR_UNIT_PCIE] = whole(requests + 4.0 * latency(s));
    work[HDR_UNIT_MEMORISATION] = whole((double)(subjects + relations) * fmax(s->store, r->vector) + 2.0 * OF_SHARES);
}

static void put_training(const struct stepping *s, const struct rates *r, uint64_t *work)
{
    const struct array_of_rows a = rows_array(s);
    const double rows = (double)s->rows, blocks = (double)in_whole(s->rows, s->h->chunk) + 1.0;
    work[HDR_UNIT_TRAINING] = whole(fmax(blocks * a.block + (double)s->h->chunk, rows * (s->chunks + 1.0)) + OF_TANH_OF + OF_ARRAY);
    work[HDR_UNIT_HYPERVECTORS] = whole((double)(2 * s->rows - s->graph->relations) * r->vector + latency(s) + OF_READ);
    work[HDR_UNIT_PCIE] = whole(fmax(rows * a.words * r->word, 2.0 * rows) + latency(s) + OF_ANSWER);
}

static void put_bytes(const struct stepping *s, struct hdr_record *record)
{
    const double entities = (double)s->graph->entities, channel = (double)(s->h->dim * s->h->bits) / 8.0 / ((double)s->h->channels / 2.0);
    const double host = HOST_BITS / 8.0, words = (double)in_whole(s->h->embedding * s->h->bits, HOST_BITS);
    const struct {
        enum hdr_machine_stage stage;
        double vectors, bytes;
    } of[] = {{HDR_STAGE_ENCODE, (double)s->rows, (double)s->rows * words * host},
              {HDR_STAGE_MEMORISE, (double)(s->forward.read_count + s->forward.vertex_count), (double)s->forward.request_count * REQUEST_BYTES},
              {HDR_STAGE_SIGNS, 2.0 * entities + (double)s->h->batch, entities * (double)in_whole(s->h->batch * WEIGHT_BITS, HOST_BITS) * host},
              {HDR_STAGE_BIND, (double)(s->backward.read_count + s->backward.vertex_count), (double)s->backward.request_count * REQUEST_BYTES},
              {HDR_STAGE_TRAIN, (double)(2 * s->rows - s->graph->relations), (double)s->rows * rows_array(s).words * host}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        record->hypervector_bytes[of[i].stage] = whole(of[i].vectors * channel);
        record->pcie_bytes[of[i].stage] = whole(of[i].bytes);
    }
}

void hdr_step_machine_run(const struct hdr_hardware *h, const struct hdr_graph *graph, struct hdr_record *record)
{
    const double beats = (double)in_whole(h->dim * h->bits, h->beat_bits), kept = (double)in_whole(h->kept * h->bits, h->beat_bits), rate = h->bytes_a_cycle * (double)h->channels / 2.0;
    const struct rates loops = {beats, kept, 1.0};
    const struct rates sustained = {fmax(beats, (double)(h->dim * h->bits) / 8.0 / rate), fmax(kept, (double)(h->kept * h->bits) / 8.0 / rate),
                                    fmax(1.0, HOST_BITS / 8.0 * h->clock_hz / PCIE_BYTES_PER_S)};
    struct stepping s = {.h = h, .graph = graph, .chunks = (double)in_whole(h->dim, h->lane_width), .engine = (double)in_whole(h->kept, h->score_lanes), .beats = beats,
                         .turn = ceil(fmax(CHOICE_S * (double)(CHOICES + h->ips), COUNT_S) * h->clock_hz / SHARE_OF_CYCLE)};
    s.store = h->lane_width * h->bits > h->beat_bits ? beats : s.chunks;
    make_orders(&s);
    take(&s, HDR_STAGE_ENCODE, encode, &loops, &sustained, record);
    take(&s, HDR_STAGE_MEMORISE, memorise_forward, &loops, &sustained, record);
    take(&s, HDR_STAGE_SIGNS, sign, &loops, &sustained, record);
    take(&s, HDR_STAGE_BIND, memorise_backward, &loops, &sustained, record);
    take(&s, HDR_STAGE_SUMS, sums, &loops, &sustained, record);
    take(&s, HDR_STAGE_TRAIN, derive, &loops, &sustained, record);
    put_encoding(&s, &sustained, record->work[HDR_STAGE_ENCODE]);
    put_memorising(&s, &s.forward, &sustained, record->work[HDR_STAGE_MEMORISE]);
    put_signs(&s, &sustained, record->work[HDR_STAGE_SIGNS]);
    put_memorising(&s, &s.backward, &sustained, record->work[HDR_STAGE_BIND]);
    put_sums(&s, &sustained, record->work[HDR_STAGE_SUMS]);
    put_training(&s, &sustained, record->work[HDR_STAGE_TRAIN]);
    put_bytes(&s, record);
    record->encoded = s.forward.encoded_count;
    record->misses = s.forward.read_count;
    record->hits = s.forward.request_count - s.forward.read_count;
    hdr_graph_free(&s.back);
    hdr_orders_free(&s.forward);
    hdr_orders_free(&s.backward);
}
