#include "resources/packing.h"

const char *const dse_storage_names[DSE_STORAGE_COUNT] = {"bram", "uram", "lutram", "registers"};

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* Products of counts; INT64_MAX means "too large" and stays so. */
static int64_t times(int64_t a, int64_t b)
{
    int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

struct dse_array dse_array_of(int64_t words, int64_t width_bits)
{
    return (struct dse_array){
        .words = words, .width_bits = width_bits, .banks = 1, .buffers = 1, .readers = 1, .writers = 1};
}

static int64_t bank_words(const struct dse_array *array)
{
    return divide_up(array->words, array->banks);
}

enum dse_storage dse_pack_choose(const struct dse_costs *costs, const struct dse_array *array)
{
    const struct dse_packing_rules *rules = dse_costs_packing(costs);
    int64_t words = bank_words(array);
    if (words < rules->register_threshold_words)
        return DSE_STORAGE_REGISTERS;
    if (times(words, array->width_bits) < rules->lutram_threshold_bits)
        return DSE_STORAGE_LUTRAM;
    return DSE_STORAGE_BRAM;
}

int64_t dse_pack_bram18(const struct dse_packing_rules *rules, int64_t words, int64_t width_bits, bool shared)
{
    int64_t rounded = 1;
    while (rounded < words && rounded < INT64_MAX / 2)
        rounded *= 2;
    size_t a = 0;
    while (a + 1 < rules->bram18_aspects && rules->bram18[a].words < rounded)
        a++;
    const struct dse_aspect *aspect = &rules->bram18[a];
    int64_t width = aspect->width_bits;
    if (shared && width > rules->bram18_shared_width_bits)
        width = rules->bram18_shared_width_bits;
    return times(divide_up(width_bits, width), divide_up(rounded, aspect->words));
}

int64_t dse_pack_uram(const struct dse_packing_rules *rules, int64_t words, int64_t width_bits)
{
    return times(divide_up(width_bits, rules->uram_width_bits), divide_up(words, rules->uram_words));
}

/* Copies of each bank so that all readers have a port. 0 if no number suffices. */
static int64_t copies_for_ports(const struct dse_array *array)
{
    if (array->readers + array->writers <= 2)
        return 1;
    if (array->writers == 0)
        return divide_up(array->readers, 2);
    return array->writers == 1 ? array->readers : 0;
}

static enum dse_status check_array(const struct dse_array *array, struct dse_error *err)
{
    const int64_t most = INT64_C(1) << 40;
    if (array->words < 1 || array->width_bits < 1 || array->banks < 1 || array->buffers < 1 ||
        array->readers < 0 || array->writers < 0 || array->readers > most || array->writers > most)
        return dse_fail(err, DSE_BAD_USAGE,
                        "an array of %lld words of %lld bits in %lld banks and %lld buffers cannot be packed",
                        (long long)array->words, (long long)array->width_bits, (long long)array->banks,
                        (long long)array->buffers);
    return DSE_OK;
}

/* FF for each output register of W bits; LUTs for the data and, in registers, for the reading multiplexer. */
static void pack_in_logic(const struct dse_packing_rules *rules, const struct dse_array *array, bool registers,
                          double instances, double amount[DSE_RESOURCE_COUNT])
{
    double bits = (double)bank_words(array) * (double)array->width_bits;
    double readers = array->readers > 0 ? (double)array->readers : 1, width = (double)array->width_bits;
    if (registers) {
        int64_t ways = divide_up(bank_words(array), rules->register_bits_per_lut);
        amount[DSE_FF] = bits * instances;
        amount[DSE_LUT] = bank_words(array) > 1 ? width * (double)ways * readers * instances : 0;
        return;
    }
    int64_t luts = divide_up(times(bank_words(array), array->width_bits), rules->lutram_bits_per_lut);
    amount[DSE_LUT] = amount[DSE_LUTRAM] = (double)luts * readers * instances;
    amount[DSE_FF] = width * readers * instances;
}

enum dse_status dse_pack_array(const struct dse_costs *costs, const struct dse_array *array,
                               enum dse_storage storage, struct dse_cost *out, struct dse_error *err)
{
    DSE_TRY(check_array(array, err));
    const struct dse_packing_rules *rules = dse_costs_packing(costs);
    const struct dse_cost_entry *entry = dse_costs_entry(costs, rules->array_entry);
    *out = (struct dse_cost){.interval_cycles = 1, .entry = rules->array_entry};
    if (storage == DSE_STORAGE_AUTO)
        storage = dse_pack_choose(costs, array);
    out->latency_cycles = rules->read_latency_cycles[storage];
    double instances = (double)array->banks * (double)array->buffers;
    if (storage == DSE_STORAGE_LUTRAM || storage == DSE_STORAGE_REGISTERS) {
        pack_in_logic(rules, array, storage == DSE_STORAGE_REGISTERS, instances, out->amount);
    } else {
        int64_t copies = copies_for_ports(array), words = bank_words(array);
        if (copies == 0)
            return dse_fail(err, DSE_BAD_USAGE,
                            "a memory bank with %lld readers and %lld writers has more than two ports: partition it",
                            (long long)array->readers, (long long)array->writers);
        bool shared = copies == 1 ? array->readers > 1 || array->writers > 1 : array->writers == 0;
        int64_t memories = storage == DSE_STORAGE_URAM
                               ? dse_pack_uram(rules, words, array->width_bits)
                               : dse_pack_bram18(rules, words, array->width_bits, shared);
        enum dse_resource resource = storage == DSE_STORAGE_URAM ? DSE_URAM : DSE_BRAM18;
        int64_t all = times(times(memories, copies), times(array->banks, array->buffers));
        if (all == INT64_MAX)
            return dse_fail(err, DSE_LIMIT, "an array of %lld words of %lld bits is too large to be counted",
                            (long long)array->words, (long long)array->width_bits);
        out->amount[resource] = (double)all;
    }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        out->amount[r] *= entry->factor[r];
    return DSE_OK;
}

bool dse_pack_fifo_is_shift(const struct dse_packing_rules *rules, int64_t depth, int64_t width_bits)
{
    return depth <= rules->fifo_shift_words || times(depth, width_bits) <= rules->fifo_shift_bits;
}

enum dse_status dse_pack_fifo(const struct dse_costs *costs, int64_t depth, int64_t width_bits, double count,
                              struct dse_tally *tally, struct dse_error *err)
{
    if (depth < 1 || width_bits < 1)
        return dse_fail(err, DSE_BAD_USAGE, "a FIFO of %lld words of %lld bits cannot be packed",
                        (long long)depth, (long long)width_bits);
    const struct dse_packing_rules *rules = dse_costs_packing(costs);
    const struct dse_cost_entry *entry = dse_costs_entry(costs, rules->fifo_entry);
    bool shift = dse_pack_fifo_is_shift(rules, depth, width_bits);
    struct dse_cost data = {.interval_cycles = 1, .entry = rules->fifo_entry}, control;
    if (shift) {
        int64_t luts = times(width_bits, divide_up(depth, rules->fifo_srl_words));
        data.amount[DSE_LUT] = (double)luts * entry->factor[DSE_LUT];
        data.amount[DSE_LUTRAM] = (double)luts * entry->factor[DSE_LUT];
    } else {
        int64_t memories = times(divide_up(width_bits, rules->fifo_memory.width_bits),
                                 divide_up(depth, rules->fifo_memory.words));
        data.amount[DSE_BRAM18] = (double)memories * entry->factor[DSE_BRAM18];
    }
    enum dse_structure around = shift ? DSE_STRUCTURE_FIFO_SHIFT : DSE_STRUCTURE_FIFO_MEMORY;
    DSE_TRY(dse_costs_structure(costs, around, shift ? 1 : (double)width_bits, &control, err));
    dse_tally_add(tally, costs, &data, count);
    dse_tally_add(tally, costs, &control, count);
    return DSE_OK;
}

enum dse_status dse_pack_m_axi(const struct dse_costs *costs, int64_t data_bits, int64_t outstanding,
                               int64_t burst_beats, double count, struct dse_tally *tally,
                               struct dse_error *err)
{
    if (data_bits < 1 || outstanding < 0 || burst_beats < 0)
        return dse_fail(err, DSE_BAD_USAGE, "an m_axi adapter of %lld bits, %lld bursts of %lld beats cannot be built",
                        (long long)data_bits, (long long)outstanding, (long long)burst_beats);
    const struct dse_packing_rules *rules = dse_costs_packing(costs);
    const struct dse_cost_entry *entry = dse_costs_entry(costs, rules->m_axi_entry);
    int64_t words = times(outstanding > 0 ? outstanding : rules->m_axi_outstanding,
                          burst_beats > 0 ? burst_beats : rules->m_axi_burst_beats);
    int64_t one = dse_pack_bram18(rules, words, data_bits + rules->m_axi_extra_bits, false);
    struct dse_cost buffers = {.interval_cycles = 1, .entry = rules->m_axi_entry}, adapter;
    buffers.amount[DSE_BRAM18] = (double)times(one, rules->m_axi_buffers) * entry->factor[DSE_BRAM18];
    DSE_TRY(dse_costs_structure(costs, DSE_STRUCTURE_M_AXI, (double)data_bits, &adapter, err));
    dse_tally_add(tally, costs, &buffers, count);
    dse_tally_add(tally, costs, &adapter, count);
    return DSE_OK;
}
