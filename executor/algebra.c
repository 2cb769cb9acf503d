#include "executor/algebra.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "core/memory.h"

/* The library's functions, by Fortran's conventions: all arguments by address, columns first, lengths of texts after all others. */
static struct {
    void (*dsyevd)(const char *job, const char *half, const int *n, double *a, const int *lda, double *values, double *work,
                   const int *work_size, int *whole, const int *whole_size, int *info, size_t, size_t);
    void (*dsyev)(const char *job, const char *half, const int *n, double *a, const int *lda, double *values, double *work,
                  const int *work_size, int *info, size_t, size_t);
    void (*dgemm)(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha, const double *a,
                  const int *lda, const double *b, const int *ldb, const double *beta, double *c, const int *ldc, size_t, size_t);
    double (*ddot)(const int *n, const double *a, const int *step_a, const double *b, const int *step_b);
    void (*dpotrf)(const char *half, const int *n, double *a, const int *lda, int *info, size_t);
    void (*dtrmm)(const char *side, const char *half, const char *way, const char *unit, const int *m, const int *n, const double *alpha, const double *a,
                  const int *lda, double *b, const int *ldb, size_t, size_t, size_t, size_t);
    void (*spftrf)(const char *way, const char *half, const int *n, float *a, int *info, size_t, size_t);
    void (*spftrs)(const char *way, const char *half, const int *n, const int *columns, const float *a, float *b, const int *ldb,
                   int *info, size_t, size_t);
    void (*set_threads)(int count);
    char *(*kernel)(void);
} blas;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256]; /* "" if it is loaded */
static bool limited;      /* the address space */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

#define ROOM ((size_t)288 << 20) /* bytes of address space that are enough for the buffers of a call, or of the loading */

static bool is_room(void)
{
    void *room = mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room != MAP_FAILED)
        munmap(room, ROOM);
    return room != MAP_FAILED;
}

/* Encloses, with end_call, a call that needs buffers: one call at a time. Under a limit of the address space, no call is made without room. */
static enum dse_status begin_call(struct dse_error *err)
{
    DSE_TRY(dse_algebra_open(err));
    if (!limited)
        return DSE_OK;
    pthread_mutex_lock(&turn);
    if (is_room())
        return DSE_OK;
    pthread_mutex_unlock(&turn);
    dse_memory_exhausted();
}

static void end_call(void)
{
    if (limited)
        pthread_mutex_unlock(&turn);
}

#if defined(__x86_64__)
/* Chooses one kind of kernels on every processor with AVX2, and so the same bytes. By itself OpenBLAS takes SSE3 kernels on processors that it does
 * not know. Runs before there are threads, because they share the environment. */
__attribute__((constructor)) static void choose_kernels(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) /* independent of NYSX_DSE_VECTORS, which is for the program's own kernels */
        setenv("OPENBLAS_CORETYPE", "Haswell", 0);
}
#endif

static void load(void)
{
    struct rlimit space;
    limited = getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
    if (limited && !is_room()) {
        snprintf(failure, sizeof failure, "the address space is limited to %llu bytes", (unsigned long long)space.rlim_cur);
        return;
    }
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"dsyevd_", &blas.dsyevd}, {"dsyev_", &blas.dsyev}, {"dgemm_", &blas.dgemm},   {"ddot_", &blas.ddot},
        {"dpotrf_", &blas.dpotrf}, {"dtrmm_", &blas.dtrmm}, {"spftrf_", &blas.spftrf},
        {"spftrs_", &blas.spftrs}, {"openblas_set_num_threads", &blas.set_threads},
        {"openblas_get_corename", &blas.kernel},
    };
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library != NULL && i < sizeof functions / sizeof *functions; i++)
        if ((*(void **)functions[i].place = dlsym(library, functions[i].name)) == NULL)
            library = NULL;
    const char *why = library == NULL ? dlerror() : NULL;
    if (library == NULL)
        snprintf(failure, sizeof failure, "%s", why != NULL ? why : "libopenblas.so.0");
    else
        blas.set_threads(1);
}

enum dse_status dse_algebra_open(struct dse_error *err)
{
    pthread_once(&once, load);
    return failure[0] == '\0' ? DSE_OK : dse_fail(err, DSE_LIMIT, "OpenBLAS cannot be loaded: %s", failure);
}

const char *dse_algebra_kernel(void)
{
    return blas.kernel != NULL && failure[0] == '\0' ? blas.kernel() : "";
}

static void transpose(double *matrix, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double kept = matrix[i * n + j];
            matrix[i * n + j] = matrix[j * n + i];
            matrix[j * n + i] = kept;
        }
}

#define ALIKE 1e-10 /* relative to the largest: eigenvalues that differ by less count as equal; far above the rounding of dsyevd */
#define PIVOT 0.37  /* share of the longest row's square: rows of equal length are on one side of it, so rounding does not choose among them */

/* The first row whose part in columns `first` … `end` − 1 is not much shorter than the longest. */
static size_t pivot_row(const double *matrix, size_t n, size_t first, size_t end)
{
    double longest = 0.0, square = 0.0;
    for (size_t i = 0; i < n; i++) {
        square = 0.0;
        for (size_t c = first; c < end; c++)
            square += matrix[i * n + c] * matrix[i * n + c];
        longest = square > longest ? square : longest;
    }
    for (size_t i = 0;; i++) {
        square = 0.0;
        for (size_t c = first; c < end; c++)
            square += matrix[i * n + c] * matrix[i * n + c];
        if (square >= PIVOT * longest)
            return i;
    }
}

/* Reflects columns `first` … `end` − 1 so that the pivot's row has (length, 0 … 0) in them, with a positive length. */
static void reflect(double *matrix, size_t n, size_t first, size_t end, double *axis)
{
    const double *row = matrix + pivot_row(matrix, n, first, end) * n;
    double length = 0.0, square = 0.0;
    for (size_t c = first; c < end; c++)
        length += row[c] * row[c];
    length = row[first] > 0.0 ? -sqrt(length) : sqrt(length); /* the sign that cancels nothing */
    for (size_t c = first; c < end; c++) {
        axis[c] = row[c] - (c == first ? length : 0.0);
        square += axis[c] * axis[c];
    }
    for (size_t i = 0; i < n; i++) {
        double along = 0.0;
        for (size_t c = first; c < end; c++)
            along += matrix[i * n + c] * axis[c];
        for (size_t c = first; c < end; c++)
            matrix[i * n + c] -= 2.0 * along / square * axis[c];
        if (length < 0.0)
            matrix[i * n + first] = -matrix[i * n + first];
    }
}

/* Eigenvectors are known up to their sign, and those of equal values up to a rotation. Which ones a library gives depends on the order of its sums.
 * For each group of equal values, this takes the vectors in echelon form with positive pivots, and the values' mean. O(n³). */
static void fix_basis(double *matrix, size_t n, double *values)
{
    DSE_CLEANUP(dse_free_at) double *axis = dse_malloc((n + 1) * sizeof *axis);
    for (size_t first = 0, end; first < n; first = end) {
        double sum = 0.0;
        for (end = first; end < n && (end == first || values[end] - values[end - 1] <= ALIKE * fabs(values[n - 1])); end++)
            sum += values[end];
        for (size_t c = first; c < end; c++) {
            values[c] = sum / (double)(end - first);
            reflect(matrix, n, c, end, axis);
        }
    }
}

enum dse_status dse_algebra_eigen(double *matrix, size_t n, double *values, struct dse_error *err)
{
    DSE_TRY(begin_call(err));
    int size = (int)n, info = 0, ask = -1, whole_size = 0;
    double best = 0.0;
    blas.dsyevd("V", "U", &size, matrix, &size, values, &best, &ask, &whole_size, &ask, &info, 1, 1);
    int work_size = (int)best;
    DSE_CLEANUP(dse_free_at) double *work = dse_malloc(((size_t)work_size + 1) * sizeof *work);
    DSE_CLEANUP(dse_free_at) int *whole = dse_malloc(((size_t)whole_size + 1) * sizeof *whole);
    blas.dsyevd("V", "U", &size, matrix, &size, values, work, &work_size, whole, &whole_size, &info, 1, 1);
    transpose(matrix, n);
    end_call();
    if (info != 0)
        return dse_fail(err, DSE_LIMIT, "the eigendecomposition failed (dsyevd: %d)", info);
    fix_basis(matrix, n, values);
    return DSE_OK;
}

enum dse_status dse_algebra_eigen_rows(double *matrix, size_t n, double *values, struct dse_error *err)
{
    DSE_TRY(begin_call(err));
    int size = (int)n, info = 0, ask = -1;
    double best = 0.0;
    blas.dsyev("V", "L", &size, matrix, &size, values, &best, &ask, &info, 1, 1);
    int work_size = (int)best;
    DSE_CLEANUP(dse_free_at) double *work = dse_malloc(((size_t)work_size + 1) * sizeof *work);
    blas.dsyev("V", "L", &size, matrix, &size, values, work, &work_size, &info, 1, 1);
    end_call();
    return info != 0 ? dse_fail(err, DSE_LIMIT, "the eigendecomposition failed (dsyev: %d)", info) : DSE_OK;
}

enum dse_status dse_algebra_multiply(const double *a, const double *b, size_t rows, size_t inner, size_t columns, double *out,
                                      struct dse_error *err)
{
    DSE_TRY(begin_call(err));
    const double one = 1.0, zero = 0.0;
    const int m = (int)columns, n = (int)rows, k = (int)inner; /* outᵀ = bᵀ aᵀ */
    blas.dgemm("N", "N", &m, &n, &k, &one, b, &m, a, &k, &zero, out, &m, 1, 1);
    end_call();
    return DSE_OK;
}

double dse_algebra_dot(const double *a, const double *b, size_t n)
{
    const int size = (int)n, one = 1;
    return blas.ddot(&size, a, &one, b, &one);
}

#define SMALL 16 /* rows of a triangle that calls are no longer worth it for */

/* Inverts a lower triangle in place: inverts its two halves, and puts −X₂₂ L₂₁ X₁₁ between them. dtrtri takes 2.7 times as long for 260 rows. */
static void invert_triangle(double *a, size_t n, size_t stride)
{
    if (n <= SMALL) {
        for (size_t j = 0; j < n; j++) {
            double *row = a + j * stride, kept[SMALL];
            row[j] = 1.0 / row[j];
            for (size_t k = 0; k < j; k++) {
                kept[k] = -row[j] * row[k];
                row[k] = 0.0;
            }
            for (size_t k = 0; k < j; k++)
                for (size_t i = 0; i <= k; i++)
                    row[i] += kept[k] * a[k * stride + i];
        }
        return;
    }
    const int first = (int)(n / 2), rest = (int)n - first, step = (int)stride;
    const double one = 1.0, minus = -1.0;
    double *below = a + (size_t)first * stride, *corner = below + first;
    invert_triangle(a, (size_t)first, stride);
    invert_triangle(corner, (size_t)rest, stride);
    blas.dtrmm("L", "U", "N", "N", &first, &rest, &minus, a, &step, below, &step, 1, 1, 1, 1);
    blas.dtrmm("R", "U", "N", "N", &first, &rest, &one, corner, &step, below, &step, 1, 1, 1, 1);
}

enum dse_status dse_algebra_invert_factor(double *matrix, size_t n, struct dse_error *err)
{
    DSE_TRY(begin_call(err));
    int size = (int)n, info = 0;
    blas.dpotrf("U", &size, matrix, &size, &info, 1); /* row-major lower is column-major upper */
    if (info == 0)
        invert_triangle(matrix, n, n);
    end_call();
    return info == 0 ? DSE_OK : dse_fail(err, DSE_LIMIT, "ridge prototypes: the Cholesky factor failed (dpotrf: %d)", info);
}

enum dse_status dse_algebra_solve_packed(float *packed, size_t n, float *right, size_t columns, struct dse_error *err)
{
    DSE_TRY(begin_call(err));
    int size = (int)n, count = (int)columns, info = 0;
    blas.spftrf("N", "L", &size, packed, &info, 1, 1);
    if (info == 0)
        blas.spftrs("N", "L", &size, &count, packed, right, &size, &info, 1, 1);
    end_call();
    return info == 0 ? DSE_OK : dse_fail(err, DSE_LIMIT, "ridge prototypes: the solve failed (spftrf: %d)", info);
}
