/* The kernels for one type of element, included once for each: REAL is the type, V a vector of WIDTH of them, NAME(x) the
 * function's name. No include guard: see kernels.c. */

typedef REAL V __attribute__((vector_size(WIDTH * sizeof(REAL)), aligned(sizeof(REAL))));

/* ROWS rows against one group of lanes. */
#define ROWS 4

static inline __attribute__((always_inline)) void NAME(dot_rows)(const REAL *block, size_t lanes, const REAL *rows,
                                                                 size_t dim, double *out)
{
    V sum[ROWS] = {{0}};
    for (size_t d = 0; d < dim; d++) {
        const V element = *(const V *)(const void *)(block + d * lanes);
        for (size_t r = 0; r < ROWS; r++)
            sum[r] += element * rows[r * dim + d];
    }
    for (size_t r = 0; r < ROWS; r++)
        for (size_t k = 0; k < WIDTH; k++)
            out[r * lanes + k] = (double)sum[r][k];
}

static inline __attribute__((always_inline)) void NAME(dot_row)(const REAL *block, size_t lanes, const REAL *row,
                                                                size_t dim, double *out)
{
    V sum = {0};
    for (size_t d = 0; d < dim; d++)
        sum += *(const V *)(const void *)(block + d * lanes) * row[d];
    for (size_t k = 0; k < WIDTH; k++)
        out[k] = (double)sum[k];
}

static inline __attribute__((always_inline)) void NAME(dot)(const REAL *block, size_t lanes, const REAL *rows,
                                                            size_t count, size_t dim, double *out)
{
    for (size_t first = 0; first < lanes; first += WIDTH) {
        size_t r = 0;
        for (; r + ROWS <= count; r += ROWS)
            NAME(dot_rows)(block + first, lanes, rows + r * dim, dim, out + r * lanes + first);
        for (; r < count; r++)
            NAME(dot_row)(block + first, lanes, rows + r * dim, dim, out + r * lanes + first);
    }
}

/* sums[lanes] = Σ_j gain[j] · row j at dimension d. */
static inline __attribute__((always_inline)) void NAME(gather)(const REAL *gain, size_t lanes, const REAL *rows,
                                                               size_t count, size_t dim, size_t d, REAL *sums)
{
    for (size_t first = 0; first < lanes; first += WIDTH) {
        V sum = {0};
        for (size_t j = 0; j < count; j++)
            sum += *(const V *)(const void *)(gain + j * lanes + first) * rows[j * dim + d];
        *(V *)(void *)(sums + first) = sum;
    }
}

#undef ROWS
