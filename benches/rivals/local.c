/* The rival: both local rules as a scientist writes them in an afternoon. Plain C, byte arrays, xoshiro256++, tables for
 * neighbours and pairs, queens counted per line, the signals checked while the queens form a solution.
 *
 *   cc -O3 -march=native local.c -o local -lm && ./local pair 8 0.01 0 200000000 1
 *   arguments: rule, n, epsilon, eta, updates to simulate (trials follow each other), seed
 *   other conditions than SAFEGO: -DCERTAIN='safe || (b_queens == 0 && b_signals < a_signals)' and the like
 *   output:    trials absorbed, their mean absorption time with its standard error, and last the updates per second
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N_MAX 64
#define CELLS (N_MAX * N_MAX)

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static inline __attribute__((always_inline)) uint64_t next(uint64_t *s) {
    const uint64_t result = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3];
    s[2] ^= t; s[3] = rotl(s[3], 45);
    return result;
}
static inline void seed(uint64_t *s, uint64_t z) {
    for (int i = 0; i < 4; i++) { /* splitmix64 */
        uint64_t x = (z += 0x9e3779b97f4a7c15);
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        s[i] = x ^ (x >> 31);
    }
}
static inline uint32_t below(uint64_t *s, uint32_t k) { return (uint32_t)(((next(s) >> 32) * k) >> 32); }
static inline double uniform(uint64_t *s) { return (double)(next(s) >> 11) * 0x1.0p-53; }

/* Directions NW N NE W E SW S SE; the opposite of d is 7 - d. */
static const int DX[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, DY[8] = {-1, -1, -1, 0, 0, 1, 1, 1};

static int n;
static double eps, eta;
static uint8_t queens[CELLS], sig[CELLS], truth[CELLS];
static int16_t nbr[CELLS][8]; /* -1 off the board */
static int n_pairs;
static struct { int16_t a, b; uint8_t d; } pairs[16002]; /* b lies in direction d of a */
static int row[N_MAX], col[N_MAX], diag[2 * N_MAX], anti[2 * N_MAX], conflicts, solved;
static uint64_t moves;

static void put(int c, int k) {
    int x = c % n, y = c / n;
    int *line[4] = {&row[y], &col[x], &diag[x + y], &anti[x - y + n]};
    for (int i = 0; i < 4; i++) {
        if (k < 0) *line[i] -= 1;
        conflicts += k * *line[i];
        if (k > 0) *line[i] += 1;
    }
}

static void move(int a, int b) {
    queens[a]--; queens[b]++;
    put(a, -1); put(b, 1);
    moves++;
    solved = conflicts == 0;
    if (!solved) return;
    memset(truth, 0, sizeof truth);
    for (int c = 0; c < n * n; c++)
        for (int d = 0; d < 8; d++)
            for (int e = nbr[c][d]; e >= 0; e = nbr[e][d])
                if (queens[e]) truth[c] |= 1 << d;
}

#ifndef CERTAIN
#define CERTAIN safe
#endif
static inline int may_move(uint64_t *s, int a, int b, int from) {
    if (!queens[a] || (queens[a] == 1 && !sig[a])) return 0;
    const int safe = !queens[b] && !(sig[b] & ~(1 << from)), b_queens = queens[b], b_own = sig[b] >> from & 1;
    const int a_signals = __builtin_popcount(sig[a]), b_signals = __builtin_popcount(sig[b]);
    (void)b_queens, (void)b_own, (void)a_signals, (void)b_signals; /* what CERTAIN may name */
    if (CERTAIN) return 1;
    return uniform(s) < eps;
}

static inline void tell(int from, int to, int d) { /* `from` lies in direction d of `to` */
    uint8_t seen = (queens[from] != 0) | (sig[from] >> d & 1);
    sig[to] = (sig[to] & ~(1 << d)) | seen << d;
}

static inline void update_pair(uint64_t *s) {
    int k = below(s, n_pairs), a = pairs[k].a, b = pairs[k].b, d = pairs[k].d;
    int ab = may_move(s, a, b, 7 - d), ba = may_move(s, b, a, d);
    if (ab && !ba) move(a, b);
    else if (ba && !ab) move(b, a);
    tell(a, b, 7 - d);
    tell(b, a, d);
}

static inline void update_cell(uint64_t *s) {
    int c = below(s, n * n), best = 99, k = 0, choice[8];
    uint8_t new = 0;
    for (int d = 0; d < 8; d++) {
        int e = nbr[c][d];
        if (e >= 0 && (queens[e] || (sig[e] >> d & 1))) new |= 1 << d;
    }
    sig[c] = new;
    if (!queens[c] || (queens[c] == 1 && !sig[c])) return;
    int any = uniform(s) < eta;
    for (int d = 0; d < 8; d++) {
        int e = nbr[c][d];
        if (e < 0) continue;
        int omega = any ? 0 : queens[e] ? 98 : __builtin_popcount(sig[e]);
        if (omega < best) best = omega, k = 0;
        if (omega == best) choice[k++] = d;
    }
    int d = choice[below(s, k)];
    if (may_move(s, c, nbr[c][d], 7 - d)) move(c, nbr[c][d]);
}

static inline void start(uint64_t *s) {
    memset(queens, 0, sizeof queens); memset(sig, 0, sizeof sig);
    memset(row, 0, sizeof row); memset(col, 0, sizeof col);
    memset(diag, 0, sizeof diag); memset(anti, 0, sizeof anti);
    conflicts = solved = 0;
    for (int i = 0; i < n; i++) {
        int c = below(s, n * n);
        queens[c]++;
        put(c, 1);
    }
}

int main(int argc, char **argv) {
    if (argc != 7) return fprintf(stderr, "local RULE N EPSILON ETA UPDATES SEED\n"), 2;
    int pair = !strcmp(argv[1], "pair");
    n = atoi(argv[2]); eps = atof(argv[3]); eta = atof(argv[4]);
    uint64_t updates = strtoull(argv[5], 0, 10), absorbed = 0, since = 0;
    double sum = 0, squares = 0;
    uint64_t s[4];
    seed(s, strtoull(argv[6], 0, 10));
    for (int c = 0; c < n * n; c++)
        for (int d = 0; d < 8; d++) {
            int x = c % n + DX[d], y = c / n + DY[d], in = x >= 0 && x < n && y >= 0 && y < n;
            nbr[c][d] = in ? y * n + x : -1;
            if (in && d > 3) pairs[n_pairs].a = c, pairs[n_pairs].b = y * n + x, pairs[n_pairs++].d = d;
        }
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    start(s);
    for (uint64_t t = 1; t <= updates; t++) {
        if (pair) update_pair(s); else update_cell(s);
        if (solved && !memcmp(sig, truth, n * n)) {
            absorbed++;
            double time = t - since;
            sum += time;
            squares += time * time;
            since = t;
            start(s);
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double seconds = (t1.tv_sec - t0.tv_sec) + 1e-9 * (t1.tv_nsec - t0.tv_nsec);
    double mean = sum / absorbed, error = sqrt((squares / absorbed - mean * mean) / absorbed);
    printf("%llu updates, %llu trials absorbed, mean %g +- %g, updates/s %g\n", (unsigned long long)updates, (unsigned long long)absorbed,
           mean, error, updates / seconds);
    return 0;
}
