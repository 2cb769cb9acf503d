/* SPDX-License-Identifier: MIT */ /* Loader for tables in UltraRAM. UltraRAM powers up as zeros and takes no contents from the bitstream (AMD UG901, "Differences between
 * UltraRAM and Block RAM"). The host therefore loads it once through the query's port. The tables follow the order of
 * nysx_model.bin from NYSX_BIN_LOAD_OFFSET on; each starts at a multiple of 64 bytes. */
#include "nysx.h"
#include "nysx_model.h"

#define PARTS_A_WORD (NYSX_QUERY_PORT_BITS / 32)
#define WORDS_A_LINE (512 / NYSX_QUERY_PORT_BITS)

#if NYSX_LOADS_P
uint32_t nysx_p_resident[NYSX_P_RESIDENT_WORDS][NYSX_P_RESIDENT_PARTS];
#endif
#if NYSX_LOADS_H
nysx_h_entry_t nysx_h_entries[NYSX_KSE_PE][NYSX_H_SLOTS];
#endif
#if NYSX_LOADS_CODEBOOK
nysx_code_t nysx_codebook_code[NYSX_CODEBOOK_TOTAL];
nysx_bin_t nysx_codebook_bin[NYSX_CODEBOOK_TOTAL];
#endif
#if NYSX_LOADS_PROTOTYPES
uint32_t nysx_prototypes[NYSX_CLASSES][NYSX_SCE_WORDS][NYSX_SCE_PARTS];
#endif

enum table { TABLE_P, TABLE_H, TABLE_CODE, TABLE_BIN, TABLE_PROTOTYPES };

/* Stores part `at` of a table: 32 bits; a 64-bit element has its low half first. */
static void store(int32_t table, int32_t at, uint32_t part)
{
    (void)table;
    (void)at;
    (void)part;
#if NYSX_LOADS_P
    if (table == TABLE_P)
        nysx_p_resident[at / NYSX_P_RESIDENT_PARTS][at % NYSX_P_RESIDENT_PARTS] = part;
#endif
#if NYSX_LOADS_H
    int32_t entry_parts = (int32_t)sizeof(nysx_h_entry_t) / 4, entry = at / entry_parts;
    int32_t bank = entry / NYSX_H_SLOTS, place = entry % NYSX_H_SLOTS;
    if (table == TABLE_H && at % entry_parts == 0)
        nysx_h_entries[bank][place] = (nysx_h_entry_t)part;
    else if (table == TABLE_H)
        nysx_h_entries[bank][place] |= (nysx_h_entry_t)((uint64_t)part << 32);
#endif
#if NYSX_LOADS_CODEBOOK
    int32_t code_parts = (int32_t)sizeof(nysx_code_t) / 4;
    if (table == TABLE_CODE)
        nysx_codebook_code[at / code_parts] =
            at % code_parts == 0 ? (nysx_code_t)part
                                 : (nysx_code_t)((uint64_t)nysx_codebook_code[at / code_parts] | (uint64_t)part << 32);
    if (table == TABLE_BIN)
        nysx_codebook_bin[at] = (nysx_bin_t)part;
#endif
#if NYSX_LOADS_PROTOTYPES
    if (table == TABLE_PROTOTYPES)
        nysx_prototypes[at / (NYSX_SCE_WORDS * NYSX_SCE_PARTS)][at / NYSX_SCE_PARTS % NYSX_SCE_WORDS]
                       [at % NYSX_SCE_PARTS] = part;
#endif
}

/* Loads a table of `parts` parts from word `at`; returns the word after it. */
static int32_t load_table(NYSX_PARAMETERS_QUERY, int32_t at, int32_t table, int32_t parts)
{
    int32_t words = (parts + PARTS_A_WORD - 1) / PARTS_A_WORD;
NYSX_LABEL(load_words)
    for (int32_t w = 0; w < words; w++) {
        NYSX_LOOP_TRIPCOUNT_LOAD_WORDS
        nysx_query_word_t word[1];
        NYSX_READ_QUERY(word, at + w);
    NYSX_LABEL(load_parts)
        for (int32_t i = 0; i < PARTS_A_WORD; i++) {
            NYSX_UNROLL_LOAD_PARTS
            if (w * PARTS_A_WORD + i < parts)
                store(table, w * PARTS_A_WORD + i, NYSX_PART_QUERY_WORD(word[0], i));
        }
    }
    return at + (words + WORDS_A_LINE - 1) / WORDS_A_LINE * WORDS_A_LINE;
}

void nysx_load(NYSX_PARAMETERS_QUERY)
{
    int32_t at = 0;
#if NYSX_LOADS_CODEBOOK
    at = load_table(NYSX_ARGUMENTS_QUERY, at, TABLE_CODE, NYSX_CODEBOOK_TOTAL * ((int32_t)sizeof(nysx_code_t) / 4));
    at = load_table(NYSX_ARGUMENTS_QUERY, at, TABLE_BIN, NYSX_CODEBOOK_TOTAL);
#endif
#if NYSX_LOADS_H
    at = load_table(NYSX_ARGUMENTS_QUERY, at, TABLE_H,
                    NYSX_KSE_PE * NYSX_H_SLOTS * ((int32_t)sizeof(nysx_h_entry_t) / 4));
#endif
#if NYSX_LOADS_P
    at = load_table(NYSX_ARGUMENTS_QUERY, at, TABLE_P, NYSX_P_RESIDENT_WORDS * NYSX_P_RESIDENT_PARTS);
#endif
#if NYSX_LOADS_PROTOTYPES
    at = load_table(NYSX_ARGUMENTS_QUERY, at, TABLE_PROTOTYPES, NYSX_CLASSES * NYSX_SCE_WORDS * NYSX_SCE_PARTS);
#endif
    (void)at;
}
